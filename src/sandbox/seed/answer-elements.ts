/** Lookups in the answers of V1. */
import type { XmlElement } from '../../lib/xml/element.ts';

/** Returns the child of that name. */
export const childOf = ({ children }: XmlElement, name: string): XmlElement | undefined =>
  children.find((child) => child.name === name);

/** Returns the children of the child of that name. */
export const childrenIn = (element: XmlElement, name: string): readonly XmlElement[] =>
  childOf(element, name)?.children ?? [];

/** Returns the text of the child; '' if there is none. */
export const textIn = (element: XmlElement | undefined, name: string): string =>
  (element && childOf(element, name)?.text.trim()) ?? '';

/** Returns the number that identifies an element; undefined if there is none or the number is text. */
export function numberIn(element: XmlElement | undefined): number | undefined {
  const number = Number(textIn(element, 'ID'));
  return number > 0 ? number : undefined;
}

/** The staff members assigned to a job or a task. */
export const membersOf = (element: XmlElement): readonly XmlElement[] =>
  childrenIn(element, 'Assigned').filter((member) => numberIn(member) !== undefined);

/** Client types have no number and are known by name. */
export const clientTypesOf = (client: XmlElement): readonly XmlElement[] =>
  client.children.filter((child) => child.name === 'Type' && textIn(child, 'Name') !== '');
