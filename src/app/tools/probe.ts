/** How long one address may take, in milliseconds. */
export const PATIENCE = 10_000;

/** A tested part of the upstream, and its fault. */
export interface Probe {
  readonly what: string;
  readonly good: boolean;
  readonly detail: string;
  /** Set if it could not be checked, which is no fault: what to do instead. */
  readonly instead?: string | undefined;
}

/** A probe that has not begun. */
export interface Task {
  readonly what: string;
  readonly run: () => Promise<Probe>;
}
