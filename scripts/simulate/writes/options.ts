export const controls = ['ledger', 'told', 'order', 'certainty', 'patience'] as const;
/**
 * The part left out: without it a promise must be broken, or the simulation proves nothing. `ledger`: nothing is
 * recorded. `told`: a caller that was told counts as one that was not. `order`: a row is written once the outcome is
 * known. `certainty`: the first likely match is taken. `patience`: a write counts as not done before the latest
 * possible handling.
 */
export type Control = (typeof controls)[number];

export const stores = ['sqlite', 'postgres'] as const;
export type StoreKind = (typeof stores)[number];

export const routes = ['v1', 'v3', 'v2'] as const;
export type Route = (typeof routes)[number];

const MINUTE = 60_000;

/** The faults of an episode. Shares are of all requests or calls, durations in milliseconds. */
export interface Weather {
  readonly name: string;
  /** Answers of the service that are lost, late, cut or 5xx. */
  readonly faulty: number;
  /** Requests that never leave. */
  readonly unreachable: number;
  /** Answers that take 5 to 50 seconds. */
  readonly slow: number;
  /** The probability that a process dies at one step of I/O. */
  readonly death: number;
  /** The probability that a statement fails, before it is carried out and after. */
  readonly failing: number;
  readonly cut: number;
  /** Mean times between two of them. */
  readonly betweenKills: number;
  readonly betweenFreezes: number;
  readonly betweenOutages: number;
  /** The mean length of a freeze. */
  readonly freeze: number;
  /** The longest outage of the database, or time with a full disk. */
  readonly outage: number;
}

/** A tenth of the answers is useless. */
const rough: Weather = {
  name: 'rough',
  faulty: 0.1,
  unreachable: 0.01,
  slow: 0.05,
  death: 0.0002,
  failing: 0.0005,
  cut: 0.0005,
  betweenKills: 3 * MINUTE,
  betweenFreezes: 5 * MINUTE,
  betweenOutages: 15 * MINUTE,
  freeze: 15_000,
  outage: 20_000,
};

/** More than a service or a machine has ever caused. */
const stormy: Weather = {
  name: 'stormy',
  faulty: 0.3,
  unreachable: 0.03,
  slow: 0.1,
  death: 0.002,
  failing: 0.01,
  cut: 0.01,
  betweenKills: MINUTE,
  betweenFreezes: MINUTE,
  betweenOutages: 3 * MINUTE,
  freeze: 15_000,
  outage: 20_000,
};

export const weathers: Readonly<Record<'rough' | 'stormy', Weather>> = { rough, stormy };

export const calm: Weather = {
  name: 'calm',
  faulty: 0,
  unreachable: 0,
  slow: 0,
  death: 0,
  failing: 0,
  cut: 0,
  betweenKills: Infinity,
  betweenFreezes: Infinity,
  betweenOutages: Infinity,
  freeze: 0,
  outage: 0,
};

export interface Episode {
  readonly seed: number;
  readonly store: StoreKind;
  readonly weather: Weather;
  /** Writes that are meant. */
  readonly writes: number;
  readonly accounts: number;
  readonly without: Control | undefined;
}
