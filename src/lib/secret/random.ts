import { randomBytes, randomUUID } from 'node:crypto';
import { Secret } from './secret.ts';

/** The source of links, states and row ids. Tests pass in a predictable one. */
export interface RandomSource {
  /** 256 random bits, base64url: 43 characters. */
  secret(): Secret;
  /** An id for a row. */
  id(): string;
}

/** From the operating system's generator. */
export const systemRandom: RandomSource = {
  secret: () => new Secret(randomBytes(32).toString('base64url')),
  id: () => randomUUID(),
};

/** Whether a text returned by a browser has the form of `secret`. */
export const isOurs = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text);
