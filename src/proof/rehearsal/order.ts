/**
 * The orders to the process that rehearses an account and plays recorded calls (`src/replay`), and its
 * answers. Both ends are the same program.
 */
import type { RehearsalVerdict, RehearsedWay } from '../../features/cutover/rehearsal/model.ts';
import type { XmlElement } from '../../lib/xml/element.ts';
import type { Product } from '../../upstream/organisation.ts';

/** A call to play. */
export interface ReplayCall {
  /** `client.get` */
  readonly method: string;
  /** As sent; V1 accepted some verbs in place of others. */
  readonly verb: string;
  /** Decoded. */
  readonly segments: readonly string[];
  readonly query: readonly (readonly [name: string, value: string])[];
  /** The root of the message, with a text in place of each hash. */
  readonly body?: XmlElement | undefined;
  /** The recorded answer. */
  readonly expected?: XmlElement | undefined;
}

/** One answer of V1 with the segments of its call: `['client.api', 'get', '1000000']`. */
export interface AnswerOfV1 {
  readonly segments: readonly string[];
  readonly root: XmlElement;
}

/** A note on some calls of a method. */
export interface CallNote {
  readonly method: string;
  readonly calls: number;
  readonly why: string;
}

/** By kind; if a kind is absent, none of its numbers are known and V1 does not show all of them. */
export type KnownNumbers = Readonly<
  Record<
    string,
    {
      readonly numbers: readonly number[];
      /** The crosswalk has all numbers that V1 ever assigned, or V1 shows them. */
      readonly isComplete: boolean;
    }
  >
>;

/** An order to rehearse an account. */
export interface RehearsalOrder {
  /** All answers of V1 that were read for the account. */
  readonly answers: readonly AnswerOfV1[];
  readonly product: Product;
  readonly calls: readonly ReplayCall[];
  /** Reads of its programs that are not among the calls, because V1 does not answer them now. */
  readonly unanswered: number;
  /** Numbers that the bridge will know when the account moves, by kind. */
  readonly known: KnownNumbers;
}

/** The result of a rehearsal. */
export interface RehearsalOutcome {
  /** Number of records in the sandbox's seed, by list. */
  readonly records: Readonly<Record<string, number>>;
  /** Number of values that no seed accepts, by list and name. */
  readonly leftOut: readonly (readonly [words: string, times: number])[];
  readonly verdict: RehearsalVerdict;
  readonly words: string;
  /** Number of calls answered before the move as recorded. */
  readonly faithful: number;
  /** The first difference of the other calls, by method. */
  readonly unfaithful: readonly CallNote[];
  readonly ways: readonly RehearsedWay[];
}

/** An order to export calls. */
export interface ExportOrder {
  readonly product: Product;
  /** In the order in which they were made. */
  readonly calls: readonly ReplayCall[];
  /** When the first call was made, in milliseconds since the epoch. */
  readonly begins: number;
}

/** The exported files, and the outcome of the calls. */
export interface ExportOutcome {
  readonly files: readonly GoldenFile[];
  /** Number of golden files, without the seed. */
  readonly exported: number;
  /** Calls without a golden file. */
  readonly leftOut: readonly CallNote[];
  /** Exported unchanged: the difference from V1 is part of the file. */
  readonly differing: readonly CallNote[];
}

/** A file of a recording, with its path in the folder. */
export interface GoldenFile {
  /** `client/get-0007.http`, with slashes everywhere. */
  readonly path: string;
  readonly content: string;
}

/** A difference from a golden file on one way. */
export interface ReplayFinding {
  readonly path: string;
  readonly method: string;
  /** After the move; replays play nothing before it. */
  readonly way: 'v3' | 'v2';
  /**
   * `reply`: the program gets something different. `request`: a write sends something different to the
   * service.
   */
  readonly what: 'reply' | 'request';
  /** For people: the first difference with its values, and the number of others. */
  readonly words: string;
}

/** The result of a replay. */
export interface ReplayOutcome {
  readonly files: number;
  /** Number of files times ways. */
  readonly played: number;
  readonly findings: readonly ReplayFinding[];
  /** Reads with the same reply, but a different request to the service. */
  readonly asksOtherwise: readonly string[];
}

/** The order to the process. `mappings`: folder of the mapping. */
export type ReplayProcessOrder = { readonly mappings: string } & (
  | ({ readonly task: 'rehearse' } & RehearsalOrder)
  | ({ readonly task: 'export' } & ExportOrder)
  | { readonly task: 'replay'; readonly files: readonly GoldenFile[] }
);

/** A message from the process. */
export type ReplayProcessNews =
  /** Ready to receive the order. */
  | { readonly news: 'ready' }
  | { readonly news: 'progress'; readonly words: string; readonly done: number; readonly of: number }
  /** The last message: the outcome of the task. */
  | { readonly news: 'done'; readonly outcome: unknown }
  | { readonly news: 'failed'; readonly words: string };
