import { isObject, own } from '../../../mapping/compile/path.ts';
import type { Lookup } from '../../../mapping/compile/v2/v2-model.ts';
import type { Edit } from '../model.ts';
import { contentOf, isAnswered } from './answers.ts';
import type { Findings, Judged } from './findings.ts';
import { isSimilar, NEARLY } from './similar.ts';

/** The lists in which names are looked up have to show the keys that are kept of them. */
export function judgeLookups({ mapping, readings, fileOf }: Judged, findings: Findings): void {
  const answers = readings.flatMap(({ surface, exchanges, method }) =>
    surface === 'v2' ? exchanges.filter(isAnswered).map((exchange) => ({ exchange, method })) : [],
  );
  const files = new Set(mapping.methods.map(({ id }) => fileOf(id)));
  for (const lookup of mapping.v2.lookups.values()) {
    if (lookup.form !== 'list' || lookup.at !== undefined) continue;
    const own = answers.filter(({ exchange }) => exchange.segments.join('/') === lookup.segments.join('/'));
    const objects = own.flatMap(({ exchange }) => {
      const content = contentOf(exchange);
      return Array.isArray(content) ? (content as unknown[]).filter(isObject) : [];
    });
    const [first] = own;
    if (first !== undefined && objects.length > 0) judgeKeys(lookup, objects, first.method, files, findings);
  }
}

function judgeKeys(
  lookup: Lookup & { readonly form: 'list' },
  objects: readonly unknown[],
  method: string,
  files: ReadonlySet<string>,
  findings: Findings,
): void {
  const keys = new Set(objects.flatMap((one) => Object.keys(one as object)));
  for (const key of new Set([lookup.key, ...lookup.keep])) {
    if (objects.some((one) => own(one, key) !== undefined)) continue;
    const other = [...keys].find((name) => !lookup.keep.includes(name) && isSimilar(name, key));
    if (other === undefined) continue;
    const renaming = { change: 'path' as const, behind: [], from: key, to: other };
    findings.add(method, {
      ...{ kind: 'name', surface: 'v2', row: `lookups/${lookup.name}`, expected: key, found: other },
      because: NEARLY,
      edits: [
        { file: 'v2.yaml', at: ['lookups', lookup.name, 'keep'], ...renaming },
        ...(key === lookup.key
          ? [{ file: 'v2.yaml', at: ['lookups', lookup.name], change: 'set', key: 'key', to: other } as const]
          : Array.from(files, (file): Edit => ({ file, at: ['records'], table: lookup.name, ...renaming }))),
      ],
    });
  }
}
