import type { Secret } from '../../lib/secret/secret.ts';

/** The key pair in the query of every legacy call. */
export interface Keys {
  readonly apiKey: Secret;
  readonly accountKey: Secret;
}
