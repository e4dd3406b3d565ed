import { globSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import ts from 'typescript';

/** One module of `src/`, parsed. */
export interface SourceFile {
  /** Relative to `src/`. */
  readonly path: string;
  readonly text: string;
  readonly lines: number;
  readonly tree: ts.SourceFile;
  /** Files of `src/` it imports. */
  readonly imports: readonly string[];
}

const root = join(import.meta.dirname, '..', '..', 'src');

/**
 * Every module of `src/`, ordered by path, except those copied into generated clients, which no part of the program
 * loads.
 */
export const readSource = (): readonly SourceFile[] =>
  globSync('**/*.{ts,js}', { cwd: root })
    .filter((path) => !path.startsWith('proof/client/assets/'))
    .toSorted()
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      return {
        path,
        text,
        lines: text.split('\n').length - 1,
        tree: ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true),
        imports: ts
          .preProcessFile(text)
          .importedFiles.map(({ fileName }) => fileName)
          .filter((name) => name.startsWith('.'))
          .map((name) => relative(root, join(root, dirname(path), name))),
      };
    });

/** `store/shared/scripts.ts` is in `store`; a file directly in `src/` counts as a folder of its own. */
export const topFolder = (path: string): string => path.split('/')[0] ?? path;
