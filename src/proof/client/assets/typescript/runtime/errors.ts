import type { Api } from '../../../../../proof/client/client-tables.ts';

/** The call that failed. */
export interface Failed {
  /** `client.get` */
  readonly method: string;
  readonly api: Api;
  /** The HTTP status; undefined if there was no answer. */
  readonly status?: number | undefined;
  readonly cause?: unknown;
}

/** Base of all errors of a call. `message` has the service's own words if it gave any. */
export class ServiceError extends Error {
  readonly method: string;
  readonly api: Api;
  readonly status: number | undefined;

  constructor(message: string, { method, api, status, cause }: Failed) {
    super(message, { cause });
    this.name = new.target.name;
    this.method = method;
    this.api = api;
    this.status = status;
  }
}

/** The service refused the call, as V1 does with `<Status>ERROR</Status>`. Nothing was changed. */
export class Refused extends ServiceError {}
/** The service answered 404: there is no such record. V3 may also say so as V1 does, which is a plain `Refused`. */
export class NotFound extends Refused {}
/** The access token was not accepted, or does not allow the call. Nothing was changed. */
export class NotAuthorised extends ServiceError {}
/**
 * The service could not answer a read, or the call could not be sent: nobody listened, the token store failed (`cause`),
 * or the program aborted it before. Nothing was changed; the same call may succeed later.
 */
export class Unavailable extends ServiceError {}
/** The answer cannot be used: it is not XML or JSON, or a list is incomplete. */
export class UnusableAnswer extends ServiceError {}
/**
 * A write was sent and its outcome is unknown. Check before you send it again: this client never resends it.
 */
export class OutcomeUnknown extends ServiceError {}
/** V2 does not offer the method, or would lose an element of the request. Nothing was sent. */
export class NotOnV2 extends ServiceError {}
/** An element or parameter is missing or unknown. Nothing was sent. */
export class InvalidCall extends ServiceError {}

/** The rate limit is reached. A write that gets this error was not carried out. */
export class RateLimited extends ServiceError {
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number, failed: Failed) {
    super(`The limit of requests is reached; free again in ${retryAfterSeconds} s`, failed);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The customer has to consent again: the refresh token was not accepted, or there is none. */
export class GrantLost extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'GrantLost';
  }
}

/** No new access token could be obtained; the stored refresh token is still valid and can be tried again. */
export class RefreshFailed extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'RefreshFailed';
  }
}
