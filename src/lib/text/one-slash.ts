/** An address with one slash at its beginning: with several, URL parsers take what follows for the host. */
export const withOneSlash = (address: string): string => address.replace(/^\/+/, '/');
