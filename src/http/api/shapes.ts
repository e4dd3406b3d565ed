import { z } from 'zod';
import { stageNames, type Account } from '../../features/accounts/account.ts';
import { iso, moment } from '../../lib/time/iso.ts';
import { products } from '../../upstream/organisation.ts';
import { checkNames } from '../../features/cutover/checks.ts';
import type { Canary } from '../../features/canary/canary.ts';
import { apiVersions, type RouteOverride } from '../../mapping/routes/routes.ts';

/** Shared shapes of the API's JSON: times are in UTC, missing values are null. */

/** A number of things. */
export const count = z.int().nonnegative();

/** A field that is always present and may be null. */
export const perhaps = <Schema extends z.ZodType>(schema: Schema) => schema.nullable();

/** Like `iso`; null if there is no time. */
export const isoOrNull = (at: number | undefined): string | null => (at === undefined ? null : iso(at));

/** JSON has no undefined: a missing value is null. */
export const orNull = <Value>(value: Value | undefined): Value | null => value ?? null;

/** An account as every operation shows it, never with its keys. */
export const accountSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  product: z.enum(products),
  application: z.string().describe('Name of the OAuth application by which it is connected'),
  origin: z.enum(['added', 'discovered', 'issued']),
  stage: z.enum(stageNames),
  since: moment.describe('When the current stage began'),
  createdAt: moment,
  lastCallAt: perhaps(moment),
  organisation: perhaps(z.strictObject({ id: z.string(), name: z.string() })),
});

/** An account in that form. */
export const accountOf = (account: Account): z.infer<typeof accountSchema> => ({
  id: account.id,
  name: account.name,
  product: account.product,
  application: account.application,
  origin: account.origin,
  stage: account.life.stage,
  since: iso(account.stageSince),
  createdAt: iso(account.createdAt),
  lastCallAt: isoOrNull(account.lastCallAt),
  organisation: 'binding' in account.life ? account.life.binding.organisation : null,
});

/** An operator's choice of route. */
export const routeSchema = z.strictObject({
  method: z.string(),
  account: z.string().describe('Id of an account, or all'),
  route: z.enum(apiVersions),
  at: moment,
  by: z.string(),
});

/** A choice of route in that form. */
export const routeOf = ({ actor, at, ...route }: RouteOverride): z.infer<typeof routeSchema> => ({
  ...route,
  at: iso(at),
  by: actor,
});

/** A route tried now or earlier on one account, as the API returns it. */
export const canarySchema = z.strictObject({
  account: z.string().describe('Id of the account'),
  methods: z.array(z.string()),
  route: z.enum(apiVersions),
  begunAt: moment,
  until: moment.describe('When it is to end, or has ended'),
  calls: count,
  failed: count,
  lost: count.describe('Calls that lost part of their data'),
  state: z
    .enum(['running', 'kept', 'returned', 'ended'])
    .describe(
      'returned: the account has its former routes again; ended: an operator has set its routes again',
    ),
  reason: z.string().nullable(),
});

/** A trial in that form. */
export const canaryOf = (canary: Canary): z.infer<typeof canarySchema> => ({
  account: canary.accountId,
  methods: [...canary.methods],
  route: canary.route,
  begunAt: iso(canary.begunAt),
  until: iso(canary.until),
  ...canary.counts,
  state: canary.outcome ?? 'running',
  reason: orNull(canary.reason),
});

/** A check that is made before a cut-over, real or rehearsed. */
export const checkSchema = z.strictObject({
  name: z.enum(checkNames),
  result: z.enum(['passed', 'failed', 'skipped']),
  detail: z.string(),
});

/** The identifiers of one kind, as counts (`KindReport`). */
export const kindSchema = z.strictObject({
  kind: z.string(),
  learned: count,
  allotted: count,
  unlearned: count,
  complete: z.boolean().describe('All records from before the move are known'),
});
