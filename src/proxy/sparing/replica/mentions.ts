import { nextTurn, STEP } from '../../../lib/time/turn.ts';
import type { ListedRecord } from './records.ts';

const TEXT = />\s*([^<\s][^<]*)</g;

/**
 * Whether a record mentions another one whose name has changed. Gives other calls turns: a list may have 128 MB, and
 * programs rename many records at once.
 */
export async function isRenamedMentioned(
  records: readonly ListedRecord[],
  changes: readonly ListedRecord[],
): Promise<boolean> {
  const names = new Map(records.map(({ id, name }) => [id, name]));
  const renamed = new Set(changes.flatMap(({ id, name }) => ((names.get(id) ?? name) === name ? [] : [id])));
  if (renamed.size === 0) return false;
  let length = 0;
  for (const record of records) {
    if (mentionsOne(record, renamed)) return true;
    length += record.xml.length;
    if (length < STEP) continue;
    length = 0;
    await nextTurn();
  }
  return false;
}

function mentionsOne({ id, xml }: ListedRecord, renamed: ReadonlySet<string>): boolean {
  for (const [, text = ''] of xml.matchAll(TEXT)) {
    const other = text.trimEnd().toLowerCase();
    if (other !== id && renamed.has(other)) return true;
  }
  return false;
}
