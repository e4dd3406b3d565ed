/**
 * What the records of a run had before each write, so that a value counts as kept only if the write brought it: a
 * service that ignores an update shows the values of the creation.
 */
import { likeness } from '../../../features/writes/settling/same-text.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import type { Method, RecordRow, RecordTable } from '../../../mapping/compile/model.ts';
import { recordsIn } from '../judging/answers.ts';
import { childrenOf } from '../judging/reference.ts';
import type { Reading, Surface } from '../model.ts';

/** A document that was accepted. */
interface Accepted {
  /** Texts by element. */
  readonly sent: ReadonlyMap<string, string>;
  /** The record that it changed or created. */
  readonly target: string | undefined;
}

interface Written {
  readonly writes: number;
  /** Texts by element, as they were shown last, or sent if they were not shown. */
  readonly texts: ReadonlyMap<string, string>;
}

/** The records of one run, by identifier. */
export class WrittenRecords {
  readonly #records = new Map<string, Written>();

  /** How often the record was written. */
  writesOf(target: string): number {
    return this.#records.get(target)?.writes ?? 0;
  }

  /** Adds which of the sent values the reply shows, and which it shows otherwise; notes them. */
  compared(method: Method, reading: Reading, { sent, target }: Accepted): Reading {
    const { reply } = method;
    const { outcome } = reading;
    const [record] = outcome.outcome === 'answered' ? recordsIn(outcome.reply, reply) : [];
    const before = this.#records.get(target ?? '')?.texts ?? NOTHING;
    const result = record === undefined ? reading : withKept(method, reading, { sent, before, record });
    if (target !== undefined) this.#note(target, sent, record);
    return result;
  }

  #note(target: string, sent: ReadonlyMap<string, string>, record: XmlElement | undefined): void {
    const known = this.#records.get(target);
    const shown = record?.children.map(({ name, text }) => [name.toLowerCase(), text.trim()] as const) ?? [];
    const said = Array.from(sent, ([element, text]) => [element.toLowerCase(), text] as const);
    const texts = new Map([...(known?.texts ?? NOTHING), ...said, ...shown]);
    this.#records.set(target, { writes: (known?.writes ?? 0) + 1, texts });
  }
}

const NOTHING: ReadonlyMap<string, string> = new Map();

interface Compared {
  readonly sent: ReadonlyMap<string, string>;
  readonly before: ReadonlyMap<string, string>;
  readonly record: XmlElement;
}

/** What the record had before, in whatever form, is not kept by this write. */
function withKept(method: Method, reading: Reading, { sent, before, record }: Compared): Reading {
  const { reply, body } = method;
  const { outcome, surface } = reading;
  if (outcome.outcome !== 'answered' || reply.form !== 'one' || body === undefined) return reading;
  const compared = [...sent].flatMap(([element, text]) => {
    const rows = comparedRows(element, body.of, reply.of, surface);
    if (rows === undefined || outcome.absent.has(`${reply.element}/${rows.shown.element}`)) return [];
    const isAs = (other: string): boolean => likeness(text, other, rows.sent.format) !== 'different';
    const had = before.get(rows.shown.element.toLowerCase());
    const isKept = isAs(childrenOf(record, [rows.shown.element])[0]?.text.trim() ?? '');
    return isKept && had !== undefined && isAs(had) ? [] : [{ element, isKept }];
  });
  const elements = (isKept: boolean): readonly string[] =>
    compared.filter((one) => one.isKept === isKept).map(({ element }) => element);
  return { ...reading, kept: elements(true), lost: elements(false) };
}

type ValueRow = RecordRow & { readonly holds: 'value' };

/** The rows of an element that request and reply both have, and that has a place in V2; undefined: it is not compared. */
function comparedRows(
  element: string,
  request: RecordTable,
  reply: RecordTable,
  surface: Surface,
): { readonly sent: ValueRow; readonly shown: ValueRow } | undefined {
  const sent = request.rows.find((one) => one.element === element);
  const shown = reply.byLegacyName.get(element.toLowerCase());
  if (sent?.holds !== 'value' || shown?.holds !== 'value' || sent.v2?.lost !== undefined) return undefined;
  return surface === 'v2' && shown.v2 === undefined ? undefined : { sent, shown };
}
