import type { Keys } from './keys.ts';
import { Secret } from '../../lib/secret.ts';
import type { Chance } from '../../lib/random.ts';

/** Programs may have been written for the service's own keys: 32 upper-case hexadecimal digits. */
const BYTES = 16;

const legacyShape = (chance: Chance): Secret =>
  new Secret(
    Buffer.from(chance.secret().reveal(), 'base64url').subarray(0, BYTES).toString('hex').toUpperCase(),
  );

export const newKeys = (chance: Chance): Keys => ({
  accountKey: legacyShape(chance),
  apiKey: legacyShape(chance),
});
