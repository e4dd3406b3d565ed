import type { Records } from '../../records/records.ts';
import type { Kind } from '../../records/kinds.ts';

/** `J` and six digits at least: one more than the highest there ever was. */
export const nextJobCode = (records: Records): Promise<string> => nextCode(records, 'job', 'J');

export async function nextCode(records: Records, kind: Kind, prefix: string): Promise<string> {
  const highest = await records.highestCode(kind, prefix);
  return `${prefix}${String(highest + 1).padStart(6, '0')}`;
}
