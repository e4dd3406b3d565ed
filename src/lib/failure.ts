import { wordsIn } from './text/code.ts';

/** The source of a reply; `bridge` marks the bridge's own. */
export type Source = 'v1' | 'v3' | 'v2' | 'cache' | 'bridge';

interface FailureKind {
  readonly status: number;
  readonly text: string;
  readonly retryAfter?: number;
}

/**
 * Every way a legacy call can fail, with the HTTP status and the text the caller gets. The only table of the legacy
 * dialect's errors; only `http/legacy/` writes them. Status 200 is the service's own form for refusing the call itself
 * (`<Status>ERROR</Status>`). `retryAfter`: in seconds, unless the failure itself says how long.
 */
export const failures = {
  refused: { status: 200, text: 'The request was refused' },
  keysRefused: { status: 401, text: 'Invalid API key or account key' },
  consentNeeded: {
    status: 403,
    text: 'This connection must be authorised again: an administrator of the account has to follow the invitation to re-connect',
  },
  /** An announced brown-out: reads of an account that still uses V1 are refused for some minutes. */
  brownout: {
    status: 503,
    text: 'V1 ends, and reads are refused for some minutes as announced: an administrator of the account has to follow the invitation to re-connect',
  },
  /** One call is refused; this says nothing about the validity of the consent. */
  notPermitted: {
    status: 403,
    text: 'The service does not permit this call: neither the scope granted nor the access to the organisation covers it',
  },
  unknownMethod: { status: 404, text: 'Unknown method' },
  wrongVerb: { status: 405, text: 'This method does not accept the HTTP verb used' },
  badRequest: { status: 400, text: 'The request could not be read' },
  /** This code and the next belong to a request that never became a call. */
  tooSlow: { status: 408, text: 'The request did not arrive in time' },
  headTooLarge: { status: 431, text: 'The address or the headers are too long' },
  bodyTooLarge: { status: 413, text: 'The message is too large' },
  compressedBody: { status: 415, text: 'Compressed messages are not accepted' },
  /** The status of these three is `CAUSEWAY_MALFORMED_STATUS`; the legacy service answered 500. */
  malformedXml: { status: 500, text: 'The message is not well-formed XML' },
  missingRange: { status: 500, text: 'The parameters from and to are required' },
  unreadableRange: { status: 500, text: 'The parameters from and to cannot be read' },
  /** For accounts whose OAuth application was removed from the settings. */
  applicationMissing: {
    status: 503,
    retryAfter: 60,
    text: 'The bridge does not know the OAuth application of this account, so it cannot serve its calls; whoever runs it has to configure the application again',
  },
  /** The limit is a rolling minute. */
  budgetExhausted: {
    status: 429,
    retryAfter: 60,
    text: 'Too many requests for this account; try again later',
  },
  upstreamAnswer: { status: 502, text: 'The service gave an answer that could not be used' },
  upstreamUnavailable: { status: 503, text: 'The service cannot be reached at the moment' },
  upstreamTimeout: { status: 504, text: 'The service did not answer in time' },
  outcomeUnknown: {
    status: 504,
    text: 'The outcome of this request is unknown: the service may or may not have carried it out. Look before sending it again',
  },
  busy: { status: 503, text: 'Too many requests at once; try again later' },
  storeUnavailable: {
    status: 503,
    retryAfter: 10,
    text: 'The bridge cannot serve calls at the moment; try again later',
  },
  /** For a call that was refused before anything left. */
  databaseAway: {
    status: 503,
    retryAfter: 5,
    text: 'The bridge cannot reach its database at the moment, and nothing was sent to the service; try again later',
  },
  /** Another deployment may be the one that refreshes tokens; the log says what to do. */
  heldBack: {
    status: 503,
    retryAfter: 60,
    text: 'The bridge cannot serve calls at the moment; try again later',
  },
  /** For reads, and writes of which nothing has left. After that time this instance, or another, accepts calls. */
  stopping: {
    status: 503,
    retryAfter: 5,
    text: 'The bridge is being restarted and has not carried out this request; send it again',
  },
  internal: { status: 500, text: 'An internal error occurred' },
} as const satisfies Readonly<Record<string, FailureKind>>;

/** Replaces the text of `consentNeeded`: the consent has not ended at the service. */
export const EXPORTED_TEXT =
  'This connection was handed over to another program and is not served here any more; an administrator of the account can authorise it here again';

/** The code of a failure in log and metrics. */
export type FailureCode = keyof typeof failures;

export interface FailureDetails {
  /** Replaces the table's text; for the caller, never a secret or a stack. */
  readonly text?: string;
  /** In seconds, for 429 and 503; default: the table's. */
  readonly retryAfter?: number;
  /** The verbs of the path, for 405. */
  readonly allow?: readonly string[] | undefined;
  readonly cause?: unknown;
  /** The source of the text; default: the bridge itself. */
  readonly source?: Source;
  /**
   * Every route would refuse the call for the same reason, which lies in the call; default: whether `whateverRoute` has
   * the code.
   */
  readonly isOfCall?: boolean;
  /** The same call would fail again, however often it is repeated. */
  readonly isLasting?: boolean;
  /** The id of the earlier identical write that got the same answer. */
  readonly joined?: string | undefined;
  /** The account of the account key, and why the keys are refused nevertheless; the caller is not told. */
  readonly refused?: RefusedKeys;
}

/**
 * Failures that have nothing to do with the route of a method: the call is refused before one is chosen, or by every
 * route, or no service could be reached. Not `unreadableRange`: V1, V3 and the translation to V2 each read days in
 * their own way.
 */
export const whateverRoute: ReadonlySet<FailureCode> = new Set([
  ...(['keysRefused', 'unknownMethod', 'wrongVerb', 'badRequest', 'tooSlow', 'headTooLarge'] as const),
  ...(['bodyTooLarge', 'compressedBody', 'malformedXml', 'missingRange'] as const),
  ...(['databaseAway', 'storeUnavailable', 'heldBack', 'stopping'] as const),
]);

/** The account whose key came with a call, and why the call is refused. */
export interface RefusedKeys {
  readonly accountId: string;
  readonly why: RefusedWhy;
}

/** The reasons in words, by code. */
const refusedTexts = {
  'wrong-api-key': 'its API key is missing, or not the one of this account',
  'no-api-key': 'the bridge does not know the API key of this account',
  closed: 'the account is closed',
} as const;
/** The code of such a reason. */
export type RefusedWhy = keyof typeof refusedTexts;
/** Why a call was refused. */
export const refusedWords = wordsIn<RefusedWhy>(refusedTexts);
/** All codes, in the order of the table. */
export const refusedWhys = Object.keys(refusedTexts) as [RefusedWhy, ...RefusedWhy[]];

/** A call that ends in an error of the legacy dialect. `text` is for the caller; `cause` is only logged. */
export class Failure extends Error {
  readonly code: FailureCode;
  readonly text: string;
  readonly retryAfter: number | undefined;
  readonly allow: readonly string[] | undefined;
  readonly source: Source;
  readonly isOfCall: boolean;
  readonly isLasting: boolean;
  readonly joined: string | undefined;
  readonly refused: RefusedKeys | undefined;

  constructor(code: FailureCode, details: FailureDetails = {}) {
    const { text, retryAfter }: FailureKind = failures[code];
    super(`${code}: ${details.text ?? text}`, { cause: details.cause });
    this.name = 'Failure';
    this.code = code;
    this.text = details.text ?? text;
    this.retryAfter = details.retryAfter ?? retryAfter;
    this.allow = details.allow;
    this.source = details.source ?? 'bridge';
    this.isOfCall = details.isOfCall ?? whateverRoute.has(code);
    this.isLasting = details.isLasting === true;
    this.joined = details.joined;
    this.refused = details.refused;
  }
}
