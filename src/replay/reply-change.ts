/** How a played reply differs from that of a golden file: in what surrounds the document, in its content, or in its form. */
import type { XmlElement } from '../lib/xml/element.ts';
import type { Method } from '../mapping/compile/model.ts';
import type { GoldenReply } from './golden.ts';
import { contentDifferences, type Played } from './judging.ts';

/**
 * How the reply differs from the file's; undefined if it does not. Declared losses are compared too, as on
 * V3: a loss is either in the file already or new, and both count.
 */
export function replyChange(
  method: Method,
  expected: GoldenReply,
  reply: GoldenReply,
  played: Played,
): string | undefined {
  for (const part of ['status', 'contentType'] as const)
    if (reply[part] !== expected[part])
      return `${PARTS[part]} ${quoted(String(expected[part]))} is ${quoted(String(reply[part]))}`;
  if (expected.root === undefined || reply.root === undefined)
    return expected.root === reply.root ? undefined : 'the reply cannot be read';
  return contentChange(method, expected.root, reply.root, played) ?? formChange(expected.text, reply.text);
}

const PARTS = { status: 'the HTTP status', contentType: 'the content type' } as const;

/** A change of what surrounds the values: declaration, `api-method`, white space, the form of empty elements. */
function formChange(expected: string, text: string): string | undefined {
  const [before, now] = [formOf(expected), formOf(text)];
  const at = before.findIndex((part, index) => part !== now[index]);
  if (at < 0 && before.length === now.length) return undefined;
  const place = at < 0 ? before.length : at;
  return `the form of the reply: ${quoted(before[place] ?? '')} is ${quoted(now[place] ?? '')}`;
}

/** The tags and the white space between them, without values; attributes of records have values too. */
const formOf = (text: string): readonly string[] =>
  (text.match(/<[^>]*>|[^<]+/g) ?? []).map((part) => {
    if (part.startsWith('<'))
      return /^<(?:\?|Response\b)/.test(part) ? part : part.replaceAll(/="[^"]*"/g, '=""');
    return /^\s+$/.test(part) ? part : 'text';
  });

function contentChange(
  method: Method,
  expected: XmlElement,
  root: XmlElement,
  played: Played,
): string | undefined {
  const differences = contentDifferences(method, 'v3', expected, root, played);
  const [first] = differences;
  if (first === undefined) return undefined;
  const { cause, path, before, after } = first;
  const more = differences.length > 1 ? `, and ${differences.length - 1} more` : '';
  const values = before === '' && after === '' ? '' : `: ${quoted(before)} is ${quoted(after)}`;
  return `${cause} at ${path}${values}${more}`;
}

/** Longest value in a report, in characters. */
const LONGEST = 80;
/** A value in a report, shortened. */
export const quoted = (text: string): string =>
  JSON.stringify(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text);
