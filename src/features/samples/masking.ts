/**
 * Turns a reply into the form of a sample. The mapping decides which values are kept as text, not a guess from the
 * value: amounts, numbers, dates, flags and identifiers are kept; everything else becomes a keyed hash, and so does
 * everything that the mapping calls personal or does not have.
 *
 * Each account has its own hashes. After a change of encryption keys a sample can be compared as long as its key is
 * still among them (`keysOf`).
 */
import type { Seal } from '../../lib/secret/seal.ts';
import { Secret } from '../../lib/secret/secret.ts';
import type { XmlElement } from '../../lib/xml/element.ts';
import type { FormatName } from '../../mapping/formats.ts';
import type { Method, RecordTable } from '../../mapping/compile/model.ts';
import { isIdentifier, type RecordRow } from '../../mapping/compile/records.ts';
import type { SampledElement, SampledValue } from './sample.ts';

/** Formats of the mapping that free text cannot have. */
const PLAIN_FORMATS: ReadonlySet<FormatName> = new Set<FormatName>([
  ...([
    'yesNo',
    'trueFalse',
    'isSet',
    'date',
    'plainDate',
    'compactDate',
    'utcDateTime',
    'timeOfDay',
  ] as const),
  ...(['isDone', 'chosenNumber', 'money', 'integer', 'minutes', 'decimal', 'whole', 'fraction'] as const),
  ...(['difference', 'product', 'lineTax', 'lineTotal'] as const),
]);

/** A number, an amount, a date, a time, a flag, a UUID, or the number of a job: nothing that names anybody. */
const PLAIN_TEXT =
  /^(?:-?\d{1,15}(?:\.\d{1,8})?|\d{4}-?\d{2}-?\d{2}(?:T[\d:.]{5,12}(?:Z|[+-]\d{2}:?\d{2})?)?|\d{1,2}:\d{2}(?::\d{2})?|yes|no|true|false|[a-z]{0,4}[-/]?\d{1,12}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})?$/i;

/** Whether a text may be kept as it is, wherever it occurs. */
export const isPlainText = (text: string): boolean => PLAIN_TEXT.test(text);

const PURPOSE = 'sample';
/** Characters of a hash: 96 bits. */
const LENGTH = 16;
/** Elements of every reply, from the service itself. */
const ENVELOPE: ReadonlySet<string> = new Set(['Status', 'TotalRecords', 'ID']);

/** Hashes of the text, one for each key, that of the sealing key first. */
export const hashesOf = (seal: Pick<Seal, 'index'>, text: string): readonly string[] =>
  seal.index(new Secret(text), PURPOSE).map((hash) => hash.slice(0, LENGTH));

/** Names of the keys for hashes, which reveal nothing about them. */
export const keysOf = (seal: Pick<Seal, 'index'>): readonly string[] => hashesOf(seal, 'key');

/** Masks the replies of one account with one of the keys. */
export class Masking {
  readonly key: string;
  readonly #seal: Pick<Seal, 'index'>;
  readonly #accountId: string;
  readonly #place: number;

  /** `key`: a name from `keysOf`; default: that of the sealing key. Undefined: the key no longer exists. */
  static of(seal: Pick<Seal, 'index'>, accountId: string, key?: string): Masking | undefined {
    const keys = keysOf(seal);
    const place = key === undefined ? 0 : keys.indexOf(key);
    const found = keys[place];
    return found === undefined ? undefined : new Masking(seal, accountId, place, found);
  }

  private constructor(seal: Pick<Seal, 'index'>, accountId: string, place: number, key: string) {
    this.#seal = seal;
    this.#accountId = accountId;
    this.#place = place;
    this.key = key;
  }

  /** The reply to a call of the method; undefined: the mapping has no row for it. */
  masked(root: XmlElement, method: Pick<Method, 'reply'> | undefined): SampledElement {
    const reply = method?.reply;
    if (reply === undefined || !('of' in reply)) return this.#element(root, undefined, ENVELOPE);
    const children = root.children.map((child) => {
      if (child.name === reply.element) return this.#element(child, reply.of);
      const isContainer = child.children.some(({ name }) => name === reply.element);
      if (!isContainer) return this.#element(child, undefined, ENVELOPE);
      const records = child.children.map((one) => this.#element(one, reply.of));
      return { ...this.#element({ ...child, children: [] }, undefined), children: records };
    });
    return { ...this.#element({ ...root, children: [] }, undefined), children };
  }

  /** The body sent with a call of the method. */
  maskedBody(root: XmlElement, method: Pick<Method, 'body'> | undefined): SampledElement {
    return this.#element(root, method?.body?.of);
  }

  /** A keyed hash of the text. */
  hash(text: string): string {
    return hashesOf(this.#seal, `${this.#accountId} ${text}`)[this.#place] ?? '';
  }

  #element(element: XmlElement, table: RecordTable | undefined, plain?: ReadonlySet<string>): SampledElement {
    const { name, attributes, children } = element;
    const value = this.#value(textOf(element), plain?.has(name) === true);
    return {
      name,
      value,
      attributes: attributes.map(([key, given]) => [
        key,
        this.#value(given, isPlainRow(rowOf(table, `@${key}`))),
      ]),
      children: children.map((child) => this.#child(child, table, plain)),
    };
  }

  #child(child: XmlElement, table: RecordTable | undefined, plain?: ReadonlySet<string>): SampledElement {
    const row = rowOf(table, child.name);
    if (row === undefined) return this.#element(child, undefined, plain);
    if (row.holds === 'value')
      return { ...this.#element(child, undefined), value: this.#value(textOf(child), isPlainRow(row)) };
    if (row.holds !== 'list') return this.#element(child, row.of);
    const entries = child.children.map((entry) => this.#element(entry, row.of));
    return { ...this.#element({ ...child, children: [] }, undefined), children: entries };
  }

  #value(text: string, isPlain: boolean): SampledValue {
    return text === '' || (isPlain && isPlainText(text)) ? { text } : { hash: this.hash(text) };
  }
}

/**
 * The text of an element, also of one with children: a value with markup may have both. How such a value is indented
 * is no difference.
 */
const textOf = ({ text, texts }: XmlElement): string =>
  texts === undefined
    ? text
    : texts
        .map((one) => one.replace(/[ \t\r\n]+/g, ' '))
        .map((one, at) => (at === 0 ? one.trimStart() : one))
        .map((one, at) => (at === texts.length - 1 ? one.trimEnd() : one))
        .join(' ');

const rowOf = (table: RecordTable | undefined, name: string): RecordRow | undefined =>
  table?.byLegacyName.get(name.toLowerCase());

/** Whether, according to the mapping, the row holds no text written by people. */
export function isPlainRow(row: RecordRow | undefined): boolean {
  if (row?.holds !== 'value' || row.isPersonal) return false;
  return PLAIN_FORMATS.has(row.format) || isIdentifier(row);
}

/** The same form with every value unmasked: for immediate comparison, not for storage. */
export function unmasked(element: XmlElement): SampledElement {
  const { name, attributes, children } = element;
  return {
    name,
    value: { text: textOf(element) },
    attributes: attributes.map(([key, given]) => [key, { text: given }]),
    children: children.map(unmasked),
  };
}
