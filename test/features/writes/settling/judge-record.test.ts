import { describe, expect, it } from '@jest/globals';
import {
  judgeChanged,
  judgeGone,
  type ChangedScene,
} from '../../../../src/features/writes/settling/judge-record.ts';
import { sentOf } from '../../../../src/features/writes/settling/fit.ts';
import { readDocument } from '../../../../src/lib/xml/read.ts';
import type { Settle } from '../../../../src/mapping/settle/model.ts';
import { deliveredMapping } from '../../../support/mapping.ts';

function settleOf<Way extends Settle['way']>(id: string, way: Way): Extract<Settle, { way: Way }> {
  const settle = deliveredMapping().methods.find((method) => method.id === id)?.settle;
  if (settle?.way !== way) throw new Error(`${id} is not settled so`);
  return settle as Extract<Settle, { way: Way }>;
}

const client = (name: string, phone: string, more = '') =>
  readDocument(`<Client><ID>5</ID><Name>${name}</Name><Phone>${phone}</Phone>${more}</Client>`);

type Row = readonly [words: string, changes: Partial<ChangedScene>, verdict: string];

const rows: readonly Row[] = [
  ['the record holds all of it', { record: client('Anna', '04 1'), isFinal: false }, 'done'],
  ['the record holds a part of it', { record: client('Anna', '05') }, 'not-done'],
  [
    'the record holds it in the form of replies',
    {
      sent: sentOf({ ID: '5', Name: 'Anna', GSTPeriod: '1', BalanceMonth: '3' }),
      record: client('Anna', '04 1', '<GSTPeriod>Monthly</GSTPeriod><BalanceMonth>Mar</BalanceMonth>'),
    },
    'done',
  ],
  [
    'the record holds a part of it, and it may still be carried out',
    { record: client('Anna', '05'), isFinal: false },
    'later',
  ],
  ['the record holds it in other signs', { record: client('Anna', '(041)') }, 'undecidable'],
  ['another write concerns the record', { record: client('Anna', '04 1'), overlaps: true }, 'undecidable'],
  [
    'another write concerns the record, and it is early',
    { record: client('Ben', ''), overlaps: true, isFinal: false },
    'later',
  ],
  ['the record is gone', { record: undefined }, 'undecidable'],
  ['nothing of it is shown', { sent: sentOf({ ID: '5' }), isFinal: false }, 'undecidable'],
];

describe('a change of unknown outcome', () => {
  it.each(rows)('where %s', (_words, changes, verdict) => {
    const scene: ChangedScene = {
      settle: settleOf('client.update', 'changed'),
      sent: sentOf({ ID: '5', Name: 'Anna', Phone: '04 1' }),
      record: client('Anna', '04 1'),
      ...{ records: [], onV2: false, overlaps: false, isFinal: true },
      ...changes,
    };
    expect(judgeChanged(scene)).toMatchObject({ verdict });
  });

  it('without a value is judged by what the record shows once it is done', () => {
    const scene = {
      settle: settleOf('client.archive', 'changed'),
      sent: sentOf({ ID: '5' }),
      ...{ records: [], onV2: false, overlaps: false },
    };
    const archived = (text: string) => client('Anna', '', `<IsArchived>${text}</IsArchived>`);
    expect(judgeChanged({ ...scene, record: archived('Yes'), isFinal: false })).toMatchObject({
      verdict: 'done',
    });
    expect(judgeChanged({ ...scene, record: archived('No'), isFinal: true })).toMatchObject({
      verdict: 'not-done',
    });
  });
});

describe('a change of several entries of unknown outcome', () => {
  const settle = settleOf('customfield.client.put', 'changed');
  const field = (id: number, value: string) =>
    readDocument(`<CustomField><ID>${id}</ID><UUID>u-${id}</UUID><Name>Field</Name>${value}</CustomField>`);
  const sent = sentOf({
    'CustomField/ID': '501',
    'CustomField/Text': 'evening',
    'CustomField[2]/UUID': 'U-503',
    'CustomField[2]/Number': '007',
  });
  const all = [field(501, '<Text>Evening</Text>'), field(503, '<Decimal>7</Decimal>')];

  it.each<Row>([
    ['each entry shows its value, in whatever element', { records: all, isFinal: false }, 'done'],
    [
      'one of them shows another value',
      { records: [all[0] ?? field(1, ''), field(503, '<Number>8</Number>')] },
      'not-done',
    ],
    ['one of them is not there', { records: all.slice(0, 1) }, 'not-done'],
    [
      'one was cleared',
      { sent: sentOf({ 'CustomField/ID': '501', 'CustomField/Text': '' }), records: [] },
      'done',
    ],
    [
      'one was to be cleared and is there',
      { sent: sentOf({ 'CustomField/ID': '501', 'CustomField/Text': '' }), records: all },
      'not-done',
    ],
    [
      'a checkbox was set to false, which no read shows',
      { sent: sentOf({ 'CustomField/ID': '502', 'CustomField/Boolean': 'false' }), records: all },
      'done',
    ],
    ...(['false', 'true'] as const).map((shown): Row => [
      `a checkbox was cleared and shows ${shown}`,
      {
        sent: sentOf({ 'CustomField/ID': '502', 'CustomField/Boolean': '' }),
        records: [field(502, `<Boolean>${shown}</Boolean>`)],
      },
      shown === 'false' ? 'done' : 'not-done',
    ]),
    [
      'a checkbox was set to true and is not there',
      { sent: sentOf({ 'CustomField/ID': '502', 'CustomField/Boolean': 'true' }), records: all },
      'not-done',
    ],
    [
      'one was sent twice',
      {
        sent: sentOf({
          'CustomField/ID': '501',
          'CustomField/Text': 'evening',
          'CustomField[2]/UUID': 'u-501',
          'CustomField[2]/Text': 'morning',
        }),
        records: [field(501, '<Text>morning</Text>')],
      },
      'undecidable',
    ],
    ['another write concerns the record', { records: all, overlaps: true }, 'undecidable'],
  ])('where %s', (_words, changes, verdict) => {
    const scene = {
      settle,
      sent,
      record: undefined,
      onV2: false,
      overlaps: false,
      isFinal: true,
      records: [],
    };
    expect(judgeChanged({ ...scene, ...changes })).toMatchObject({ verdict });
  });
});

describe('a deletion of unknown outcome', () => {
  const settle = settleOf('client.delete', 'gone');
  const deleted = (text: string) => client('Anna', '', `<IsDeleted>${text}</IsDeleted>`);

  it.each([
    ['where the record is gone', { record: undefined, isFinal: false }, 'done'],
    ['where the record says that it is deleted', { record: deleted('Yes'), isFinal: false }, 'done'],
    ['where the record is there', { record: deleted('No'), isFinal: true }, 'not-done'],
    [
      'where the record is there, and it may still be carried out',
      { record: deleted('No'), isFinal: false },
      'later',
    ],
  ] as const)('%s', (_words, scene, verdict) => {
    expect(judgeGone({ settle, ...scene })).toMatchObject({ verdict });
  });

  it('of every entry is judged by an empty list, and by an operator if one remains', () => {
    const all = settleOf('cost.deleteall', 'gone');
    expect(judgeGone({ settle: all, record: undefined, isFinal: false })).toMatchObject({ verdict: 'done' });
    const scene = { settle: all, record: client('Anna', '') };
    expect(judgeGone({ ...scene, isFinal: false })).toMatchObject({ verdict: 'later' });
    expect(judgeGone({ ...scene, isFinal: true })).toMatchObject({ verdict: 'undecidable' });
  });
});
