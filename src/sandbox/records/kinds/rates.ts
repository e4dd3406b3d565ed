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
  /** Number of jobs created so far. */
  readonly made: number;
}
