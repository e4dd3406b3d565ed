import type { Keys } from './keys.ts';
import { Secret } from '../../lib/secret/secret.ts';
import type { RandomSource } from '../../lib/secret/random.ts';

/** In bytes. Programs may expect the format of the service's own keys: 32 upper-case hexadecimal digits. */
const BYTES = 16;

const legacyShape = (random: RandomSource): Secret =>
  new Secret(
    Buffer.from(random.secret().reveal(), 'base64url').subarray(0, BYTES).toString('hex').toUpperCase(),
  );

/** Generates a key pair for a customer that never had V1 keys. */
export const newKeys = (random: RandomSource): Keys => ({
  accountKey: legacyShape(random),
  apiKey: legacyShape(random),
});
