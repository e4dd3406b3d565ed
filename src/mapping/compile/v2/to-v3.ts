/**
 * Decides which calls of a method V3 answers although it is routed to V2, because V2's answer, or what V2
 * keeps of the request, would be incomplete. Elements of a request without a place in V2 need no such row:
 * they are known from the records.
 */
import { z } from 'zod';
import { parsePath } from '../path.ts';
import type { ToV3 } from './v2-model.ts';
import { isInRequest, pathOf, type RowScope } from './v2-scope.ts';

const path = z
  .string()
  .refine((text) => parsePath(text) !== undefined, 'a path such as Items')
  .optional();

/** A row of `toV3` as written in the file. */
export const toV3Schema = z
  .strictObject({
    why: z.string().min(3).meta({ description: 'What V2 does not tell, or does not keep.' }),
    costly: z
      .literal(true)
      .optional()
      .meta({ description: 'Reads: where a look-up would take more calls than a reply may.' }),
    missing: z.literal(true).optional().meta({ description: 'Reads: where V2 does not find the record.' }),
    given: path.meta({ description: 'Writes: where the request has this element, not empty.' }),
    lacking: path.meta({ description: 'Writes: where the request has not this element.' }),
    emptied: path.meta({ description: 'Writes: where the request has this element, and it is empty.' }),
    reversed: z
      .tuple([path.unwrap(), path.unwrap()])
      .optional()
      .meta({ description: 'Writes: where the first of these days is after the second.' }),
    loses: z.string().optional().meta({
      description: 'given, lacking: the element that V2 does not keep, where the account has no V3.',
    }),
  })
  .meta({ description: 'Calls that V3 answers in the place of V2; all of them where only why is said.' });

type Source = z.infer<typeof toV3Schema>;

const CONDITIONS = ['costly', 'missing', 'given', 'lacking', 'emptied', 'reversed'] as const;
/** How messages print a path: `add/@task-id` for the elements that have the attribute. */
const inElement = (path: string): string => path.replace(/\[\*([\w-]+)!=\]/g, '/@$1').replaceAll('.', '/');

/** Compiles one row; faults go to `scope.blame`. */
export function compileToV3(source: Source, scope: RowScope, isWrite: boolean): ToV3 {
  const { why } = source;
  const said = CONDITIONS.filter((key) => source[key] !== undefined);
  const fault = faultIn(source, said, scope, isWrite);
  if (fault !== undefined) scope.blame([...scope.at, 'toV3'], fault);
  const [on = 'always'] = said;
  switch (on) {
    case 'given':
    case 'lacking':
    case 'emptied': {
      const element = source[on] ?? '';
      return { why, on, path: pathOf(element), element: inElement(element), loses: source.loses };
    }
    case 'reversed': {
      const [first, second] = source.reversed ?? ['', ''];
      const days = { path: pathOf(first), after: pathOf(second) };
      return { why, on, ...days, element: inElement(second), first: inElement(first), loses: undefined };
    }
    case 'always':
    case 'costly':
    case 'missing':
      return { why, on };
  }
}

function faultIn(
  source: Source,
  said: readonly string[],
  { body }: RowScope,
  isWrite: boolean,
): string | undefined {
  const { given, lacking, loses } = source;
  const elements = elementsIn(source);
  const isOfWrite = elements.length > 0;
  if (said.length > 1) return 'one condition a row';
  if (said.length === 1 && isOfWrite !== isWrite)
    return isWrite ? `of ${OF_WRITES} a write has one` : `${OF_WRITES} belong to writes`;
  if (loses !== undefined && (given ?? lacking) === undefined) return 'loses goes with given or lacking';
  const unknown = [...elements, ...toList(loses)].find((element) => !isInRequest(pathOf(element), body));
  return unknown === undefined ? undefined : `no element ${unknown} in the request`;
}

const OF_WRITES = 'given, lacking, emptied and reversed';

const toList = (element: string | undefined): readonly string[] => (element === undefined ? [] : [element]);

const elementsIn = ({ given, lacking, emptied, reversed }: Source): readonly string[] => [
  ...toList(given),
  ...toList(lacking),
  ...toList(emptied),
  ...(reversed ?? []),
];

/** The condition of a row, as text. */
export function whenOf(row: ToV3): string {
  switch (row.on) {
    case 'always':
      return 'always';
    case 'costly':
      return 'where it would take too many calls';
    case 'missing':
      return 'where V2 does not find the record';
    case 'given':
      return `with ${row.element}`;
    case 'lacking':
      return `without ${row.element}`;
    case 'emptied':
      return `with an empty ${row.element}`;
    case 'reversed':
      return `with a ${row.first} after ${row.element}`;
  }
}
