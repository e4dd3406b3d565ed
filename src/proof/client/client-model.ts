import type { Method, Mapping } from '../../mapping/compile/model.ts';
import type { Profile } from '../../upstream/profile.ts';
import type { ApiVersion } from '../../mapping/routes/routes.ts';
import type { GoldenFile } from '../rehearsal/order.ts';

/** Languages for which a client can be generated. */
export const clientLanguages = ['typescript', 'php'] as const;
/** One of the languages. */
export type ClientLanguage = (typeof clientLanguages)[number];

/** A method and its use by the account's programs. */
export interface ClientMethod {
  readonly method: Method;
  /** Undefined in a client for all methods, which belongs to no account. */
  readonly calls: number | undefined;
  /** Losses of its programs on V2, in words. */
  readonly missed: readonly string[];
}

/** The input for generating a client. */
export interface ClientPlan {
  readonly methods: readonly ClientMethod[];
  readonly mapping: Mapping;
  readonly profile: Profile;
  /** The interface for methods without an explicit route. */
  readonly route: ApiVersion;
  /** The recorded calls as masked golden files, without the seed. */
  readonly cases: readonly GoldenFile[];
  /** When the first of these calls was made, in milliseconds since the epoch. */
  readonly begins: number;
}
