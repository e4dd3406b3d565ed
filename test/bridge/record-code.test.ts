import { describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { loadMapping } from '../../src/bridge/mapping/compile.ts';
import { parsePath, type Path } from '../../src/bridge/mapping/path.ts';
import type { RecordRow, RecordTable, RowWay } from '../../src/bridge/mapping/records.ts';
import { settle, type Pending } from '../../src/bridge/record-reader.ts';
import { shapeOf } from '../../src/bridge/reply.ts';
import { Draft } from '../../src/bridge/translate/draft.ts';
import { JsonReader } from '../../src/bridge/translate/json-reader.ts';
import { codeOf } from '../../src/bridge/translate/record-code.ts';
import { sourceOf } from '../../src/bridge/translate/record-source.ts';
import { countForbidden } from '../../src/xml/text.ts';
import type { FieldValue } from '../../src/xml/shape.ts';
import { compileWriter } from '../../src/xml/writer.ts';
import { naughtyTexts } from '../support/naughty.ts';
import { fc } from '../support/chance.ts';

/** What is made to code writes what the rows say: the reader of values beside it is the second opinion. */
const { methods } = loadMapping(join(import.meta.dirname, '..', '..', 'mappings'));

type Costly = Parameters<typeof codeOf>[2];
type Find = (table: string, key: string) => unknown;

interface Made {
  readonly text: string;
  readonly asked: readonly string[];
  readonly lost: readonly string[];
  readonly looked: readonly string[];
  readonly replaced: number;
}

/** Every third identifier has no number. */
const numberOf = (text: string): string | undefined =>
  text.length % 3 === 0 ? undefined : `9${text.length}<&`;

const surroundings = (find: Find): { readonly looked: Set<string>; readonly find: Find } => {
  const looked = new Set<string>();
  return {
    looked,
    find: (table, key) => {
      looked.add(`${table} ${key}`);
      return find(table, key);
    },
  };
};

function byCode(
  table: RecordTable,
  costly: Costly,
  rows: readonly unknown[],
  detailed: boolean,
  found: Find,
): Made {
  const code = codeOf('Record', table, costly);
  if (code === undefined) throw new Error('no code is made here');
  const { looked, find } = surroundings(found);
  const lost = new Set<string>();
  const draft = new Draft({ find, link, detailed, lost: (element) => lost.add(element) });
  let rest = '';
  for (const row of rows) rest = code(row, draft, rest);
  const text = draft.filled(
    draft.gaps.map((gap) => numberOf(gap.text)),
    rest,
  );
  const asked = draft.gaps.map((gap) => `${gap.slot.kind} ${gap.text}`);
  return { text, asked, lost: [...lost], looked: [...looked].sort(), replaced: draft.replaced };
}

function byValues(
  table: RecordTable,
  costly: Costly,
  rows: readonly unknown[],
  detailed: boolean,
  found: Find,
): Made {
  const reader = JsonReader.of(table, costly);
  const write = compileWriter('Record', shapeOf(table));
  const { looked, find } = surroundings(found);
  const [pending, lost]: [Pending[], Set<string>] = [[], new Set()];
  const reading = { find, link, detailed, pending, lost: (element: string) => void lost.add(element) };
  const values = rows.map((row) => reader.read(row, reading));
  const asked = pending.map(({ kind, text }) => `${kind} ${text}`);
  for (const identifier of pending) settle(identifier, numberOf(identifier.text));
  const replaced = values.reduce((sum, value) => sum + forbiddenIn(value), 0);
  return { text: values.map(write).join(''), asked, lost: [...lost], looked: [...looked].sort(), replaced };
}

const link = (url: string): string => `https://bridge.example/${url}`;

function forbiddenIn(value: FieldValue): number {
  if (value === undefined) return 0;
  if (typeof value === 'string') return countForbidden(value);
  return value.reduce((sum: number, inner) => sum + forbiddenIn(inner), 0);
}

const everything: Costly = { costly: new Set(), lookups: new Set() };

/** Values of all kinds, and of those that the conditions and choices of the mapping speak of. */
const leaf = (words: readonly string[]): fc.Arbitrary<unknown> =>
  fc.oneof(
    fc.constantFrom(...naughtyTexts, ...words),
    fc.constantFrom(
      '',
      null,
      true,
      false,
      0,
      -1.005,
      12.5,
      1e21,
      '7',
      'a & b < c',
      '2026-03-14T09:26:53Z',
      '\u0000\uD800',
    ),
    fc.uuid(),
    fc.double(),
  );

/** JSON of the form the rows look for, with a part of it missing and a part of another kind. */
function jsonFor(table: RecordTable, depth = 3): fc.Arbitrary<unknown> {
  const words = new Set<string>();
  const build = (rows: readonly RecordRow[], left: number): fc.Arbitrary<unknown> => {
    const keys: Record<string, fc.Arbitrary<unknown>> = {};
    for (const row of rows) {
      for (const path of [
        ...(row.v2?.paths ?? []),
        ...(row.v2?.conditions.map(({ path: way }) => way) ?? []),
      ])
        put(keys, path, row, left);
      for (const word of row.v2?.conditions.flatMap(({ is }) => is) ?? []) words.add(word);
      for (const word of row.v2?.fromV2.keys() ?? []) words.add(word);
    }
    return fc.record(keys, { requiredKeys: [] });
  };
  const put = (
    keys: Record<string, fc.Arbitrary<unknown>>,
    path: Path,
    row: RecordRow,
    left: number,
  ): void => {
    const [first, ...rest] = path;
    if (first?.step !== 'key') return;
    const inner = valueFor(rest, row, left);
    const known = keys[first.name];
    keys[first.name] = known === undefined ? inner : fc.oneof(known, inner, both(known, inner));
  };
  const both = (one: fc.Arbitrary<unknown>, other: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
    fc.tuple(one, other).map(([a, b]) => {
      if (Array.isArray(a) && Array.isArray(b)) return [...(a as unknown[]), ...(b as unknown[])];
      return isPlain(a) && isPlain(b) ? { ...a, ...b } : a;
    });
  const valueFor = (path: Path, row: RecordRow, left: number): fc.Arbitrary<unknown> => {
    const [step, ...rest] = path;
    if (step === undefined) {
      if (row.holds === 'value' || left === 0) return leaf([...words]);
      const record = build(row.of.rows, left - 1);
      const whole = row.holds === 'one' ? record : fc.array(record, { maxLength: 3 });
      return fc.oneof({ weight: 9, arbitrary: whole }, { weight: 1, arbitrary: leaf([]) });
    }
    switch (step.step) {
      case 'key': {
        const keys: Record<string, fc.Arbitrary<unknown>> = {};
        put(keys, path, row, left);
        return fc.record(keys, { requiredKeys: [] });
      }
      case 'which':
      case 'those':
        return fc.array(
          fc
            .tuple(valueFor(rest, row, left), fc.constantFrom<unknown>(step.value, 'other', undefined))
            .map(([value, said]) => (isPlain(value) ? { ...value, [step.key]: said } : value)),
          { maxLength: 3 },
        );
      case 'each':
      case 'place':
        return fc.array(valueFor(rest, row, left), { maxLength: 3 });
      case 'lookup':
        return fc.oneof(fc.constantFrom<unknown>('known', 'unknown', '', null, 5), fc.uuid());
    }
  };
  return fc.oneof({ weight: 20, arbitrary: build(table.rows, depth) }, { weight: 1, arbitrary: leaf([]) });
}

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** What look-ups find: a record with everything that rows may ask it for. */
const found: Find = (_table, key) =>
  key === 'unknown'
    ? undefined
    : {
        uuid: `found ${key}`,
        name: 'Found & Co',
        firstName: 'Ada',
        lastName: '',
        type: key,
        markup: 12.345,
        paymentDay: 20,
      };

describe('code made from rows', () => {
  const replies = methods.flatMap(({ id, reply, v2, creates }) =>
    'of' in reply && v2?.way === 'steps' && !creates ? [[id, reply.of, v2] as const] : [],
  );

  it.each(replies)(
    '%s: writes, asks, loses and looks up what the reader of values does',
    (_id, table, v2) => {
      fc.assert(
        fc.property(fc.array(jsonFor(table), { maxLength: 2 }), fc.boolean(), (rows, detailed) => {
          expect(byCode(table, v2, rows, detailed, found)).toEqual(
            byValues(table, v2, rows, detailed, found),
          );
        }),
        { numRuns: 60 },
      );
    },
  );

  it('keeps records apart that stand both in lists and alone', () => {
    const [first, second] = ['First', 'Second'].map((name) => tableOf(name, row(name, way([name]))));
    if (first === undefined || second === undefined) throw new Error('there are two');
    const table = tableOf(
      'Top',
      row('Firsts', way(['firsts']), { holds: 'list', child: 'Entry', of: first, isOwn: false }),
      row('Seconds', way(['seconds']), { holds: 'list', child: 'Entry', of: second, isOwn: false }),
      row('OneFirst', way(['first']), { holds: 'one', of: first }),
      row('OneSecond', way(['second']), { holds: 'one', of: second }),
    );
    const [one, other] = [{ First: '1' }, { Second: '2' }];
    const rows = [{ firsts: [one], seconds: [other], first: one, second: other }];
    const made = byCode(table, everything, rows, true, () => undefined);
    expect(made).toEqual(byValues(table, everything, rows, true, () => undefined));
    expect(made.text).toContain('<OneFirst><First>1</First></OneFirst><OneSecond><Second>2</Second>');
  });

  it('is made of every reply there is', () => {
    expect(replies.length).toBeGreaterThan(40);
  });
});

const way = (paths: readonly string[], more: Partial<RowWay> = {}): RowWay => ({
  paths: paths.map((path) => parsePath(path) ?? []),
  take: 'first',
  via: undefined,
  toV2: new Map(),
  fromV2: new Map(),
  conditions: [],
  misfit: undefined,
  needed: false,
  absent: undefined,
  detailedOnly: false,
  filled: false,
  lost: undefined,
  ...more,
});

const row = (element: string, v2: RowWay, more: object = {}): RecordRow => ({
  element,
  v3: element,
  also: [],
  required: undefined,
  isRequired: false,
  v2,
  holds: 'value',
  isAttribute: false,
  kind: undefined,
  unknown: undefined,
  format: 'text',
  unset: 'empty',
  ...more,
});

const tableOf = (name: string, ...rows: readonly RecordRow[]): RecordTable => ({
  name,
  rows,
  byLegacyName: new Map(),
});

describe('a mapping that means harm', () => {
  const evil = [
    'a"]; globalThis.harmed = true; ["',
    "a'; globalThis.harmed = true; //",
    '`${globalThis.harmed = true}`',
    '${globalThis.harmed = true}',
    'a\n}; globalThis.harmed = true; {',
    'a\u2028}; globalThis.harmed = true; {',
    'a\\',
    'a\\"; globalThis.harmed = true; //',
    '*/ globalThis.harmed = true; /*',
    '"+(globalThis.harmed = true)+"',
    '\uD800',
    '__proto__',
    'constructor',
    'toString',
  ];

  it.each(evil)('is never run: %j as key, value, word, table, name and kind', (text) => {
    const key = (name: string): Path => [{ step: 'key', name }];
    const inner = tableOf(text, row('Inner', { ...way([]), paths: [key(text)] }));
    const table = tableOf(
      text,
      row('Key', { ...way([]), paths: [key(text)] }),
      row('Within', { ...way([]), paths: [[...key(text), ...key(text)]] }),
      row('Which', {
        ...way([]),
        paths: [[...key('list'), { step: 'which', key: text, is: true, value: text }, ...key(text)]],
      }),
      row('Those', {
        ...way([]),
        paths: [[...key('list'), { step: 'those', key: text, is: false, value: text }]],
        take: 'all',
      }),
      row('Looked', { ...way([]), paths: [[...key(text), { step: 'lookup', table: text }, ...key(text)]] }),
      row('Word', way(['word'], { fromV2: new Map([[text.toLowerCase(), text]]), absent: text })),
      row('Money', way(['money']), { format: 'money' }),
      row('Id', way(['id'], { absent: 'None' }), { kind: text }),
      row('If', way(['word'], { conditions: [{ path: key(text), is: [text] }] })),
      row('One', way(['one']), { holds: 'one', of: inner }),
      row('Many', way(['many']), { holds: 'list', child: 'Entry', of: inner, isOwn: false }),
    );
    const rows = [
      Object.fromEntries([
        [text, text],
        ['list', [Object.fromEntries([[text, text]]), {}]],
        ['word', text],
        ['money', 1.005],
        ['one', Object.fromEntries([[text, text]])],
        ['many', [Object.fromEntries([[text, text]])]],
      ]),
      {},
    ];
    const look: Find = () => Object.fromEntries([[text, text]]);
    expect(byCode(table, everything, rows, true, look)).toEqual(
      byValues(table, everything, rows, true, look),
    );
    expect(Reflect.get(globalThis, 'harmed')).toBeUndefined();
  });

  it('gets no name past that is none of XML', () => {
    const wrong = 'a><script';
    const inner = tableOf('Inner', row('Fine', way(['fine'])));
    for (const table of [
      tableOf('T', row(wrong, way(['a']))),
      tableOf('T', row(wrong, way(['a']), { kind: 'client' })),
      tableOf('T', row(wrong, way(['a']), { holds: 'one', of: inner })),
      tableOf('T', row(wrong, way(['a']), { holds: 'list', child: 'Entry', of: inner })),
      tableOf('T', row('List', way(['a']), { holds: 'list', child: wrong, of: inner })),
    ])
      expect(() => sourceOf('Record', table, everything)).toThrow(RangeError);
    expect(() => sourceOf(wrong, inner, everything)).toThrow(RangeError);
  });
});
