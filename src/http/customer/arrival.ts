import type { Arrival } from '../../features/consent/parts.ts';
import { Secret } from '../../lib/secret/secret.ts';
import { DEFAULT_APPLICATION } from '../../upstream/application.ts';

/** In characters. Authorisation codes may be long; Node limits the whole head. */
const LONGEST_QUERY = 8_192;

/**
 * Reads the parameters that the authorisation server has added to the callback's address. A parameter given twice
 * counts as absent, because two readers could choose differently.
 */
export function arrivalIn(address: string): Arrival {
  const [path = ''] = address.split('?', 1);
  const query = address.includes('?') ? address.slice(address.indexOf('?') + 1) : '';
  const parameters = new URLSearchParams(query.length > LONGEST_QUERY ? '' : query);
  const once = (name: string): string | undefined => {
    const [value, ...more] = parameters.getAll(name);
    return more.length === 0 && value !== '' ? value : undefined;
  };
  const code = once('code');
  return {
    // Its redirect address is `/_causeway/callback/NAME`, without a name for the default one.
    application: /\/callback\/([^/]+)\/?$/.exec(path)?.[1] ?? DEFAULT_APPLICATION,
    state: once('state'),
    code: code === undefined ? undefined : new Secret(code),
    error: once('error'),
    // Given twice, it is not genuine: an empty issuer never matches.
    issuer: parameters.getAll('iss').length > 1 ? '' : once('iss'),
  };
}
