import type { Kind } from '../crosswalk/identifier.ts';
import type { FormatName } from '../formats.ts';

/** A part of a call that is taken from the write: an element of its message, a placeholder of its path, or its number. */
export type Place =
  | { readonly from: 'body'; readonly names: readonly string[] }
  | { readonly from: 'path'; readonly kind: Kind }
  | { readonly from: 'made' };

/** A read in the legacy form. */
export interface SettleRead {
  readonly segments: readonly (string | Place)[];
  readonly query: readonly (readonly [name: string, template: string])[];
  /** Elements of the message whose days the read has to reach; by the names they may have. */
  readonly days: readonly (readonly string[])[];
  /** Names of the elements from below `Response` down to the record. */
  readonly at: readonly string[];
}

/** An element of the message, and where the record shows it. */
export interface Compared {
  /** The paths it may be sent under, in lower case. */
  readonly sent: readonly string[];
  /** Names from the record down. */
  readonly shown: readonly string[];
  readonly format: FormatName;
  readonly isIdentifier: boolean;
  /** V2 does not take it, or does not show it. */
  readonly isLostOnV2: boolean;
  /** A text that a record has only where the message had it. */
  readonly isOwn: boolean;
}

/** An element that the record shows, and its text. */
export interface Expected {
  readonly shown: string;
  readonly text: string;
}

/** An element that a message repeats; each is compared with the record of the list that has its key. */
export interface Entries {
  /** In lower case. */
  readonly sent: string;
  readonly keys: readonly Compared[];
  /** Of which each has one. */
  readonly values: readonly Compared[];
}

/** How the outcome of a method is looked up. */
export type Settle = { readonly way: 'none'; readonly why: string } | SettleMade | SettleChanged | SettleGone;

/** By what came into being since the moment before. */
export interface SettleMade {
  readonly way: 'made';
  readonly list: SettleRead;
  /** The list shows nothing that has been as it is since before that moment. */
  readonly isSince: boolean;
  /** Of the compared ones: those by which a record may be the one. */
  readonly by: readonly Compared[];
  readonly compared: readonly Compared[];
  /** Of the number a record goes by, text or not; undefined: it has none. */
  readonly kind: Kind | undefined;
  /** The element with a number that says when the record was met first; undefined: none says it. */
  readonly numbered: { readonly element: string; readonly kind: Kind } | undefined;
  readonly record: SettleRead | undefined;
}

/** By what the record holds. */
export interface SettleChanged {
  readonly way: 'changed';
  readonly read: SettleRead;
  /** In a list: names of the message's element, and the record's. */
  readonly find: { readonly sent: readonly string[]; readonly shown: string } | undefined;
  readonly compared: readonly Compared[];
  readonly entries: Entries | undefined;
  readonly is: readonly Expected[];
  /** The answer to the read is the reply, but for its name. */
  readonly isReply: boolean;
}

/** By the record's absence. */
export interface SettleGone {
  readonly way: 'gone';
  readonly read: SettleRead;
  /** It is a list: nothing of it is left. */
  readonly isAll: boolean;
  /** The service's words for a record that is not there. */
  readonly words: readonly string[];
  readonly is: readonly Expected[];
}
