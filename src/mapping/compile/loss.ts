import type { Method, RecordRow, RecordTable } from './model.ts';
import { writtenPath, type Path } from './path.ts';
import type { KeptAs } from './records.ts';
import { whenOf } from './v2/to-v3.ts';
import type { Fixed, StepBody, ToV3, V2Row } from './v2/v2-model.ts';

/** Something V2 does not carry: an element of the reply or the request, or a sentence about the method. */
export type Loss =
  | {
      readonly loss: 'element';
      readonly of: 'reply' | 'request';
      readonly element: string;
      readonly why: string | undefined;
      /** V1's value is returned for records that V1 showed before the move; undefined: for none. */
      readonly kept: KeptAs | undefined;
    }
  /** A field of V2 that a request may leave out, and the default used then. */
  | { readonly loss: 'default'; readonly place: string; readonly value: string }
  | { readonly loss: 'sentence'; readonly text: string }
  /** The same for calls that V3 answers if the account has it. */
  | {
      readonly loss: 'toV3';
      readonly text: string;
      readonly when: string;
      /** The element of the request that V2 does not keep, if that is the reason. */
      readonly element: string | undefined;
    };

/**
 * The loss report of a method that can be served from V2: derived from its rows, with the sentences of its
 * mapping.
 */
export function lossesOf(method: Method): readonly Loss[] {
  const { v2, reply, body } = method;
  if (v2?.way !== 'steps') return [];
  return [
    ...('of' in reply ? without(shownBy(method, reply.of), 'reply', v2, reply.of.name) : []),
    ...(body
      ? without(body.of, 'request', v2, body.root).filter((loss) => !isUsed(loss, v2, body.root))
      : []),
    ...v2.steps.flatMap((step) => (step.body ? defaultsIn(step.body) : [])),
    ...v2.toV3.map((row) => lossIn(row, body?.root)),
    ...v2.loss.map((text): Loss => ({ loss: 'sentence', text })),
  ];
}

/** Elements that a list shows only in detail are missing if the method cannot ask for details. */
const shownBy = ({ reply, query }: Method, table: RecordTable): RecordTable =>
  reply.form !== 'list' || query.has('detailed')
    ? table
    : { ...table, rows: table.rows.filter(({ v2 }) => v2?.detailedOnly !== true) };

function lossIn(row: ToV3, root = ''): Loss {
  const lost = 'loses' in row ? row.loses : undefined;
  const element = lost && `${root}/${lost}`;
  return { loss: 'toV3', text: row.why, when: whenOf(row), element };
}

const defaultsIn = ({ defaults }: StepBody): readonly Loss[] =>
  defaults
    .filter(([, fixed]) => !isOfRequest(fixed))
    .map(([path, fixed]) => ({ loss: 'default', place: writtenPath(path), value: valueText(fixed) }));

/** Whether the value comes from the request: then it is not a default. */
export const isOfRequest = (fixed: Fixed): boolean =>
  'templates' in fixed &&
  fixed.templates.flat().every((part) => typeof part === 'object' && part.root === 'body');

const valueText = (fixed: Fixed): string =>
  'value' in fixed
    ? String(fixed.value)
    : fixed.templates
        .map((template) =>
          template.map((part) => (typeof part === 'string' ? part : `{${part.text}}`)).join(''),
        )
        .join(' or ');

/** Whether the element is used in a path or a query, and so is not lost. */
function isUsed(loss: Loss, { uses }: V2Row, root: string): boolean {
  return (
    loss.loss === 'element' &&
    uses.has(
      loss.element
        .slice(root.length + 1)
        .split('/')[0]
        ?.toLowerCase() ?? '',
    )
  );
}

/** By record and look-up table: many methods share a record, and records never change. */
const through = new WeakMap<RecordTable, Map<string, readonly string[]>>();

/** The elements of a reply that are read through a look-up table. */
export function elementsThrough(name: string, table: RecordTable): readonly string[] {
  const known = through.get(table) ?? new Map<string, readonly string[]>();
  through.set(table, known);
  const elements = known.get(name) ?? elementsIn(name, table, table.name, []);
  known.set(name, elements);
  return elements;
}

const isThroughTable = (way: Path, name: string): boolean =>
  way.some((step) => step.step === 'lookup' && step.table === name);

function elementsIn(name: string, table: RecordTable, path: string, seen: readonly RecordTable[]): string[] {
  if (seen.includes(table)) return [];
  return table.rows.flatMap((row) => {
    const element = `${path}/${row.element}`;
    const isThrough = row.v2?.paths.some((way) => isThroughTable(way, name)) === true;
    if (isThrough) return [element];
    return row.holds === 'value' ? [] : elementsIn(name, row.of, element, [...seen, table]);
  });
}

function without(
  table: RecordTable,
  of: 'reply' | 'request',
  way: V2Row,
  path: string,
  seen: readonly RecordTable[] = [],
): Loss[] {
  if (seen.includes(table)) return [];
  return table.rows.flatMap((row) => {
    const element = `${path}/${row.element}`;
    if (!isCarried(row, of, way))
      return [{ loss: 'element', of, element, why: row.v2?.lost, kept: row.snapshot } satisfies Loss];
    return row.holds === 'value' ? [] : without(row.of, of, way, element, [...seen, table]);
  });
}

/**
 * Whether a row carries a value. One with a constant does not, nor does a path through a table that the
 * method may not use.
 */
function isCarried({ v2 }: RecordRow, of: 'reply' | 'request', way: V2Row): boolean {
  if (v2 === undefined) return false;
  if (v2.lost !== undefined) return false;
  if (v2.paths.length === 0) return of === 'reply' && v2.absent !== undefined;
  return v2.paths.some((path) =>
    path.every(
      (step) => step.step !== 'lookup' || !way.costly.has(step.table) || way.lookups.has(step.table),
    ),
  );
}
