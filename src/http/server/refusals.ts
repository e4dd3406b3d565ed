/**
 * Every refusal of the API, with its status. The texts address the author of the script. Outside the folder of the API,
 * which is loaded with its first request, because the server itself reports that it could not be loaded.
 */
export const refusals = {
  unreadable: { status: 400, words: 'what was sent cannot be read' },
  unauthorised: {
    status: 401,
    words: 'a valid token is needed: Authorization: Bearer …',
  },
  scope: { status: 403, words: 'the scope of this token does not allow it' },
  csrf: { status: 403, words: 'the header X-CSRF-Token of the session is needed' },
  unknown: { status: 404, words: 'nothing was found at this address' },
  verb: { status: 405, words: 'this address does not accept the verb' },
  slow: { status: 408, words: 'the body did not arrive in time' },
  conflict: { status: 409, words: 'it contradicts what is stored' },
  'too-large': { status: 413, words: 'the body is too large' },
  'media-type': { status: 415, words: 'the body must be application/json' },
  unusable: { status: 422, words: 'what was sent cannot be used; see details' },
  'too-many': { status: 422, words: 'too many items at once' },
  throttled: {
    status: 429,
    words: 'too many wrong tokens from this address, or too many test messages; try again later',
  },
  internal: { status: 500, words: 'an internal error occurred; see the log' },
  unavailable: { status: 503, words: 'it is not available' },
} as const;

/** Values of the field `code` of a refusal. */
export type RefusalCode = keyof typeof refusals;

/** A field of the request and its fault. */
export interface FieldFault {
  readonly field: string;
  readonly message: string;
}

/** The body of a refusal. */
export const refusalBody = (
  code: RefusalCode,
  message: string = refusals[code].words,
  details: readonly FieldFault[] = [],
): unknown => ({ error: { code, message, details } });
