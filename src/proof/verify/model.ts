/**
 * What `causeway verify` works with: the answers of the service to the calls of the mapping, and what they prove.
 *
 * The asking is done in `proof/verify`; here the answers are compared with the mapping (`judging/`), and what came of it is
 * written down (`report/`) as a report, as changes of the mapping files, and as golden files without values.
 */
import type { VerifiedOn } from '../../mapping/evidence.ts';
import type { XmlElement } from '../../lib/xml/element.ts';

/** The API versions, in the order in which they are asked: the answers of each are held against those before. */
export const surfaces = ['v1', 'v3', 'v2'] as const;
/** One of them. */
export type Surface = (typeof surfaces)[number];

/** One request to the service with its answer. Holds personal values: never leaves memory as it is. */
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
  /** The mapping's address, which does not exist; what answered is `segments`. */
  readonly insteadOf: readonly string[] | undefined;
  /** Requests to this surface's limit within the last minute, this one included. */
  readonly inMinute: number;
}

/** One call of a method, in the legacy form. */
export interface Reading {
  readonly method: string;
  readonly surface: Surface;
  readonly exchanges: readonly Exchange[];
  /** Of a write: elements that the reply shows otherwise than they were sent. */
  readonly lost?: readonly string[] | undefined;
  readonly outcome:
    | {
        readonly outcome: 'answered';
        /** `Response`, in the legacy form with numbers. */
        readonly reply: XmlElement;
        /** Elements that this way of serving cannot show, as losses name them. */
        readonly absent: ReadonlySet<string>;
      }
    /** The service's own words. */
    | { readonly outcome: 'refused'; readonly words: string }
    | { readonly outcome: 'failed'; readonly words: string };
}

/** What differs from the mapping. */
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
/** One of them. */
export type FindingKind = (typeof findingKinds)[number];

/** The kinds, as people read them. */
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

/** A key of V2 under another name. */
export interface KeyRenaming {
  /** The keys around it, from the record. */
  readonly behind: readonly string[];
  readonly from: string;
  readonly to: string;
  /** The keys around it now, if they are others; undefined: it is where it was. */
  readonly moved?: readonly string[] | undefined;
}

/** A change of one mapping file; `at`: keys down to the entry. */
export type Edit = {
  /** Relative to the folder of mappings, or an absolute path to the profile. */
  readonly file: string;
  readonly at: readonly (string | number)[];
} & (
  | { readonly change: 'text'; readonly to: string | number }
  /** Every text below `at` that is `from`. */
  | { readonly change: 'words'; readonly from: string; readonly to: string }
  /** In every path below `at`: the key `from` is called `to`. `keys`: the paths are the keys of the map, not its values. */
  | ({ readonly change: 'path'; readonly keys?: true | undefined } & KeyRenaming)
  /** The same in every placeholder for the answer of the step `step`. */
  | ({ readonly change: 'placeholder'; readonly step: string } & KeyRenaming)
  /** Adds or replaces a key of the map at `at`. */
  | { readonly change: 'set'; readonly key: string; readonly to: string | number }
  /** Adds an entry to the map `map` at `at`, and the map where there is none yet. */
  | { readonly change: 'entry'; readonly map: string; readonly key: string; readonly to: string }
  /** Adds a text to the list at `at`, unless it has it. */
  | { readonly change: 'item'; readonly to: string }
  /** In every call below `at`: the part of the path at the end of `from` is called `to`; `*`: any identifier. */
  | { readonly change: 'call'; readonly from: readonly string[]; readonly to: string }
  /** The entry itself is called `to`. */
  | { readonly change: 'key'; readonly to: string }
);

/** One difference between the service and the mapping. */
export interface Finding {
  readonly kind: FindingKind;
  readonly surface: Surface;
  /** Where the mapping says otherwise: `client.list`, `Client/Fax`, `profile`. */
  readonly row: string;
  /** Methods in whose answers it was found. */
  readonly methods: readonly string[];
  readonly expected: string;
  /** Undefined: nothing was found in its place. */
  readonly found: string | undefined;
  /** Why it is taken for that: `12 of 12 values agree with V1`. */
  readonly because: string;
  /** What corrects the mapping; empty: only a change of the program does. */
  readonly edits: readonly Edit[];
}

/** Something to know that is no fault: the bridge serves calls all the same. */
export interface Remark {
  readonly surface: Surface;
  readonly row: string;
  readonly words: string;
}

/** What is known of one method on one surface now. */
export type ProofState = 'proven' | 'differs' | 'unseen' | 'refused' | 'untried';

/** For people. */
export const proofWords: Readonly<Record<ProofState, string>> = {
  proven: 'proven',
  differs: 'differs',
  unseen: 'answered, but no record was shown',
  refused: 'refused',
  untried: 'not tried',
};

/** One method on one surface. */
export interface Proof {
  readonly method: string;
  readonly surface: Surface;
  readonly state: ProofState;
  /** Why it is not proven, or empty. */
  readonly words: string;
  readonly calls: number;
  /** Names of the mapping that were seen with a value, and those that no record showed. */
  readonly seen: number;
  readonly unseen: readonly string[];
}

/** What came of comparing the answers with one version of the mapping. */
export interface Judgement {
  readonly proofs: readonly Proof[];
  readonly findings: readonly Finding[];
  readonly remarks: readonly Remark[];
}

/** What the service says about limits and pages. */
export interface LimitFact {
  readonly surface: Surface;
  readonly what: string;
  readonly expected: string;
  readonly found: string;
}

/** A whole run. Holds no values of records. */
export interface Verification {
  readonly at: string;
  readonly version: string;
  readonly organisation: { readonly id: string; readonly name: string };
  readonly account: string;
  readonly writes: boolean;
  readonly calls: Readonly<Record<Surface, number>>;
  readonly proofs: readonly Proof[];
  /** Those for which `edits` is not empty are corrected by the patch. */
  readonly findings: readonly Finding[];
  readonly remarks: readonly Remark[];
  readonly limits: readonly LimitFact[];
  /** The rows that are proven with the patch applied. */
  readonly verified: Readonly<Record<string, VerifiedOn>>;
}
