import { z } from 'zod';
import { products, type Account } from '../../domain/account.ts';
import type { AuditRow } from '../../domain/audit.ts';
import { boardAccountSchema, stageNames } from '../../domain/board.ts';
import type { CallRecord } from '../../domain/call-log.ts';
import { deliveryStates, outgoingEvents, type Delivery } from '../../domain/delivery.ts';
import { lossReasons } from '../../domain/grant.ts';
import type { FeedEvent } from '../../domain/history.ts';
import { messageKinds, stopReasons, type Message } from '../../domain/outbox.ts';
import { lanes, type RouteOverride } from '../../domain/routes.ts';
import { tokenScopes, type ConsoleToken } from '../../domain/token.ts';
import type { AccountPage } from '../../migration/desk-accounts.ts';

/** The JSON of the API: moments are UTC, what is not there is null. */

export const moment = z.iso.datetime().describe('UTC');
export const count = z.int().nonnegative();
const perhaps = <Schema extends z.ZodType>(schema: Schema) => schema.nullable();

export const iso = (at: number): string => new Date(at).toISOString();
export const isoOrNull = (at: number | undefined): string | null => (at === undefined ? null : iso(at));
export const orNull = <Value>(value: Value | undefined): Value | null => value ?? null;

export const accountSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  product: z.enum(products),
  origin: z.enum(['added', 'discovered', 'issued']),
  stage: z.enum(stageNames),
  since: moment.describe('When the present stage began'),
  createdAt: moment,
  lastCallAt: perhaps(moment),
  organisation: perhaps(z.strictObject({ id: z.string(), name: z.string() })),
});
export const accountOf = (account: Account): z.infer<typeof accountSchema> => ({
  id: account.id,
  name: account.name,
  product: account.product,
  origin: account.origin,
  stage: account.life.stage,
  since: iso(account.stageSince),
  createdAt: iso(account.createdAt),
  lastCallAt: isoOrNull(account.lastCallAt),
  organisation: 'binding' in account.life ? account.life.binding.organisation : null,
});

const detailsSchema = z.strictObject({
  contactName: perhaps(z.string()),
  email: perhaps(z.string()),
  language: perhaps(z.string()),
  organisationId: perhaps(z.string()).describe('Expected'),
  organisationName: perhaps(z.string()).describe('Expected'),
  notes: perhaps(z.string()),
});

export const callSchema = z.strictObject({
  requestId: z.string(),
  at: moment,
  verb: z.string(),
  method: z.string(),
  source: z.string(),
  status: z.int(),
  failed: z.boolean(),
  millis: z.number(),
  upstreamMillis: perhaps(z.number()).describe('What the service took of it; null: it was not asked'),
});
export const callOf = (call: CallRecord): z.infer<typeof callSchema> => ({
  requestId: call.requestId,
  at: iso(call.at),
  verb: call.verb,
  method: call.method,
  source: call.source,
  status: call.status,
  failed: call.failed,
  millis: call.millis,
  upstreamMillis: orNull(call.upstreamMillis),
});

const messageSchema = z.strictObject({
  id: z.string(),
  kind: z.enum(messageKinds),
  to: z.string(),
  queuedAt: moment,
  attempts: count,
  state: z.enum(['queued', 'sending', 'sent', 'failed', 'refused', 'unknown', 'abandoned', 'withdrawn']),
  at: perhaps(moment).describe('When it came into its state, or is tried next'),
  reason: perhaps(z.string()),
});
function messageOf({ id, kind, to, queuedAt, attempts, fate }: Message): z.infer<typeof messageSchema> {
  const at = 'at' in fate ? fate.at : 'nextAt' in fate ? fate.nextAt : fate.since;
  const reason = 'reason' in fate ? fate.reason : null;
  return { id, kind, to, queuedAt: iso(queuedAt), attempts, state: fate.state, at: iso(at), reason };
}

export const routeSchema = z.strictObject({
  method: z.string(),
  account: z.string().describe('Id of an account, or all'),
  route: z.enum(lanes),
  at: moment,
  by: z.string(),
});
export const routeOf = ({ actor, at, ...route }: RouteOverride): z.infer<typeof routeSchema> => ({
  ...route,
  at: iso(at),
  by: actor,
});

export const kindSchema = z.strictObject({
  kind: z.string(),
  learned: count,
  allotted: count,
  unlearned: count,
  complete: z.boolean().describe('All records from before the move are known'),
});

export const accountPageSchema = z.strictObject({
  account: accountSchema,
  board: boardAccountSchema,
  details: detailsSchema,
  timeline: z
    .array(z.strictObject({ at: moment, kind: z.string(), actor: z.string(), detail: z.string() }))
    .describe('The newest first, the last 500'),
  timelineLength: count,
  invitations: z.array(
    z.strictObject({ id: z.string(), state: z.string(), issuedAt: moment, expiresAt: moment }),
  ),
  campaign: perhaps(
    z.strictObject({
      cause: z.enum(['invited', 'lost']),
      beganAt: moment,
      reminders: count,
      state: z.enum(['running', 'stopped']),
      nextAt: perhaps(moment),
      stopped: perhaps(z.enum(stopReasons)),
    }),
  ),
  messages: z.array(messageSchema),
  suppression: perhaps(
    z.strictObject({ reason: z.enum(['unsubscribed', 'refused']), detail: z.string(), at: moment }),
  ),
  grant: perhaps(
    z.strictObject({
      id: z.string(),
      state: z.enum(['held', 'unresolved', 'lost']),
      consenter: z.strictObject({
        userId: z.string(),
        name: perhaps(z.string()),
        email: perhaps(z.string()),
      }),
      scope: z.string(),
      createdAt: moment,
      renewedAt: moment,
      expiresAt: perhaps(moment).describe('Unless it is renewed before'),
      generation: perhaps(count).describe('Counts its pairs of tokens, from 1'),
      unresolved: perhaps(z.strictObject({ since: moment, presentations: count, nextAt: moment })),
      lost: perhaps(z.strictObject({ reason: z.enum(lossReasons), at: moment })),
    }),
  ).describe('How the consent is doing; never a token'),
  crosswalk: z.array(kindSchema),
  routes: z.array(routeSchema),
});

export function accountPageOf(page: AccountPage): z.infer<typeof accountPageSchema> {
  const { account, board, details, run, suppression, grant } = page;
  return {
    account: accountOf(account),
    board,
    details: {
      contactName: orNull(details.contactName),
      email: orNull(details.email),
      language: orNull(details.language),
      organisationId: orNull(details.expected.id),
      organisationName: orNull(details.expected.name),
      notes: orNull(details.notes),
    },
    timeline: page.timeline.map(({ at, kind, actor, detail }) => ({ at: iso(at), kind, actor, detail })),
    timelineLength: page.timelineLength,
    invitations: page.invitations.map(({ id, state, issuedAt, expiresAt }) => ({
      id,
      state,
      issuedAt: iso(issuedAt),
      expiresAt: iso(expiresAt),
    })),
    campaign:
      run === undefined
        ? null
        : {
            cause: run.cause,
            beganAt: iso(run.beganAt),
            reminders: run.reminders,
            state: run.state,
            nextAt: run.state === 'running' ? iso(run.nextAt) : null,
            stopped: run.state === 'stopped' ? run.reason : null,
          },
    messages: page.messages.map(messageOf),
    suppression:
      suppression === undefined
        ? null
        : { reason: suppression.reason, detail: suppression.detail, at: iso(suppression.at) },
    grant: grantOf(grant),
    crosswalk: [...page.crosswalk],
    routes: page.routes.map(routeOf),
  };
}

function grantOf(grant: AccountPage['grant']): z.infer<typeof accountPageSchema>['grant'] {
  if (grant === undefined) return null;
  const { id, state, consenter, scope, unresolved, lost } = grant;
  return {
    id,
    state,
    consenter: {
      userId: consenter.userId,
      name: orNull(consenter.name),
      email: orNull(consenter.email),
    },
    scope,
    createdAt: iso(grant.createdAt),
    renewedAt: iso(grant.renewedAt),
    expiresAt: isoOrNull(grant.expiresAt),
    generation: orNull(grant.generation),
    unresolved:
      unresolved === undefined
        ? null
        : { ...unresolved, since: iso(unresolved.since), nextAt: iso(unresolved.nextAt) },
    lost: lost === undefined ? null : { reason: lost.reason, at: iso(lost.at) },
  };
}

export const feedEventSchema = z.strictObject({
  seq: count.describe('Grows with each line; what bears a smaller one never comes later'),
  accountId: z.string(),
  at: moment,
  kind: z.string(),
  actor: z.string(),
  detail: z.string(),
  from: perhaps(z.enum(stageNames)),
  to: perhaps(z.enum(stageNames)).describe('null: the stage did not change'),
});
export const feedEventOf = ({ transition, ...event }: FeedEvent): z.infer<typeof feedEventSchema> => ({
  ...event,
  at: iso(event.at),
  from: orNull(transition?.from),
  to: orNull(transition?.to),
});

export const tokenSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  scope: z.enum(tokenScopes),
  createdAt: moment,
  lastUsedAt: perhaps(moment).describe('To the minute'),
  revokedAt: perhaps(moment),
});
export const tokenOf = (token: ConsoleToken): z.infer<typeof tokenSchema> => ({
  id: token.id,
  name: token.name,
  scope: token.scope,
  createdAt: iso(token.createdAt),
  lastUsedAt: isoOrNull(token.lastUsedAt),
  revokedAt: isoOrNull(token.revokedAt),
});

export const auditSchema = z.strictObject({
  seq: count,
  at: moment,
  who: z.string(),
  action: z.string(),
  accountIds: z.array(z.string()),
  detail: z.string(),
});
export const auditOf = (row: AuditRow): z.infer<typeof auditSchema> => ({
  ...row,
  at: iso(row.at),
  accountIds: [...row.accountIds],
});

export const deliverySchema = z.strictObject({
  id: z.string(),
  type: z.enum(outgoingEvents),
  accountId: z.string(),
  createdAt: moment,
  attempts: count,
  state: z.enum(deliveryStates),
  nextAt: perhaps(moment).describe('null: it is not sent again by itself'),
  note: z.string().describe('What the last attempt met'),
});
export const deliveryOf = (delivery: Delivery): z.infer<typeof deliverySchema> => ({
  id: delivery.id,
  type: delivery.type,
  accountId: delivery.accountId,
  createdAt: iso(delivery.createdAt),
  attempts: delivery.attempts,
  state: delivery.state,
  nextAt: delivery.state === 'waiting' ? iso(delivery.nextAt) : null,
  note: delivery.note,
});
