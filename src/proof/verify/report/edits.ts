/**
 * Edits mapping files as text: everything around a changed value stays as written, with comments and columns.
 *
 * Each change is made where the parser found the entry; after each the text is parsed again, because
 * positions move.
 */
import {
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  parseDocument,
  visit,
  type Document,
  type Scalar,
  type YAMLMap,
} from 'yaml';
import type { VerifiedOn } from '../../../mapping/evidence.ts';
import { parsePath, writtenPath, type Path, type Step } from '../../../mapping/compile/path.ts';
import type { Edit, KeyRenaming } from '../model.ts';

interface Splice {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** Returns the text with the change, or unchanged if there is no such entry. `document`: the text, parsed. */
export function edited(text: string, edit: Edit, document: Document = parseDocument(text)): string {
  return spliced(text, splicesOf(document, text, edit));
}

function splicesOf(document: Document, text: string, edit: Edit): readonly Splice[] {
  switch (edit.change) {
    case 'set':
      return withKey(document, text, edit);
    case 'item':
      return withItem(document, edit);
    case 'entry':
      return withEntry(document, text, edit);
    case 'key':
      return renamedKey(document, edit);
    case 'text':
      return scalarsAt(document, edit.at)
        .slice(0, 1)
        .map((one) => replaced(one, edit.to));
    case 'path':
      return pathsAt(document, edit).flatMap((one) => renamedPath(one, edit));
    case 'words':
    case 'placeholder':
    case 'call':
      return scalarsAt(document, edit.at).flatMap((one) => rewritten(one, edit));
  }
}

/** Rewrites any text, at any place. */
function rewritten(
  scalar: Scalar,
  edit: Edit & { readonly change: 'words' | 'placeholder' | 'call' },
): readonly Splice[] {
  switch (edit.change) {
    case 'words':
      return scalar.value === edit.from ? [replaced(scalar, edit.to)] : [];
    case 'placeholder':
      return renamedPlaceholders(scalar, edit);
    case 'call':
      return renamedCall(scalar, edit);
  }
}

/** Applies changes from the end, so that earlier positions stay valid. */
const spliced = (text: string, splices: readonly Splice[]): string =>
  splices
    .toSorted((a, b) => b.from - a.from)
    .reduce((all, { from, to, text: piece }) => all.slice(0, from) + piece + all.slice(to), text);

/** Every text at or below a place, without keys. */
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

const pathsAt = (document: Document, { at, keys }: Edit & { readonly change: 'path' }): readonly Scalar[] =>
  keys === true ? keysAt(document, at) : scalarsAt(document, at);

/** The keys of a map. */
function keysAt(document: Document, at: Edit['at']): readonly Scalar[] {
  const map = document.getIn(at, true);
  return isMap(map) ? map.items.flatMap(({ key }) => (isScalar(key) ? [key] : [])) : [];
}

const PLAIN = /^[A-Za-z0-9_][\w./ {}-]*$/;

/** Keeps quotes, or adds them if necessary. */
function replaced({ range, type }: Scalar, to: string | number): Splice {
  const [from = 0, end = 0] = range ?? [];
  const text = String(to);
  const isPlain = typeof to === 'number' || (type === 'PLAIN' && PLAIN.test(text)) || /^[\w.-]+$/.test(text);
  return { from, to: end, text: isPlain ? text : JSON.stringify(text) };
}

function renamedPath(scalar: Scalar, renaming: KeyRenaming): readonly Splice[] {
  const text = typeof scalar.value === 'string' ? renamedIn(scalar.value, renaming) : undefined;
  return text === undefined ? [] : [replaced(scalar, text)];
}

/** The path with the key renamed; undefined if the text is no path, or the path does not contain the key. */
function renamedIn(text: string, { behind, from, to, moved }: KeyRenaming): string | undefined {
  const path = parsePath(text);
  const place = path && placeOf(path, behind, from);
  if (path === undefined || place === undefined) return undefined;
  const before = path.slice(0, place);
  if (moved !== undefined && before.some(({ step }) => step !== 'key')) return undefined;
  const around = moved === undefined ? before : moved.map((name) => ({ step: 'key', name }) as const);
  const [step, ...rest] = path.slice(place);
  const renamed = step?.step === 'key' ? { ...step, name: to } : step && { ...step, key: to };
  return writtenPath([...around, ...(renamed === undefined ? [] : [renamed as Step]), ...rest]);
}

/** `{found.uuid|text}`: the part after the step's name is a path. */
function renamedPlaceholders(
  scalar: Scalar,
  { step, ...renaming }: Edit & { readonly change: 'placeholder' },
): readonly Splice[] {
  if (typeof scalar.value !== 'string') return [];
  const text = scalar.value.replace(/\{([^{}.|]+)\.([^{}|]+)/g, (whole, name: string, path: string) => {
    const renamed = name === step ? renamedIn(path, renaming) : undefined;
    return renamed === undefined ? whole : `{${name}.${renamed}`;
  });
  return text === scalar.value ? [] : [replaced(scalar, text)];
}

/** The position of the key, or a condition on it, after these keys; undefined if it is not there. */
function placeOf(path: Path, behind: readonly string[], name: string): number | undefined {
  let depth = 0;
  for (const [index, step] of path.entries()) {
    if (step.step === 'lookup') return undefined;
    if (depth === behind.length && isOn(step, name)) return index;
    if (step.step !== 'key') continue;
    if (step.name !== behind[depth]) return undefined;
    depth += 1;
  }
  return undefined;
}

function isOn(step: Step, name: string): boolean {
  if (step.step === 'key') return step.name === name;
  return (step.step === 'which' || step.step === 'those') && step.key === name;
}

const CALL = /^((?:[A-Z|]+ )?)(\/v2\/)?([a-z].*)$/;

function renamedCall(
  scalar: Scalar,
  { from, to, only }: Edit & { readonly change: 'call' },
): readonly Splice[] {
  const match = typeof scalar.value === 'string' ? CALL.exec(scalar.value) : null;
  if (!match || (match[1] === '' && match[2] === undefined)) return [];
  const [, verb = '', root = '', path = ''] = match;
  const parts = path.split('/');
  const pattern = only === undefined ? from : [...from, ...only.rest];
  const fits = pattern.every((part, index) =>
    part === '*' ? parts[index]?.startsWith('{') === true : parts[index] === part,
  );
  if (!fits) return [];
  if (only !== undefined && (parts.length !== pattern.length || (verb.trim() || 'GET') !== only.verb))
    return [];
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

/** Adds an entry to a map, and creates the map if necessary. */
function withEntry(
  document: Document,
  text: string,
  { file, at, map, key, to }: Edit & { readonly change: 'entry' },
): readonly Splice[] {
  const place = { file, change: 'set' } as const;
  return isMap(document.getIn([...at, map], true))
    ? withKey(document, text, { ...place, at: [...at, map], key, to })
    : withKey(document, text, { ...place, at, key: map, to: `{ ${key}: ${to} }` });
}

function withItem(document: Document, { at, to }: Edit & { readonly change: 'item' }): readonly Splice[] {
  const list = document.getIn(at, true);
  const items = isSeq(list) ? list.items.filter(isScalar) : [];
  const end = items.at(-1)?.range?.[1];
  if (end === undefined || items.some(({ value }) => value === to)) return [];
  return [{ from: end, to: end, text: `, ${to}` }];
}

function renamedKey(document: Document, { at, to }: Edit & { readonly change: 'key' }): readonly Splice[] {
  const map = document.getIn(at.slice(0, -1), true);
  const [pair] = isMap(map)
    ? map.items.filter((one) => isPair(one) && isScalar(one.key) && one.key.value === at.at(-1))
    : [];
  return isScalar(pair?.key) ? [replaced(pair.key, to)] : [];
}

/** Adds the days on which methods were proven, replacing earlier days; the text is parsed once for all of them. */
export function withVerified(text: string, verified: Readonly<Record<string, VerifiedOn>>): string {
  const document = parseDocument(text);
  return spliced(
    text,
    Object.entries(verified).flatMap(([method, days]) => verifiedRow(document, text, method, days)),
  );
}

function verifiedRow(document: Document, text: string, method: string, days: VerifiedOn): readonly Splice[] {
  const row = document.getIn(['methods', method], true);
  if (!isMap(row)) return [];
  const before = row.get('verified');
  if (!isMap(before)) return newLine(text, row, `verified: ${daysText(days)}`);
  const [from, to] = before.range ?? [0, 0];
  return [{ from, to, text: daysText({ ...(before.toJSON() as VerifiedOn), ...days }) }];
}

const daysText = (days: VerifiedOn): string =>
  `{ ${(['v1', 'v3', 'v2'] as const).flatMap((one) => (days[one] === undefined ? [] : [`${one}: ${days[one]}`])).join(', ')} }`;

/** Adds a line after the evidence or the route. */
function newLine(text: string, row: YAMLMap, line: string): readonly Splice[] {
  const after = row.items.findLast(
    ({ key }) => isScalar(key) && ['route', 'evidence'].includes(String(key.value)),
  );
  const [key, value] = [rangeOf(after?.key), rangeOf(after?.value)];
  if (key === undefined) return [];
  const indent = ' '.repeat(key[0] - (text.lastIndexOf('\n', key[0] - 1) + 1));
  const end = text.indexOf('\n', (value ?? key)[1]);
  return [{ from: end, to: end, text: `\n${indent}${line}` }];
}

const rangeOf = (node: unknown): readonly [number, number, number] | undefined =>
  isNode(node) ? (node.range ?? undefined) : undefined;
