import { idioms, type Idiom } from './idioms.ts';
import type { SourceFile } from './source.ts';

const WINDOW = 6;
/** A shape that occurs in more files than this is an idiom of the language. */
const COMMON = 8;

/** Lines of a window that must be statements: lists of fields and of names look alike everywhere. */
const ACTIVE = 4;

/**
 * Pairs of files that share six consecutive lines of the same shape: the same except for names, strings and numbers.
 * Blank lines, comments, imports and lone punctuation do not count, nor do runs that mostly declare or consist of
 * idioms (`idioms.ts`): every counted pair should be unified.
 */
export function duplicatePairs(
  files: readonly SourceFile[],
  usual: readonly Idiom[] = idioms,
): readonly string[] {
  const isActive = (line: string): boolean => acts(line) && !usual.some((idiom) => idiom.line.test(line));
  const places = new Map<string, Set<string>>();
  for (const { path, text } of files) {
    const lines = shapesOf(text);
    for (let at = 0; at + WINDOW <= lines.length; at += 1) {
      const window = lines.slice(at, at + WINDOW);
      if (window.filter(isActive).length < ACTIVE) continue;
      const shape = window.join('\n');
      places.set(shape, (places.get(shape) ?? new Set()).add(path));
    }
  }
  const pairs = new Set<string>();
  for (const found of places.values()) {
    if (found.size < 2 || found.size > COMMON) continue;
    const paths = [...found].toSorted();
    paths.forEach((one, at) => {
      for (const other of paths.slice(at + 1)) pairs.add(`${one} ~ ${other}`);
    });
  }
  return [...pairs].toSorted();
}

const acts = (line: string): boolean => /\(.|=(?!>)|\b(?:return|throw)\b/.test(line);

const KEYWORDS = new Set(
  'if else for of in while return throw new await async function class const let switch case try catch'.split(
    ' ',
  ),
);

/** Cached by text: the test of the structure compares the same files once for each idiom. */
const shapes = new Map<string, readonly string[]>();

function shapesOf(text: string): readonly string[] {
  let lines = shapes.get(text);
  if (lines === undefined)
    shapes.set(
      text,
      (lines = text
        .split('\n')
        .map(shapeOf)
        .filter((line) => line !== '')),
    );
  return lines;
}

function shapeOf(line: string): string {
  const code = line.replace(/^\s*(?:\/\/|\/?\*).*$/, '').trim();
  if (/^import\b|^\} from /.test(code) || !/[A-Za-z0-9]/.test(code)) return '';
  return code
    .replaceAll(/'(?:[^'\\]|\\.)*'|`[^`]*`|"[^"]*"/g, 's')
    .replaceAll(/\b[A-Za-z_$#][\w$]*/g, (word) => (KEYWORDS.has(word) ? word : 'n'))
    .replaceAll(/\b\d[\d_.]*/g, '0')
    .replaceAll(/\s+/g, ' ');
}
