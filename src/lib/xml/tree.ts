import type { XmlElement, XmlLimits } from './element.ts';
import { Refusal } from './refusal.ts';

type Attributes = XmlElement['attributes'];

interface Draft {
  readonly name: string;
  readonly attributes: Attributes;
  readonly children: XmlElement[];
  text: string;
  readonly selfClosing: boolean;
  /** The texts beside the children, by the number of children before each. */
  texts: string[] | undefined;
  blanks: string[] | undefined;
}

/** The limit on the text of one tree, as a multiple of the limit of one element: records have several long notes. */
const TEXTS_PER_TREE = 16;

/** Builds one element with its content from the parser's events, and stops at the limits. */
export class Tree {
  readonly #limits: XmlLimits;
  readonly #open: Draft[] = [];
  #elements = 0;
  #characters = 0;

  constructor(limits: XmlLimits) {
    this.#limits = limits;
  }

  /** Elements begun and not yet ended. */
  get depth(): number {
    return this.#open.length;
  }

  /** Whether the outermost element has text beside its children so far. */
  get isMixed(): boolean {
    return this.#open[0]?.texts?.some(isSet) === true;
  }

  /** Throws `Refusal` too-large. */
  open(name: string, attributes: Attributes, selfClosing: boolean): void {
    this.#elements += 1;
    if (this.#elements > this.#limits.elements || this.#open.length >= this.#limits.depth) {
      throw new Refusal('too-large');
    }
    for (const [, value] of attributes) this.#count(value.length);
    const draft: Draft = {
      name,
      attributes,
      children: [],
      text: '',
      selfClosing,
      texts: undefined,
      blanks: undefined,
    };
    const parent = this.#open.at(-1);
    if (parent !== undefined) {
      if (parent.text !== '') parent.texts = [parent.text];
      parent.text = '';
      parent.children.push(draft);
    }
    this.#open.push(draft);
  }

  /** Throws `Refusal` too-large. */
  text(text: string): void {
    const draft = this.#open.at(-1);
    if (draft === undefined) return;
    const { texts, children } = draft;
    const before = children.length === 0 ? draft.text : (texts?.[children.length] ?? '');
    if (before.length + text.length > this.#limits.textLength) throw new Refusal('too-large');
    this.#count(text.length);
    if (children.length === 0) draft.text += text;
    else (draft.texts ??= [])[children.length] = before + text;
  }

  /** Ends the innermost element; returns the tree if that was the outermost one, and is then empty again. */
  close(): XmlElement | undefined {
    const draft = this.#open.pop();
    if (draft?.texts !== undefined) settleTexts(draft, draft.texts);
    if (draft === undefined || this.#open.length > 0) return undefined;
    this.#elements = 0;
    this.#characters = 0;
    return draft;
  }

  /**
   * Removes the outermost element and keeps its only child as the new outermost: the element turned out to be
   * the container of records.
   */
  peel(): void {
    this.#open.shift();
    this.#elements -= 1;
  }

  #count(characters: number): void {
    this.#characters += characters;
    if (this.#characters > this.#limits.textLength * TEXTS_PER_TREE) throw new Refusal('too-large');
  }
}

const isSet = (text: string): boolean => text.trim() !== '';

function settleTexts(draft: Draft, texts: string[]): void {
  const isText = texts.some(isSet);
  draft.texts = isText
    ? Array.from({ length: draft.children.length + 1 }, (_, place) => texts[place] ?? '')
    : undefined;
  draft.blanks = isText ? undefined : texts;
}
