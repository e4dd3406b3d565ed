import type { RefusalCode } from '../../../src/http/server/refusals.ts';

/** What a script should do about a refusal of the API; its meaning is the API's own text. */
export const apiCommands: Readonly<Record<RefusalCode, string>> = {
  unreadable: 'Send complete JSON in UTF-8',
  unauthorised:
    '`causeway tokens list` shows which tokens are revoked or expired; `causeway tokens create NAME` creates one',
  scope: '`causeway tokens create NAME --scope operate` (or `administer`)',
  csrf: 'Use a token in `Authorization` instead of the console’s session',
  unknown: '`/_causeway/api/openapi.json` lists every path',
  verb: '`/_causeway/api/openapi.json` lists the methods of each path',
  slow: 'Check `Content-Length` and the network',
  conflict: '`message` says what it conflicts with; read the object again first',
  'too-large': 'The limit is 256 kB, for imports 8 MB: send it in pieces',
  'media-type': 'Send `Content-Type: application/json`, uncompressed',
  unusable: '`details` names each field and its fault',
  'too-many': 'Send fewer accounts at once: 20 for `cutover`, `disconnect` and `close`, 1,000 otherwise',
  throttled:
    'Wait for `Retry-After`; if tokens are at fault and all requests come from a proxy, name it in `CAUSEWAY_TRUSTED_PROXIES`',
  internal: 'The log line `api.failed` or `page.failed` gives the reason',
  unavailable:
    '`message` says what is missing; `causeway config check` shows what is configured. With `Retry-After`: the same request may work after that time',
};
