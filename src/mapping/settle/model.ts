import type { Kind } from '../crosswalk/identifier.ts';
import type { RecordTable } from '../compile/records.ts';
import type { FormatName } from '../formats.ts';

/**
 * A part of a call that comes from the write: an element of its message, a placeholder of its path, or its
 * number.
 */
export type Place =
  | { readonly from: 'body'; readonly names: readonly string[] }
  | { readonly from: 'path'; readonly kind: Kind }
  | { readonly from: 'made' };

/** A read in the legacy form. */
export interface SettleRead {
  readonly segments: readonly (string | Place)[];
  readonly query: readonly (readonly [name: string, template: string])[];
  /** Elements of the message whose dates the read must cover, under any of their names. */
  readonly days: readonly (readonly string[])[];
  /** Element names from below `Response` down to the record. */
  readonly at: readonly string[];
  /** The table of the record, and of the record that it is an entry of. */
  readonly of: RecordTable;
  readonly within: RecordTable | undefined;
}

/** An element of the message, and where the record shows it. */
export interface Compared {
  /** The paths at which it may be sent, in lower case. */
  readonly sent: readonly string[];
  /** Names from the record downwards. */
  readonly shown: readonly string[];
  readonly format: FormatName;
  readonly isIdentifier: boolean;
  /** V2 either does not accept the element or does not show it. */
  readonly isLostOnV2: boolean;
  /** Only the write can have given the record this text. */
  readonly isOwn: boolean;
  /** What a record without the element says of its value. */
  readonly omitted: 'empty' | 'unknown';
  /** Sent empty, it leaves the record as it is. */
  readonly isKeptIfEmpty: boolean;
  /** The service looks the text up among names: another case is the same choice. */
  readonly isChoice: boolean;
}

/** An element that the record shows, and its text. */
export interface Expected {
  readonly shown: string;
  readonly text: string;
}

/** A repeated element of a message; each entry is compared with the listed record that has its key. */
export interface Entries {
  /** In lower case. */
  readonly sent: string;
  readonly keys: readonly Compared[];
  /** Each entry has one of these values. */
  readonly values: readonly Compared[];
}

/** How an unknown outcome of a method is looked up. */
export type Settle = { readonly way: 'none'; readonly why: string } | SettleMade | SettleChanged | SettleGone;

/** A write that creates: looked up among the records created since just before it. */
export interface SettleMade {
  readonly way: 'made';
  readonly list: SettleRead;
  /** The list shows only records changed since shortly before the write. */
  readonly isSince: boolean;
  /** The compared elements by which a record is recognised. */
  readonly by: readonly Compared[];
  readonly compared: readonly Compared[];
  /** The kind of the number that addresses the record, even if it is text; undefined: the record has none. */
  readonly kind: Kind | undefined;
  /** The element whose number tells when the record was first seen; undefined: none does. */
  readonly numbered: { readonly element: string; readonly kind: Kind } | undefined;
  readonly record: SettleRead | undefined;
}

/** A write that changes: looked up by the values of the record. */
export interface SettleChanged {
  readonly way: 'changed';
  readonly read: SettleRead;
  /** For a list: the names of the identifying element in the message and in the record. */
  readonly find: { readonly sent: readonly string[]; readonly shown: string } | undefined;
  readonly compared: readonly Compared[];
  /** In lower case: elements of the message that the record does not show. */
  readonly besides: readonly string[];
  readonly entries: Entries | undefined;
  readonly is: readonly Expected[];
  /** The answer to the read serves as the reply, apart from its name. */
  readonly isReply: boolean;
}

/** A write that deletes: looked up by the absence of the record. */
export interface SettleGone {
  readonly way: 'gone';
  readonly read: SettleRead;
  /** The read returns a list, which must be empty. */
  readonly isAll: boolean;
  /** The service's message for a record that does not exist. */
  readonly words: readonly string[];
  readonly is: readonly Expected[];
}
