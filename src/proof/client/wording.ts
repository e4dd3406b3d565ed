/**
 * Writes texts of the mapping as part of a program, so that nothing in them can end a comment or a string.
 */

import { lossesOf } from '../../mapping/compile/loss.ts';
import type { Method } from '../../mapping/compile/model.ts';

/** Joins a text to one line without control characters. */
export const oneLine = (text: string): string => text.replaceAll(/[\p{Cc}\u2028\u2029\s]+/gu, ' ').trim();

/** Escapes a text for a block comment. */
const commentText = (text: string): string => oneLine(text).replaceAll('*/', '* /');

/** Length of a line, as in this project. */
const WIDTH = 100;

/** A comment of these paragraphs, indented by `indent` spaces. */
export function comment(paragraphs: readonly string[], indent: number): string {
  const space = ' '.repeat(indent);
  const lines = paragraphs
    .map(commentText)
    .filter(Boolean)
    .flatMap((text) => wrapped(text, WIDTH - indent));
  if (lines.length === 0) return '';
  if (lines.length === 1) return `${space}/** ${lines[0] ?? ''} */\n`;
  return `${space}/**\n${lines.map((line) => `${space} * ${line}\n`).join('')}${space} */\n`;
}

function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** Writes a text as a TypeScript string, which differs from JSON in two line separators. */
const stringLiteral = (text: string): string =>
  JSON.stringify(text).replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029');

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;

/** Writes the name of a property. Reserved words are allowed, but `__proto__` would set the prototype. */
export const propertyName = (name: string): string =>
  name === '__proto__' ? '["__proto__"]' : IDENTIFIER.test(name) ? name : stringLiteral(name);

/** Writes a value as TypeScript, on as few lines as possible. */
export function literal(value: unknown, indent = 0): string {
  if (typeof value === 'string') return stringLiteral(value);
  if (typeof value !== 'object' || value === null) return String(value);
  const isList = Array.isArray(value);
  const parts = isList
    ? (value as readonly unknown[]).map((one) => literal(one, indent + 2))
    : Object.entries(value).map(([name, one]) => `${propertyName(name)}: ${literal(one, indent + 2)}`);
  const [open, close] = isList ? ['[', ']'] : ['{ ', ' }'];
  if (parts.length === 0) return isList ? '[]' : '{}';
  const line = `${open}${parts.join(', ')}${close}`;
  if (line.length + indent < WIDTH && !line.includes('\n')) return line;
  const space = ' '.repeat(indent + 2);
  const lines = parts.map((part) => `${space}${part},\n`).join('');
  return `${open.trim()}\n${lines}${' '.repeat(indent)}${close.trim()}`;
}

/**
 * What V2 lacks or does differently, one sentence each. Values read from V1 before the move exist only in the
 * bridge.
 */
export function lossWords(method: Method): readonly string[] {
  const absent = lossesOf(method).flatMap((loss) =>
    loss.loss === 'element' && loss.of === 'reply' ? [loss] : [],
  );
  const elements = Array.from(
    Map.groupBy(absent, ({ why }) => why),
    ([why, all]) =>
      `${all.map(({ element }) => element).join(', ')} ${all.length === 1 ? 'is' : 'are'} not in the reply${why === undefined ? '' : `: ${why}`}`,
  );
  const others = lossesOf(method).flatMap((loss) => {
    if (loss.loss === 'default') return [`${loss.place} is ${loss.value} if the request does not set it`];
    return loss.loss === 'element' ? [] : [loss.text];
  });
  return [...elements, ...others].map((text) => `${oneLine(text).replace(/\.$/, '')}.`);
}
