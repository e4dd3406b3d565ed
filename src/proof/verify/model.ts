/**
 * The data of `causeway verify`: the service's answers to the calls of the mapping, and what they prove.
 *
 * `proof/verify` makes the calls; the answers are compared with the mapping (`judging/`), and the result is
 * written (`report/`) as a report, as changes of the mapping files, and as golden files without values.
 */
import type { VerifiedOn } from '../../mapping/evidence.ts';
import type { XmlElement } from '../../lib/xml/element.ts';

/** The API versions in the order of calling: the answers of each are compared with those before. */
export const surfaces = ['v1', 'v3', 'v2'] as const;
/** An API version. */
export type Surface = (typeof surfaces)[number];

/** One request to the service and its answer. Contains personal values and never leaves memory unmasked. */
export interface Exchange {
  readonly surface: Surface;
  readonly verb: string;
  /** Parts of the path below the root; without keys. */
  readonly segments: readonly string[];
  readonly query: readonly (readonly [string, string])[];
  /** XML or JSON; undefined: none, or a file. */
  readonly sent: string | undefined;
  readonly status: number;
  readonly contentType: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** The address in the mapping, which does not exist; `segments` is the one that answered. */
  readonly insteadOf: readonly string[] | undefined;
  /** Requests that count towards this surface's limit within the last minute, including this one. */
  readonly inMinute: number;
}

/** One call of a method, in the legacy form. */
export interface Reading {
  readonly method: string;
  readonly surface: Surface;
  readonly exchanges: readonly Exchange[];
  /** For a write: elements whose value in the reply is the one that was sent. */
  readonly kept?: readonly string[] | undefined;
  /** For a write: elements whose value in the reply differs from what was sent. */
  readonly lost?: readonly string[] | undefined;
  readonly outcome:
    | {
        readonly outcome: 'answered';
        /** `Response`, in the legacy form with numbers. */
        readonly reply: XmlElement;
        /** Elements that this way of serving cannot show, named as in the losses. */
        readonly absent: ReadonlySet<string>;
      }
    /** The service's own words. */
    | { readonly outcome: 'refused'; readonly words: string }
    | {
        readonly outcome: 'failed';
        readonly words: string;
        /** The words are the bridge's, and have no values. */
        readonly isOwn?: boolean;
      };
}

/** Kinds of differences from the mapping. */
export const findingKinds = [
  'address',
  'name',
  'missing',
  'type',
  'answer',
  'error',
  'parameter',
  'page-size',
  'limit',
  'header',
  'kept',
] as const;
/** A kind of difference. */
export type FindingKind = (typeof findingKinds)[number];

/** The kinds in words. */
export const findingWords: Readonly<Record<FindingKind, string>> = {
  address: 'another address',
  name: 'another name',
  missing: 'an element is missing',
  type: 'another type of value',
  answer: 'the answer has another form',
  error: 'another error',
  parameter: 'another name of a page parameter',
  'page-size': 'smaller pages',
  limit: 'another limit',
  header: 'another header',
  kept: 'a write was accepted and not kept',
};

/** A key of V2 with another name. */
export interface KeyRenaming {
  /** The keys from the record to it. */
  readonly behind: readonly string[];
  readonly from: string;
  readonly to: string;
  /** The keys that lead to it now; undefined if it has not moved. */
  readonly moved?: readonly string[] | undefined;
}

/** A change of one mapping file; `at`: the keys that lead to the entry. */
export type Edit = {
  /** Relative to the folder of mappings, or an absolute path to the profile. */
  readonly file: string;
  readonly at: readonly (string | number)[];
} & (
  | { readonly change: 'text'; readonly to: string | number }
  /** Changes every text below `at` that equals `from`. */
  | { readonly change: 'words'; readonly from: string; readonly to: string }
  /**
   * In every path below `at`, renames the key `from` to `to`. `keys`: the paths are the keys of the map, not
   * its values.
   */
  | ({ readonly change: 'path'; readonly keys?: true | undefined } & KeyRenaming)
  /** Does the same in every placeholder for the answer of the step `step`. */
  | ({ readonly change: 'placeholder'; readonly step: string } & KeyRenaming)
  /** Adds or replaces a key of the map at `at`. */
  | { readonly change: 'set'; readonly key: string; readonly to: string | number }
  /** Adds an entry to the map `map` at `at`, and creates the map if necessary. */
  | { readonly change: 'entry'; readonly map: string; readonly key: string; readonly to: string }
  /** Adds a text to the list at `at`, unless it is there. */
  | { readonly change: 'item'; readonly to: string }
  /**
   * In every call below `at`, renames the last part of the path `from` to `to`; `*`: any identifier. `only`: in calls
   * with this verb and these parts after `from`; a look-up has no verb and is a GET.
   */
  | {
      readonly change: 'call';
      readonly from: readonly string[];
      readonly to: string;
      readonly only?: { readonly verb: string; readonly rest: readonly string[] } | undefined;
    }
  /** Renames the entry itself to `to`. */
  | { readonly change: 'key'; readonly to: string }
);

/** One difference between the service and the mapping. */
export interface Finding {
  readonly kind: FindingKind;
  readonly surface: Surface;
  /** The place in the mapping that differs: `client.list`, `Client/Fax`, `profile`. */
  readonly row: string;
  /** Methods whose answers show it. */
  readonly methods: readonly string[];
  readonly expected: string;
  /** Undefined if no replacement was found. */
  readonly found: string | undefined;
  /** The reason for the replacement: `12 of 12 values agree with V1`. */
  readonly because: string;
  /** Corrections of the mapping; empty if only a change of the program can help. */
  readonly edits: readonly Edit[];
}

/** Information that is no fault: the bridge still serves calls. */
export interface Remark {
  readonly surface: Surface;
  readonly row: string;
  readonly words: string;
}

/** The present knowledge about one method on one surface. */
export type ProofState =
  'proven' | 'differs' | 'accepted' | 'unseen' | 'partly' | 'refused' | 'failed' | 'untried';

/** The states in words. */
export const proofWords: Readonly<Record<ProofState, string>> = {
  proven: 'proven',
  differs: 'differs',
  accepted: 'accepted, but the reply showed no value that was sent',
  unseen: 'answered, but no record was shown',
  partly: 'answered only in part',
  refused: 'refused',
  failed: 'not answered',
  untried: 'not tried',
};

/** The result for one method on one surface. */
export interface Proof {
  readonly method: string;
  readonly surface: Surface;
  readonly state: ProofState;
  /** Why it is not proven, or empty. */
  readonly words: string;
  readonly calls: number;
  /** Names of the mapping seen with a value, and names that no record showed. */
  readonly seen: number;
  readonly unseen: readonly string[];
}

/** The result of comparing the answers with one version of the mapping. */
export interface Judgement {
  readonly proofs: readonly Proof[];
  readonly findings: readonly Finding[];
  readonly remarks: readonly Remark[];
}

/** A statement of the service about limits and pages. */
export interface LimitFact {
  readonly surface: Surface;
  readonly what: string;
  readonly expected: string;
  readonly found: string;
}

/** A record that a run has created, or may have, and has not deleted; those within another one do not count. */
export interface LeftRecord {
  readonly surface: Surface;
  /** The method that created it. */
  readonly method: string;
  /** It has the state of something that is over. */
  readonly isClosed?: true;
}

/** The result of a whole run. Contains no values of records. */
export interface Verification {
  readonly at: string;
  readonly version: string;
  readonly organisation: { readonly id: string; readonly name: string };
  readonly account: string;
  /** Why the run ended early; absent: it did not. */
  readonly incomplete?: string;
  /** Whether a run that ended early had called with a corrected mapping; absent: it did not end early. */
  readonly triedCorrections?: boolean;
  readonly writes: boolean;
  /** Records that may remain in the organisation; absent: none. */
  readonly left?: readonly LeftRecord[];
  readonly calls: Readonly<Record<Surface, number>>;
  readonly proofs: readonly Proof[];
  /** The patch corrects findings whose `edits` are not empty. */
  readonly findings: readonly Finding[];
  readonly remarks: readonly Remark[];
  /** Why the mapping may be wrong where nothing differs. */
  readonly doubts: readonly string[];
  readonly limits: readonly LimitFact[];
  /** The rows that are proven once the patch is applied. */
  readonly verified: Readonly<Record<string, VerifiedOn>>;
}
