import { parsePath, type Path } from '../../../../../mapping/compile/path.ts';

const paths = new Map<string, Path>();

/** Parses a path in the form of the tables. */
export function pathOf(text: string): Path {
  const known = paths.get(text);
  if (known !== undefined) return known;
  const path = parsePath(text);
  if (path === undefined) throw new Error(`not a path: ${text}`);
  paths.set(text, path);
  return path;
}
