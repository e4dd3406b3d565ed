import type { Keys } from './keys.ts';
import { Secret } from '../../lib/secret/secret.ts';
import type { RandomSource } from '../../lib/secret/random.ts';

/** Programs may have been written for the service's own keys: 32 upper-case hexadecimal digits. */
const BYTES = 16;

const legacyShape = (random: RandomSource): Secret =>
  new Secret(
    Buffer.from(random.secret().reveal(), 'base64url').subarray(0, BYTES).toString('hex').toUpperCase(),
  );

/** For a customer who never had keys of V1. */
export const newKeys = (random: RandomSource): Keys => ({
  accountKey: legacyShape(random),
  apiKey: legacyShape(random),
});
