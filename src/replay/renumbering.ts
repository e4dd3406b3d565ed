import type { XmlElement } from '../lib/xml/element.ts';
import type { ReplayCall } from '../proof/rehearsal/order.ts';

/**
 * The numbers of records that the played calls create. A record has one number where the calls were recorded and another
 * one here; later calls name it by the first, and their replies show the second.
 */
export class Renumbering {
  readonly #here = new Map<string, string>();
  readonly #recorded = new Map<string, string>();

  /** `recorded` and `here`: the replies to the call that has made a record. */
  learn(recorded: XmlElement | undefined, here: XmlElement | undefined): void {
    const [before, now] = [createdNumber(recorded), createdNumber(here)];
    if (before === undefined || now === undefined || before === now) return;
    this.#here.set(before, now);
    this.#recorded.set(now, before);
  }

  /** The call with the numbers that records have here. */
  call(call: ReplayCall): ReplayCall {
    if (this.#here.size === 0) return call;
    return {
      ...call,
      segments: call.segments.map((one) => this.#here.get(one) ?? one),
      body: call.body && renumbered(call.body, this.#here),
    };
  }

  /** The reply with the numbers that records have where the calls were recorded. */
  reply(root: XmlElement): XmlElement {
    return this.#recorded.size === 0 ? root : renumbered(root, this.#recorded);
  }
}

/** The number of the record that a reply shows or names; undefined: it shows none. */
export function createdNumber(root: XmlElement | undefined): string | undefined {
  const idOf = (element: XmlElement | undefined): string | undefined => {
    const text = element?.children.find(({ name }) => name === 'ID')?.text.trim();
    return text === '' ? undefined : text;
  };
  return idOf(root) ?? root?.children.map(idOf).find((id) => id !== undefined);
}

/** Elements that name a record by its number. */
const NAMING = /ID$|^(?:Job|Task|Staff|Client)$/;

/** The same tree, with other numbers where it names records. */
function renumbered(element: XmlElement, numbers: ReadonlyMap<string, string>): XmlElement {
  const { name, text, children, attributes } = element;
  return {
    ...element,
    text: NAMING.test(name) ? (numbers.get(text.trim()) ?? text) : text,
    attributes: attributes.map(([key, value]) => [key, numbers.get(value) ?? value] as const),
    children: children.map((child) => renumbered(child, numbers)),
  };
}
