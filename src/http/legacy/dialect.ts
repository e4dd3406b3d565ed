import type { IncomingMessage } from 'node:http';
import { isAway, RETRY_SECONDS } from '../../lib/store-fault.ts';
import type { Brand } from '../../features/campaign/brand.ts';
import { Failure, failures } from '../../lib/failure.ts';
import { decoded } from '../../lib/text/address-text.ts';
import { apiMethod, LEGACY_CONTENT_TYPE } from '../../mapping/dialect.ts';

/** Writes a failure document in the legacy form. */
export type ErrorDocument = (apiMethod: string | undefined, text: string) => string;

/** A failure as it is sent: always XML, whatever the caller accepts. */
export interface FailureReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

const configurable: ReadonlySet<string> = new Set(['malformedXml', 'missingRange', 'unreadableRange']);

/** The legacy form of failures: status and text from one table. */
export class Dialect {
  readonly #document: ErrorDocument;
  readonly #malformedStatus: number;
  readonly #contact: string | undefined;

  /** `contact`: the sentence that says whom to ask if a connection must be authorised again. */
  constructor(document: ErrorDocument, malformedStatus: number, contact?: string) {
    this.#contact = contact;
    this.#document = document;
    this.#malformedStatus = malformedStatus;
  }

  /** `address`: path and query as received, for `api-method`; it may be anything. */
  reply(failure: Failure, address: string): FailureReply {
    const body = Buffer.from(this.#document(methodIn(address), this.#textOf(failure)), 'utf8');
    const { retryAfter, joined } = failure;
    return {
      status: configurable.has(failure.code) ? this.#malformedStatus : failures[failure.code].status,
      headers: {
        'Content-Type': LEGACY_CONTENT_TYPE,
        'Content-Length': String(body.length),
        'X-Causeway-Source': failure.source,
        ...(failure.code === 'wrongVerb' && { Allow: allowed(failure.allow) }),
        ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
        ...(joined === undefined ? {} : { 'X-Causeway-Joined': joined }),
      },
      body,
    };
  }

  /** A refusal reaches people who have never heard of the bridge: they need a name and an address. */
  #textOf({ code, text }: Failure): string {
    return (code === 'consentNeeded' || code === 'brownout') && this.#contact !== undefined
      ? `${text}. ${this.#contact}`
      : text;
  }
}

/** The sentence that ends refusals until the connection is authorised again. */
export const contactWords = ({ name, support }: Pick<Brand, 'name' | 'support'>): string =>
  support === undefined
    ? `${name} manages this connection: please ask there`
    : `${name} manages this connection: please write to ${support}`;

/**
 * A 405 must name the path's verbs (RFC 9110, section 15.5.6); for a path that was not looked up, the verbs
 * of all methods.
 */
const allowed = (verbs: readonly string[] = ['GET', 'POST', 'PUT', 'DELETE']): string => verbs.join(', ');

/** Follows the rule of `apiMethod`, for any address. */
function methodIn(address: string): string | undefined {
  const path = /^\/[^?#]*/.exec(address)?.[0] ?? '';
  return apiMethod(
    path
      .slice(1)
      .split('/')
      .map((segment) => decoded(segment) ?? segment),
  );
}

/** Turns anything thrown into a failure of the table. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  // Nothing has been sent yet: the caller loses nothing by retrying soon.
  const passing = isAway(error);
  return new Failure(passing ? 'storeUnavailable' : 'internal', {
    cause: error,
    ...(passing && { retryAfter: RETRY_SECONDS }),
  });
}

/** The failure of a call that was aborted at a stop. */
export function atStop(failure: Failure, { method, complete }: IncomingMessage): Failure {
  const isRead = method === 'GET' || method === 'HEAD';
  const stopping = new Failure('stopping', { cause: failure });
  // For a write, "unavailable" means that nothing has left.
  if (!complete || failure.code === 'upstreamUnavailable') return stopping;
  if (failure.code !== 'internal') return failure;
  return isRead ? stopping : new Failure('outcomeUnknown', { cause: failure });
}
