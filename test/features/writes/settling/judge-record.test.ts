import { describe, expect, it } from '@jest/globals';
import {
  judgeChanged,
  judgeGone,
  type ChangedScene,
} from '../../../../src/features/writes/settling/judge-record.ts';
import { sentOf } from '../../../../src/features/writes/settling/fit.ts';
import { digestOf } from '../../../../src/features/writes/write-call.ts';
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

const LONG = `${'word '.repeat(50)}and a last one`;

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
  [
    'the record does not have a value that was sent',
    { sent: sentOf({ ID: '5', Name: 'Anna', Email: 'a@example.org' }) },
    'not-done',
  ],
  [
    'the record does not have a person who was named',
    { sent: sentOf({ ID: '5', Name: 'Anna', AccountManagerID: '7' }) },
    'not-done',
  ],
  [
    'the record does not have an element that not every organisation is shown',
    { sent: sentOf({ ID: '5', Name: 'Anna', FirstName: 'Anna' }) },
    'undecidable',
  ],
  ['the record still holds what was to be cleared', { sent: sentOf({ ID: '5', Phone: '' }) }, 'not-done'],
  [
    'the record holds nothing where it was cleared',
    { sent: sentOf({ ID: '5', Name: 'Anna', Email: '', Fax: '', FirstName: '' }), isFinal: false },
    'done',
  ],
  ['the record holds it in another case', { record: client('ANNA', '04 1') }, 'undecidable'],
  ['the record holds it with other spaces', { record: client('Anna', '04  1') }, 'undecidable'],
  [
    'the record shows a tax number by its end only',
    {
      sent: sentOf({ ID: '5', Name: 'Anna', TaxNumber: '999-456-789' }),
      record: client('Anna', '', '<TaxNumber>********789</TaxNumber>'),
    },
    'undecidable',
  ],
  [
    'a long text is the one that was sent',
    {
      ...{ sent: sentOf({ ID: '5', Address: LONG.slice(0, 200) }, { Address: digestOf(LONG) }) },
      ...{ record: client('Anna', '', `<Address>${LONG}</Address>`), isFinal: false },
    },
    'done',
  ],
  [
    'a long text differs at its end',
    {
      sent: sentOf({ ID: '5', Name: 'Anna', Address: LONG.slice(0, 200) }, { Address: digestOf(LONG) }),
      record: client('Anna', '', `<Address>${LONG.slice(0, -1)}</Address>`),
    },
    'undecidable',
  ],
  [
    'only the beginning of a long text was kept',
    {
      sent: sentOf({ ID: '5', Name: 'Anna', Address: LONG.slice(0, 200) }),
      record: client('Anna', '', `<Address>${LONG}</Address>`),
    },
    'undecidable',
  ],
  [
    'V2 shows something else in an element that it does not store',
    {
      sent: sentOf({ ID: '5', Name: 'Anna', DateOfBirth: '19700101' }),
      ...{ record: client('Anna', '', '<DateOfBirth>1980-01-01</DateOfBirth>'), onV2: true },
    },
    'undecidable',
  ],
  [
    'V1 got an element that the record does not show',
    { sent: sentOf({ ID: '5', Name: 'Anna', Mood: 'good' }), isForwarded: true },
    'undecidable',
  ],
  [
    'V3 did not get an element that the mapping does not know',
    { sent: sentOf({ ID: '5', Name: 'Anna', Mood: 'good' }) },
    'done',
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
      ...{ records: [], onV2: false, isForwarded: false, overlaps: false, isFinal: true },
      ...changes,
    };
    expect(judgeChanged(scene)).toMatchObject({ verdict });
  });

  const job = (more: string) => readDocument(`<Job><ID>J1</ID><Name>Sign</Name>${more}</Job>`);
  it.each<Row>([
    [
      'names a category, which no read shows',
      { sent: sentOf({ ID: 'J1', Name: 'Sign', CategoryID: '5' }) },
      'undecidable',
    ],
    [
      'sets a budget that the record shows as none',
      { sent: sentOf({ ID: 'J1', Budget: '200' }) },
      'not-done',
    ],
    [
      'sets a day and an amount that the record writes in its own way',
      {
        sent: sentOf({ ID: 'J1', StartDate: '20261201', Budget: '200' }),
        record: job('<StartDate>2026-12-01T00:00:00</StartDate><Budget>200.00</Budget>'),
        isFinal: false,
      },
      'done',
    ],
    [
      'sets a time of day that the record does not show',
      {
        sent: sentOf({ ID: 'J1', StartDate: '2026-12-01T10:30:00' }),
        record: job('<StartDate>2026-12-01T00:00:00</StartDate>'),
      },
      'undecidable',
    ],
    [
      'empties an amount that the record shows as zero',
      { sent: sentOf({ ID: 'J1', Budget: '' }), record: job('<Budget>0.00</Budget>') },
      'undecidable',
    ],
    [
      'empties a date that the record still shows',
      { sent: sentOf({ ID: 'J1', DueDate: '' }), record: job('<DueDate>2026-12-01T00:00:00</DueDate>') },
      'not-done',
    ],
  ])('of a job that %s', (_words, changes, verdict) => {
    const scene: ChangedScene = {
      ...{ settle: settleOf('job.update', 'changed'), sent: sentOf({}), record: job('') },
      ...{ records: [], onV2: false, isForwarded: false, overlaps: false, isFinal: true },
      ...changes,
    };
    expect(judgeChanged(scene)).toMatchObject({ verdict });
  });

  it('of a state is judged by its name, in whatever case', () => {
    const scene = {
      ...{ settle: settleOf('job.state', 'changed'), sent: sentOf({ ID: 'J1', State: 'planned' }) },
      ...{ records: [], onV2: false, isForwarded: false, overlaps: false, isFinal: false },
    };
    expect(judgeChanged({ ...scene, record: job('<State>Planned</State>') })).toMatchObject({
      verdict: 'done',
    });
  });

  it('of a time leaves as they are a day and a person that are sent empty', () => {
    const scene = {
      settle: settleOf('time.update', 'changed'),
      sent: sentOf({ ID: '9', Note: 'Paint', Date: '', Staff: '' }),
      record: readDocument(
        '<Time><ID>9</ID><Staff><ID>7</ID></Staff><Date>20261119</Date><Note>Paint</Note></Time>',
      ),
      ...{ records: [], onV2: false, isForwarded: false, overlaps: false, isFinal: false },
    };
    expect(judgeChanged(scene)).toMatchObject({ verdict: 'done' });
  });

  it('without a value is judged by what the record shows once it is done', () => {
    const scene = {
      settle: settleOf('client.archive', 'changed'),
      sent: sentOf({ ID: '5' }),
      ...{ records: [], onV2: false, isForwarded: false, overlaps: false },
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
    'CustomField/Text': 'Evening',
    'CustomField[2]/UUID': 'U-503',
    'CustomField[2]/Number': '007',
  });
  const all = [field(501, '<Text>Evening</Text>'), field(503, '<Decimal>7</Decimal>')];

  it.each<Row>([
    ['each entry shows its value, in whatever element', { records: all, isFinal: false }, 'done'],
    [
      'one of them shows its value in another case',
      { records: [field(501, '<Text>EVENING</Text>'), field(503, '<Decimal>7</Decimal>')] },
      'undecidable',
    ],
    [
      'one of them was sent with two values',
      {
        sent: sentOf({
          ...{ 'CustomField/ID': '501', 'CustomField/Text': 'Evening' },
          'CustomField/Number': '7',
        }),
        records: all,
      },
      'undecidable',
    ],
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
      isForwarded: false,
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
