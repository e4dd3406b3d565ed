import { sql, type RawBuilder } from 'kysely';
import type { Wave } from './model.ts';
import type { WaveRow } from './tables.ts';

/** The wave of a row. */
export const waveOf = (row: WaveRow): Wave => ({
  name: row.name,
  position: row.position,
  query: row.query,
  most: row.most ?? undefined,
  start: row.start ?? undefined,
  brake: {
    holdHours: row.hold_hours,
    mostErrorPercent: row.most_errors,
    mostTroubledPercent: row.most_troubled,
  },
  state: row.state,
  since: row.since,
  reason: row.reason,
});

/** The row of a wave. */
export const rowOf = ({ brake, ...wave }: Wave): WaveRow => ({
  name: wave.name,
  position: wave.position,
  query: wave.query,
  most: wave.most ?? null,
  start: wave.start ?? null,
  hold_hours: brake.holdHours,
  most_errors: brake.mostErrorPercent,
  most_troubled: brake.mostTroubledPercent,
  state: wave.state,
  since: wave.since,
  reason: wave.reason,
});

/** Whether the row defines the wave as given: who belongs to it, from when on, and its brake. */
export function isUnchanged(wave: Wave): RawBuilder<boolean> {
  const { query, most, start, hold_hours: hours, most_errors: errors, most_troubled: troubled } = rowOf(wave);
  return sql<boolean>`(
    query = ${query} and coalesce(most, 0) = ${most ?? 0} and coalesce(start, '') = ${start ?? ''}
    and hold_hours = ${hours} and most_errors = ${errors} and most_troubled = ${troubled} and since = ${wave.since}
  )`;
}
