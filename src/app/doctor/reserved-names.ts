/** RFC 2606 and RFC 6761: these names lead nowhere, and a setting with one was copied from an example. */
const reserved = /(^|\.)(example|test|invalid|localhost|example\.(com|net|org))$/i;

/** Whether a name is reserved for examples and tests. */
export const isReservedName = (name: string): boolean => reserved.test(name);
