import type { Arrival } from '../../features/consent/parts.ts';
import { Secret } from '../../lib/secret/secret.ts';

/** In characters. Authorisation codes may be long; Node limits the whole head. */
const LONGEST_QUERY = 8_192;

/**
 * Reads what the authorisation server has put into the callback's address. A parameter given twice counts as
 * absent, because two readers could choose differently.
 */
export function arrivalIn(address: string): Arrival {
  const query = address.includes('?') ? address.slice(address.indexOf('?') + 1) : '';
  const parameters = new URLSearchParams(query.length > LONGEST_QUERY ? '' : query);
  const once = (name: string): string | undefined => {
    const [value, ...more] = parameters.getAll(name);
    return more.length === 0 && value !== '' ? value : undefined;
  };
  const code = once('code');
  return {
    state: once('state'),
    code: code === undefined ? undefined : new Secret(code),
    error: once('error'),
    // Given twice, it cannot be ours: an empty issuer never matches.
    issuer: parameters.getAll('iss').length > 1 ? '' : once('iss'),
  };
}
