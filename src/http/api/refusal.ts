import { SECOND } from '../../lib/time/clock.ts';
import { isAway, RETRY_SECONDS } from '../../lib/store-fault.ts';
import { Failure, type FailureCode } from '../../lib/failure.ts';
import { DuplicateToken } from '../../features/admin/tokens/token.ts';
import { AdminRefusal, NameTaken, Throttled } from '../../features/admin/refusal.ts';
import { UnusableToken } from '../../features/admin/tokens/tokens.ts';
import { UnknownPosition } from '../../lib/text/list-order.ts';
import { Unusable } from './endpoint.ts';
import { refusals, type FieldFault, type RefusalCode } from '../server/refusals.ts';

/** The request was refused; nothing was done. */
export class ApiRefusal extends Error {
  readonly code: RefusalCode;
  readonly details: readonly FieldFault[];
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    code: RefusalCode,
    words: string = refusals[code].words,
    more: {
      readonly details?: readonly FieldFault[];
      readonly headers?: Readonly<Record<string, string>>;
    } = {},
  ) {
    super(words);
    this.name = 'ApiRefusal';
    this.code = code;
    this.details = more.details ?? [];
    this.headers = more.headers ?? {};
  }
}

/** A feature's error in the form of the API; undefined for an unexpected error. */
export function refusalOf(error: unknown): ApiRefusal | undefined {
  if (error instanceof ApiRefusal) return error;
  if (error instanceof Unusable)
    return new ApiRefusal('unusable', refusals.unusable.words, { details: error.faults });
  if (error instanceof NameTaken) return new ApiRefusal(error.fault, `${error.message} (sameName)`);
  if (error instanceof Throttled) return throttled(error.millis, error.message);
  if (error instanceof AdminRefusal)
    return new ApiRefusal(error.fault, error.message, { details: error.fields.map(inBody) });
  if (error instanceof UnknownPosition)
    return new ApiRefusal('unusable', error.message, {
      details: [{ field: 'query.before', message: 'no position of this list' }],
    });
  if (isAway(error)) return databaseAway();
  return error instanceof Failure ? bodyRefusal(error) : tokenRefusal(error);
}

function tokenRefusal(error: unknown): ApiRefusal | undefined {
  if (error instanceof DuplicateToken) return new ApiRefusal('conflict', error.message);
  return error instanceof UnusableToken ? new ApiRefusal('unusable', error.message) : undefined;
}

/** `millis`: how long the caller has to wait. */
export const throttled = (millis: number, words: string): ApiRefusal =>
  new ApiRefusal('throttled', words, {
    headers: { 'Retry-After': String(Math.max(1, Math.ceil(millis / SECOND))) },
  });

/** Not logged for each request: the outage itself is, once. */
const databaseAway = (): ApiRefusal =>
  new ApiRefusal('unavailable', 'the database is unavailable; try again', {
    headers: { 'Retry-After': String(RETRY_SECONDS) },
  });

const inBody = ({ field, message }: FieldFault): FieldFault => ({ field: `body.${field}`, message });

/** The refusals for failures before a body has been read. */
const ofBodies: Readonly<Partial<Record<FailureCode, RefusalCode>>> = {
  bodyTooLarge: 'too-large',
  tooSlow: 'slow',
  badRequest: 'unreadable',
};

function bodyRefusal({ code }: Failure): ApiRefusal | undefined {
  const refusal = ofBodies[code];
  return refusal && new ApiRefusal(refusal);
}
