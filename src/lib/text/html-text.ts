import { plainText } from './plain-text.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text, for content and for quoted attributes. */
export const inHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');

/** The same for text from outside. Control and direction characters become visible. */
export const escaped = (text: string): string => inHtml(plainText(text));

/** A name chosen by a user, isolated so that its direction cannot affect the text around it. */
export const named = (text: string): string => `<bdi>${escaped(text)}</bdi>`;
