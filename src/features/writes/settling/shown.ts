import type { XmlElement } from '../../../lib/xml/element.ts';
import type { SettleChanged, SettleGone } from '../../../mapping/settle/model.ts';
import type { WriteAnswer } from '../model.ts';
import { sentText, shownIn, type Sent } from './fit.ts';
import { recordsAt, type ReadAnswer } from './reads.ts';
import type { Verdict } from './verdict.ts';

/** `failed`: a read failed, which says nothing about the write. */
export type LookOutcome =
  | (Verdict & { readonly answer?: WriteAnswer | undefined; readonly kind?: string | undefined })
  | { readonly verdict: 'failed'; readonly note: string };

/** A reply of the service that shows records. */
export type Read = Extract<ReadAnswer, { answer: 'read' }>;
/** What a read of a lookup came to; `seen`: that ends the lookup. */
export type Shown = { readonly read: Read } | { readonly refused: string } | { readonly seen: LookOutcome };

/** The record that a change is about, and all that the read shows. */
export function recordsIn(shown: Exclude<Shown, { seen: LookOutcome }>, settle: SettleChanged, sent: Sent) {
  if (!('read' in shown)) return { record: undefined, records: [], source: 'bridge' } as const;
  const { read } = shown;
  return {
    record: recordIn(read, settle, sent),
    records: recordsAt(read.root, settle.read.at),
    source: read.source,
  };
}

function recordIn({ root }: Read, { read, find }: SettleChanged, sent: Sent): XmlElement | undefined {
  const records = recordsAt(root, read.at);
  if (find === undefined) return records[0];
  const key = sentText(sent, find.sent);
  return records.find((record) => shownIn(record, [find.shown]) === key);
}

/** Whether an answer that shows no record says that it is gone. */
export function saysGone(
  shown: Exclude<Shown, { seen: LookOutcome }>,
  { words, isAll }: SettleGone,
): boolean {
  if (!('refused' in shown)) return isAll;
  const text = shown.refused.trim().toLowerCase();
  return words.some((one) => text.startsWith(one.toLowerCase()));
}
