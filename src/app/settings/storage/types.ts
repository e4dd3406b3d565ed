import { z } from 'zod';
import { Secret } from '../../../lib/secret/secret.ts';
import { isSqlite } from '../../../lib/text/sqlite-address.ts';
import { readRedisAddress } from '../../../upstream/limiter/redis/redis-address.ts';
import { postgresPeer } from '../postgres-peer.ts';
import { secretAddress } from '../types.ts';

const FORM =
  'must be like postgres://USER:PASSWORD@HOST:PORT/NAME, with special characters percent-encoded (%2F for /)';

const isReadable = (address: Secret): boolean => postgresPeer(address.reveal(), {}) !== undefined;

/** `CAUSEWAY_DATABASE_URL`. */
export const databaseAddress = secretAddress(
  /^(sqlite:.+|postgres(ql)?:\/\/.+)$/,
  'must be sqlite:PATH or postgres://…',
).refine((address) => isSqlite(address.reveal()) || isReadable(address), { error: FORM });

/** `CAUSEWAY_DATABASE_DIRECT_URL`. */
export const postgresAddress = secretAddress(/^postgres(ql)?:\/\/.+$/, 'must be postgres://…').refine(
  isReadable,
  { error: FORM },
);

/** The address of Redis; it may contain passwords. */
export const redisAddress: z.ZodType<Secret, string> = z
  .string()
  .refine((value) => readRedisAddress(value) !== undefined, {
    error:
      'must be redis://HOST, redis+sentinel://HOST,HOST/SERVICE or redis+cluster://HOST,HOST, or the same with rediss',
  })
  .transform((value) => new Secret(value));
