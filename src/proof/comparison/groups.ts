/**
 * Differences with one cause at one place of one method: what a person judges at once. The signature changes with what
 * is different, so that nobody has accepted what nobody has seen.
 */
import type { Cause, Difference } from './difference.ts';

/** Differences of one kind. */
export interface DifferenceGroup {
  /** `v3 client.get Response/Client/Name value` */
  readonly key: string;
  readonly api: string;
  readonly method: string;
  readonly path: string;
  readonly cause: Cause;
  /** Nobody can tell whether the data has only changed since the baseline. */
  readonly isUndecided: boolean;
  readonly count: number;
  /** Letters and digits masked. */
  readonly example: string;
  /** A keyed hash of everything that is different. */
  readonly signature: string;
}

/** One difference with the call it was found in. */
export interface FoundDifference {
  readonly api: string;
  readonly method: string;
  readonly isUndecided: boolean;
  readonly difference: Difference;
}

/** For these causes other records make no other difference. */
const EVERYWHERE: ReadonlySet<Cause> = new Set<Cause>([
  ...(['order', 'missing-element', 'extra-element', 'type', 'rounding', 'time-zone'] as const),
  ...(['permission', 'refused', 'readers'] as const),
]);

/** The groups, the largest first. `hash`: keyed, so that a signature says nothing about values. */
export function groupsOf(
  found: readonly FoundDifference[],
  hash: (text: string) => string,
): readonly DifferenceGroup[] {
  const byKey = Map.groupBy(found, ({ api, method, isUndecided, difference }) =>
    [api, method, difference.path, isUndecided ? `${difference.cause}?` : difference.cause].join(' '),
  );
  const groups = Array.from(byKey, ([key, some]): DifferenceGroup => {
    const [{ api, method, isUndecided, difference } = unreachable()] = some;
    const { path, cause } = difference;
    const parts = new Set(some.map(({ difference: one }) => signatureOf(one)));
    return {
      ...{ key, api, method, path, cause, isUndecided, count: some.length },
      example: exampleOf(difference),
      signature: hash(JSON.stringify([...parts].sort())),
    };
  });
  return groups.toSorted((a, b) => b.count - a.count || (a.key < b.key ? -1 : 1));
}

function signatureOf({ cause, detail, record, before, after }: Difference): string {
  if (EVERYWHERE.has(cause)) return detail;
  return cause === 'value' ? JSON.stringify([before, after]) : JSON.stringify([record, detail]);
}

function exampleOf({ before, after, detail }: Difference): string {
  const values = before === '' && after === '' ? '' : `${maskedText(before)} → ${maskedText(after)}`;
  return [values, detail].filter((one) => one !== '').join(', ');
}

const LONGEST = 40;

/** The shape of a value: `Xxx 99`. */
export function maskedText(text: string): string {
  if (text === '') return '(empty)';
  if (text.startsWith('#')) return '(hidden text)';
  const masked = text
    .replace(/\p{Lu}/gu, 'X')
    .replace(/[\p{L}]/gu, (one) => (one === 'X' ? 'X' : 'x'))
    .replace(/\p{Nd}/gu, '9');
  return masked.length > LONGEST ? `${masked.slice(0, LONGEST)}…` : masked;
}

function unreachable(): never {
  throw new Error('a group has at least one difference');
}
