import { XmlFault } from './element.ts';

const SPACE = /[ \t\r\n]*/y;

/**
 * Refuses a document type declaration, in any case, before anything is parsed: this dialect never needs one, and
 * entities, external files and entity bombs all come through it. Looks only at the text before the root.
 *
 * Throws `XmlFault` doctype.
 */
export function refuseDoctype(text: string): void {
  let at = 0;
  for (;;) {
    SPACE.lastIndex = at;
    SPACE.exec(text);
    at = SPACE.lastIndex;
    const end = text.startsWith('<!--', at)
      ? endOf(text, '-->', at + 4)
      : text.startsWith('<?', at)
        ? endOf(text, '?>', at + 2)
        : -1;
    if (end === -1) break;
    at = end;
  }
  if (/^<!doctype/i.test(text.slice(at, at + 9))) throw new XmlFault('doctype', placeOf(text, at));
}

/** The position after the end mark; -1 if there is none. */
function endOf(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at === -1 ? -1 : at + mark.length;
}

function placeOf(text: string, at: number): string {
  const lines = text.slice(0, at).split(/\r\n?|\n/);
  return ` at ${lines.length}:${lines.at(-1)?.length ?? 0}`;
}
