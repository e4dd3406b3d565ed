import { countForbidden, escapeText } from '../../xml/text.ts';
import type { Find } from '../mapping/path.ts';
import { numberFor, type DocumentLink } from '../record-reader.ts';

/** The place of an identifier in a record, whose number is written once it is known. */
export interface Slot {
  readonly kind: string;
  readonly begin: string;
  readonly end: string;
  /** What stands there when nobody knows the number. */
  readonly none: string;
}

export interface DraftParts {
  readonly find: (table: string, key: string, root: unknown) => unknown;
  readonly link: DocumentLink;
  /** Whether the caller gets the rows that belong to the detailed answer. */
  readonly detailed: boolean;
  /** The text of a row says less than V2's value did. */
  readonly lost: (element: string) => void;
}

export interface Gap {
  readonly slot: Slot;
  readonly text: string;
}

/** Records that are written but for the numbers in them: these are asked for together. */
export class Draft {
  readonly find: Find;
  readonly link: DocumentLink;
  readonly detailed: boolean;
  readonly lost: (element: string) => void;
  /** The record that is being written, for tables within it. */
  root: unknown;
  /** Whether the record within a record that was written last holds any text. */
  said = false;
  /** Characters that no XML document can hold; they went out as U+FFFD. */
  replaced = 0;
  /** What stands before each gap. */
  readonly #texts: string[] = [];
  readonly gaps: Gap[] = [];

  constructor({ find, link, detailed, lost }: DraftParts) {
    this.find = (table, key) => find(table, key, this.root);
    this.link = link;
    this.detailed = detailed;
    this.lost = lost;
  }

  /** Puts a text aside that ends where a number belongs; the text behind begins anew. */
  gap(before: string, slot: Slot, text: string): string {
    this.#texts.push(before);
    this.gaps.push({ slot, text });
    return '';
  }

  /** A value as it stands in XML. */
  escaped(text: string): string {
    const written = escapeText(text);
    // Counted only where one may stand: most texts go out as they are.
    if (written !== text && written.includes('\uFFFD')) this.replaced += countForbidden(text);
    return written;
  }

  /** The whole text. `numbers`: of each gap, in their order; `rest`: what stands behind the last one. */
  filled(numbers: readonly (string | undefined)[], rest: string): string {
    let whole = '';
    for (const [at, { slot, text }] of this.gaps.entries()) {
      const number = numberFor(text, numbers[at]);
      whole += this.#texts[at] ?? '';
      whole = number === '' ? whole + slot.none : whole + slot.begin + this.escaped(number) + slot.end;
    }
    return whole + rest;
  }
}
