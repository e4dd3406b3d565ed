import type { Api } from '../../../../../proof/client/client-tables.ts';

/** Where a call failed. */
export interface Failed {
  /** `client.get` */
  readonly method: string;
  readonly api: Api;
  /** The HTTP status; undefined: there was no answer. */
  readonly status?: number | undefined;
  readonly cause?: unknown;
}

/** Every error of a call. `message` holds the words of the service where it gave any. */
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

/** The service refused the call: V1's `<Status>ERROR</Status>`. Nothing was changed. */
export class Refused extends ServiceError {}
/** There is no such record. V1 says so with `<Status>ERROR</Status>` as well. */
export class NotFound extends Refused {}
/** The access token is not accepted, or does not allow the call. */
export class NotAuthorised extends ServiceError {}
/** The service could not answer. Nothing was changed; the same read may succeed later. */
export class Unavailable extends ServiceError {}
/** The answer cannot be used: not XML or JSON, or a list that is not whole. */
export class UnusableAnswer extends ServiceError {}
/** A write was sent and its outcome is not known. Look before you send it again: this client never does. */
export class OutcomeUnknown extends ServiceError {}
/** V2 does not offer the method, or would lose an element of the request. Nothing was sent. */
export class NotOnV2 extends ServiceError {}
/** An element or parameter is missing, or is none of this method. Nothing was sent. */
export class InvalidCall extends ServiceError {}

/** The limit of requests is reached. A write that meets it was not carried out. */
export class RateLimited extends ServiceError {
  readonly retryAfterSeconds: number;

  constructor(retryAfterSeconds: number, failed: Failed) {
    super(`The limit of requests is reached; free again in ${retryAfterSeconds} s`, failed);
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** The customer has to give consent again: the refresh token is not accepted, or there is none. */
export class GrantLost extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'GrantLost';
  }
}

/** No new access token could be had; the stored refresh token stays good, and may be tried again. */
export class RefreshFailed extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'RefreshFailed';
  }
}
