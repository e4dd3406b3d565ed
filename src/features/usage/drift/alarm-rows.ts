import type { DriftAlarm, Subject } from './model.ts';
import type { DriftAlarmRow } from './tables.ts';

/** Whether two changes are about the same element or key. */
export const isSameElement = (one: Subject, other: Subject): boolean =>
  one.upstream === other.upstream && one.area === other.area && one.name === other.name;

type Content = Omit<DriftAlarm, 'id' | 'since' | 'raisedAt' | 'state' | 'changedAt' | 'acknowledged'>;

/** The alarm as a row of the database. */
export function rowOf(alarm: DriftAlarm): DriftAlarmRow {
  const { id, since, raisedAt, state, changedAt, acknowledged, ...content } = alarm;
  return {
    ...{ id, state, since, raised_at: raisedAt, changed_at: changedAt },
    content: JSON.stringify(content satisfies Content),
    by: acknowledged?.by ?? null,
    reason: acknowledged?.reason ?? null,
  };
}

/** The alarm in a row that `rowOf` made. */
export const alarmOf = (row: DriftAlarmRow): DriftAlarm => ({
  ...(JSON.parse(row.content) as Content),
  ...{ id: row.id, state: row.state, since: row.since, raisedAt: row.raised_at, changedAt: row.changed_at },
  acknowledged: row.by === null ? undefined : { by: row.by, reason: row.reason ?? '' },
});
