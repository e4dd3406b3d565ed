import { z } from 'zod';

/**
 * What differs between the identity providers and platforms the service is met on; the specification leaves it open
 * ("not shown"). Built-in profiles are `mappings/profiles/*.yaml`; every duration of the token protocol is here so
 * that tests can scale it.
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
  /** Profile B reports organisations in the token only. */
  v3: z.strictObject({
    identifiers: z.enum(['uuid', 'number']),
    /** Records asked for per page, by mapped method; `default` for the rest. */
    pageSizes: z.record(z.string(), z.int().positive()),
    /** Parameter and element names of paging. */
    pageParameter: z.string(),
    sizeParameter: z.string(),
    /** V3 serves the calls that V2 cannot serve whole. */
    standsInForV2: z.boolean().default(true),
  }),
  v2: z.strictObject({
    /** Records asked for per page. */
    pageSize: z.int().positive(),
    pageParameter: z.string(),
    sizeParameter: z.string(),
    /** First path segments that mean the same collection, the documented spelling first. */
    spellings: z.array(z.array(z.string().regex(/^[\w-]+$/)).min(2)),
  }),
  writes: z
    .strictObject({
      /** 503 with `Retry-After` says of a write that it was not carried out. Not unless the provider promises it. */
      retryAfterMeansNotDone: z.boolean(),
    })
    .default({ retryAfterMeansNotDone: false }),
  limits: z.strictObject({
    /** Requests per rolling minute for a pair of client id and account id (000_ef2b8fc3580d6af3.txt, Limits). */
    perMinute: z.int().positive(),
  }),
  /** All in seconds. */
  durations: z.strictObject({
    access: z.number().positive(),
    refresh: z.number().positive(),
    grace: z.number().nonnegative(),
    /** A token this close to its expiry is renewed before use. */
    refreshAhead: z.number().nonnegative(),
    lease: z.number().positive(),
    refreshTimeout: z.number().positive(),
    keepAlive: z.number().positive(),
    sweepEvery: z.number().positive(),
    upstreamTimeout: z.number().positive(),
    /** For so long after it left a request that nobody answered may still be handled, and counted, by the service. */
    latestHandling: z.number().nonnegative().default(300),
    consentAttempt: z.number().positive(),
    documentLink: z.number().positive(),
  }),
});

/** What differs between platforms of the service; all durations in seconds. */
export type Profile = z.infer<typeof profileSchema>;
