import { createHash } from 'node:crypto';
import type { DifferenceGroup } from './model.ts';

/** What is known about a difference from its signature. */
interface Signature {
  /** Keyed hashes of what differs: the same under each encryption key, separated by spaces. */
  readonly contents: readonly string[];
  /** Undefined if the content names the records, and in signatures of 1.0.0-rc.1. */
  readonly records: number | undefined;
}

const HASHES = /^[A-Za-z0-9_-]{16}(?: [A-Za-z0-9_-]{16})*$/;

/** The signature of a difference that so many records show. */
export const signatureOf = (content: string, records: number): string => `${content}~${records}`;

/** Reads a signature. */
export function readSignature(signature: string): Signature {
  const [, content = signature, records] = /^(.*)~(\d+)$/s.exec(signature) ?? [];
  // The reasons of reads that were not compared contain spaces, too.
  const contents = HASHES.test(content) ? content.split(' ') : [content];
  return { contents, records: records === undefined ? undefined : Number(records) };
}

/** Under how many encryption keys it is known; 0 if it is a reason, which needs no key. */
export function keysOf(signature: string): number {
  const { contents } = readSignature(signature);
  return HASHES.test(contents.join(' ')) ? contents.length : 0;
}

/** Whether the signature of an acceptance has all hashes of the same difference as it was found. */
export function hasHashesOf(accepted: string, found: string): boolean {
  const { contents } = readSignature(accepted);
  return readSignature(found).contents.every((one) => contents.includes(one));
}

/** The signature of an acceptance with the hashes of the same difference as it was found now, under other keys. */
export function withHashesOf(accepted: string, found: string): string {
  if (hasHashesOf(accepted, found)) return accepted;
  const [{ contents, records }, now] = [readSignature(accepted), readSignature(found)];
  const content = [...new Set([...now.contents, ...contents])].join(' ');
  return records === undefined ? content : signatureOf(content, records);
}

const MARK_LENGTH = 16;

/**
 * Stands for a difference as it is now, so that an acceptance can name the one that a person has seen. In hexadecimal
 * digits, because a command takes an argument that begins with `-` for an option.
 */
export const markOf = ({ key, signature }: Pick<DifferenceGroup, 'key' | 'signature'>): string =>
  createHash('sha256').update(`${key}\n${signature}`).digest('hex').slice(0, MARK_LENGTH);
