import type { XmlElement } from '../lib/xml/element.ts';
import type { ReplayCall } from '../proof/rehearsal/order.ts';

/**
 * The numbers of records that the played calls create. A record has one number in the recording and another
 * one here; later recorded calls use the first, and their replies here show the second.
 */
export class Renumbering {
  readonly #here = new Map<string, string>();
  readonly #recorded = new Map<string, string>();

  /** `recorded` and `here`: the replies to the call that created a record. */
  learn(recorded: XmlElement | undefined, here: XmlElement | undefined): void {
    const [before, now] = [createdNumber(recorded), createdNumber(here)];
    if (before === undefined || now === undefined || before === now) return;
    this.#here.set(before, now);
    this.#recorded.set(now, before);
  }

  /** Replaces recorded numbers in the call by those of the records here. */
  call(call: ReplayCall): ReplayCall {
    if (this.#here.size === 0) return call;
    return {
      ...call,
      segments: call.segments.map((one) => this.#here.get(one) ?? one),
      body: call.body && renumbered(call.body, this.#here),
    };
  }

  /** Replaces numbers in the reply by the recorded ones. */
  reply(root: XmlElement): XmlElement {
    return this.#recorded.size === 0 ? root : renumbered(root, this.#recorded);
  }
}

/** The number of the record that a reply shows or names; undefined if there is none. */
export function createdNumber(root: XmlElement | undefined): string | undefined {
  const idOf = (element: XmlElement | undefined): string | undefined => {
    const text = element?.children.find(({ name }) => name === 'ID')?.text.trim();
    return text === '' ? undefined : text;
  };
  return idOf(root) ?? root?.children.map(idOf).find((id) => id !== undefined);
}

/** Elements that name a record by its number. */
const NAMING = /ID$|^(?:Job|Task|Staff|Client)$/;

/** Copies the tree, with numbers replaced in elements that name records. */
function renumbered(element: XmlElement, numbers: ReadonlyMap<string, string>): XmlElement {
  const { name, text, children, attributes } = element;
  return {
    ...element,
    text: NAMING.test(name) ? (numbers.get(text.trim()) ?? text) : text,
    attributes: attributes.map(([key, value]) => [key, numbers.get(value) ?? value] as const),
    children: children.map((child) => renumbered(child, numbers)),
  };
}
