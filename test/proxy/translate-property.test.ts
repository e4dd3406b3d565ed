import { describe, expect, it } from '@jest/globals';
import { formatOf } from '../../src/mapping/formats.ts';
import { deliveredMapping } from '../support/mapping.ts';
import type { Method } from '../../src/mapping/compile/model.ts';
import { putAt, valueAt, type Path } from '../../src/mapping/compile/path.ts';
import type { RecordRow, RecordTable } from '../../src/mapping/compile/records.ts';
import { readGiven } from '../../src/proxy/translate/lookups/given.ts';
import { toJson } from '../../src/proxy/translate/json/json-body.ts';
import { parseJson } from '../../src/proxy/translate/json/json.ts';
import { Trace } from '../../src/proxy/call/call.ts';
import { sameIdentifiers } from '../../src/proxy/identifiers.ts';
import type { Lookups } from '../../src/proxy/translate/lookups/lookups.ts';
import { Records } from '../../src/proxy/translate/records.ts';
import { buildDocument, element } from '../../src/lib/xml/document.ts';
import type { XmlElement } from '../../src/lib/xml/element.ts';
import { readDocument } from '../../src/lib/xml/read.ts';
import { replaceForbidden } from '../../src/lib/xml/text.ts';
import { naughtyTexts } from '../support/naughty.ts';
import { fc } from '../support/random.ts';

/** XML → JSON → XML, row by row of every record of every method that has a V2 way: what the mapping says it keeps. */
const { methods } = deliveredMapping();

type ValueRow = RecordRow & { readonly holds: 'value' };
interface Place {
  readonly table: RecordTable;
  readonly row: ValueRow;
  readonly path: Path;
}

function tablesOf(table: RecordTable, seen = new Set<RecordTable>()): ReadonlySet<RecordTable> {
  if (seen.has(table)) return seen;
  seen.add(table);
  for (const row of table.rows) if (row.holds !== 'value') tablesOf(row.of, seen);
  return seen;
}

const tablesIn = (of: (method: Method) => RecordTable | undefined): readonly RecordTable[] => {
  const seen = new Set<RecordTable>();
  for (const method of methods) {
    const table = method.v2?.way === 'steps' ? of(method) : undefined;
    if (table !== undefined) tablesOf(table, seen);
  }
  return [...seen];
};

/** Rows of one text with a place of their own in the record. */
const placesIn = (tables: readonly RecordTable[]): readonly Place[] =>
  tables.flatMap((table) =>
    table.rows.flatMap((row) => {
      const path = row.v2?.paths[0];
      if (row.holds !== 'value' || row.kind !== undefined || row.isAttribute || path === undefined) return [];
      if (row.v2?.take === 'all' || row.v2?.via !== undefined || (row.v2?.conditions.length ?? 0) > 0)
        return [];
      return path.every(({ step }) => step === 'key') || isWhich(path) ? [{ table, row, path }] : [];
    }),
  );

const isWhich = (path: Path): boolean =>
  path.length > 0 && path.every((step) => step.step === 'key' || (step.step === 'which' && step.is));

const replyPlaces = placesIn(tablesIn(({ reply }) => ('of' in reply ? reply.of : undefined)));
const requestPlaces = placesIn(tablesIn(({ body }) => body?.of));

/** A reader takes CR LF and CR for LF, and what no XML can hold went out as U+FFFD. */
const asRead = (text: string): string => replaceForbidden(text).replaceAll(/\r\n?/g, '\n');

const words = fc.oneof(
  fc.constantFrom(...naughtyTexts),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary', maxLength: 40 }),
);

const two = (value: number): string => String(value).padStart(2, '0');
const day = fc
  .tuple(
    fc.integer({ min: 1900, max: 2199 }),
    fc.integer({ min: 1, max: 12 }),
    fc.integer({ min: 1, max: 28 }),
  )
  .map(([year, month, date]) => `${String(year)}-${two(month)}-${two(date)}`);
const time = fc.tuple(
  fc.integer({ min: 0, max: 23 }),
  fc.integer({ min: 0, max: 59 }),
  fc.integer({ min: 0, max: 59 }),
);
const amount = fc
  .tuple(fc.bigInt({ min: -(10n ** 14n), max: 10n ** 14n }), fc.integer({ min: 0, max: 99 }))
  .map(([whole, cents]) => `${String(whole)}.${two(cents)}`)
  .filter((text) => text !== '-0.00');

/** Texts of each format in the legacy form. */
const legacy: Readonly<Record<string, fc.Arbitrary<string>>> = {
  text: words,
  month: words,
  money: amount,
  // As a number has it: `1.10` and `1.1` are one quantity.
  decimal: amount
    .map((text) => text.replace(/(\.\d*?)0+$/, '$1').replace(/\.$/, ''))
    .filter((text) => text !== '' && text !== '-'),
  minutes: fc.integer({ min: 0, max: 100_000 }).map(String),
  integer: fc.bigInt({ min: -(10n ** 17n), max: 10n ** 17n }).map(String),
  yesNo: fc.constantFrom('Yes', 'No'),
  trueFalse: fc.constantFrom('true', 'false'),
  date: day.map((text) => `${text}T00:00:00`),
  plainDate: day,
  compactDate: day.map((text) => text.replaceAll('-', '')),
  utcDateTime: fc
    .tuple(day, time)
    .map(([text, [hours, minutes, seconds]]) => `${text}T${two(hours)}:${two(minutes)}:${two(seconds)}`),
  timeOfDay: time.map(([hours, minutes]) => `${two(hours)}:${two(minutes)}`),
};

const isTried = ({ row }: Place): boolean => legacy[row.format] !== undefined && row.v2?.toV2.size === 0;
const pathText = (path: Path): string => path.map((step) => Object.values(step).slice(1).join(' ')).join('/');
const nameOf = ({ table, row, path }: Place): string =>
  `${table.name}/${row.element} as ${row.format} from ${pathText(path)}`;
/** The same record of several methods is tried once. */
const named = (places: readonly Place[]): readonly (readonly [string, Place])[] => [
  ...new Map(places.filter(isTried).map((place) => [nameOf(place), place])),
];

const nothing = (): undefined => undefined;
const lookups = { finder: () => nothing, settled: (walk: () => unknown) => walk() } as unknown as Lookups;

const written = async (table: RecordTable, json: object): Promise<XmlElement> => {
  const records = new Records('Record', table, false, { costly: new Set(), lookups: new Set() });
  const text = await records.text([{ uuid: 'e7b1a7a2-5d0e-4a43-9a5e-6f7d3c1b2a10', ...json }], {
    lookups,
    ids: sameIdentifiers,
    link: (url) => url,
    trace: new Trace(),
    detailed: true,
    creating: undefined,
    owner: '',
  });
  return readDocument(text);
};

describe('every value that the mapping keeps', () => {
  it('has a format that is tried here, or a test of its own', () => {
    const untried = [...replyPlaces, ...requestPlaces].filter((place) => !isTried(place));
    const formats = new Set(
      untried.filter(({ row }) => row.v2?.toV2.size === 0).map(({ row }) => row.format),
    );
    const own = [
      'whole',
      'fraction',
      'dayOrText',
      'flagOrText',
      'maskedTail',
      'documentLink',
      'isSet',
      'chosenNumber',
      'capitalised',
      'joined',
      'lines',
    ];
    expect(
      [...formats].filter((format) => !own.includes(format)).filter((format) => formatOf(format).toV2),
    ).toEqual([]);
    expect(named(replyPlaces).length).toBeGreaterThan(60);
    expect(named(requestPlaces).length).toBeGreaterThan(60);
  });

  it.each(named(replyPlaces))(
    'in %s survives JSON and XML on the way to the caller',
    async (_name, { table, row, path }) => {
      await fc.assert(
        fc.asyncProperty(legacy[row.format] ?? words, async (text) => {
          fc.pre(text !== '' || pathText(path) !== 'uuid'); // a record without its identifier is none
          const [value] = formatOf(row.format).toV2?.(text) ?? [];
          const json: Record<string, unknown> = {};
          putAt(json, path, value);
          const read = await written(table, parseJson(JSON.stringify(json)) as object);
          expect(read.children.find(({ name }) => name === row.element)?.text ?? '').toBe(asRead(text));
        }),
        { numRuns: 60 },
      );
    },
  );

  it.each(named(requestPlaces))(
    'in %s survives XML and JSON on the way to the service',
    (_name, { table, row, path }) => {
      const place = JSON.stringify(path);
      const needed = table.rows
        .filter(({ v2 }) => v2?.needed !== undefined && JSON.stringify(v2.paths[0]) !== place)
        .map((other) =>
          element(other.element, 'format' in other && other.format === 'minutes' ? '60' : 'Needed'),
        );
      fc.assert(
        fc.property(legacy[row.format] ?? words, (text) => {
          const mayBeEmpty = row.v2?.filled !== true && row.v2?.needed === undefined;
          fc.pre(mayBeEmpty || text.trim() !== '');
          const sent = readDocument(
            buildDocument(element('Record', [...needed, element(row.element, text)])),
          );
          const given = readGiven(
            sent,
            table,
            (_kind, id) => id,
            () => undefined,
            ['Record'],
          );
          const writing = {
            empty: 'text',
            keyOf: nothing,
            find: nothing,
            unknown: nothing,
            dropped: nothing,
          } as const;
          const json = parseJson(JSON.stringify(toJson(given, table, writing, 'Record')));
          const value = valueAt(json, path, () => undefined);
          const back = formatOf(row.format).fromV2([value], () => undefined);
          const expected = replaceForbidden(text);
          expect(expected.trim() === '' ? (back ?? '').trim() : back).toBe(
            expected.trim() === '' ? '' : expected,
          );
        }),
        { numRuns: 60 },
      );
    },
  );
});

describe('every list that the mapping keeps', () => {
  const groups = tablesIn(({ reply }) => ('of' in reply ? reply.of : undefined)).flatMap((table) =>
    table.rows.flatMap((row) =>
      row.holds === 'list' && row.v2?.paths[0]?.every(({ step }) => step === 'key') === true
        ? [{ table, row }]
        : [],
    ),
  );

  it.each([...new Map(groups.map((one) => [`${one.table.name}/${one.row.element}`, one]))])(
    'has as many entries as before, none, one or several: %s',
    async (_name, { table, row }) => {
      for (const count of [0, 1, 2, 7]) {
        const json: Record<string, unknown> = {};
        putAt(
          json,
          row.v2?.paths[0] ?? [],
          Array.from({ length: count }, () => ({})),
        );
        const container: XmlElement | undefined = (await written(table, json)).children.find(
          ({ name }) => name === row.element,
        );
        expect(container?.children.length ?? 0).toBe(count);
      }
    },
  );
});
