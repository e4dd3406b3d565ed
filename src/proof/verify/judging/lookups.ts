import { recordTablesIn } from '../../../mapping/compile/reply-tables.ts';
import type { Mapping, RecordRow, RecordTable } from '../../../mapping/compile/model.ts';
import { entries, isObject, own, textOf, valueAt } from '../../../mapping/compile/path.ts';
import type { Lookup } from '../../../mapping/compile/v2/v2-model.ts';
import type { Edit } from '../model.ts';
import { contentOf, isAnswered } from './answers.ts';
import type { Findings, Judged } from './findings.ts';
import { nothing } from './json-renaming.ts';
import { comparable, type Reference } from './reference.ts';
import { isSimilar, NEARLY } from './similar.ts';

type ListLookup = Lookup & { readonly form: 'list' };

/** A list with the entries that the service showed. */
interface Shown {
  readonly lookup: ListLookup;
  readonly objects: readonly unknown[];
  readonly method: string;
}

/** Checks that the lists for looking up names show the keys that are kept of them. */
export function judgeLookups({ mapping, readings }: Judged, reference: Reference, findings: Findings): void {
  const answers = readings.flatMap(({ surface, exchanges, method }) =>
    surface === 'v2' ? exchanges.filter(isAnswered).map((exchange) => ({ exchange, method })) : [],
  );
  for (const lookup of mapping.v2.lookups.values()) {
    if (lookup.form !== 'list') continue;
    const lists = answers.filter(({ exchange }) => exchange.segments.join('/') === lookup.segments.join('/'));
    const objects = lists.flatMap(({ exchange }) => entriesIn(lookup, contentOf(exchange)));
    const [first] = lists;
    if (first !== undefined && objects.length > 0)
      judgeKeys({ lookup, objects, method: first.method }, mapping, reference, findings);
  }
}

function entriesIn({ at }: ListLookup, content: unknown): readonly unknown[] {
  const records = entries(content);
  const found =
    at === undefined ? records : records.flatMap((record) => entries(valueAt(record, at, nothing)));
  return found.filter(isObject);
}

function judgeKeys(
  { lookup, objects, method }: Shown,
  mapping: Mapping,
  reference: Reference,
  findings: Findings,
): void {
  const { name, key: identifier, called } = lookup;
  const keys = new Set(objects.flatMap((one) => Object.keys(one as object)));
  const known = new Set([identifier, ...lookup.keep, ...Object.values(called)]);
  for (const key of new Set([identifier, ...lookup.keep])) {
    const isThere = [key, called[key] ?? key].some((one) => keys.has(one));
    if (isThere || isOtherwiseCalled(lookup, key)) continue;
    const texts = textsOf(mapping, reference, name, key);
    const found = [...keys]
      .filter((one) => !known.has(one))
      .flatMap((one) => candidate(one, key, objects, texts));
    const [other] = found;
    if (other === undefined) continue;
    findings.add(method, {
      ...{ kind: 'name', surface: 'v2', row: `lookups/${name}`, expected: key, found: other.name },
      ...{ because: other.because, edits: editsOf(lookup, key, other.name) },
    });
  }
}

/** Whether the mapping already gives another name; the key then serves only rows that are not looked up. */
const isOtherwiseCalled = ({ called }: ListLookup, key: string): boolean => called[key] !== undefined;

const editsOf = ({ name, key: identifier, keep }: ListLookup, key: string, to: string): readonly Edit[] => {
  const at = ['lookups', name];
  return [
    ...(keep.includes(key)
      ? [{ file: 'v2.yaml', at, change: 'entry', map: 'called', key, to } as const]
      : []),
    ...(key === identifier ? [{ file: 'v2.yaml', at, change: 'set', key: 'key', to } as const] : []),
  ];
};

/** A key that may replace another: its name is nearly the same, or it has the texts that V3 or V1 show. */
function candidate(
  name: string,
  key: string,
  objects: readonly unknown[],
  known: ReadonlySet<string>,
): readonly { readonly name: string; readonly because: string }[] {
  if (isSimilar(name, key)) return [{ name, because: NEARLY }];
  const texts = new Set(objects.map((one) => comparable(textOf(own(one, name)) ?? '')));
  texts.delete('');
  const alike = [...texts].filter((text) => known.has(text)).length;
  return alike > 1 && alike >= known.size * 0.9
    ? [{ name, because: `it has ${alike} of ${known.size} texts that V3 or V1 show` }]
    : [];
}

/** The texts that V3 and V1 show where the mapping looks up the field. */
function textsOf(
  { methods }: Mapping,
  reference: Reference,
  lookup: string,
  key: string,
): ReadonlySet<string> {
  const tables = recordTablesIn(methods.flatMap(({ reply }) => ('of' in reply ? [reply.of] : [])));
  const isField = ({ v2 }: RecordRow): boolean =>
    v2?.paths.some((path) => {
      const [table, field, ...rest] = path.slice(-2);
      return (
        rest.length === 0 &&
        table?.step === 'lookup' &&
        table.table === lookup &&
        field?.step === 'key' &&
        field.name === key
      );
    }) === true;
  const within = (row: RecordRow): readonly RecordTable[] => {
    const last = row.v2?.paths.map((path) => path.at(-1)) ?? [];
    return row.holds !== 'value' && last.some((step) => step?.step === 'lookup' && step.table === lookup)
      ? [row.of]
      : [];
  };
  const isKey = ({ v2 }: RecordRow): boolean =>
    v2?.take === 'first' &&
    v2.paths.some(([step, ...rest]) => rest.length === 0 && step?.step === 'key' && step.name === key);
  const rows = tables.flatMap((table) => [
    ...table.rows.filter(isField).map((row) => [table, row] as const),
    ...table.rows
      .flatMap(within)
      .flatMap((inner) => inner.rows.filter(isKey).map((row) => [inner, row] as const)),
  ]);
  return new Set(
    rows.flatMap(([table, row]) => [...reference.of('v3', table, row), ...reference.of('v1', table, row)]),
  );
}
