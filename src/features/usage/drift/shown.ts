import { z } from 'zod';
import { fields, type Columns } from '../../../lib/text/columns.ts';
import { iso, moment } from '../../../lib/time/iso.ts';
import { driftKinds } from './learning/departures.ts';
import { driftUpstreams } from './learning/observation.ts';
import { driftStates, type DriftAlarm } from './model.ts';
import { driftSentence } from './words.ts';

/** An alarm with the accounts that show it. */
export interface DriftWithAccounts extends DriftAlarm {
  /** The accounts that are shown it now; empty unless the alarm is open. */
  readonly shownTo: readonly { readonly id: string; readonly name: string }[];
}

/** One alarm, for programs. */
export const shownDriftSchema = z.strictObject({
  id: z.string(),
  words: z.string().describe('The alarm in a sentence; times are UTC'),
  upstream: z.enum(driftUpstreams),
  change: z.enum(driftKinds),
  area: z.string().describe('Where it is: a collection of V2, or a family of methods of V1 and V3'),
  name: z.string().describe('The element or key'),
  from: z.string().describe('The type of its values before; empty: that has not changed'),
  to: z.string().describe('And now'),
  since: moment,
  accounts: z.int().nonnegative().describe('Accounts that get it'),
  shownTo: z.array(z.strictObject({ id: z.string(), name: z.string() })),
  methods: z.array(z.string()),
  rows: z.array(z.string()).describe('Rows of the mapping that read it'),
  effect: z.string().describe('What callers notice'),
  state: z.enum(driftStates),
  changedAt: moment.describe('When it entered this state'),
  acknowledged: z.strictObject({ by: z.string(), reason: z.string() }).nullable(),
});

/** One alarm. */
export type ShownDrift = z.infer<typeof shownDriftSchema>;

/** The alarm as the API and the command line show it. */
export function driftShown(alarm: DriftWithAccounts, now: number): ShownDrift {
  const { id, upstream, kind, area, name, from, to, accounts, effect, state } = alarm;
  return {
    ...{ id, words: driftSentence(alarm, now), upstream, change: kind, area, name, from, to },
    ...{ since: iso(alarm.since), accounts, shownTo: [...alarm.shownTo] },
    ...{ methods: [...alarm.methods], rows: [...alarm.rows], effect, state },
    changedAt: iso(alarm.changedAt),
    acknowledged: alarm.acknowledged ?? null,
  };
}

/** The columns of the list. */
export const driftColumns: Columns<ShownDrift> = {
  ...fields<ShownDrift>('id', 'words', 'upstream', 'change', 'area', 'name', 'from', 'to', 'since'),
  ...fields<ShownDrift>('accounts', 'methods', 'rows', 'effect', 'state', 'changedAt'),
  acknowledged_by: ({ acknowledged }) => acknowledged?.by,
  acknowledged_reason: ({ acknowledged }) => acknowledged?.reason,
};
