/**
 * A second opinion on a reply: fast-xml-parser reads it, too, independently of our own reader, and both trees
 * are compared. For samples from a trusted service, never on the path of a call.
 */
import { decodeBody } from '../bytes/decode.ts';
import type { XmlElement } from '../element.ts';
import { readDocument } from '../read.ts';
import { readTrusted } from './trusted.ts';

/**
 * Where the two readers understand a reply differently, as a place and a reason:
 * `Response/Clients/Client[1]/Name: text`. Never a value, which may be a customer's. Undefined: they agree.
 */
export function disagreement(reply: Buffer): string | undefined {
  const [own, second] = [attempt(readDocument, reply), attempt(readTrusted, reply)];
  if (own === undefined && second === undefined) return undefined;
  if (own === undefined) return 'the whole reply: only the second reader can read it';
  if (second === undefined) return 'the whole reply: the second reader cannot read it';
  return difference(own, second, own.name);
}

function attempt(read: (text: string) => XmlElement, reply: Buffer): XmlElement | undefined {
  try {
    return read(decodeBody(reply));
  } catch {
    return undefined; // that one reader refuses it is what is asked
  }
}

function difference(own: XmlElement, second: XmlElement, place: string): string | undefined {
  if (own.name !== second.name) return `${place}: name`;
  if (own.text !== second.text) return `${place}: text`;
  if (!isEqual(own.attributes, second.attributes)) return `${place}: attributes`;
  if (own.children.length !== second.children.length) return `${place}: number of elements`;
  for (const [at, child] of own.children.entries()) {
    const other = second.children[at];
    const found = other && difference(child, other, `${place}/${child.name}${placeAmong(own.children, at)}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

const isEqual = (one: XmlElement['attributes'], other: XmlElement['attributes']): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** `[2]` if several have the name. */
function placeAmong(children: readonly XmlElement[], at: number): string {
  const name = children[at]?.name;
  const alike = children.filter((child) => child.name === name);
  const before = children.slice(0, at).filter((child) => child.name === name);
  return alike.length === 1 ? '' : `[${before.length + 1}]`;
}
