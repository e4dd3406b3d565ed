import { escapeText } from '../../src/lib/xml/text.ts';
import type { Seed } from './four-ways.ts';
import { jobSeed } from './jobSeed.ts';
import { studioSeed } from './seed.ts';

/** An organisation in which every write of `writings` can be made. */
export const seed = {
  ...jobSeed,
  customFieldDefinitions: studioSeed.customFieldDefinitions,
  leads: [{ number: 441, name: 'New sign', client: 1_000_000, owner: 8 }],
  suppliers: [...jobSeed.suppliers, { number: 302, name: 'Stone' }],
  costs: [{ number: 21, description: 'Paint', code: '00123' }],
  groups: [{ number: 61, name: 'Friends' }],
  leadCategories: [
    { number: 3, name: 'Referral' },
    { number: 4, name: 'Trade' },
  ],
  leadStatuses: [{ number: 81, name: 'Current', type: 'open' }],
} as unknown as Seed;

/** Elements by path, as XML within each other; undefined: left out. */
export function xmlOf(elements: Readonly<Record<string, string | undefined>>): string {
  const heads = new Map<string, Record<string, string>>();
  let text = '';
  for (const [path, value] of Object.entries(elements)) {
    if (value === undefined) continue;
    const [head = '', ...rest] = path.split('/');
    if (rest.length === 0) text += `<${head}>${escapeText(value)}</${head}>`;
    else heads.set(head, { ...heads.get(head), [rest.join('/')]: value });
  }
  for (const [head, inner] of heads) text += `<${head}>${xmlOf(inner)}</${head}>`;
  return text;
}
