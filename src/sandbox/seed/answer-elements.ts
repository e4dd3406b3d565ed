/** What is looked up in an answer of V1 again and again. */
import type { XmlElement } from '../../lib/xml/element.ts';

/** The child of that name. */
export const childOf = ({ children }: XmlElement, name: string): XmlElement | undefined =>
  children.find((child) => child.name === name);

/** The children of the child of that name. */
export const childrenIn = (element: XmlElement, name: string): readonly XmlElement[] =>
  childOf(element, name)?.children ?? [];

/** The text of that child; '' if there is none. */
export const textIn = (element: XmlElement | undefined, name: string): string =>
  (element && childOf(element, name)?.text.trim()) ?? '';

/** The number that an element names itself by; undefined: none, or a number that is text. */
export function numberIn(element: XmlElement | undefined): number | undefined {
  const number = Number(textIn(element, 'ID'));
  return number > 0 ? number : undefined;
}

/** Members of staff that are assigned to a job or a task. */
export const membersOf = (element: XmlElement): readonly XmlElement[] =>
  childrenIn(element, 'Assigned').filter((member) => numberIn(member) !== undefined);

/** Client types have no number: they are known by name. */
export const clientTypesOf = (client: XmlElement): readonly XmlElement[] =>
  client.children.filter((child) => child.name === 'Type' && textIn(child, 'Name') !== '');
