/**
 * The ledger of writes: one row for each creating, changing or deleting call of a known account, durable before the call
 * leaves. It says what came of the call, lets a repeat of one whose caller got no answer join it, and is what a write
 * of unknown outcome is settled by (docs/decisions/0012-write-ledger.md).
 */

export const writeStates = ['open', 'done', 'refused', 'unknown', 'settled'] as const;
/** `open`: its process is at work on it. `unknown`: it may have been carried out. */
export type WriteState = (typeof writeStates)[number];

export const settlements = ['done', 'not-done', 'undecidable'] as const;
/** What looking at the service, or a person, came to. */
export type Settlement = (typeof settlements)[number];

/** `untold`: he was told that the outcome is unknown, or had gone before there was an answer. */
export type CallerState = 'waits' | 'told' | 'untold';

/** Lines of an account's timeline; the second names the settlement behind a colon. */
export const writeEvents = { unknown: 'write unknown', settled: 'write settled' } as const;

/** The account's records are asked for by these; sealed in the row. */
export interface WriteFacts {
  readonly verb: string;
  readonly segments: readonly string[];
  readonly query: readonly (readonly [string, string])[];
  /** Elements of the message that hold text, by their path below the root: `Name`, `Client/ID`. */
  readonly values: Readonly<Record<string, string>>;
}

/** What a caller got, or is to get. */
export interface WriteAnswer {
  readonly status: number;
  readonly source: string;
  readonly contentType: string;
  readonly body: string;
  /** The answer was a failure of the legacy dialect with this code; `body` is its text then. */
  readonly failure?: string | undefined;
}

export interface Write {
  readonly id: string;
  readonly accountId: string;
  readonly method: string;
  readonly route: string;
  readonly fingerprint: string;
  /** It came with an `Idempotency-Key`. */
  readonly keyed: boolean;
  readonly length: number;
  readonly owner: string;
  readonly state: WriteState;
  /** While `settled`. */
  readonly settlement: Settlement | undefined;
  readonly caller: CallerState;
  /** The number of the record that was made, where one was. */
  readonly made: string | undefined;
  readonly knownTo: number | undefined;
  /** The bridge's number for the record that is made, allotted before anything left. */
  readonly allotted: number | undefined;
  readonly factsSealed: string;
  readonly answerSealed: string | undefined;
  /** Its steps, where the service takes several calls for it (`steps.ts`). */
  readonly stepsSealed: string | undefined;
  readonly repeats: string | undefined;
  readonly createdAt: number;
  readonly untoldAt: number | undefined;
  readonly unknownAt: number | undefined;
  /** When the service is looked at again, while `unknown`. */
  readonly nextAt: number | undefined;
  readonly attempts: number;
  readonly settledAt: number | undefined;
  /** The name of a token, or `operator`; undefined: the bridge. */
  readonly settledBy: string | undefined;
  /** In words for the operator; never a value of the message. */
  readonly note: string;
}

export interface NewWrite {
  readonly id: string;
  readonly accountId: string;
  readonly method: string;
  readonly route: string;
  /** By every key of the seal; the first is written. */
  readonly fingerprints: readonly string[];
  /** The same of its `Idempotency-Key`; empty without one. */
  readonly idempotency: readonly string[];
  readonly length: number;
  /** Of a document that leaves while it is read: its fingerprint is known in the end. By every key of the seal. */
  readonly resembles?: readonly string[] | undefined;
  readonly owner: string;
  readonly factsSealed: string;
  /** The kind of record that is made, where identifiers are numbered by the bridge. */
  readonly kind: string | undefined;
  /** The kind of the number that is allotted to it; undefined: it needs none, or not yet. */
  readonly allots?: string | undefined;
  readonly now: number;
  /** Steps that were done before, of the write that this one repeats. */
  readonly stepsSealed?: string | undefined;
  /** A write that was settled as not done, whose repeat this is. */
  readonly repeats?: string | undefined;
}

/** How far back earlier writes count, in milliseconds since the epoch. */
export interface Reach {
  /** Callers who were left without an answer since. */
  readonly untoldSince: number;
  /** Writes with an `Idempotency-Key` since. */
  readonly keyedSince: number;
  /** Identical writes that are known to be others. */
  readonly besides: readonly string[];
}

/** `earlier`: nothing was written down; the caller may be repeating that one, or goes by the same key. */
export type Entered =
  | { readonly entered: 'opened'; readonly allotted: number | undefined }
  | {
      readonly entered: 'earlier';
      readonly write: Write;
      readonly by: 'key' | 'bytes' | 'beginning' | 'repeats';
    };

/** What came of a write, as its own process knows it. */
export interface Ending {
  readonly state: 'done' | 'refused' | 'unknown';
  readonly caller: CallerState;
  readonly route?: string | undefined;
  readonly made?: string | undefined;
  readonly kind?: string | undefined;
  readonly answerSealed?: string | undefined;
  readonly note?: string | undefined;
  readonly now: number;
}

export interface Settling {
  readonly settlement: Settlement;
  /** `operator` or the name of a token; undefined: the bridge, by what it read. */
  readonly by?: string | undefined;
  readonly made?: string | undefined;
  readonly kind?: string | undefined;
  readonly answerSealed?: string | undefined;
  readonly note: string;
  readonly now: number;
}

/** `taken`: another write made that record. `over`: it is not, or no longer, one to be settled. */
export type Settled = 'settled' | 'taken' | 'over';

/** `unsettled`: unknown, or undecidable. */
export const writeFilters = [
  'unsettled',
  'open',
  'unknown',
  'undecidable',
  'done',
  'refused',
  'settled',
  'not-done',
] as const;
export type WriteFilter = (typeof writeFilters)[number];

export interface WritePage {
  readonly limit: number;
  readonly state?: WriteFilter | undefined;
  readonly accountId?: string | undefined;
  /** Id of the last one of the page before; the list begins with the youngest. */
  readonly before?: string | undefined;
}

export interface WriteCounts {
  readonly open: number;
  readonly unknown: number;
  readonly undecidable: number;
  /** Since when the oldest of the unknown ones is. */
  readonly unknownSince: number | undefined;
}

export interface WriteRepository {
  /** Writes it down, durable when this resolves, unless an earlier one may be meant. */
  enter(write: NewWrite, reach: Reach): Promise<Entered>;
  /** Of an open one: the number for the record it makes, of that kind; durable when this resolves. Throws `StoreFault` exhausted. */
  allot(id: string, kind: string): Promise<number>;
  /** Nothing of it has left: it is forgotten. */
  withdraw(id: string): Promise<void>;
  /** False: it had been settled otherwise meanwhile. What its own process knows outweighs `unknown`. */
  end(id: string, ending: Ending): Promise<boolean>;
  /** A document was read to its end. Throws where the row is gone or no longer open: the end of it must not leave. */
  identify(id: string, fingerprint: string, length: number): Promise<void>;
  /** How far a write of several steps has come, while it is open. */
  keepSteps(id: string, stepsSealed: string): Promise<void>;
  /** Its caller goes without an answer; what comes of it can be joined by a repeat. */
  leave(id: string, now: number): Promise<void>;
  /** Whoever waits for it now has its answer. */
  tell(id: string): Promise<void>;
  find(id: string): Promise<Write | undefined>;
  /** Of a process; undefined: it has stopped, or was declared dead. */
  beatsOf(owner: string): Promise<number | undefined>;
  /** This process lives. */
  beat(owner: string): Promise<void>;
  /** Processes with a write that is open, or whose caller waits for it, with their beats. */
  owners(): Promise<readonly { readonly owner: string; readonly beats: number | undefined }[]>;
  /** A process died: what it had open is unknown from now on, and its callers got no answer. How many were open. */
  bury(owner: string, now: number): Promise<number>;
  /**
   * Unknown ones of one account whose next look is due; nobody else gets them for `hold` milliseconds. `besides`: of no such
   * account.
   */
  take(now: number, hold: number, limit: number, besides?: readonly string[]): Promise<readonly Write[]>;
  /** Of one: as `take`. Undefined: somebody is at it. */
  takeOne(id: string, now: number, hold: number): Promise<Write | undefined>;
  /** They are looked at still: what was held until `from` is held until `until`. */
  hold(ids: readonly string[], from: number, until: number): Promise<void>;
  /** Nothing certain was seen. */
  postpone(id: string, nextAt: number, note: string): Promise<void>;
  /** By the bridge: of an unknown one. By a person: of an undecidable one, too. */
  settle(id: string, settling: Settling): Promise<Settled>;
  /** Which of the records, `kind:number`, are known to be of other writes. */
  claimed(accountId: string, claims: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Other writes to records of the same sort, which may have made or changed the same one: those of unknown outcome, those
   * whose record nobody knows, and those that began after it.
   */
  rivals(write: Write): Promise<readonly Write[]>;
  list(page: WritePage): Promise<readonly Write[]>;
  counts(): Promise<WriteCounts>;
  /** Answers and keys older than `answers`, and writes older than `writes` but those whose outcome is unknown. */
  forget(before: { readonly answers: number; readonly writes: number }): Promise<number>;
}

/** Of a record, as a claim names it. */
export const claimOf = (kind: string | undefined, made: string | undefined): string | undefined =>
  made === undefined ? undefined : `${kind ?? ''}:${made}`;
