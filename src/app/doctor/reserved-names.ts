/** RFC 2606 and RFC 6761: they lead nowhere, and whoever configured one has copied an example. */
const reserved = /(^|\.)(example|test|invalid|localhost|example\.(com|net|org))$/i;

/** Whether a name belongs to nobody, as those of examples and demos do. */
export const isReservedName = (name: string): boolean => reserved.test(name);
