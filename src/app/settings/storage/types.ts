import { z } from 'zod';
import { Secret } from '../../../lib/secret/secret.ts';
import { readRedisAddress } from '../../../upstream/limiter/redis/redis-address.ts';
import { secretAddress } from '../types.ts';

/** `CAUSEWAY_DATABASE_URL`. */
export const databaseAddress = secretAddress(
  /^(sqlite:.+|postgres(ql)?:\/\/.+)$/,
  'must be sqlite:PATH or postgres://…',
);

/** `CAUSEWAY_DATABASE_DIRECT_URL`. */
export const postgresAddress = secretAddress(/^postgres(ql)?:\/\/.+$/, 'must be postgres://…');

/** The address of Redis; it may contain passwords. */
export const redisAddress: z.ZodType<Secret, string> = z
  .string()
  .refine((value) => readRedisAddress(value) !== undefined, {
    error:
      'must be redis://HOST, redis+sentinel://HOST,HOST/SERVICE or redis+cluster://HOST,HOST, or the same with rediss',
  })
  .transform((value) => new Secret(value));
