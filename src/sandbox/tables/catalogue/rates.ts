import { choice, count, day, money, rate, reference, title } from '../form.ts';
import { modernRow, rowsOf } from '../table.ts';

/** The kinds of override of a catalogue rate. */
export const customRateTypes = ['client-task', 'staff-task', 'historic'] as const;

/**
 * A rate that overrides the catalogue. Owner: the task, or (a historic rate of a member) the staff member.
 * Other: the client or the staff member of the override, none for a historic rate. No name.
 */
export const customRateRows = rowsOf(
  modernRow('type', choice(customRateTypes, 'client-task')),
  modernRow('baseRate', rate),
  modernRow('billableRate', rate),
  // Historic: the first day on which the rate no longer applies.
  modernRow('appliedUpTo', day),
);

/** An account code. Code: the code itself. */
export const accountRows = rowsOf(
  { ...modernRow('name', title), seed: 'name' },
  { ...modernRow('type', choice(['income', 'expense'], 'income')), seed: 'type' },
);

/** A tax, in percent. */
export const taxRows = rowsOf(
  { ...modernRow('name', title), seed: 'name' },
  { ...modernRow('rate', money), seed: 'rate' },
);

/** How often a recurring job creates jobs; `dates`: on listed days. */
export const frequencies = ['daily', 'weekly', 'monthly', 'yearly', 'dates'] as const;

/**
 * Creates jobs automatically. Name: that of the jobs it creates. Its V2 form and its days are not in the
 * table.
 */
export const recurringJobRows = rowsOf(
  { at: 'name', form: title, seed: 'name' },
  { at: 'owner', form: reference('client'), seed: 'client', needed: true },
  { at: 'other', form: reference('template'), seed: 'template' },
  { at: 'frequency', form: choice(frequencies, 'daily'), seed: 'frequency' },
  // In days, weeks, months or years.
  { at: 'interval', form: count(1), seed: 'interval' },
  { at: 'startDate', form: day, seed: 'startDate' },
  // The last day on which a job may be created.
  { at: 'endDate', form: day, seed: 'endDate' },
  // '' if there are no more runs.
  { at: 'nextRunDate', form: day },
);
