import { type SaxesOptions, SaxesParser } from 'saxes';
import { type XmlElement, XmlFault, type XmlLimits } from './element.ts';
import { Refusal } from './refusal.ts';

/** The events of the parser. Throwing a `Refusal` stops it. */
export interface ParserEvents {
  open(name: string, attributes: XmlElement['attributes'], selfClosing: boolean): void;
  text(text: string): void;
  close(): void;
}

/** A document declaring `1.1` is read by the rules of 1.0, as XML 1.0 (fifth edition) requires, not by looser ones. */
const options = {
  xmlns: false,
  defaultXMLVersion: '1.0',
  forceXMLVersion: true,
} as const satisfies SaxesOptions;

const NO_ATTRIBUTES: XmlElement['attributes'] = [];

/** A character of text may be written as a reference (`&#8217;`), so a piece may be longer than its text. */
const LONGEST_REFERENCE = 8;

const BYTE_ORDER_MARK = 0xfeff;

/**
 * saxes with stricter rules: the first error ends it, document types are refused, and names, attributes and the length
 * of any single piece (a tag, a text, the space in between) are limited. Every fault is an `XmlFault` with the position
 * and no input.
 */
export class Parser {
  readonly #saxes = new SaxesParser<typeof options>(options);
  readonly #limits: XmlLimits;
  readonly #events: ParserEvents;
  #attributes: (readonly [string, string])[] = [];
  #started = false;
  #depth = 0;
  /** Characters passed in since the last event: a lower bound for the length of the unfinished piece. */
  #pending = 0;

  constructor(limits: XmlLimits, events: ParserEvents) {
    this.#limits = limits;
    this.#events = events;
    this.#listen();
  }

  /** Elements begun and not yet ended. */
  get depth(): number {
    return this.#depth;
  }

  /** Throws `XmlFault`. */
  write(text: string): void {
    if (text.length === 0) return;
    // saxes would skip it; the decoder has already removed the mark, so this is a character.
    if (!this.#started && text.charCodeAt(0) === BYTE_ORDER_MARK) throw this.#fault('malformed');
    this.#started = true;
    this.#pending += text.length;
    try {
      this.#saxes.write(text);
    } catch (error) {
      throw this.#faultOf(error);
    }
    if (this.#pending > this.#limits.textLength * LONGEST_REFERENCE) throw this.#fault('too-large');
  }

  /** The input has ended. Throws `XmlFault` if the document is not complete. */
  end(): void {
    try {
      this.#saxes.close();
    } catch (error) {
      throw this.#faultOf(error);
    }
  }

  /**
   * Exactly seven handlers: saxes stores each as a new property, and from eight on V8 treats the parser as a dictionary
   * and it is six times slower. Without an error handler saxes throws errors, as intended.
   */
  #listen(): void {
    const saxes = this.#saxes;
    const text = (characters: string): void => {
      this.#pending = 0;
      this.#events.text(characters);
    };
    saxes.on('doctype', () => {
      throw new Refusal('doctype');
    });
    saxes.on('processinginstruction', ({ body }) => {
      this.#pending = 0;
      // saxes reads `<?a?b?>` as `<?a ?b?>`; the first is not well-formed, and the second does not occur.
      if (body.startsWith('?')) throw new Refusal('malformed');
    });
    saxes.on('attribute', ({ name, value }) => {
      this.#pending = 0;
      this.#attribute(name, value);
    });
    saxes.on('opentag', (tag) => {
      this.#pending = 0;
      this.#depth += 1;
      this.#checkName(tag.name);
      this.#events.open(tag.name, this.#takeAttributes(), tag.isSelfClosing);
    });
    saxes.on('text', text);
    saxes.on('cdata', text);
    saxes.on('closetag', () => {
      this.#pending = 0;
      this.#depth -= 1;
      this.#events.close();
    });
  }

  #attribute(name: string, value: string): void {
    this.#checkName(name);
    if (this.#attributes.length >= this.#limits.attributes || value.length > this.#limits.textLength) {
      throw new Refusal('too-large');
    }
    this.#attributes.push([name, value]);
  }

  #takeAttributes(): XmlElement['attributes'] {
    if (this.#attributes.length === 0) return NO_ATTRIBUTES;
    const attributes = this.#attributes;
    this.#attributes = [];
    return attributes;
  }

  #checkName(name: string): void {
    if (name.length > this.#limits.nameLength) throw new Refusal('too-large');
  }

  /** Every error of the parser or the reader becomes a fault with its position. */
  #faultOf(error: unknown): XmlFault {
    return this.#fault(error instanceof Refusal ? error.reason : 'malformed');
  }

  #fault(reason: XmlFault['reason']): XmlFault {
    return new XmlFault(reason, ` at ${this.#saxes.line}:${this.#saxes.column}`);
  }
}
