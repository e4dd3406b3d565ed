/**
 * The ledger of writes: one row per call of a known account that creates, changes or deletes, durable before
 * the call leaves. It records the outcome, lets a repeat of a call whose caller got no answer join it, and is
 * what a write with an unknown outcome is settled by (docs/decisions/calls/0012-write-ledger.md).
 */

import type { FailureCode, Source } from '../../lib/failure.ts';
import { by, byCreation, type ListPage, type Orders } from '../../lib/text/list-order.ts';
import { HOUR } from '../../lib/time/clock.ts';

export const writeStates = ['open', 'done', 'refused', 'unknown', 'settled'] as const;
/** `open`: its process is working on it. `unknown`: it may have been carried out. */
export type WriteState = (typeof writeStates)[number];

/** In milliseconds, the longest pause between two lookups of a write. */
export const LONGEST_PAUSE = HOUR;

export const settlements = ['done', 'not-done', 'undecidable'] as const;
/** The result of looking it up at the service, or of an operator's decision. */
export type Settlement = (typeof settlements)[number];

/**
 * `untold`: the caller was told that the outcome is unknown, or had disconnected before there was an answer.
 */
export type CallerState = 'waits' | 'told' | 'untold';

/** Timeline entries of an account; the second is followed by a colon and the settlement. */
export const writeEvents = { unknown: 'write unknown', settled: 'write settled' } as const;

/** What is needed to find the record at the service; sealed in the row. */
export interface WriteFacts {
  readonly verb: string;
  readonly segments: readonly string[];
  readonly query: readonly (readonly [string, string])[];
  /** Text elements of the message by their path below the root: `Name`, `Client/ID`. */
  readonly values: Readonly<Record<string, string>>;
  /** Of values that are kept in part, by the same paths: hashes of the whole. 1.0.0-rc.1 stored none. */
  readonly digests?: Readonly<Record<string, string>> | undefined;
}

/** What a caller got, or will get. */
export interface WriteAnswer {
  readonly status: number;
  readonly source: Source;
  readonly contentType: string;
  readonly body: string;
  /** The verbs that a 405 names (`Allow`), or those of the path; 1.0.0-rc.1 keeps none. */
  readonly allow?: string | undefined;
  /** The answer was a failure of the legacy dialect with this code; `body` is then its text. */
  readonly failure?: FailureCode | undefined;
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
  /** Set while `settled`. */
  readonly settlement: Settlement | undefined;
  readonly caller: CallerState;
  /** The number of the created record, if there is one. */
  readonly made: string | undefined;
  readonly knownTo: number | undefined;
  /** The bridge's number for the record, assigned before anything left. */
  readonly allotted: number | undefined;
  readonly factsSealed: string;
  readonly answerSealed: string | undefined;
  /** Its steps, if the service takes several calls for it (`steps.ts`). */
  readonly stepsSealed: string | undefined;
  readonly repeats: string | undefined;
  readonly createdAt: number;
  /** Since when its caller has not known the outcome; also set while a repeat `waits` in its place. */
  readonly untoldAt: number | undefined;
  readonly unknownAt: number | undefined;
  /** When it is looked up again, while `unknown`. */
  readonly nextAt: number | undefined;
  readonly attempts: number;
  /** While `done`: when the service had answered, which is before its caller knew. 1.0.0-rc.1 stored none. */
  readonly answeredAt: number | undefined;
  readonly settledAt: number | undefined;
  /** The name of a token, or `operator`; undefined: the bridge. */
  readonly settledBy: string | undefined;
  /** A text for the operator; never a value of the message. */
  readonly note: string;
}

export interface NewWrite {
  readonly id: string;
  readonly accountId: string;
  readonly method: string;
  readonly route: string;
  /** Under every key of the seal; the first is stored. */
  readonly fingerprints: readonly string[];
  /** The same for its `Idempotency-Key`; empty without one. */
  readonly idempotency: readonly string[];
  readonly length: number;
  /**
   * For a document that leaves while it is read, whose fingerprint is known only at the end. Under every key
   * of the seal.
   */
  readonly resembles?: readonly string[] | undefined;
  readonly owner: string;
  readonly factsSealed: string;
  /** The kind of record that is created, if the bridge numbers that kind. */
  readonly kind: string | undefined;
  /** The kind of the number assigned to it; undefined: it needs none, or not yet. */
  readonly allots?: string | undefined;
  /** The kinds of records that it may add on V1. */
  readonly adds?: readonly string[] | undefined;
  readonly now: number;
  /** Steps already done by the write that this one repeats. */
  readonly stepsSealed?: string | undefined;
  /** The write, not done, that this one repeats. */
  readonly repeats?: string | undefined;
}

/** How far back earlier writes count, in milliseconds since the epoch. */
export interface Reach {
  /** Callers left without an answer since then. */
  readonly untoldSince: number;
  /** Writes with an `Idempotency-Key` since then. */
  readonly keyedSince: number;
  /** Identical writes that are known to be different ones. */
  readonly besides: readonly string[];
  /** Identical writes that other repeats replace or answer with; one of them is meant only if no other is left. */
  readonly taken?: readonly string[] | undefined;
}

/** `earlier`: nothing was recorded; the caller may be repeating that write, or uses the same key. */
export type Entered =
  | { readonly entered: 'opened'; readonly allotted: number | undefined }
  | {
      readonly entered: 'earlier';
      readonly write: Write;
      readonly by: 'key' | 'bytes' | 'beginning' | 'repeats';
    };

/** The outcome of a write as its own process knows it. */
export interface Ending {
  readonly state: 'done' | 'refused' | 'unknown';
  readonly caller: CallerState;
  readonly route?: string | undefined;
  readonly made?: string | undefined;
  readonly kind?: string | undefined;
  readonly answerSealed?: string | undefined;
  readonly note?: string | undefined;
  /** When the service had answered, if it is `done`. */
  readonly answeredAt?: number | undefined;
  readonly now: number;
}

export interface Settling {
  readonly settlement: Settlement;
  /** `operator` or the name of a token; undefined: the bridge, from what it read. */
  readonly by?: string | undefined;
  readonly made?: string | undefined;
  readonly kind?: string | undefined;
  readonly answerSealed?: string | undefined;
  /** What was done of a write of several steps that counts as not done, as text for the timeline. */
  readonly done?: string | undefined;
  /** Its steps as they were read, if none of them was done: a repeat has no use for them, so they are no longer kept. */
  readonly undone?: string | undefined;
  readonly note: string;
  readonly now: number;
}

/** `taken`: another write created that record. `over`: there is nothing (or no longer anything) to settle. */
export type Settled = 'settled' | 'taken' | 'over';

/** `unsettled`: unknown or undecidable. */
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

/** What the list of writes can be sorted by. */
export const writeOrders: Orders<Write, 'method' | 'route' | 'state'> = {
  method: by('method', ({ method }) => method),
  state: by('state', ({ state }) => state),
  route: by('route', ({ route }) => route),
  at: byCreation,
};

/** Which writes are wanted, and in which order. */
export interface WritePage extends ListPage<'method' | 'route' | 'state'> {
  readonly state?: WriteFilter | undefined;
  readonly accountId?: string | undefined;
}

export interface WriteCounts {
  readonly open: number;
  readonly unknown: number;
  readonly undecidable: number;
  /** Since when the oldest unknown write has been unknown. */
  readonly unknownSince: number | undefined;
}

export interface WriteRepository {
  /** Records it, durable when this resolves, unless an earlier one may be meant. */
  enter(write: NewWrite, reach: Reach): Promise<Entered>;
  /**
   * Assigns a number of that kind to the record of an open write; durable when this resolves. Throws
   * `StoreFault` exhausted.
   */
  allot(id: string, kind: string): Promise<number>;
  /** Nothing of it has left: its row is deleted. */
  withdraw(id: string): Promise<void>;
  /** False: it had been settled differently meanwhile. What its own process knows overrides `unknown`. */
  end(id: string, ending: Ending): Promise<boolean>;
  /**
   * A document was read to its end. Throws if the row is gone or no longer open: its last piece must not
   * leave.
   */
  identify(id: string, fingerprint: string, length: number): Promise<void>;
  /** How far an open write of several steps has come. */
  keepSteps(id: string, stepsSealed: string): Promise<void>;
  /** Its caller leaves without an answer; a repeat can join the outcome. */
  leave(id: string, now: number): Promise<void>;
  /**
   * A repeat, served by that process, answers with its outcome and waits in place of its caller, but stays recognisable by
   * `untoldAt`. False: its caller has its answer, or another repeat gives it.
   */
  answerFor(id: string, owner: string): Promise<boolean>;
  /** Its waiting caller now has the answer. */
  tell(id: string): Promise<void>;
  find(id: string): Promise<Write | undefined>;
  /** Beats of a process; undefined: it has stopped, or was declared dead. */
  beatsOf(owner: string): Promise<number | undefined>;
  /** This process is alive. */
  beat(owner: string): Promise<void>;
  /** Processes with a write that is open, or whose caller waits for it, with their beats. */
  owners(): Promise<readonly { readonly owner: string; readonly beats: number | undefined }[]>;
  /**
   * A process died: its open writes are now unknown, and their callers got no answer. Returns how many were
   * open.
   */
  declareDead(owner: string, now: number): Promise<number>;
  /**
   * Unknown writes of one account whose next lookup is due; nobody else gets them for `hold` milliseconds.
   * `besides`: accounts to skip.
   */
  take(now: number, hold: number, limit: number, besides?: readonly string[]): Promise<readonly Write[]>;
  /** The same for one write. Undefined: somebody else is looking it up. */
  takeOne(id: string, now: number, hold: number): Promise<Write | undefined>;
  /** They are still being looked up: extends the claim from `from` until `until`. */
  hold(ids: readonly string[], from: number, until: number): Promise<void>;
  /** Nothing certain was found. */
  postpone(id: string, nextAt: number, note: string): Promise<void>;
  /** By the bridge: an unknown write. By an operator: an undecidable one, too. */
  settle(id: string, settling: Settling): Promise<Settled>;
  /** Which of the records, `kind:number`, are known to belong to other writes. */
  claimed(accountId: string, claims: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * Other writes to records of the same kind that may have created or changed the same one: those with an
   * unknown outcome, those whose record is not known, and those that began after it.
   */
  rivals(write: Write): Promise<readonly Write[]>;
  list(page: WritePage): Promise<readonly Write[]>;
  counts(): Promise<WriteCounts>;
  /**
   * Deletes answers and keys older than `answers`, and writes older than `writes`, except those with an
   * unknown or undecidable outcome. Callers left without an answer before the clock was set back count as left at `now`.
   */
  forget(before: {
    readonly answers: number;
    readonly writes: number;
    readonly now: number;
  }): Promise<number>;
}
