export const models = ['latest', 'sibling', 'same'] as const;
/** The result of a second presentation of a refresh token within its grace, which the documents leave open. */
export type Model = (typeof models)[number];

export const controls = ['sweeper', 'confirm', 'fence', 'intent'] as const;
/** A part of the protocol left out: without it grants must be lost, or the simulation proves nothing. */
export type Control = (typeof controls)[number];

export const stores = ['memory', 'sqlite'] as const;
export type StoreKind = (typeof stores)[number];

const MINUTE = 60_000;

/** The faults of an episode. Shares are of all presentations, durations in milliseconds. */
export interface Weather {
  readonly name: string;
  /** Answers that are lost, cut, useless, or an error of the server. */
  readonly faulty: number;
  /** Presentations that fail and are carried out later. */
  readonly late: number;
  /** By how much: one of these delays. */
  readonly lateBy: readonly number[];
  /** Answers that take 20 seconds to 3 minutes. */
  readonly slow: number;
  /** The half-dead server: this share gets no answer. For `lasts` in every `every`; 0: never. */
  readonly silent: { readonly share: number; readonly every: number; readonly lasts: number };
  /** The probability that an instance dies at one step of I/O. */
  readonly death: number;
  /** The probability that it freezes there. */
  readonly stall: number;
  /** Mean times between two of them; `Infinity`: never. */
  readonly betweenKills: number;
  readonly betweenFreezes: number;
  readonly betweenRestarts: number;
  readonly betweenPartitions: number;
  /** The mean length of a freeze. */
  readonly freeze: number;
  /** The longest outage of a restarting database. */
  readonly restart: number;
  /** The probability that the answer to a write is lost although it was carried out. */
  readonly cut: number;
}

export const calm: Weather = {
  name: 'calm',
  faulty: 0,
  late: 0,
  lateBy: [],
  slow: 0,
  silent: { share: 0, every: Infinity, lasts: 0 },
  death: 0,
  stall: 0,
  betweenKills: Infinity,
  betweenFreezes: Infinity,
  betweenRestarts: Infinity,
  betweenPartitions: Infinity,
  freeze: 0,
  restart: 0,
  cut: 0,
};

/**
 * The conditions that the design covers: a quarter of the answers is useless, and delays reach 4.5 minutes. Processes
 * die often.
 */
export const covered: Weather = {
  name: 'kills',
  faulty: 0.24,
  late: 0.05,
  lateBy: [0.5, 2, 3, 4, 4.5].map((minutes) => minutes * MINUTE),
  slow: 0.02,
  silent: { share: 0, every: Infinity, lasts: 0 },
  death: 0.0005,
  stall: 0,
  betweenKills: 10 * MINUTE,
  betweenFreezes: 20 * MINUTE,
  betweenRestarts: 90 * MINUTE,
  betweenPartitions: 60 * MINUTE,
  freeze: 4 * MINUTE,
  restart: 5 * MINUTE,
  cut: 0.0005,
};

const halfDead: Weather = {
  ...covered,
  name: 'half-dead',
  silent: { share: 0.4, every: 6 * 60 * MINUTE, lasts: 60 * MINUTE },
  death: 0.0001,
};

/** Instances that freeze longer than their leases last, one after the other. */
export const freezes: Weather = {
  ...covered,
  name: 'freezes',
  stall: 0.0005,
  betweenFreezes: 5 * MINUTE,
  freeze: 6 * MINUTE,
};

export const weathers: Readonly<Record<string, Weather>> = { kills: covered, 'half-dead': halfDead };

/** Presentations so late that no timing of the confirmation saves all: for figures, not for promises. */
export const lateBeyond: Weather = {
  ...covered,
  name: 'beyond',
  lateBy: [6, 10, 15, 20].map((minutes) => minutes * MINUTE),
};

export interface Episode {
  readonly seed: number;
  readonly model: Model;
  readonly store: StoreKind;
  readonly weather: Weather;
  readonly calls: number;
  readonly grants: number;
  readonly instances: number;
  /** The share of grants that are used only every other hour. */
  readonly quiet: number;
  readonly without: Control | undefined;
}
