/**
 * One element as read. The dialect has no mixed content, so an element has children or text; a value with markup may
 * have both.
 * `text` is the concatenated character data if there are no children, otherwise ''.
 */
export interface XmlElement {
  readonly name: string;
  readonly attributes: readonly (readonly [name: string, value: string])[];
  readonly children: readonly XmlElement[];
  readonly text: string;
  /** Written as `<X/>`: unless a table says otherwise, an empty element keeps its form. */
  readonly selfClosing: boolean;
  /** The text before each child and after the last; undefined if all of it is white space. */
  readonly texts?: readonly string[] | undefined;
  /** The same if all of it is white space: indentation in a record, spaces between the words of a text. */
  readonly blanks?: readonly (string | undefined)[] | undefined;
}

/** Why a document was refused: a fixed text with line and column, never a part of the input. */
export class XmlFault extends Error {
  readonly reason: 'malformed' | 'doctype' | 'encoding' | 'too-large';

  constructor(reason: XmlFault['reason'], where = '') {
    super(`XML refused: ${reason}${where}`);
    this.name = 'XmlFault';
    this.reason = reason;
  }
}

/** Limits on what is read. For streamed replies they apply per record. */
export interface XmlLimits {
  readonly depth: number;
  readonly elements: number;
  readonly attributes: number;
  readonly nameLength: number;
  /** Characters of text in one element. */
  readonly textLength: number;
}

/** A streamed `Response`, in parts: only one record is ever in memory. */
export type ReplyPart =
  /**
   * Child of `Response` without element children: `Status`, `ErrorDescription`, `TotalRecords`, `ID`, an
   * empty list.
   */
  | { readonly part: 'scalar'; readonly element: XmlElement }
  /** A list container begins. */
  | { readonly part: 'open'; readonly name: string }
  /** A record inside the open container or, if container is undefined, directly under `Response`. */
  | { readonly part: 'record'; readonly container: string | undefined; readonly element: XmlElement }
  | { readonly part: 'close'; readonly name: string };
