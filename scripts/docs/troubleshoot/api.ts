import type { RefusalCode } from '../../../src/http/server/refusals.ts';

/** What a script should do about a refusal of the API; its meaning is the API's own text. */
export const apiCommands: Readonly<Record<RefusalCode, string>> = {
  unreadable: 'Send whole JSON in UTF-8',
  unauthorised:
    '`causeway tokens list` shows which tokens are revoked or over; `causeway tokens create NAME` makes one',
  scope: '`causeway tokens create NAME --scope operate` (or `administer`)',
  csrf: 'Use a token in `Authorization` instead of the console’s session',
  unknown: '`/_causeway/api/openapi.json` has every address',
  verb: '`/_causeway/api/openapi.json` has the verbs of each address',
  slow: 'Check `Content-Length` and the line',
  conflict: '`message` says with what; read the object again first',
  'too-large': '256 kB, imports 8 MB: send it in pieces',
  'media-type': 'Send `Content-Type: application/json`, not compressed',
  unusable: '`details` names each field and its fault',
  'too-many': 'Send fewer accounts at once: 20 for `cutover` and `disconnect`, 1,000 otherwise',
  throttled: 'Wait for `Retry-After`; name the proxy in `CAUSEWAY_TRUSTED_PROXIES` if all come from it',
  internal: 'The log line `api.failed` or `page.failed` has the reason',
  unavailable: '`message` says what is missing; `causeway config check` shows what is configured',
};
