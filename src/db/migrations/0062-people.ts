import { expands } from '../migrate.ts';
import { widen } from './shape.ts';

/** People who sign in by OpenID Connect stand beside the tokens; their sessions end at a time of their own. */
export const people = expands(async function people(trx) {
  await widen(trx, 'console_tokens', { subject: 'text?' });
  await widen(trx, 'console_sessions', { ends_at: 'bigint?' });
});
