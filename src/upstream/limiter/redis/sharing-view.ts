/** What health, metrics and console show of the sharing of the limit. */
export interface SharingView {
  readonly shared: boolean;
  /** Living instances, this one included. */
  readonly instances: number;
  readonly reaches: boolean;
  /** Why the limit is not shared, as text; undefined if it is. */
  readonly trouble: string | undefined;
}
