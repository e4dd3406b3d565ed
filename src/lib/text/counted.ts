/** `12,345`. */
export const grouped = (count: number): string => count.toLocaleString('en');

/** `1 call`, `2 calls`. */
export const counted = (count: number, thing: string): string =>
  `${grouped(count)} ${thing}${count === 1 ? '' : 's'}`;
