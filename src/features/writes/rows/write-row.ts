import { sql } from 'kysely';
import { Statement } from '../../../db/statement.ts';
import type { NewWrite, Write } from '../model.ts';
import type { WriteRow } from './tables.ts';

/** Replaces the fingerprint of a document that has not left whole: nobody has carried it out. */
export const UNFINISHED = 'unfinished';

/** What differs from one write to the next when it is about to leave. */
export type EnteredRow = Pick<
  WriteRow,
  | 'id'
  | 'account_id'
  | 'method'
  | 'route'
  | 'fingerprint'
  | 'idempotency'
  | 'length'
  | 'owner'
  | 'known_to'
  | 'allotted'
  | 'adds'
  | 'facts_sealed'
  | 'steps_sealed'
  | 'resembles'
  | 'repeats'
  | 'created_at'
> & { readonly kind: string };

/** The row of a write that is about to leave. */
export const enteredRow = (write: NewWrite, allotted: number | undefined): EnteredRow => ({
  id: write.id,
  account_id: write.accountId,
  method: write.method,
  route: write.route,
  fingerprint: write.fingerprints[0] ?? UNFINISHED,
  idempotency: write.idempotency[0] ?? null,
  length: write.length,
  owner: write.owner,
  // Everything seen before has a lower number than the next one assigned.
  known_to: allotted === undefined ? null : allotted - 1,
  allotted: allotted ?? null,
  adds: write.adds === undefined || write.adds.length === 0 ? null : write.adds.join(' '),
  facts_sealed: write.factsSealed,
  steps_sealed: write.stepsSealed ?? null,
  resembles: write.resembles?.[0] ?? null,
  repeats: write.repeats ?? null,
  created_at: write.now,
  kind: write.kind ?? '',
});

/** Inserts such a row. */
export const insertEntered = (): Statement<EnteredRow> =>
  new Statement(
    [
      ...(['id', 'account_id', 'method', 'route', 'fingerprint', 'idempotency', 'length', 'owner'] as const),
      ...(['known_to', 'allotted', 'adds', 'facts_sealed', 'steps_sealed', 'resembles'] as const),
      ...(['repeats', 'created_at', 'kind'] as const),
    ],
    (db, { kind, known_to: given, ...row }) =>
      db.insertInto('writes').values({
        ...row,
        ...{ state: 'open', settlement: null, caller: 'waits', made: null, claim: null },
        known_to: sql<number | null>`coalesce(${given}, ${knownTo(row.account_id, kind)})`,
        ...{ answer_sealed: null, untold_at: null, unknown_at: null, next_at: null, attempts: 0 },
        ...{ settled_at: null, settled_by: null, note: '' },
      }),
  );

/** A higher number was first seen after the write began. */
const knownTo = (accountId: string, kind: string) =>
  sql<number | null>`(select max(known) from (
    select allotted_to as known from crosswalk_kinds where account_id = ${accountId} and kind = ${kind}
    union all
    select max(number) as known from crosswalk where account_id = ${accountId} and kind = ${kind}
  ) as numbers)`;

/** A row as the rest of the program knows it. */
export const writeOf = (row: WriteRow): Write => ({
  id: row.id,
  accountId: row.account_id,
  method: row.method,
  route: row.route,
  fingerprint: row.fingerprint,
  keyed: row.idempotency !== null,
  length: row.length,
  owner: row.owner,
  state: row.state,
  settlement: set(row.settlement),
  caller: row.caller,
  made: set(row.made),
  knownTo: set(row.known_to),
  allotted: set(row.allotted),
  factsSealed: row.facts_sealed,
  answerSealed: set(row.answer_sealed),
  stepsSealed: set(row.steps_sealed),
  repeats: set(row.repeats),
  createdAt: row.created_at,
  untoldAt: set(row.untold_at),
  unknownAt: set(row.unknown_at),
  nextAt: set(row.next_at),
  attempts: row.attempts,
  answeredAt: row.state === 'done' ? set(row.settled_at) : undefined,
  settledAt: row.state === 'settled' ? set(row.settled_at) : undefined,
  settledBy: set(row.settled_by),
  note: row.note,
});

const set = <T>(value: T | null): T | undefined => value ?? undefined;
