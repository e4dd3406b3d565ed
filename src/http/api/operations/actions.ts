import { z } from 'zod';
import type { Forecast, Result } from '../../../features/admin/actions/action-results.ts';
import { overridableNames } from '../../../features/cutover/override.ts';
import { AdminRefusal } from '../../../features/admin/refusal.ts';
import {
  actionFrom,
  actionNames,
  type AdminAction,
  type LeftReason,
  leftWords,
} from '../../../features/admin/actions/words.ts';
import { endpoint, type Endpoint } from '../endpoint.ts';
import { checkSchema, count, orNull } from '../shapes.ts';

const bodySchema = z.strictObject({
  accounts: z
    .array(z.string().max(200))
    .min(1)
    .max(1_000)
    .describe('Ids or exact names; each account counts once. A name that several accounts have is refused'),
  acceptUnlearned: z
    .boolean()
    .default(false)
    .describe(
      'For a cut-over: records with unknown numbers get new ones, which overrides the check `identifiers` and no other. `accept-numbers` does that after the move',
    ),
  despite: z
    .array(z.enum(overridableNames))
    .max(overridableNames.length)
    .optional()
    .describe(
      'For a cut-over: failed checks to override; every other check must pass. `parity` cannot be overridden where `CAUSEWAY_PARITY` is `required`',
    ),
  start: z
    .string()
    .max(20)
    .optional()
    .describe(
      "For invite: not before this time (`2026-11-30T09:00`) on the clock of each customer's zone. Default: at once",
    ),
  chosenBy: z
    .string()
    .max(2_000)
    .optional()
    .describe(
      'For invite: the filters that chose the accounts, as the query of their list (`tag=wave-2`). Accounts whose customer declined, has had every reminder or has a link that was made by hand, and those that a wave invites, are then skipped, unless a filter names that. Default: the accounts were chosen individually',
    ),
  tags: z.string().max(1_000).default('').describe('For tag and untag: separated by spaces or commas'),
  consents: z
    .array(z.string().max(100))
    .max(1_000)
    .optional()
    .describe(
      'For confirm and refuse: ids of the consents that were shown. An account whose consent has changed since is skipped',
    ),
});

const reasons = Object.keys(leftWords) as [LeftReason, ...LeftReason[]];

const named = { accountId: z.string(), name: z.string().nullable() } as const;

const previewSchema = z.strictObject({
  action: z.enum(actionNames),
  will: count,
  left: count,
  leftBy: z
    .array(z.strictObject({ reason: z.enum(reasons), words: z.string(), accounts: count }))
    .describe('How many are left unchanged for which reason, the most frequent first'),
  accounts: z.array(
    z.strictObject({
      ...named,
      outcome: z.enum(['will', 'left']),
      reason: z.enum(reasons).nullable().describe('Why it is left unchanged'),
      words: z.string(),
      caution: z.string().nullable().describe('What cannot be undone'),
      checks: z.array(checkSchema).describe('Of a cut-over'),
    }),
  ),
});

const resultSchema = z.strictObject({
  action: z.enum(actionNames),
  done: count,
  left: count,
  failed: count,
  accounts: z.array(
    z.strictObject({
      ...named,
      outcome: z.enum(['done', 'left', 'failed']),
      reason: z.enum(reasons).nullable().describe('Why it was left unchanged'),
      words: z.string(),
    }),
  ),
});

/** Throws `AdminRefusal` unknown, or unusable for a parameter of another action. */
function actionOf(name: string | undefined, body: z.infer<typeof bodySchema>): AdminAction {
  const action = actionFrom(name, body);
  if (action === undefined)
    throw new AdminRefusal('unknown', `unknown action; the actions are ${actionNames.join(', ')}`);
  const others = Object.entries({ ...body, accounts: undefined }).filter(
    ([field, value]) => Boolean(value) && !(field in action),
  );
  if (others.length > 0) {
    const message = `${action.action} does not take it`;
    throw new AdminRefusal(
      'unusable',
      `what was sent cannot be used: ${message}`,
      others.map(([field]) => ({ field, message })),
    );
  }
  return action;
}

/** The state of each account before and after. */
const saidOf = <Line extends Forecast | Result>(line: Line) => ({
  accountId: line.accountId,
  name: orNull(line.name),
  outcome: line.outcome as Line['outcome'],
  reason: line.outcome === 'left' ? line.reason : null,
  words: line.words,
});

function leftBy(accounts: readonly Forecast[]) {
  const found = new Map<LeftReason, number>();
  for (const one of accounts)
    if (one.outcome === 'left') found.set(one.reason, (found.get(one.reason) ?? 0) + 1);
  return Array.from(found, ([reason, count]) => ({
    reason,
    words: leftWords[reason],
    accounts: count,
  })).sort((a, b) => b.accounts - a.accounts);
}

const NOTES = `Actions: ${actionNames.join(', ')}. A cut-over, accepting new numbers, a disconnection and closing take 20 accounts at once, every other action 1,000.`;

const preview = endpoint({
  id: 'previewAction',
  verb: 'POST',
  path: '/actions/{action}/preview',
  area: 'Actions',
  summary: 'Shows what an action would do to each account; changes nothing',
  notes: `${NOTES} The preview of a cut-over runs its checks.`,
  scope: 'read',
  body: { name: 'Action', schema: bodySchema },
  reply: { name: 'ActionPreview', schema: previewSchema },
  async handle({ admin, path, body }) {
    const { accounts, ...counts } = await admin.preview(
      actionOf(path.action, body),
      await admin.accounts.idsOf(body.accounts),
    );
    return {
      ...counts,
      leftBy: leftBy(accounts),
      accounts: accounts.map((one) => ({
        ...saidOf(one),
        caution: one.outcome === 'will' ? orNull(one.caution) : null,
        checks: one.checks.map(({ name, result, detail }) => ({ name, result, detail })),
      })),
    };
  },
});

const perform = endpoint({
  id: 'performAction',
  verb: 'POST',
  path: '/actions/{action}',
  area: 'Actions',
  summary: 'Performs the action, and reports the result for each account',
  notes: NOTES,
  scope: 'operate',
  body: { name: 'Action', schema: bodySchema },
  reply: { name: 'ActionResult', schema: resultSchema },
  async handle({ admin, path, body, who }) {
    const { accounts, ...counts } = await admin.perform(
      actionOf(path.action, body),
      await admin.accounts.idsOf(body.accounts),
      who,
    );
    return { ...counts, accounts: accounts.map(saidOf) };
  },
});

export const actionOperations: readonly Endpoint[] = [preview, perform];
