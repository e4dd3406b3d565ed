import { plainText } from './plain-text.ts';

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** For text and for attributes in quotes. Control characters have no place in a page. */
export const escaped = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '').replaceAll(/\p{Cc}/gu, '\ufffd');

/** A name of somebody's choosing: whatever direction it takes, it cannot turn what stands around it, nor itself. */
export const named = (text: string): string => `<bdi>${escaped(plainText(text))}</bdi>`;
