import { randomBytes, randomUUID } from 'node:crypto';
import { Secret } from './secret.ts';

/** Where links, states and names of rows come from. Tests hand in one they can foresee. */
export interface RandomSource {
  /** 256 random bits, base64url: 43 characters. */
  secret(): Secret;
  /** A name for a row. */
  id(): string;
}

/** From the operating system's generator. */
export const systemRandom: RandomSource = {
  secret: () => new Secret(randomBytes(32).toString('base64url')),
  id: () => randomUUID(),
};

/** What `secret` gives, as it comes back from a browser. */
export const isOurs = (text: string): boolean => /^[A-Za-z0-9_-]{43}$/.test(text);
