import { expands } from '../migrate.ts';
import { widen } from './shape.ts';

/** Users who sign in by OpenID Connect, in addition to tokens; their sessions expire at their own time. */
export const people = expands(async function people(trx) {
  await widen(trx, 'console_tokens', { subject: 'text?' });
  await widen(trx, 'console_sessions', { ends_at: 'bigint?' });
});
