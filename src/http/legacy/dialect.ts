import { StoreFault } from '../../lib/store-fault.ts';
import { Failure, failures } from '../../lib/failure.ts';
import { apiMethod, LEGACY_CONTENT_TYPE } from '../../mapping/dialect.ts';

/** Writes a failure document of the legacy form. */
export type ErrorDocument = (apiMethod: string | undefined, text: string) => string;

/** A failure as it goes out: always XML, whatever the caller accepts. */
export interface FailureReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Seconds told with a 429 that knows no better: the limit is a rolling minute. */
const ROLLING_MINUTE = 60;
const configurable: ReadonlySet<string> = new Set(['malformedXml', 'missingRange']);

/** The legacy dialect of failures: status and words from the one table, in the one form. */
export class Dialect {
  readonly #document: ErrorDocument;
  readonly #malformedStatus: number;

  constructor(document: ErrorDocument, malformedStatus: number) {
    this.#document = document;
    this.#malformedStatus = malformedStatus;
  }

  /** `address`: path and query as received, for `api-method`; whatever it looks like. */
  reply(failure: Failure, address: string): FailureReply {
    const body = Buffer.from(this.#document(methodIn(address), failure.text), 'utf8');
    const retryAfter =
      failure.retryAfter ?? (failure.code === 'budgetExhausted' ? ROLLING_MINUTE : undefined);
    return {
      status: configurable.has(failure.code) ? this.#malformedStatus : failures[failure.code].status,
      headers: {
        'Content-Type': LEGACY_CONTENT_TYPE,
        'Content-Length': String(body.length),
        'X-Causeway-Source': failure.source,
        ...(failure.code === 'wrongVerb' && { Allow: allowed(failure.allow) }),
        ...(retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) }),
      },
      body,
    };
  }
}

/** RFC 9110, 15.5.6: 405 names the verbs of the path; of a path that nobody looked at, those of all methods. */
const allowed = (verbs: readonly string[] = ['GET', 'POST', 'PUT', 'DELETE']): string => verbs.join(', ');

/** By the rule of `apiMethod`, from an address that may be anything. */
function methodIn(address: string): string | undefined {
  const path = /^\/[^?#]*/.exec(address)?.[0] ?? '';
  return apiMethod(path.slice(1).split('/'));
}

/** What somebody threw, as a failure of the table. */
export function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  // Before anything was sent: a caller that tries again in a moment loses nothing.
  const passing = error instanceof StoreFault && error.kind === 'unavailable';
  return new Failure(passing ? 'storeUnavailable' : 'internal', {
    cause: error,
    ...(passing && { retryAfter: 5 }),
  });
}
