/** Conditions for statements on `outbox`: the e-mails that stopped waves hold back. */
import { sql } from 'kysely';
import type { MessageKind } from '../outbox.ts';
import type { OutboxFacts } from '../schedule/progress.ts';

/** The actor of invitations that waves send. */
export const WAVE = 'wave';

/** An invitation that a wave has written and that has not left, not one that a person requested. */
export const isUnsentOfWave = sql<boolean>`(outbox.kind = 'invitation' and outbox.state in ('queued', 'failed') and exists (
  select 1 from account_events as written where written.account_id = outbox.account_id
  and written.actor = ${sql.lit(WAVE)} and written.at = outbox.queued_at
))`;

/** An invitation of a stopped wave: it waits until a person continues the wave, or removes it. */
const isHeld = sql<boolean>`(${isUnsentOfWave} and exists (
  select 1 from wave_accounts join waves on waves.name = wave_accounts.wave
  where wave_accounts.account_id = outbox.account_id and waves.state = 'stopped'
))`;

/** Its opposite. */
export const mayLeave = sql<boolean>`not ${isHeld}`;

/** The same as a column. */
export const held = sql<number>`case when ${isHeld} then 1 else 0 end`.as('held');

/** A message that has not left, as the outbox reads it. */
interface WaitingRow {
  readonly kind: MessageKind;
  readonly next_at: number;
  readonly zone: string | null;
  readonly state: string;
  readonly to_key: string;
  readonly held: number;
}

/** The messages that leave in their time, and how many are held back. */
export const waitingIn = (rows: readonly WaitingRow[]): Pick<OutboxFacts, 'waiting' | 'held'> => ({
  waiting: rows
    .filter((row) => row.held === 0)
    .map(({ kind, next_at: nextAt, zone, state, to_key: to }) => ({
      ...{ kind, nextAt, zone: zone ?? undefined },
      to: state === 'sending' ? undefined : to,
    })),
  held: rows.filter((row) => row.held === 1).length,
});
