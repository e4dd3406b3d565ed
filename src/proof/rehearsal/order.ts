/**
 * What is asked of the process in which an account is rehearsed and recorded calls are played (`src/replay`), and what it
 * answers. Both ends are the same program.
 */
import type { RehearsalVerdict, RehearsedWay } from '../../features/cutover/rehearsal/model.ts';
import type { XmlElement } from '../../lib/xml/element.ts';
import type { Product } from '../../upstream/organisation.ts';

/** A call to be played. */
export interface ReplayCall {
  /** `client.get` */
  readonly method: string;
  /** As it was sent; V1 took some verbs for others. */
  readonly verb: string;
  /** Decoded. */
  readonly segments: readonly string[];
  readonly query: readonly (readonly [name: string, value: string])[];
  /** The root of the message, with a text in place of each hash. */
  readonly body?: XmlElement | undefined;
  /** What was answered when it was recorded. */
  readonly expected?: XmlElement | undefined;
}

/** One answer of V1 with the segments of its call: `['client.api', 'get', '1000000']`. */
export interface AnswerOfV1 {
  readonly segments: readonly string[];
  readonly root: XmlElement;
}

/** What is to be said of some calls of a method. */
export interface CallNote {
  readonly method: string;
  readonly calls: number;
  readonly why: string;
}

/** By kind; of a kind that is absent nothing is known, and V1 does not show all of it. */
export type KnownNumbers = Readonly<
  Record<
    string,
    {
      readonly numbers: readonly number[];
      /** The crosswalk has all that V1 ever gave, or V1 shows them. */
      readonly isComplete: boolean;
    }
  >
>;

/** What is rehearsed. */
export interface RehearsalOrder {
  /** Everything of the account that V1 was asked for. */
  readonly answers: readonly AnswerOfV1[];
  readonly product: Product;
  readonly calls: readonly ReplayCall[];
  /** Numbers that the bridge will know when the account moves, by kind. */
  readonly known: KnownNumbers;
}

/** What a rehearsal found by itself. */
export interface RehearsalOutcome {
  /** Records the sandbox was seeded with, by list of its seed. */
  readonly records: Readonly<Record<string, number>>;
  /** Values that no seed takes, by list and name, with how often. */
  readonly leftOut: readonly (readonly [words: string, times: number])[];
  readonly verdict: RehearsalVerdict;
  readonly words: string;
  /** Calls that were answered before the move as they were recorded. */
  readonly faithful: number;
  /** In what the others differ, at the first place, by method. */
  readonly unfaithful: readonly CallNote[];
  readonly ways: readonly RehearsedWay[];
}

/** What is exported. */
export interface ExportOrder {
  readonly product: Product;
  /** In the order in which they were made. */
  readonly calls: readonly ReplayCall[];
  /** When the first was made, in milliseconds since the epoch. */
  readonly begins: number;
}

/** The files, and what became of the calls. */
export interface ExportOutcome {
  readonly files: readonly GoldenFile[];
  /** Golden files, without the seed. */
  readonly exported: number;
  /** Calls that became no golden file. */
  readonly leftOut: readonly CallNote[];
  /** Exported as they are: what differs from V1 is part of the file. */
  readonly differing: readonly CallNote[];
}

/** A file of a recording, with its path in the folder. */
export interface GoldenFile {
  /** `client/get-0007.http`, with slashes everywhere. */
  readonly path: string;
  readonly content: string;
}

/** One way of one golden file on which something is not as the file says. */
export interface ReplayFinding {
  readonly path: string;
  readonly method: string;
  /** After the move; nothing is played before it. */
  readonly way: 'v3' | 'v2';
  /** `reply`: the program gets something else. `request`: a write asks the service for something else. */
  readonly what: 'reply' | 'request';
  /** For people: the first difference, with its values, and how many more there are. */
  readonly words: string;
}

/** What a replay found. */
export interface ReplayOutcome {
  readonly files: number;
  /** Files times ways. */
  readonly played: number;
  readonly findings: readonly ReplayFinding[];
  /** Reads for which the service is asked in another way than before, with the same reply. */
  readonly asksOtherwise: readonly string[];
}

/** What the process is asked for. `mappings`: the folder of the mapping. */
export type ReplayProcessOrder = { readonly mappings: string } & (
  | ({ readonly task: 'rehearse' } & RehearsalOrder)
  | ({ readonly task: 'export' } & ExportOrder)
  | { readonly task: 'replay'; readonly files: readonly GoldenFile[] }
);

/** What the process says. */
export type ReplayProcessNews =
  /** The order can be sent. */
  | { readonly news: 'ready' }
  | { readonly news: 'progress'; readonly words: string; readonly done: number; readonly of: number }
  /** The last it says: the outcome of the task that was asked for. */
  | { readonly news: 'done'; readonly outcome: unknown }
  | { readonly news: 'failed'; readonly words: string };
