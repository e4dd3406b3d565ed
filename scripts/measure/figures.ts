import { duplicatePairs } from './duplicates.ts';
import { commentLines, exportsOf, functionsOf } from './functions.ts';
import { topFolder, type SourceFile } from './source.ts';

/** The structure of `src/` in figures. Each may fall, only `totals` and `commentPercent` may rise. */
export interface Figures {
  readonly totals: { readonly files: number; readonly lines: number; readonly sandboxLines: number };
  /** The percentage of lines with a comment. */
  readonly commentPercent: number;
  readonly limits: Readonly<Record<string, number>>;
}

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * share)] ?? 0;

const sum = (values: readonly number[]): number => values.reduce((all, one) => all + one, 0);

/** Only ever grows, because a released step is kept. */
const MIGRATIONS = 'db/migrations';

/** The number of entries in the largest folder. */
function largestFolder(files: readonly SourceFile[]): number {
  const entries = new Map<string, Set<string>>();
  for (const { path } of files) {
    const parts = path.split('/');
    parts.forEach((name, at) => {
      const folder = parts.slice(0, at).join('/');
      if (folder === MIGRATIONS) return;
      entries.set(folder, (entries.get(folder) ?? new Set()).add(name));
    });
  }
  return Math.max(...Array.from(entries.values(), ({ size }) => size));
}

/** Pairs of top-level folders of which one imports the other; and those that import each other. */
function arrows(files: readonly SourceFile[]): { readonly all: number; readonly mutual: number } {
  const pairs = new Set(
    files.flatMap(({ path, imports }) =>
      imports.map((to) => `${topFolder(path)} ${topFolder(to)}`).filter((pair) => !/^(\S+) \1$/.test(pair)),
    ),
  );
  const mutual = Array.from(pairs).filter((pair) => pairs.has(pair.split(' ').toReversed().join(' ')));
  return { all: pairs.size, mutual: mutual.length / 2 };
}

export function measure(files: readonly SourceFile[]): Figures {
  const functions = files.flatMap(functionsOf);
  const lengths = functions.map(({ lines }) => lines);
  const complexities = functions.map(({ complexity }) => complexity);
  const explained = files.map(exportsOf);
  const lines = sum(files.map((file) => file.lines));
  const { all, mutual } = arrows(files);
  return {
    totals: {
      files: files.length,
      lines,
      sandboxLines: sum(files.filter(({ path }) => path.startsWith('sandbox/')).map((file) => file.lines)),
    },
    commentPercent: Math.floor((1_000 * sum(files.map(commentLines))) / lines) / 10,
    limits: {
      arrowsBetweenFolders: all,
      foldersThatImportEachOther: mutual,
      entriesOfLargestFolder: largestFolder(files),
      linesOfLongestFile: Math.max(...files.map((file) => file.lines)),
      filesOver300Lines: files.filter((file) => file.lines > 300).length,
      functionLinesMedian: quantile(lengths, 0.5),
      functionLines90: quantile(lengths, 0.9),
      functionsOver50Lines: lengths.filter((length) => length > 50).length,
      complexity99: quantile(complexities, 0.99),
      functionsOver10Branches: complexities.filter((count) => count > 10).length,
      unexplainedExportsPercent: Math.ceil(
        (100 * sum(explained.map(({ unexplained }) => unexplained))) / sum(explained.map((one) => one.all)),
      ),
      duplicatePairs: duplicatePairs(files).length,
    },
  };
}
