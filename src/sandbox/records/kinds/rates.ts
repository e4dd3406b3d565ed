/** What overrides the catalogue, and what makes jobs by itself. References are UUIDs; amounts have two places, or ''. */
export const customRateTypes = ['client-task', 'staff-task', 'historic'] as const;
export type CustomRateType = (typeof customRateTypes)[number];

/**
 * Owner: the task, or (a historic rate of a member) the staff member. Other: the client or the staff member of the
 * override, none for a historic rate. No name.
 */
export interface CustomRateFields {
  readonly type: CustomRateType;
  readonly baseRate: string;
  readonly billableRate: string;
  /** Historic: the first day that the rate no longer holds for. */
  readonly appliedUpTo: string;
}

export const frequencies = ['daily', 'weekly', 'monthly', 'yearly', 'dates'] as const;
export type Frequency = (typeof frequencies)[number];

/** Owner: the client. Other: the template, or none. Name: that of the jobs it makes. */
export interface RecurringJobFields {
  readonly frequency: Frequency;
  /** Every so many days, weeks, months or years. */
  readonly interval: number;
  /** For `dates`: the days themselves, in their order. */
  readonly dates: readonly string[];
  readonly startDate: string;
  /** The last day on which a job may be made, or ''. */
  readonly endDate: string;
  /** '' when there will be none any more. */
  readonly nextRunDate: string;
  /** How many jobs it has made. */
  readonly made: number;
}

/** An account code. Code: the code itself. */
export interface AccountFields {
  readonly type: 'income' | 'expense';
}

export interface TaxFields {
  /** Percent. */
  readonly rate: string;
}
