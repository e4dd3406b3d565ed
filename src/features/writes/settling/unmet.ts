import type { XmlElement } from '../../../lib/xml/element.ts';
import type { Unmet } from '../../../mapping/crosswalk/identifier.ts';
import type { SettleMade } from '../../../mapping/settle/model.ts';
import type { Write } from '../model.ts';
import { shownIn } from './fit.ts';
import type { LegacyReads } from './reads.ts';

/** Undefined: no number was assigned, so records are numbered as they are read. */
export const unmetOf = ({ numbered, isSince }: SettleMade, { allotted }: Write): Unmet | undefined =>
  numbered === undefined || allotted === undefined
    ? undefined
    : { kind: numbered.kind, all: isSince, uuids: new Map() };

/** Writes looked up together share a list; the record that one of them created has its number by then. */
export const numberedSince = (record: XmlElement, unmet: Unmet | undefined): XmlElement =>
  unmet === undefined
    ? record
    : withTexts(record, (text) => `${unmet.uuids.get(text.toLowerCase()) ?? text}`);

interface Numbering {
  readonly write: Write;
  /** Passed on from reading the list that shows the record. */
  readonly unmet: Unmet | undefined;
  readonly reads: Pick<LegacyReads, 'number'>;
}

/**
 * With the number assigned to it before the write left, unless somebody has seen it under another one since.
 */
export async function numberedNow(
  record: XmlElement,
  { numbered }: SettleMade,
  { write, unmet, reads }: Numbering,
): Promise<XmlElement> {
  const uuid = numbered && shownIn(record, [numbered.element])?.toLowerCase();
  if (unmet === undefined || uuid === undefined || !unmet.uuids.has(uuid)) return record;
  const id = { kind: unmet.kind, uuid };
  unmet.uuids.set(uuid, await reads.number(write.accountId, id, write.allotted));
  return withTexts(record, (text) => {
    const key = text.toLowerCase();
    return unmet.uuids.has(key) ? `${unmet.uuids.get(key) ?? ''}` : text;
  });
}

const withTexts = (element: XmlElement, renamed: (text: string) => string): XmlElement => ({
  ...element,
  text: renamed(element.text),
  children: element.children.map((child) => withTexts(child, renamed)),
});
