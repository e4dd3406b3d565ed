import { CHARSET, decodeBody } from '../../../lib/xml/bytes/decode.ts';
import { XmlFault, type XmlElement } from '../../../lib/xml/element.ts';
import { defaultLimits, documentLimits, readDocument } from '../../../lib/xml/read.ts';
import { Fault } from '../refusal.ts';

/** One element of a request. Names are compared in any case; unknown elements are ignored. */
export class Message {
  readonly #element: XmlElement;

  constructor(element: XmlElement) {
    this.#element = element;
  }

  isCalled(name: string): boolean {
    return same(this.#element.name, name);
  }

  /** Undefined if the element is absent, '' if it is empty. */
  text(name: string): string | undefined {
    return this.#find(name)?.text;
  }

  /** Undefined if the attribute is absent. */
  attribute(name: string): string | undefined {
    return this.#element.attributes.find(([given]) => same(given, name))?.[1];
  }

  child(name: string): Message | undefined {
    const element = this.#find(name);
    return element && new Message(element);
  }

  children(name: string): readonly Message[] {
    return this.#element.children
      .filter((child) => same(child.name, name))
      .map((child) => new Message(child));
  }

  #find(name: string): XmlElement | undefined {
    return this.#element.children.find((child) => same(child.name, name));
  }
}

/** Returns the root if it has this name; under another root, every required element is missing. */
export function ofRoot(message: Message | undefined, name: string): Message | undefined {
  return message?.isCalled(name) ? message : undefined;
}

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

/** Reads the bytes that legacy programs send; undefined for an empty body. Throws `Fault` 413 or 500. */
export function readMessage(
  bytes: Buffer,
  contentType: string | undefined,
  isDocument: boolean,
): Message | undefined {
  try {
    const text = decodeBody(bytes, CHARSET.exec(contentType ?? '')?.[1]);
    if (text.trim() === '') return undefined;
    return new Message(readDocument(text, isDocument ? documentLimits : defaultLimits));
  } catch (error) {
    if (!(error instanceof XmlFault)) throw error;
    if (error.reason === 'too-large') throw new Fault(413, 'The message is too large');
    throw new Fault(500, 'The message is not well-formed XML');
  }
}
