import { sql } from 'kysely';
import { expands } from '../migrate.ts';

/**
 * Indexes of the ledger that contain only the rows that are looked up by them. Before, each write was in
 * fourteen indexes from the start, most with an empty value, and its outcome moved it in half of them; with
 * 16 changed pages SQLite also wrote a transaction's journal to a separate file.
 */
export const writeIndexes = expands(async function writeIndexes(trx) {
  for (const columns of [...GONE, ...Object.keys(GIVEN)])
    await sql.raw(`drop index writes_${columns}`).execute(trx);
  for (const [columns, index] of Object.entries({ ...GIVEN, ...UNDER_WAY }))
    await sql.raw(`create ${index.replace('writes', `index writes_${columns} on writes`)}`).execute(trx);
});

const GONE = ['state_next_at', 'created_at', 'caller', 'account_id_state_method'];

/** Columns that most writes leave empty. */
const GIVEN = {
  account_id_idempotency: 'unique writes (account_id, idempotency) where idempotency is not null',
  account_id_claim: 'unique writes (account_id, claim) where claim is not null',
  repeats: 'unique writes (repeats) where repeats is not null',
  account_id_resembles: 'writes (account_id, resembles) where resembles is not null',
};

/**
 * States that few writes are still in. SQLite uses these indexes only for statements that contain the state
 * as text.
 */
const UNDER_WAY = {
  caller_owner: "writes (caller, owner) where caller = 'waits'",
  account_id_state_method: "writes (account_id, state, method) where state in ('open', 'unknown')",
};
