import { plainText } from './plain-text.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For text and for attributes in quotes. */
export const inHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');

/** The same of foreign words. Control and direction characters are shown as such. */
export const escaped = (text: string): string => inHtml(plainText(text));

/** A name of somebody's choosing: whatever direction it takes, it cannot turn what stands around it. */
export const named = (text: string): string => `<bdi>${escaped(text)}</bdi>`;
