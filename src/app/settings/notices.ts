import { upstreamRoots, type Values } from './table.ts';
import { isLoopback } from './types.ts';

/** Settings that are allowed but probably not intended, as texts for the operator. */
export function noticesOf(values: Values): readonly string[] {
  const notices: string[] = [];
  if (values.CAUSEWAY_REDIS_URL !== undefined && values.CAUSEWAY_V3_BASE_URL === undefined)
    notices.push('CAUSEWAY_REDIS_URL has nothing to share: without V3 no request has a limit');
  if (values.CAUSEWAY_V1_BASE_URL === undefined && values.CAUSEWAY_V3_BASE_URL === undefined)
    notices.push('neither CAUSEWAY_V1_BASE_URL nor CAUSEWAY_V3_BASE_URL is set: no call can be served');
  const open = upstreamRoots.filter((name) => isOpen(values[name]));
  return [
    ...notices,
    ...open.map((name) => `${name} is not https: keys and tokens go over the network readable`),
  ];
}

function isOpen(address: string | undefined): boolean {
  const url = address === undefined ? null : URL.parse(address);
  return url?.protocol === 'http:' && !isLoopback(url.hostname);
}
