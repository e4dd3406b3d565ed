import { describe, expect, it } from '@jest/globals';
import {
  judgeMade,
  type MadeScene,
  type Rival,
} from '../../../../src/features/writes/settling/judge-made.ts';
import { sentOf } from '../../../../src/features/writes/settling/fit.ts';
import { readDocument } from '../../../../src/lib/xml/read.ts';
import type { XmlElement } from '../../../../src/lib/xml/element.ts';
import type { SettleMade } from '../../../../src/mapping/settle/model.ts';
import { deliveredMapping } from '../../../support/mapping.ts';

const settleOf = (id: string): SettleMade => {
  const settle = deliveredMapping().methods.find((method) => method.id === id)?.settle;
  if (settle?.way !== 'made') throw new Error(`${id} makes nothing that is looked for`);
  return settle;
};

const client = (number: number | '', fields: Readonly<Record<string, string>> = {}): XmlElement => {
  const { Name = 'Anna', Phone = '04 1', Email = '', ...more } = fields;
  const texts = Object.entries({ Name, Phone, Email, ...more }).map(
    ([name, text]) => `<${name}>${text}</${name}>`,
  );
  return readDocument(`<Client><ID>${number}</ID>${texts.join('')}</Client>`);
};

const SENT = sentOf({ Name: 'Anna', Phone: '04 1' });
const rival = (changes: Partial<Rival> = {}): Rival => ({
  sent: SENT,
  isTwin: true,
  isPending: false,
  isOpen: false,
  ...changes,
});

const scene = (changes: Partial<MadeScene>): MadeScene => ({
  settle: settleOf('client.add'),
  sent: SENT,
  records: [],
  onV2: false,
  ownNumbers: false,
  knownTo: 1_500_000_000,
  claimed: new Set(),
  rivals: [],
  isFinal: true,
  ...changes,
});

const FIRST = 1_500_000_001;
const other = { isTwin: false, sent: sentOf({ Name: 'Anna' }) };

type Row = readonly [words: string, changes: Partial<MadeScene>, verdict: string, made?: string];

const rows: readonly Row[] = [
  ['nothing holds what was sent', { records: [client(FIRST, { Name: 'Ben' })] }, 'not-done'],
  ['nothing is there, and it may still be carried out', { isFinal: false }, 'later'],
  ['one record holds it', { records: [client(FIRST)], isFinal: false }, 'done', String(FIRST)],
  [
    'its text differs in case and spaces',
    { records: [client(FIRST, { Name: ' ANNA ' })] },
    'done',
    String(FIRST),
  ],
  ['two records hold it', { records: [client(FIRST), client(FIRST + 1)] }, 'undecidable'],
  ['two hold it, and it is early', { records: [client(FIRST), client(FIRST + 1)], isFinal: false }, 'later'],
  [
    'the one that holds it was made by another write',
    { records: [client(FIRST)], claimed: new Set([String(FIRST)]) },
    'not-done',
  ],
  [
    'of two one was made by another write',
    { records: [client(FIRST), client(FIRST + 1)], claimed: new Set([String(FIRST)]) },
    'done',
    String(FIRST + 1),
  ],
  ['the one that holds it was known before', { records: [client(1_500_000_000)] }, 'not-done'],
  [
    'the service gives the numbers, and it has an old one',
    { records: [client(7)], ownNumbers: true, knownTo: 9 },
    'undecidable',
  ],
  [
    'the service gives the numbers, and it has a new one',
    { records: [client(10)], ownNumbers: true, knownTo: 9 },
    'done',
    '10',
  ],
  ['its number is not known', { records: [client('')] }, 'undecidable'],
  ['it has the name and another telephone', { records: [client(FIRST, { Phone: '05' })] }, 'undecidable'],
  [
    'it has a text that was not sent',
    { records: [client(FIRST, { Email: 'a@example.org' })] },
    'undecidable',
  ],
  [
    'it does not have a text that was sent',
    { sent: sentOf({ Name: 'Anna', Phone: '04 1', AccountManagerID: '7' }), records: [client(FIRST)] },
    'undecidable',
  ],
  [
    'its name was cut by the service',
    { sent: sentOf({ Name: 'Anna of the hills' }), records: [client(FIRST, { Name: 'Anna of the' })] },
    'undecidable',
  ],
  [
    'a twin is unknown, and there are two',
    { rivals: [rival()], records: [client(FIRST + 1), client(FIRST)] },
    'done',
    String(FIRST),
  ],
  [
    'a twin is still open, and there are two',
    {
      rivals: [rival({ isPending: true, isOpen: true })],
      records: [client(FIRST), client(FIRST + 1)],
    },
    'later',
  ],
  ['a twin is unknown, and there is one', { rivals: [rival()], records: [client(FIRST)] }, 'undecidable'],
  ['a twin is unknown, and there is none', { rivals: [rival()] }, 'not-done'],
  [
    'a twin may still be carried out, and there is one',
    { rivals: [rival({ isPending: true })], records: [client(FIRST)] },
    'later',
  ],
  [
    'a twin may still be carried out, and there is none',
    { rivals: [rival({ isPending: true })] },
    'not-done',
  ],
  [
    'a twin is still open, and there is none',
    { rivals: [rival({ isPending: true, isOpen: true })] },
    'not-done',
  ],
  [
    'a twin may still be carried out, and it may be itself',
    { rivals: [rival({ isPending: true })], isFinal: false },
    'later',
  ],
  [
    'two twins are unknown, and there are two',
    { rivals: [rival(), rival()], records: [client(FIRST), client(FIRST + 1)] },
    'undecidable',
  ],
  [
    'another unknown write asked for less of the same',
    { rivals: [rival(other)], records: [client(FIRST)] },
    'undecidable',
  ],
  [
    'the like of it holds what another unknown write sent',
    {
      rivals: [rival({ isTwin: false, sent: sentOf({ Name: 'Anna', Phone: '05' }) })],
      records: [client(FIRST, { Phone: '05' })],
    },
    'not-done',
  ],
  [
    'no number was known, and the list goes back to the write',
    { knownTo: undefined, records: [client(FIRST)] },
    'done',
    String(FIRST),
  ],
];

describe('a creating write of unknown outcome', () => {
  it.each(rows)('where %s', (_words, changes, verdict, ...[made]) => {
    expect(judgeMade(scene(changes))).toMatchObject({ verdict, ...(made !== undefined && { made }) });
  });

  it('is undecidable if the list also has older records without known numbers', () => {
    const record = readDocument('<Cost><ID>5</ID><Description>Paint</Description></Cost>');
    const cost = { settle: settleOf('cost.add'), sent: sentOf({ Description: 'Paint' }), records: [record] };
    expect(judgeMade(scene({ ...cost, knownTo: undefined }))).toMatchObject({ verdict: 'undecidable' });
    expect(judgeMade(scene({ ...cost, knownTo: 4 }))).toMatchObject({ verdict: 'done', made: '5' });
  });

  it('is not judged on V2 by values that V2 does not store', () => {
    const sent = sentOf({ Name: 'Anna', Phone: '04 1', DateOfBirth: '19700101' });
    const records = [client(FIRST, { DateOfBirth: '' })];
    expect(judgeMade(scene({ sent, records, onV2: true }))).toMatchObject({ verdict: 'done' });
    expect(judgeMade(scene({ sent, records }))).toMatchObject({ verdict: 'undecidable' });
  });
});
