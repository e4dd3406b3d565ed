import type { Method, Mapping } from '../../mapping/compile/model.ts';
import type { Profile } from '../../upstream/profile.ts';
import type { ApiVersion } from '../../mapping/routes/routes.ts';
import type { GoldenFile } from '../rehearsal/order.ts';

/** Languages in which a client can be written. */
export const clientLanguages = ['typescript', 'php'] as const;
/** One of them. */
export type ClientLanguage = (typeof clientLanguages)[number];

/** A method, and what the account's programs do with it. */
export interface ClientMethod {
  readonly method: Method;
  /** Undefined: a client for all methods, of no account. */
  readonly calls: number | undefined;
  /** What its programs would miss on V2, for people. */
  readonly missed: readonly string[];
}

/** What a client is written from. */
export interface ClientPlan {
  readonly methods: readonly ClientMethod[];
  readonly mapping: Mapping;
  readonly profile: Profile;
  /** For methods of which the program says nothing. */
  readonly route: ApiVersion;
  /** Its recorded calls as golden files, masked: the files of the methods, without the seed. */
  readonly cases: readonly GoldenFile[];
  /** When the first of them was made, in milliseconds since the epoch. */
  readonly begins: number;
}
