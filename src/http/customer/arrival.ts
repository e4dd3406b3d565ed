import type { Arrival } from '../../features/consent/parts.ts';
import { Secret } from '../../lib/secret/secret.ts';

/** Authorisation codes may be long; Node bounds the whole head. */
const LONGEST_QUERY = 8_192;

/**
 * What the authorisation server has put into the address of the callback. What is given twice could be read differently
 * by two readers: it counts as not given.
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
    // Said twice is not said by us: it is held against ours and found to be another's.
    issuer: parameters.getAll('iss').length > 1 ? '' : once('iss'),
  };
}
