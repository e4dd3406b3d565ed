/**
 * A second opinion on a reply: fast-xml-parser reads it as well, independently of the bridge's own reader, and both
 * trees are compared. For samples from a trusted service, never on the path of a call.
 */
import { decodeBody } from '../bytes/decode.ts';
import type { XmlElement } from '../element.ts';
import { listLimits } from '../limits.ts';
import { readDocument } from '../read.ts';
import { readTrusted } from './trusted.ts';

/**
 * A difference between the two readings of a reply, as a place and a reason: `Response/Clients/Client[1]/Name: text`.
 * Never a value, which may be a customer's. Undefined: they agree.
 */
export function disagreement(reply: Buffer): string | undefined {
  // Reads lists up to the length that a comparison reads.
  const readOwn = (text: string): XmlElement => readDocument(text, listLimits);
  const [own, second] = [attempt(readOwn, reply), attempt(readTrusted, reply)];
  if (own === undefined && second === undefined) return undefined;
  if (own === undefined) return 'the whole reply: only the second reader can read it';
  if (second === undefined) return 'the whole reply: the second reader cannot read it';
  const found = difference(own, second);
  return found === undefined ? undefined : own.name + found;
}

function attempt(read: (text: string) => XmlElement, reply: Buffer): XmlElement | undefined {
  try {
    return read(decodeBody(reply));
  } catch {
    return undefined; // only one reader refuses it: that is the finding
  }
}

/** A place below `own` and the reason. */
function difference(own: XmlElement, second: XmlElement): string | undefined {
  if (own.name !== second.name) return ': name';
  if (own.text !== second.text) return ': text';
  if (!isEqual(own.attributes, second.attributes)) return ': attributes';
  if (own.children.length !== second.children.length) return ': number of elements';
  for (const [at, child] of own.children.entries()) {
    const other = second.children[at];
    const found = other && difference(child, other);
    // The place is determined only once: a list can have many thousands of records.
    if (found !== undefined) return `/${child.name}${placeAmong(own.children, at)}${found}`;
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
