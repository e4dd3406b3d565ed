import { secretAddress } from './types.ts';

/** `CAUSEWAY_DATABASE_URL`. */
export const databaseAddress = secretAddress(
  /^(sqlite:.+|postgres(ql)?:\/\/.+)$/,
  'must be sqlite:PATH or postgres://…',
);

/** `CAUSEWAY_DATABASE_DIRECT_URL`. */
export const postgresAddress = secretAddress(/^postgres(ql)?:\/\/.+$/, 'must be postgres://…');
