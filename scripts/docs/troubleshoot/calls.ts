import type { FailureCode } from '../../../src/lib/failure.ts';
import type { AdviceFor } from './advice.ts';

const DOCTOR = '`causeway doctor` asks every address';
const READY = '`curl http://127.0.0.1:8080/_causeway/health/ready` says what is degraded';

/** What a legacy program was answered, by the code in the log's line `call` (`failure`). */
export const callAdvice: AdviceFor<FailureCode> = {
  refused: {
    cause:
      'The service refused the values, or the mapping could not make a request of them; the text says which element',
    command:
      '`causeway mappings show METHOD` shows what the method takes; the caller has to change the request',
  },
  keysRefused: {
    cause:
      'The account key is unknown and V1 refused it too, the account is closed, or the API key is not the one the account has',
    command:
      '`causeway calls NAME --failed` says which ([a wrong API key](../support/calls.md#a-wrong-api-key)); `causeway accounts set NAME --api-key -` gives the key that counts',
  },
  consentNeeded: {
    cause:
      'The account has moved and its consent has ended, or V1 no longer serves it and nobody has consented',
    command: '`causeway invite NAME` sends the invitation, `--link` shows one to pass on',
  },
  brownout: {
    cause: 'A read of an account that still uses V1, while an announced brown-out lasts',
    command: '`causeway brownouts list`; `causeway brownouts stop ID` ends it at once',
  },
  notPermitted: {
    cause:
      'The token is valid, but its scope or the person’s access to the organisation does not cover this call',
    command:
      '`causeway accounts show NAME` names who consented; a person with more rights has to consent again',
  },
  unknownMethod: {
    cause: 'No mapping has the path, and V1 does not serve the account any more',
    command: '`causeway route list` has every method; the caller has to change the path',
  },
  wrongVerb: {
    cause: 'The path exists with another HTTP verb; `Allow` names them',
    command: '`causeway mappings show METHOD`; the caller has to change the verb',
  },
  badRequest: {
    cause:
      'What arrived is no HTTP request, or its address cannot be read: often TLS spoken to the plain port',
    command: 'The log’s `reason` has the parser’s code; check address and scheme in the program',
  },
  tooSlow: {
    cause: 'The body did not arrive in time: a slow line, or a `Content-Length` larger than the body',
    command: 'Check the program’s `Content-Length` and the proxy in front',
  },
  headTooLarge: {
    cause: 'The address and the headers together are too long',
    command: 'Send values in the body instead of the query',
  },
  bodyTooLarge: {
    cause: 'The message is larger than its method takes',
    command: 'Send less; documents may be larger than messages ([writes](../support/writes.md#documents))',
  },
  compressedBody: {
    cause: 'The body has a `Content-Encoding`, which V1 never took',
    command: 'Switch compression of requests off in the program',
  },
  malformedXml: {
    cause:
      'The body is no well-formed XML: mostly an unescaped `&`, or an encoding other than the declared one',
    command:
      'Look at the body the program sends; `CAUSEWAY_MALFORMED_STATUS` changes the status, not the refusal',
  },
  missingRange: {
    cause: 'The method needs `from` and `to` in the query',
    command: 'The caller has to give both',
  },
  budgetExhausted: {
    cause:
      'The 60 calls a minute of the account are used up, here or by another program with the same account; or many unknown keys came from one address',
    command:
      '`causeway accounts show NAME` and [calls](../support/calls.md) show who calls; `CAUSEWAY_WAIT_SECONDS` lets calls wait longer',
  },
  applicationMissing: {
    cause:
      'The OAuth application that the account is connected by is not in the settings of this instance, so its token cannot be renewed',
    command:
      'Put it back into `CAUSEWAY_APPLICATIONS_FILE` ([applications](../deploy/applications.md)) and restart; `causeway doctor` names it',
  },
  upstreamAnswer: {
    cause: 'The service answered with HTML, half an answer, or a status that means nothing here',
    command: DOCTOR,
  },
  upstreamUnavailable: {
    cause: 'No connection to the service, or it said 503, or nothing is sent there after many failures',
    command: `${DOCTOR}; ${READY}`,
  },
  upstreamTimeout: {
    cause: 'The service took a read and did not answer within its time',
    command: `${DOCTOR}; a list may be too long for the service`,
  },
  outcomeUnknown: {
    cause: 'A write left and no usable answer came: the service may have carried it out',
    command:
      '`causeway writes show REQUEST-ID` ([unsettled writes](../support/unsettled-writes.md)); do not send it again before',
  },
  busy: {
    cause:
      'Too many calls wait or too many connections are open, for the account, the address or the bridge; or a document finds no room',
    command:
      'The caller sends it again after `Retry-After`; [proxy](../deploy/proxy.md) has the limits by address, `CAUSEWAY_UPSTREAM_CONNECTIONS` and `CAUSEWAY_SPOOL_MB` are the others',
  },
  storeUnavailable: {
    cause: 'The database or its disk cannot take what the call has to store; nothing was sent',
    command: `${READY}; [store](../operate/store.md)`,
  },
  databaseAway: {
    cause: 'The database cannot be reached; reads of known accounts go on for `CAUSEWAY_OUTAGE_SECONDS`',
    command: 'Bring the database back; the bridge reconnects by itself',
  },
  heldBack: {
    cause:
      'It is in doubt whether this is the one deployment that may renew tokens, or the database may lack accounts that have moved',
    command:
      '`causeway deployment show`, then `causeway deployment acknowledge --yes` ([backup](../operate/backup.md#when-the-deployment-is-in-doubt))',
  },
  stopping: {
    cause: 'The bridge was stopped before the call was carried out',
    command: 'The caller sends it again; [proxy](../deploy/proxy.md) shows restarts that fail no call',
  },
  internal: {
    cause: 'A fault of the bridge itself',
    command:
      'The log line `call.failed` with the same `request` has the reason; report it ([SECURITY](../../SECURITY.md) if it concerns secrets)',
  },
};
