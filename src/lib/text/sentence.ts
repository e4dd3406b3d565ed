/**
 * Makes the words of an error a sentence for a page: with a capital letter and a full stop. The command line prints the
 * same words after `error:`. A name from code or settings (`client.get`, `tag-1`, `accountKey`) keeps its first letter.
 */
export function sentenceOf(words: string): string {
  const first = /^[a-z]+(?=[ ,:;]|$)/.test(words) ? words.charAt(0).toUpperCase() : words.charAt(0);
  return `${first}${words.slice(1)}${/[.!?…]$/.test(words) ? '' : '.'}`;
}
