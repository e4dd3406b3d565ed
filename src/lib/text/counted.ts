/** `12,345`. */
export const grouped = (count: number): string => count.toLocaleString('en');

/** `1 call`, `2 calls`, `2 replies`. */
export const counted = (count: number, thing: string): string =>
  `${grouped(count)} ${count === 1 ? thing : pluralOf(thing)}`;

const pluralOf = (thing: string): string =>
  /[^aeiou]y$/.test(thing) ? `${thing.slice(0, -1)}ies` : `${thing}s`;
