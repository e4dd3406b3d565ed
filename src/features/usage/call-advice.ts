/**
 * Remedies for failed calls: one sentence for each code, in the console, on the command line and in the API. The
 * documentation (docs/troubleshoot/calls.md) adds the cause and the commands.
 */
import type { FailureCode, RefusedWhy } from '../../lib/failure.ts';
import type { CallRecord } from './call-log.ts';

/** The cause behind a code, and its remedy. */
export interface CallAdvice {
  /** Markdown without links. */
  readonly cause: string;
  /** A plain sentence without its full stop. */
  readonly remedy: string;
  /** Further help, in Markdown for the documentation. */
  readonly more?: string;
}

const DOCTOR = '`causeway doctor` asks every address';
const READY = '`curl http://127.0.0.1:8080/_causeway/health/ready` says what is degraded';

/** By the `failure` code in the log line `call`. */
export const callAdvice: Readonly<Record<FailureCode, CallAdvice>> = {
  refused: {
    cause:
      'The service refused the values, or the mapping could not make a request of them; the text says which element',
    remedy: 'The program has to change the request: send another value, or leave the element out',
    more: '`causeway mappings show METHOD` shows what the method takes',
  },
  keysRefused: {
    cause:
      'The account key is unknown and V1 refused it too, the account is closed or erased, or the API key is missing or not the one the account has',
    remedy:
      'Find out whether the account key or the API key is wrong, and correct it in the program, or give the account the key that counts',
    more: '`causeway calls NAME --failed` says which ([a wrong API key](../support/calls.md#a-wrong-api-key)); `causeway accounts set NAME --api-key -` gives the key that counts',
  },
  consentNeeded: {
    cause:
      'The account has moved and its consent has ended, or V1 no longer serves it and nobody has consented',
    remedy:
      'Invite its customer, or pass on a link: an administrator of the account has to authorise the connection',
    more: '`causeway invite NAME` sends the invitation, `--link` shows one to pass on',
  },
  brownout: {
    cause: 'A read of an account that still uses V1, while an announced brown-out lasts',
    remedy: 'Wait until the brown-out is over, or stop it if that cannot wait',
    more: '`causeway brownouts list`; `causeway brownouts stop ID` ends it at once',
  },
  notPermitted: {
    cause:
      'The token is valid, but its scope or the person’s access to the organisation does not cover this call',
    remedy: 'A person with more rights in the organisation has to consent again',
    more: '`causeway accounts show NAME` names who consented',
  },
  unknownMethod: {
    cause: 'No mapping has the path, and V1 does not know it either or serves the account no more',
    remedy: 'The program has to ask for a method that exists: look for a typing error in the path',
    more: '`causeway route list` has every method',
  },
  wrongVerb: {
    cause: 'The path exists with another HTTP verb; `Allow` names them',
    remedy: 'The program has to use another HTTP verb for this method',
    more: '`causeway mappings show METHOD` names it',
  },
  badRequest: {
    cause:
      'What arrived is no HTTP request, or its address cannot be read: often TLS spoken to the plain port',
    remedy: 'Check address and scheme (http or https) in the program',
    more: 'The log’s `reason` has the parser’s code',
  },
  tooSlow: {
    cause: 'The body did not arrive in time: a slow line, or a `Content-Length` larger than the body',
    remedy: 'Check the length that the program announces (Content-Length), and the proxy in front',
  },
  headTooLarge: {
    cause: 'The address and the headers together are too long',
    remedy: 'The program has to send values in the body instead of the query',
  },
  bodyTooLarge: {
    cause: 'The message is larger than its method takes',
    remedy: 'The program has to send less at once',
    more: 'Documents may be larger than messages ([writes](../support/writes.md#documents))',
  },
  compressedBody: {
    cause: 'The body has a `Content-Encoding`, which V1 never took',
    remedy: 'Switch compression of requests off in the program',
  },
  malformedXml: {
    cause:
      'The body is no well-formed XML: mostly an unescaped `&`, or an encoding other than the declared one',
    remedy: 'Look at the body that the program sends, and correct it there',
    more: '`CAUSEWAY_MALFORMED_STATUS` changes the status, not the refusal',
  },
  missingRange: {
    cause: 'The method needs `from` and `to` in the query',
    remedy: 'The program has to give both, from and to',
  },
  unreadableRange: {
    cause: 'Both `from` and `to` came, but the service cannot read one of them as a day; the text says which',
    remedy: 'The program has to send a day of the calendar in the form 20261231 for from and for to',
  },
  budgetExhausted: {
    cause:
      'The rate limit of the account, 60 calls a minute, is used up, here or by another program with the same account; or many unknown keys came from one address',
    remedy:
      'Find out which program calls so often, and let it call less: within a minute calls are served again',
    more: '`causeway accounts show NAME` and [calls](../support/calls.md) show who calls; `CAUSEWAY_WAIT_SECONDS` lets calls wait longer',
  },
  applicationMissing: {
    cause:
      'The OAuth application that the account is connected by is not in the settings of this instance, so its token cannot be renewed',
    remedy: 'Put the application back into the settings of the bridge, and restart it',
    more: 'It belongs into `CAUSEWAY_APPLICATIONS_FILE` ([applications](../deploy/applications.md)); `causeway doctor` names it',
  },
  upstreamAnswer: {
    cause: 'The service answered with HTML, half an answer, or a status that means nothing here',
    remedy: 'Send it again; if it stays so, ask whoever runs the service',
    more: DOCTOR,
  },
  upstreamUnavailable: {
    cause: 'No connection to the service, or it said 503, or nothing is sent there after many failures',
    remedy: 'Wait until the service answers again: the overview says what does not',
    more: `${DOCTOR}; ${READY}`,
  },
  upstreamTimeout: {
    cause: 'The service took a read and did not answer within its time',
    remedy: 'Send it again; if it is always the same list, it is too long for the service',
    more: DOCTOR,
  },
  outcomeUnknown: {
    cause: 'A write left and no usable answer came: the service may have carried it out',
    remedy: 'Look whether it was carried out before it is sent again: Writes says so as soon as it is known',
    more: '`causeway writes show REQUEST-ID` ([unsettled writes](../support/unsettled-writes.md))',
  },
  busy: {
    cause:
      'Too many calls wait or too many connections are open, for the account, the address or the bridge; or a document finds no room',
    remedy: 'The program sends it again after the seconds that Retry-After names',
    more: '[proxy](../deploy/proxy.md) has the limits by address, `CAUSEWAY_UPSTREAM_CONNECTIONS` and `CAUSEWAY_SPOOL_MB` are the others',
  },
  storeUnavailable: {
    cause: 'The database or its disk cannot take what the call has to store; nothing was sent',
    remedy: 'Look at the database and its disk; then the program can send it again',
    more: `${READY}; [store](../operate/store.md)`,
  },
  databaseAway: {
    cause: 'The database cannot be reached; reads of known accounts go on for `CAUSEWAY_OUTAGE_SECONDS`',
    remedy: 'Bring the database back: the bridge reconnects by itself',
  },
  heldBack: {
    cause:
      'It is in doubt whether this is the one deployment that may renew tokens, or the database may lack accounts that have moved',
    remedy: 'Somebody who runs the bridge has to say that this is the deployment that may renew tokens',
    more: '`causeway deployment show`, then `causeway deployment acknowledge --yes` ([backup](../operate/backup.md#when-the-deployment-is-in-doubt))',
  },
  stopping: {
    cause: 'The bridge was stopped before the call was carried out',
    remedy: 'The program sends it again: nothing was carried out',
    more: '[proxy](../deploy/proxy.md) shows restarts that fail no call',
  },
  internal: {
    cause: 'A fault of the bridge itself',
    remedy: 'Find the log line with the same request id, and report it',
    more: 'The line is `call.failed`, and has the reason ([SECURITY](../../SECURITY.md) if it concerns secrets)',
  },
};

const COMPARE =
  'If the call came from one of the customer’s programs, ask which API key it sends. If that key is right, give it to the account; otherwise the program must be corrected';
const refusedAdvice: Readonly<Record<RefusedWhy, string>> = {
  'wrong-api-key': COMPARE,
  'no-api-key': COMPARE,
  closed: 'Its programs are refused for good: they have to be stopped, or given the keys of another account',
};

/** Undefined for an unknown code: a later release may have written the call. */
export const adviceFor = (failure: FailureCode): CallAdvice | undefined =>
  (callAdvice as Partial<Record<FailureCode, CallAdvice>>)[failure];

/** The remedy for a call; undefined if it did not fail, or this release knows none. */
export function remedyOf({ failed, failure, refused }: CallRecord): string | undefined {
  if (refused !== undefined) return (refusedAdvice as Partial<typeof refusedAdvice>)[refused.why];
  if (failure !== undefined) return adviceFor(failure)?.remedy;
  return failed
    ? 'The service answered so itself: the text that the program got says what is wrong with the request'
    : undefined;
}
