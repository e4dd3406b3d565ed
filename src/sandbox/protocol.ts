import { z } from 'zod';

/**
 * How the authorisation server behaves. Two providers of different style exist in the field for the same service and the
 * specification mixes both (V2 specification, "Authentication"), so every difference is a switch. Every duration is one
 * too, so that tests can scale it. Durations in seconds.
 */
const durations = z.strictObject({
  /** V2 specification, "Tokens": access_token 30 minutes. */
  access: z.number().positive(),
  /** V2 specification, "Tokens": refresh_token 60 days, restarted by every refresh. */
  refresh: z.number().positive(),
  /** V2 specification, "Tokens", rule 5: from the first use, without extension. 0: the old token is invalid at once. */
  grace: z.number().nonnegative(),
  code: z.number().positive(),
});

const limits = z.strictObject({
  /**
   * V2 specification, "Limits": 60 requests per rolling minute for each pair of Client ID and Account ID. null: no
   * limit.
   */
  perMinute: z.int().positive().nullable(),
  windowSeconds: z.number().positive(),
  concurrent: z.int().positive().nullable(),
  perDay: z.int().positive().nullable(),
});

/** The JSON API V2: what the specification leaves open, and what differs in the field. */
const v2 = z.strictObject({
  /** `bare`: lists as `{data, total}`, single records without an envelope. */
  envelope: z.enum(['spec', 'bare']),
  pageDefault: z.int().positive(),
  /** Limit of `pagesize`; a larger value is lowered to it. */
  pageMax: z.int().positive(),
  /** `off`: answers only the first spelling of each path. */
  aliases: z.enum(['on', 'off']),
});

export const protocolSchema = z.strictObject({
  /**
   * What presenting a token again within the grace period returns: another valid successor until one is used,
   * the same pair byte for byte, or a new pair that invalidates the earlier ones. The specification does not
   * say which applies.
   */
  successor: z.enum(['sibling', 'same', 'latest']),
  /**
   * A superseded token whose successor was never used, after the grace period: refused, or the whole family
   * revoked.
   */
  lateReuse: z.enum(['refuses', 'revokes']),
  /** Where the token endpoint accepts the client's credentials. */
  credentials: z.enum(['any', 'basic', 'body']),
  /** `org_ids` and `org_id` in the access token. */
  organisationClaims: z.enum(['present', 'absent']),
  /** `all-ever`: every organisation the user ever connected to the application, as in real answers. */
  connections: z.enum(['all-ever', 'granted', 'off']),
  /** Names of the header that selects the organisation on V3 and V2; any of them counts. */
  organisationHeaders: z.array(z.string().regex(/^[a-z0-9_-]+$/)).min(1),
  scopes: z.strictObject({
    service: z.string().regex(/^[\w.:-]+$/),
    practice: z.string().regex(/^[\w.:-]+$/),
  }),
  /** `required`: an organisation with the practice management module accepts only the practice scope. */
  practiceScope: z.enum(['optional', 'required']),
  durations,
  limits,
  v2,
});

export type Protocol = z.infer<typeof protocolSchema>;

/** The changes that `POST /_sandbox/settings` accepts: any part; a `profile` is applied first. */
export const protocolChangeSchema = z.strictObject({
  ...protocolSchema.partial().shape,
  profile: z.enum(['spec', 'a', 'b']).optional(),
  scopes: protocolSchema.shape.scopes.partial().optional(),
  durations: durations.partial().optional(),
  limits: limits.partial().optional(),
  v2: v2.partial().optional(),
});

export type ProtocolChange = z.infer<typeof protocolChangeSchema>;

const specification: Protocol = {
  successor: 'same',
  lateReuse: 'refuses',
  credentials: 'any',
  organisationClaims: 'present',
  connections: 'all-ever',
  organisationHeaders: ['account-id', 'account_id', 'tenant-id'],
  scopes: { service: 'service', practice: 'practice' },
  practiceScope: 'required',
  durations: { access: 1_800, refresh: 60 * 86_400, grace: 1_800, code: 600 },
  limits: { perMinute: 60, windowSeconds: 60, concurrent: null, perDay: null },
  v2: { envelope: 'spec', pageDefault: 100, pageMax: 1_000, aliases: 'on' },
};

/**
 * `spec`: as the specification describes it; `a`: connections style; `b`: claims style, without grace period.
 */
export const profiles: Readonly<Record<'spec' | 'a' | 'b', Protocol>> = {
  spec: specification,
  a: { ...specification, organisationClaims: 'absent', organisationHeaders: ['tenant-id'] },
  b: {
    ...specification,
    lateReuse: 'revokes',
    credentials: 'body',
    connections: 'off',
    organisationHeaders: ['account_id', 'account-id'],
    durations: { ...specification.durations, grace: 0 },
    v2: { ...specification.v2, envelope: 'bare' },
  },
};

/** Returns the protocol after a change: the named profile first, then the other values of the change. */
export function changeProtocol(present: Protocol, change: ProtocolChange): Protocol {
  const { profile, ...parts } = change;
  const base = profile === undefined ? present : profiles[profile];
  return protocolSchema.parse({
    ...base,
    ...withoutUndefined(parts),
    scopes: { ...base.scopes, ...withoutUndefined(parts.scopes ?? {}) },
    durations: { ...base.durations, ...withoutUndefined(parts.durations ?? {}) },
    limits: { ...base.limits, ...withoutUndefined(parts.limits ?? {}) },
    v2: { ...base.v2, ...withoutUndefined(parts.v2 ?? {}) },
  });
}

function withoutUndefined(parts: object): object {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined));
}
