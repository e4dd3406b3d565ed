import type { NextAction } from '../../../features/status/codes.ts';
import { CONSOLE_PATH } from '../pages.ts';

/** Where the console does the next step, after the address of the account's page. Other steps have a button there. */
const onPage: Readonly<Partial<Record<NextAction, string>>> = {
  'add-address': '#details',
  contact: '#talk',
  'give-api-key': '#details',
  'import-numbers': '#crosswalk',
  'accept-differences': '/parity',
  'look-at-watch': '#watch',
  'look-at-calls': '?failed=yes#calls',
};

/**
 * The address at which an operator does the next step; undefined: a button on the account's page, or no operator is
 * needed.
 */
export function nextPlace(next: NextAction | undefined, account: string): string | undefined {
  if (next === 'judge-consent') return `${CONSOLE_PATH}/consents`;
  if (next === 'decide-wave') return `${CONSOLE_PATH}/campaign#waves`;
  const place = next === undefined ? undefined : onPage[next];
  return place === undefined ? undefined : `${account}${place}`;
}
