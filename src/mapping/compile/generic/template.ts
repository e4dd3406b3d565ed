import { parsePath, tablesIn, type Path } from '../path.ts';

/**
 * A text with placeholders for parts of the call, as the paths and queries of V2 calls are written:
 * `/v2/clients/{client}`, `{query.modifiedsince|day}`.
 *
 * | written | meaning |
 * |---|---|
 * | `{client}`, `{number}` | a placeholder of the legacy path, identifiers translated |
 * | `{query.from}` | a parameter of the legacy call |
 * | `{body.ID}` | an element of the legacy request, identifiers translated |
 * | `{item.…}` | the current entry of a step with `each` |
 * | `{found.uuid}` | the answer of the step named `found` |
 * | `{default.priority}` | a default of `v2.yaml` |
 * | `{today}`, `{today+30}` | a date |
 * | `{yesterday}` | a day that has begun everywhere |
 * | `{first.jobStatuses.uuid}`, `{first.jobStatuses[type=planned].uuid}` | from the first entry of a look-up table, or the first that matches |
 *
 * After `|` comes the name of the format in which the value is written.
 */
export interface Placeholder {
  readonly root: string;
  readonly path: Path;
  readonly format: string | undefined;
  readonly text: string;
}

/** Literal text and placeholders, in order. */
export type Template = readonly (string | Placeholder)[];

/** Returns undefined if a placeholder cannot be parsed. */
export function parseTemplate(text: string): Template | undefined {
  const parts: (string | Placeholder)[] = [];
  for (const piece of text.split(/(\{[^{}]*\})/)) {
    if (piece === '') continue;
    if (!piece.startsWith('{')) {
      if (/[{}]/.test(piece)) return undefined;
      parts.push(piece);
      continue;
    }
    const placeholder = placeholderOf(piece.slice(1, -1));
    if (placeholder === undefined) return undefined;
    parts.push(placeholder);
  }
  return parts;
}

function placeholderOf(text: string): Placeholder | undefined {
  const [way = '', format, ...rest] = text.split('|');
  const match = /^([a-zA-Z][a-zA-Z0-9+]*)(?:\.(.+))?$/.exec(way);
  if (match === null || rest.length > 0) return undefined;
  const path = match[2] === undefined ? [] : parsePath(match[2]);
  return path && { root: match[1] ?? '', path, format, text };
}

/** The placeholders of a template, without the text between them. */
export const placeholdersIn = (template: Template): readonly Placeholder[] =>
  template.filter((part) => typeof part !== 'string');

/** Whether the template reads from a look-up table. */
export const looksUp = (template: Template): boolean =>
  placeholdersIn(template).some(({ root, path }) => root === 'first' || tablesIn(path).length > 0);
