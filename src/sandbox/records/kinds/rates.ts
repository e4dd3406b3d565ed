import type {
  customRateRows,
  customRateTypes,
  frequencies,
  recurringJobRows,
} from '../../tables/catalogue/rates.ts';
import type { FieldsOf } from '../../tables/table.ts';

export type CustomRateType = (typeof customRateTypes)[number];
export type CustomRateFields = FieldsOf<typeof customRateRows>;

export type Frequency = (typeof frequencies)[number];

export interface RecurringJobFields extends FieldsOf<typeof recurringJobRows> {
  /** For `dates`: the days, in order. */
  readonly dates: readonly string[];
  /** The place of the next run in the schedule, from 0; not for `dates`. */
  readonly made: number;
  /** The last day for which a job was created; absent before the first. */
  readonly lastRunDate?: string;
}
