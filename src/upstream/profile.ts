import { z } from 'zod';

/**
 * What differs between the authorisation servers and platforms met in the field; the specification leaves it
 * open ("not shown"). Built-in profiles are `mappings/profiles/*.yaml`. Every duration of the token protocol
 * is here, so that tests can scale it.
 */
const credentials = z.enum(['basic', 'body']);

export const profileSchema = z.strictObject({
  name: z.string(),
  paths: z.strictObject({
    /** Below `CAUSEWAY_AUTH_URL`. */
    authorize: z.string().startsWith('/'),
    token: z.string().startsWith('/'),
    revocation: z.string().startsWith('/'),
  }),
  exchangeCredentials: credentials,
  refreshCredentials: credentials,
  pkce: z.boolean(),
  /** `prompt` parameter of the authorisation request; empty: not sent. */
  prompt: z.string(),
  organisationHeader: z.string().regex(/^[a-z_-]+$/i),
  /** Where the organisation of a token is looked up, in this order. */
  organisationSources: z.array(z.enum(['claims', 'connections'])).min(1),
  /** Profile B reports organisations only in the token. */
  v3: z.strictObject({
    identifiers: z.enum(['uuid', 'number']),
    /** Records requested per page, by method; `default` for the others. */
    pageSizes: z.record(z.string(), z.int().positive()),
    /** Parameter and element names for paging. */
    pageParameter: z.string(),
    sizeParameter: z.string(),
    /** V3 serves the calls that V2 cannot serve completely. */
    standsInForV2: z.boolean().default(true),
  }),
  v2: z.strictObject({
    /** Records requested per page. */
    pageSize: z.int().positive(),
    pageParameter: z.string(),
    sizeParameter: z.string(),
    /** First path segments that mean the same collection, the documented spelling first. */
    spellings: z.array(z.array(z.string().regex(/^[\w-]+$/)).min(2)),
  }),
  /** How V1 took identifiers that can be read in two ways. */
  legacyIdentifiers: z
    .strictObject({
      /** `0012`: refused as unknown, or taken for 12. */
      zeroPadded: z.enum(['refuse', 'accept']),
      /** Twice in one element of a request: the request is refused, or one of them counts. */
      doubled: z.enum(['refuse', 'first', 'last']),
    })
    .default({ zeroPadded: 'refuse', doubled: 'refuse' }),
  writes: z
    .strictObject({
      /** 503 with `Retry-After` means that a write was not carried out. Only if the provider promises it. */
      retryAfterMeansNotDone: z.boolean(),
    })
    .default({ retryAfterMeansNotDone: false }),
  limits: z.strictObject({
    /** Requests per rolling minute for a pair of client id and account id (V2 specification, "Limits"). */
    perMinute: z.int().positive(),
    /** Requests in progress at once for the same pair; left out: any number. */
    concurrent: z.int().positive().optional(),
    /** The header, in lower case, that says how many of them are left; only `causeway verify` reads it. */
    remainingHeader: z.string().default('x-minlimit-remaining'),
  }),
  /** All in seconds. */
  durations: z.strictObject({
    access: z.number().positive(),
    refresh: z.number().positive(),
    grace: z.number().nonnegative(),
    /** A token this close to its expiry is refreshed before use. */
    refreshAhead: z.number().nonnegative(),
    lease: z.number().positive(),
    refreshTimeout: z.number().positive(),
    keepAlive: z.number().positive(),
    sweepEvery: z.number().positive(),
    upstreamTimeout: z.number().positive(),
    /** How long after it left the service may still handle, and count, an unanswered request. */
    latestHandling: z.number().nonnegative().default(300),
    consentAttempt: z.number().positive(),
    documentLink: z.number().positive(),
  }),
});

/** What differs between platforms of the service; all durations in seconds. */
export type Profile = z.infer<typeof profileSchema>;
