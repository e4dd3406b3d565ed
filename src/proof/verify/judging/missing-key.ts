import { entries, isObject, own, type Path } from '../../../mapping/compile/path.ts';
import { DEEPEST } from './scope.ts';

/** Whether the value is set. */
export const isSet = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0);

/** The end of a path that leads nowhere: the objects there, and the key that none of them has. */
export interface MissingKey {
  readonly parents: readonly unknown[];
  readonly behind: readonly string[];
  readonly name: string;
  /** The path from that key on. */
  readonly rest: Path;
  /** Set if the key selects an entry of the list. */
  readonly condition?: { readonly value: string } | undefined;
}

/** The first key of a path that no object has; undefined if some object has a value, or all are empty. */
export function missingKey(objects: readonly unknown[], stem: Path): MissingKey | undefined {
  let parents = objects;
  const behind: string[] = [];
  for (const [index, step] of stem.entries()) {
    if (step.step !== 'key') {
      parents = parents.flatMap((value) => entries(value));
      if (step.step === 'which' || step.step === 'those') {
        const condition = missingIn(parents, behind, step.key, step);
        if (condition !== undefined) return condition;
      }
      continue;
    }
    const missing = missingIn(parents, behind, step.name);
    if (missing !== undefined) return { ...missing, rest: stem.slice(index + 1) };
    parents = parents.map((parent) => own(parent, step.name)).filter(isSet);
    behind.push(step.name);
  }
  return undefined;
}

function missingIn(
  parents: readonly unknown[],
  behind: readonly string[],
  name: string,
  condition?: MissingKey['condition'],
): MissingKey | undefined {
  if (condition !== undefined && parents.length === 0) return undefined;
  if (parents.some((parent) => own(parent, name) !== undefined)) return undefined;
  return { parents: parents.filter(isObject), behind: [...behind], name, rest: [], condition };
}

/** The records within the records, but not in lists, by the keys that lead to them. */
export function placesIn(
  objects: readonly unknown[],
  behind: readonly string[] = [],
): readonly (readonly string[])[] {
  const parents = objects.filter(isObject);
  if (parents.length === 0 || behind.length > DEEPEST) return [];
  const keys = new Set(parents.flatMap((one) => Object.keys(one)));
  return [
    behind,
    ...[...keys].flatMap((key) =>
      placesIn(
        parents.map((one) => own(one, key)),
        [...behind, key],
      ),
    ),
  ];
}
