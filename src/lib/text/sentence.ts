/**
 * Words of an error as a sentence for a page: with a capital letter and a full stop. The command line prints the same
 * words behind `error:`. A name of code or of a setting (`client.get`, `tag-1`, `accountKey`) keeps its first letter.
 */
export function sentenceOf(words: string): string {
  const first = /^[a-z]+(?=[ ,:;]|$)/.test(words) ? words.charAt(0).toUpperCase() : words.charAt(0);
  return `${first}${words.slice(1)}${/[.!?…]$/.test(words) ? '' : '.'}`;
}
