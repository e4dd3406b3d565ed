import { z } from 'zod';
import { ACKNOWLEDGE, doubts } from '../../../tokens/deployment/deployment.ts';
import type { AdminHealth } from '../../../features/admin/admin.ts';
import { RECENT_MINUTES } from '../../../features/usage/recent-health.ts';
import { endpoint, type Endpoint } from '../endpoint.ts';
import { count, isoOrNull, orNull } from '../shapes.ts';
import { iso, moment } from '../../../lib/time/iso.ts';

const schema = z.strictObject({
  at: moment,
  configured: z.strictObject({
    v1: z.boolean(),
    v2: z.boolean(),
    v3: z.boolean(),
    mail: z.boolean(),
    events: z.boolean(),
  }),
  sources: z
    .array(
      z.strictObject({
        source: z.string(),
        calls: count,
        failed: count,
        upstreamMillis: z.number().nullable().describe('Average time the service took'),
        lastAnswerAt: moment.nullable(),
        lastFailureAt: moment.nullable(),
      }),
    )
    .describe(`Calls of the last ${RECENT_MINUTES} minutes that this process served, by who answered`),
  budget: z
    .strictObject({
      waiting: count.describe('Requests that wait for the limit of the service'),
      organisations: count.describe('Accounts with requests within the last minute'),
      perMinute: count.describe('Requests for one organisation'),
    })
    .nullable(),
  outbox: z.strictObject({
    messages: z.record(z.string(), count).describe('By state'),
    errors: count.describe('Consecutive failed attempts'),
    pausedUntil: moment.nullable(),
  }),
  grants: z.record(z.string(), count).describe('By state'),
  oldestGrantAt: moment.nullable().describe('Since when the oldest grant has not been renewed'),
  deliveries: z.record(z.string(), count).describe('By state'),
  unlearned: count,
  writes: z
    .strictObject({ open: count, unknown: count, undecidable: count, unknownSince: moment.nullable() })
    .describe('Calls that create, change or delete and whose outcome is not known'),
  deployment: z
    .strictObject({ why: z.enum(doubts), words: z.string(), command: z.string() })
    .nullable()
    .describe('Why no token is renewed, and what the operator can do about it; null: no doubt'),
  degraded: z
    .array(
      z.strictObject({
        code: z.string().describe('As in `health/ready` and the metrics'),
        words: z.string().describe('What exactly is wrong'),
        since: moment.describe('When this process first saw it'),
        remedy: z.string().nullable().describe('What the operator can do about it'),
      }),
    )
    .describe('What does not work; empty if everything does'),
});

const health = endpoint({
  id: 'showHealth',
  verb: 'GET',
  path: '/health',
  area: 'Health',
  summary: 'State of the service, the rate limit, mail and outgoing events; what is degraded and what to do',
  scope: 'read',
  reply: { name: 'Health', schema },
  handle: async ({ admin }) => healthOf(await admin.health()),
});

function healthOf(health: AdminHealth): z.infer<typeof schema> {
  const { at, configured, sources, rateLimit, sending, census, doubt, degraded } = health;
  return {
    at: iso(at),
    configured,
    sources: sources.map((one) => ({
      ...one,
      upstreamMillis: orNull(one.upstreamMillis),
      lastAnswerAt: isoOrNull(one.lastAnswerAt),
      lastFailureAt: isoOrNull(one.lastFailureAt),
    })),
    budget: orNull(rateLimit),
    outbox: {
      messages: census.messages,
      errors: sending.errors,
      pausedUntil: isoOrNull(sending.pausedUntil),
    },
    grants: census.grants,
    oldestGrantAt: isoOrNull(census.oldestGrantAt),
    deliveries: census.deliveries,
    unlearned: census.unlearned,
    writes: { ...census.writes, unknownSince: isoOrNull(census.writes.unknownSince) },
    deployment: doubt === undefined ? null : { ...doubt, command: ACKNOWLEDGE },
    degraded: degraded.map((one) => ({ ...one, since: iso(one.since), remedy: orNull(one.remedy) })),
  };
}

export const healthOperations: readonly Endpoint[] = [health];
