/** What is known about a difference from its signature. */
interface Signature {
  /** A keyed hash of what differs. */
  readonly content: string;
  /** Undefined if the content names the records, and in signatures of 1.0.0-rc.1. */
  readonly records: number | undefined;
}

/** The signature of a difference that so many records show. */
export const signatureOf = (content: string, records: number): string => `${content}~${records}`;

/** Reads a signature. */
export function readSignature(signature: string): Signature {
  const [, content = signature, records] = /^(.*)~(\d+)$/s.exec(signature) ?? [];
  return { content, records: records === undefined ? undefined : Number(records) };
}
