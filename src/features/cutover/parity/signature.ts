/** What is known about a difference from its signature. */
interface Signature {
  /** Keyed hashes of what differs: the same under each encryption key, separated by spaces. */
  readonly contents: readonly string[];
  /** Undefined if the content names the records, and in signatures of 1.0.0-rc.1. */
  readonly records: number | undefined;
}

const HASHES = /^[A-Za-z0-9_-]{16}(?: [A-Za-z0-9_-]{16})+$/;

/** The signature of a difference that so many records show. */
export const signatureOf = (content: string, records: number): string => `${content}~${records}`;

/** Reads a signature. */
export function readSignature(signature: string): Signature {
  const [, content = signature, records] = /^(.*)~(\d+)$/s.exec(signature) ?? [];
  // The reasons of reads that were not compared contain spaces, too.
  const contents = HASHES.test(content) ? content.split(' ') : [content];
  return { contents, records: records === undefined ? undefined : Number(records) };
}

/** The signature of an acceptance with the hashes of the same difference as it was found now, under other keys. */
export function withHashesOf(accepted: string, found: string): string {
  const [{ contents, records }, now] = [readSignature(accepted), readSignature(found)];
  if (now.contents.every((one) => contents.includes(one))) return accepted;
  const content = [...new Set([...now.contents, ...contents])].join(' ');
  return records === undefined ? content : signatureOf(content, records);
}
