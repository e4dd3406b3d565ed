import { brandOf } from './customers/read.ts';
import { upstreamRoots, type Values } from './table.ts';
import { isLoopback } from './types.ts';

/** Settings that are allowed but probably not intended, as texts for the operator. */
export function noticesOf(values: Values): readonly string[] {
  const notices: string[] = [];
  if (values.CAUSEWAY_REDIS_URL !== undefined && values.CAUSEWAY_V3_BASE_URL === undefined)
    notices.push('CAUSEWAY_REDIS_URL has nothing to share: without V3 no request has a limit');
  if (values.CAUSEWAY_V1_BASE_URL === undefined && values.CAUSEWAY_V3_BASE_URL === undefined)
    notices.push('neither CAUSEWAY_V1_BASE_URL nor CAUSEWAY_V3_BASE_URL is set: no call can be served');
  notices.push(...unnamed(values));
  const open = upstreamRoots.filter((name) => isOpen(values[name]));
  return [
    ...notices,
    ...open.map((name) => `${name} is not https: keys and tokens go over the network readable`),
  ];
}

/** Without V3 nobody is asked for anything. */
function unnamed(values: Values): readonly string[] {
  if (values.CAUSEWAY_V3_BASE_URL === undefined) return [];
  const { CAUSEWAY_BRAND_NAME: brand, CAUSEWAY_SERVICE_NAME: service } = values;
  return [
    ...(brand === undefined
      ? [`CAUSEWAY_BRAND_NAME is not set: customers and programs read ${brandOf(values).name} as your name`]
      : []),
    ...(service === undefined
      ? [
          'CAUSEWAY_SERVICE_NAME is not set: pages and e-mails say “the service”, which customers may not know',
        ]
      : []),
    ...(values.CAUSEWAY_SUPPORT_ADDRESS === undefined
      ? ['CAUSEWAY_SUPPORT_ADDRESS is not set: pages and refused programs name no address for questions']
      : []),
  ];
}

function isOpen(address: string | undefined): boolean {
  const url = address === undefined ? null : URL.parse(address);
  return url?.protocol === 'http:' && !isLoopback(url.hostname);
}
