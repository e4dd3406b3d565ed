/**
 * One account with everything an operator can know about it, as JSON; the console's account page shows the
 * same.
 *
 * `accountPageSchema` is the reply's schema and the source of its description in OpenAPI; `accountPageOf`
 * fills it from the feature's own model. Times are RFC 3339 in UTC, missing values are null, and no field
 * ever holds a token or a key.
 */
import { z } from 'zod';
import { reportedAccountSchema } from '../../../../features/status/model.ts';
import { lossReasons } from '../../../../tokens/grant.ts';
import { type Message, messageKinds, stopReasons } from '../../../../features/campaign/outbox.ts';
import { tagsIn } from '../../../../features/accounts/details.ts';
import { heldBackWords } from '../../../../features/status/code-words.ts';
import type { AccountPage } from '../../../../features/admin/account-page.ts';
import { refusedWhys } from '../../../../lib/failure.ts';
import {
  accountOf,
  accountSchema,
  count,
  isoOrNull,
  kindSchema,
  orNull,
  perhaps,
  routeOf,
  routeSchema,
} from '../../shapes.ts';
import { iso, moment } from '../../../../lib/time/iso.ts';

const detailsSchema = z.strictObject({
  contactName: perhaps(z.string()),
  email: perhaps(z.string()),
  language: perhaps(z.string()),
  zone: perhaps(z.string()),
  phone: perhaps(z.string()),
  organisationId: perhaps(z.string()).describe('Expected'),
  organisationName: perhaps(z.string()).describe('Expected'),
  tags: z.array(z.string()),
  notes: perhaps(z.string()),
});

const messageSchema = z.strictObject({
  id: z.string(),
  kind: z.enum(messageKinds),
  to: z.string(),
  queuedAt: moment,
  attempts: count,
  state: z.enum(['queued', 'sending', 'sent', 'failed', 'refused', 'unknown', 'abandoned', 'withdrawn']),
  at: perhaps(moment).describe('When it reached its state, or is tried next'),
  reason: perhaps(z.string()).describe('Why it is in its state, or what holds it back'),
});

function messageOf(
  message: Message,
  next: AccountPage['statusReport']['next'],
): z.infer<typeof messageSchema> {
  const { id, kind, to, queuedAt, attempts, fate } = message;
  const at = 'at' in fate ? fate.at : 'nextAt' in fate ? fate.nextAt : fate.since;
  const reason = heldBackWords(message, next) ?? ('reason' in fate ? fate.reason : null);
  return { id, kind, to, queuedAt: iso(queuedAt), attempts, state: fate.state, at: iso(at), reason };
}

/** The reply. The timeline is cut to its last 500 entries. */
export const accountPageSchema = z.strictObject({
  account: accountSchema,
  statusReport: reportedAccountSchema,
  details: detailsSchema,
  notices: z.boolean().describe("Whether V1's replies tell its programs when V1 ends"),
  timeline: z
    .array(z.strictObject({ at: moment, kind: z.string(), actor: z.string(), detail: z.string() }))
    .describe('The last 500, newest first'),
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
      expiresAt: perhaps(moment).describe('Unless it is renewed first'),
      generation: perhaps(count).describe('Counts its token pairs, from 1'),
      unresolved: perhaps(z.strictObject({ since: moment, presentations: count, nextAt: moment })),
      lost: perhaps(z.strictObject({ reason: z.enum(lossReasons), at: moment })),
    }),
  ).describe('State of the consent; never a token'),
  crosswalk: z.array(kindSchema),
  routes: z.array(routeSchema),
  refused: perhaps(
    z.strictObject({
      calls: count,
      atLeast: z
        .boolean()
        .describe('There may have been more: not all are kept if there are many; the log has every one'),
      why: z.enum(refusedWhys),
      from: z.string().describe('The address the last one came from; empty: not known'),
      at: moment.describe('When the last one ended'),
      requestId: z.string().describe('Of the last one'),
    }),
  ).describe(
    'Calls of the last 24 hours with its account key that were refused; anyone may have sent them; null: none',
  ),
});

/** The account in the form of the schema. */
export function accountPageOf(page: AccountPage): z.infer<typeof accountPageSchema> {
  const { account, statusReport, details, run, suppression, grant } = page;
  return {
    account: accountOf(account),
    statusReport,
    details: {
      contactName: orNull(details.contactName),
      email: orNull(details.email),
      language: orNull(details.language),
      zone: orNull(details.zone),
      phone: orNull(details.phone),
      organisationId: orNull(details.expected.id),
      organisationName: orNull(details.expected.name),
      tags: [...tagsIn(details.tags)],
      notes: orNull(details.notes),
    },
    notices: account.notices === true,
    timeline: page.timeline.map(({ at, kind, actor, detail }) => ({ at: iso(at), kind, actor, detail })),
    timelineLength: page.timelineLength,
    invitations: page.invitations.map(({ id, state, issuedAt, expiresAt }) => ({
      id,
      state,
      issuedAt: iso(issuedAt),
      expiresAt: iso(expiresAt),
    })),
    campaign: campaignOf(run),
    messages: page.messages.map((message) => messageOf(message, page.statusReport.next)),
    suppression:
      suppression === undefined
        ? null
        : { reason: suppression.reason, detail: suppression.detail, at: iso(suppression.at) },
    grant: grantOf(grant),
    crosswalk: [...page.crosswalk],
    routes: page.routes.map(routeOf),
    refused: refusedOf(page.refused),
  };
}

function campaignOf(run: AccountPage['run']): z.infer<typeof accountPageSchema>['campaign'] {
  if (run === undefined) return null;
  return {
    cause: run.cause,
    beganAt: iso(run.beganAt),
    reminders: run.reminders,
    state: run.state,
    nextAt: run.state === 'running' ? iso(run.nextAt) : null,
    stopped: run.state === 'stopped' ? run.reason : null,
  };
}

function refusedOf(refused: AccountPage['refused']): z.infer<typeof accountPageSchema>['refused'] {
  if (refused === undefined) return null;
  const { calls, isAtLeast, last } = refused;
  return { calls, atLeast: isAtLeast, ...last, at: iso(last.at) };
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
