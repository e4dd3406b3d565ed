export const models = ['latest', 'sibling', 'same'] as const;
/** What a second presentation of a refresh token within its grace gives; the documents do not say. */
export type Model = (typeof models)[number];

export const controls = ['sweeper', 'confirm', 'fence', 'intent'] as const;
/** A part of the protocol that is taken out: without it grants must be lost, or the simulation proves nothing. */
export type Control = (typeof controls)[number];

export const stores = ['memory', 'sqlite'] as const;
export type StoreKind = (typeof stores)[number];

const MINUTE = 60_000;

/** How the world treats the instances. Shares are of all presentations, durations in milliseconds. */
export interface Weather {
  readonly name: string;
  /** Answers that are lost, cut, no use, or an error of the server. */
  readonly faulty: number;
  /** Presentations that fail and are carried out later. */
  readonly late: number;
  /** How much later: one of these. */
  readonly lateBy: readonly number[];
  /** Answers that take 20 seconds to 3 minutes. */
  readonly slow: number;
  /** The half-dead server: of this share nothing is heard. For an hour in `every`; 0: never. */
  readonly silent: { readonly share: number; readonly every: number; readonly lasts: number };
  /** How probable it is that an instance dies at one step of I/O. */
  readonly death: number;
  /** And that it freezes there. */
  readonly stall: number;
  /** Means of the times between two; `Infinity`: never. */
  readonly betweenKills: number;
  readonly betweenFreezes: number;
  readonly betweenRestarts: number;
  readonly betweenPartitions: number;
  /** The mean length of a freeze. */
  readonly freeze: number;
  /** A database that restarts is away for up to this. */
  readonly restart: number;
  /** How probable it is that the answer to a write is lost although it was carried out. */
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

/** What the design covers: a quarter of the answers is no use, and late is up to 4.5 minutes. Processes die often. */
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

/** Instances that stand still longer than their leases last, one after the other. */
export const freezes: Weather = {
  ...covered,
  name: 'freezes',
  stall: 0.0005,
  betweenFreezes: 5 * MINUTE,
  freeze: 6 * MINUTE,
};

export const weathers: Readonly<Record<string, Weather>> = { kills: covered, 'half-dead': halfDead };

/** Presentations so late that no moment of the confirmation saves all: for figures, not for promises. */
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
  /** The share of grants that are asked for every other hour only. */
  readonly quiet: number;
  readonly without: Control | undefined;
}
