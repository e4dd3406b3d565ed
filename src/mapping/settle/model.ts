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
  /** Elements of the message whose dates the read must cover, by the names they may have. */
  readonly days: readonly (readonly string[])[];
  /** Element names from below `Response` down to the record. */
  readonly at: readonly string[];
  /** What the record is made of, and the record that it is an entry of. */
  readonly of: RecordTable;
  readonly within: RecordTable | undefined;
}

/** An element of the message, and where the record shows it. */
export interface Compared {
  /** The paths under which it may be sent, in lower case. */
  readonly sent: readonly string[];
  /** Names from the record downwards. */
  readonly shown: readonly string[];
  readonly format: FormatName;
  readonly isIdentifier: boolean;
  /** V2 does not accept it, or does not show it. */
  readonly isLostOnV2: boolean;
  /** A text that a record has only if the message had it. */
  readonly isOwn: boolean;
}

/** An element that the record shows, and its text. */
export interface Expected {
  readonly shown: string;
  readonly text: string;
}

/** A repeated element of a message; each is compared with the record in the list that has its key. */
export interface Entries {
  /** In lower case. */
  readonly sent: string;
  readonly keys: readonly Compared[];
  /** Each entry has one of these. */
  readonly values: readonly Compared[];
}

/** How the outcome of a method is looked up. */
export type Settle = { readonly way: 'none'; readonly why: string } | SettleMade | SettleChanged | SettleGone;

/** By what has been created since before the write. */
export interface SettleMade {
  readonly way: 'made';
  readonly list: SettleRead;
  /** The list shows nothing that is unchanged since before that time. */
  readonly isSince: boolean;
  /** The compared elements by which a record is recognised. */
  readonly by: readonly Compared[];
  readonly compared: readonly Compared[];
  /** Kind of the number that addresses the record, text or not; undefined: it has none. */
  readonly kind: Kind | undefined;
  /** The element whose number tells when the record was first seen; undefined: none does. */
  readonly numbered: { readonly element: string; readonly kind: Kind } | undefined;
  readonly record: SettleRead | undefined;
}

/** By the record's values. */
export interface SettleChanged {
  readonly way: 'changed';
  readonly read: SettleRead;
  /** In a list: names of the message's element, and of the record's. */
  readonly find: { readonly sent: readonly string[]; readonly shown: string } | undefined;
  readonly compared: readonly Compared[];
  readonly entries: Entries | undefined;
  readonly is: readonly Expected[];
  /** The answer to the read is the reply, except for its name. */
  readonly isReply: boolean;
}

/** By the record's absence. */
export interface SettleGone {
  readonly way: 'gone';
  readonly read: SettleRead;
  /** It is a list: nothing of it is left. */
  readonly isAll: boolean;
  /** The service's message for a record that does not exist. */
  readonly words: readonly string[];
  readonly is: readonly Expected[];
}
