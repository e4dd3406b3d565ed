/**
 * Changes mapping files as texts: everything around a changed value stays as it was written, with its comments and columns.
 *
 * Each change is made where the parser found the entry; after each the text is parsed anew, because places move.
 */
import {
  isMap,
  isNode,
  isPair,
  isScalar,
  parseDocument,
  visit,
  type Document,
  type Scalar,
  type YAMLMap,
} from 'yaml';
import type { VerifiedOn } from '../../../mapping/evidence.ts';
import { parsePath, writtenPath, type Path } from '../../../mapping/compile/path.ts';
import type { Edit } from '../model.ts';

interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** The text with the change; unchanged if there is no such entry. */
export function edited(text: string, edit: Edit): string {
  const document = parseDocument(text);
  switch (edit.change) {
    case 'text':
      return spliced(
        text,
        scalarsAt(document, edit.at)
          .slice(0, 1)
          .map((one) => replaced(one, edit.to)),
      );
    case 'path':
      return spliced(
        text,
        scalarsAt(document, edit.at).flatMap((one) => renamedPath(one, edit)),
      );
    case 'call':
      return spliced(
        text,
        scalarsAt(document, edit.at).flatMap((one) => renamedCall(one, edit)),
      );
    case 'set':
      return spliced(text, withKey(document, text, edit));
    case 'same':
      return spliced(text, withSame(document, text, edit));
    case 'key':
      return spliced(text, renamedKey(document, edit));
  }
}

/** From the end, so that earlier places stay. */
const spliced = (text: string, splices: readonly Splice[]): string =>
  splices
    .toSorted((a, b) => b.from - a.from)
    .reduce((all, { from, to, text: piece }) => all.slice(0, from) + piece + all.slice(to), text);

/** Every text at or below a place, keys left out. */
function scalarsAt(document: Document, at: Edit['at']): readonly Scalar[] {
  const node = at.length === 0 ? document.contents : document.getIn(at, true);
  if (isScalar(node)) return [node];
  const found: Scalar[] = [];
  if (node === undefined || node === null) return found;
  visit(node as Document['contents'], {
    Scalar: (key, scalar) => {
      if (key !== 'key') found.push(scalar);
    },
  });
  return found;
}

const PLAIN = /^[A-Za-z0-9_][\w./ {}-]*$/;

/** In quotes if it was in quotes, or has to be. */
function replaced({ range, type }: Scalar, to: string | number): Splice {
  const [from = 0, end = 0] = range ?? [];
  const text = String(to);
  const isPlain = typeof to === 'number' || (type === 'PLAIN' && PLAIN.test(text)) || /^[\w.-]+$/.test(text);
  return { from, to: end, text: isPlain ? text : JSON.stringify(text) };
}

/** A path that is only the key, as the kept keys of a look-up are, is renamed as well. */
function renamedPath(
  scalar: Scalar,
  { table, behind, from, to }: Edit & { readonly change: 'path' },
): readonly Splice[] {
  if (scalar.value === from && behind.length === 0 && table === undefined) return [replaced(scalar, to)];
  const path = typeof scalar.value === 'string' ? parsePath(scalar.value) : undefined;
  if (path === undefined) return [];
  const start =
    table === undefined ? 0 : path.findIndex((step) => step.step === 'lookup' && step.table === table) + 1;
  if (table !== undefined && start === 0) return [];
  const place = placeOf(path.slice(start), behind, from);
  if (place === undefined) return [];
  const changed: Path = path.map((step, index) =>
    index === start + place ? { step: 'key', name: to } : step,
  );
  return [replaced(scalar, writtenPath(changed))];
}

/** Where the key stands behind these keys; undefined: not there. */
function placeOf(path: Path, behind: readonly string[], name: string): number | undefined {
  let depth = 0;
  for (const [index, step] of path.entries()) {
    if (step.step === 'lookup') return undefined;
    if (step.step !== 'key') continue;
    if (depth === behind.length) return step.name === name ? index : undefined;
    if (step.name !== behind[depth]) return undefined;
    depth += 1;
  }
  return undefined;
}

const CALL = /^((?:[A-Z|]+ )?)(\/v2\/)?([a-z].*)$/;

function renamedCall(scalar: Scalar, { from, to }: Edit & { readonly change: 'call' }): readonly Splice[] {
  const match = typeof scalar.value === 'string' ? CALL.exec(scalar.value) : null;
  if (!match || (match[1] === '' && match[2] === undefined)) return [];
  const [, verb = '', root = '', path = ''] = match;
  const parts = path.split('/');
  const fits = from.every((part, index) =>
    part === '*' ? parts[index]?.startsWith('{') === true : parts[index] === part,
  );
  if (!fits) return [];
  const changed = parts.map((part, index) => (index === from.length - 1 ? to : part)).join('/');
  return [replaced(scalar, `${verb}${root}${changed}`)];
}

function withKey(
  document: Document,
  text: string,
  { at, key, to }: Edit & { readonly change: 'set' },
): readonly Splice[] {
  const known = document.getIn([...at, key], true);
  if (isScalar(known)) return [replaced(known, to)];
  const map = document.getIn(at, true);
  if (!isMap(map) || map.range === undefined || map.range === null) return [];
  const [from] = map.range;
  if (map.flow === true) {
    const piece = `${key}: ${String(to)}`;
    return [{ from: from + 1, to: from + 1, text: map.items.length === 0 ? ` ${piece} ` : ` ${piece},` }];
  }
  const column = from - (text.lastIndexOf('\n', from - 1) + 1);
  return [{ from, to: from, text: `${key}: ${String(to)}\n${' '.repeat(column)}` }];
}

/** With an entry of `same`, and with `same` where there is none yet. */
function withSame(
  document: Document,
  text: string,
  { file, at, key, to }: Edit & { readonly change: 'same' },
): readonly Splice[] {
  const place = { file, change: 'set' } as const;
  return isMap(document.getIn([...at, 'same'], true))
    ? withKey(document, text, { ...place, at: [...at, 'same'], key, to })
    : withKey(document, text, { ...place, at, key: 'same', to: `{ ${key}: ${to} }` });
}

function renamedKey(document: Document, { at, to }: Edit & { readonly change: 'key' }): readonly Splice[] {
  const map = document.getIn(at.slice(0, -1), true);
  const [pair] = isMap(map)
    ? map.items.filter((one) => isPair(one) && isScalar(one.key) && one.key.value === at.at(-1))
    : [];
  return isScalar(pair?.key) ? [replaced(pair.key, to)] : [];
}

/** The text with the days on which a method was proven; days that stand there already are replaced. */
export function withVerified(text: string, method: string, days: VerifiedOn): string {
  const row = parseDocument(text).getIn(['methods', method], true);
  if (!isMap(row)) return text;
  const before = row.get('verified');
  if (!isMap(before)) return withLine(text, row, `verified: ${daysText(days)}`);
  const [from, to] = before.range ?? [0, 0];
  return spliced(text, [{ from, to, text: daysText({ ...(before.toJSON() as VerifiedOn), ...days }) }]);
}

const daysText = (days: VerifiedOn): string =>
  `{ ${(['v1', 'v3', 'v2'] as const).flatMap((one) => (days[one] === undefined ? [] : [`${one}: ${days[one]}`])).join(', ')} }`;

/** With a line of its own behind the evidence, or the route. */
function withLine(text: string, row: YAMLMap, line: string): string {
  const after = row.items.findLast(
    ({ key }) => isScalar(key) && ['route', 'evidence'].includes(String(key.value)),
  );
  const [key, value] = [rangeOf(after?.key), rangeOf(after?.value)];
  if (key === undefined) return text;
  const indent = ' '.repeat(key[0] - (text.lastIndexOf('\n', key[0] - 1) + 1));
  const end = text.indexOf('\n', (value ?? key)[1]);
  return spliced(text, [{ from: end, to: end, text: `\n${indent}${line}` }]);
}

const rangeOf = (node: unknown): readonly [number, number, number] | undefined =>
  isNode(node) ? (node.range ?? undefined) : undefined;
