/** Context lines around a change. */
const CONTEXT = 3;

interface Line {
  readonly mark: ' ' | '-' | '+';
  readonly text: string;
}

/** The change between two texts as a unified diff for `patch -p1`; empty if they are equal. */
export function unifiedDiff(path: string, before: string, after: string): string {
  if (before === after) return '';
  const lines = changes(before.split('\n'), after.split('\n'));
  return `--- a/${path}\n+++ b/${path}\n${hunks(lines).join('')}`;
}

/**
 * Compares line by line. Changes are few and short, so each ends at the nearest line that both texts have.
 * Takes time proportional to the texts' length and the changes' length.
 */
function changes(before: readonly string[], after: readonly string[]): readonly Line[] {
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < before.length || j < after.length) {
    if (i < before.length && before[i] === after[j]) {
      lines.push({ mark: ' ', text: before[i] ?? '' });
      i += 1;
      j += 1;
      continue;
    }
    const [left, right] = nextCommon(before, after, i, j);
    for (; i < left; i += 1) lines.push({ mark: '-', text: before[i] ?? '' });
    for (; j < right; j += 1) lines.push({ mark: '+', text: after[j] ?? '' });
  }
  return lines;
}

/** The nearest pair of positions, by their sum, from which both texts continue equally. */
function nextCommon(
  before: readonly string[],
  after: readonly string[],
  i: number,
  j: number,
): readonly [number, number] {
  const most = before.length - i + (after.length - j);
  for (let sum = 1; sum <= most; sum += 1)
    for (let left = 0; left <= sum; left += 1) {
      const [a, b] = [i + left, j + sum - left];
      if (a < before.length && b < after.length && before[a] === after[b] && isDistinct(before[a]))
        return [a, b];
    }
  return [before.length, after.length];
}

/** An empty line matches anywhere. */
const isDistinct = (line: string | undefined): boolean => (line ?? '').trim() !== '';

function hunks(lines: readonly Line[]): readonly string[] {
  const changed = lines.flatMap(({ mark }, index) => (mark === ' ' ? [] : [index]));
  const ranges: [number, number][] = [];
  for (const index of changed) {
    const last = ranges.at(-1);
    if (last !== undefined && index - last[1] <= 2 * CONTEXT) last[1] = index;
    else ranges.push([index, index]);
  }
  return ranges.map(([first, last]) =>
    hunk(lines, Math.max(0, first - CONTEXT), Math.min(lines.length, last + CONTEXT + 1)),
  );
}

function hunk(lines: readonly Line[], from: number, to: number): string {
  const count = (part: readonly Line[], besides: '-' | '+'): number =>
    part.filter(({ mark }) => mark !== besides).length;
  const [ahead, own] = [lines.slice(0, from), lines.slice(from, to)];
  const place = (besides: '-' | '+'): string => `${count(ahead, besides) + 1},${count(own, besides)}`;
  // The text after the last line break is no line.
  const shown = to === lines.length ? own.slice(0, -1) : own;
  const dropped = own.length - shown.length;
  const head =
    dropped === 0
      ? `@@ -${place('+')} +${place('-')} @@`
      : `@@ -${count(ahead, '+') + 1},${count(shown, '+')} +${count(ahead, '-') + 1},${count(shown, '-')} @@`;
  return `${head}\n${shown.map(({ mark, text }) => `${mark}${text}\n`).join('')}`;
}
