/** Decodes `%` escapes; undefined if they are not UTF-8. */
export function decoded(raw: string): string | undefined {
  try {
    return decodeURIComponent(raw);
  } catch {
    return undefined;
  }
}

/** A query string as people read it: `tag=north west` for `tag=north+west`. */
export const decodedQuery = (query: string): string => pairsIn(query).join('&');

/** The same as a list in a sentence. */
export const filterWords = (query: string): string => pairsIn(query).join(', ');

const pairsIn = (query: string): readonly string[] =>
  Array.from(new URLSearchParams(query), ([name, value]) => `${name}=${value}`);

/** An address with one slash at its beginning: with several, URL parsers take what follows for the host. */
export const withOneSlash = (address: string): string => address.replace(/^\/+/, '/');
