import { choice, count, day, money, rate, reference, title } from '../form.ts';
import { modernRow, rowsOf } from '../table.ts';

/** What a rate that overrides the catalogue is for. */
export const customRateTypes = ['client-task', 'staff-task', 'historic'] as const;

/**
 * What overrides the catalogue. Owner: the task, or (a historic rate of a member) the staff member. Other: the client or
 * the staff member of the override, none for a historic rate. No name.
 */
export const customRateRows = rowsOf(
  modernRow('type', choice(customRateTypes, 'client-task')),
  modernRow('baseRate', rate),
  modernRow('billableRate', rate),
  // Historic: the first day to which the rate no longer applies.
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

/** How often a recurring job makes jobs; `dates`: on the days that it lists. */
export const frequencies = ['daily', 'weekly', 'monthly', 'yearly', 'dates'] as const;

/**
 * What creates jobs automatically. Name: that of the jobs it creates. Its V2 form and its days are written by
 * hand.
 */
export const recurringJobRows = rowsOf(
  { at: 'name', form: title, seed: 'name' },
  { at: 'owner', form: reference('client'), seed: 'client', needed: true },
  { at: 'other', form: reference('template'), seed: 'template' },
  { at: 'frequency', form: choice(frequencies, 'daily'), seed: 'frequency' },
  // Every so many days, weeks, months or years.
  { at: 'interval', form: count(1), seed: 'interval' },
  { at: 'startDate', form: day, seed: 'startDate' },
  // The last day on which a job may be made.
  { at: 'endDate', form: day, seed: 'endDate' },
  // '' when there will be none any more.
  { at: 'nextRunDate', form: day },
);
