/**
 * The API of the usage by an account's programs: methods, parameters and elements with counts, never values; whether
 * usage is counted at all; and the names that operators give the programs.
 */
import { z } from 'zod';
import type { AccountUsage, UsedMethod } from '../../../../features/admin/usage/usage.ts';
import { readinessStates, type ApiReadiness } from '../../../../features/usage/readiness/readiness.ts';
import { accountIn, endpoint, type Endpoint } from '../../endpoint.ts';
import { count, orNull, perhaps } from '../../shapes.ts';
import { iso, moment } from '../../../../lib/time/iso.ts';

const day = z.iso.date().describe('UTC');

const names = z.array(z.strictObject({ name: z.string(), count, first: day, last: day }));

const apiReadiness = z.strictObject({
  state: z.enum(readinessStates),
  reasons: z
    .array(
      z.strictObject({
        method: z.string(),
        missed: z.boolean().describe('Its programs would miss it; false: only something to know'),
        what: z.string(),
        seen: count,
        words: z.string(),
      }),
    )
    .describe('What would be missing first, then the most frequent; at most 40'),
  assumed: z.array(z.string()).describe('Methods it uses whose row in the mapping is an assumption'),
  verified: z.array(z.string()).describe('Methods it uses that causeway verify has proven'),
});

const methodSchema = z.strictObject({
  method: z.string(),
  calls: count,
  failed: count,
  requests: count.describe('Requests that were read for their elements: a sample'),
  replies: count.describe('Replies that were read for their elements: a sample'),
  since: moment,
  until: moment,
  sources: z.record(z.string(), count).describe('Calls by who answered them'),
  parameters: names.describe('Of the query, in lower case, with the calls that had them'),
  sent: names.describe('Elements with a value in the requests that were read, and how often they occurred'),
  received: names.describe('The same in the replies that were read'),
});

const usageSchema = z.strictObject({
  counted: z.boolean(),
  known: count.describe('Methods of the mapping'),
  readiness: perhaps(
    z.strictObject({
      used: z.array(z.string()),
      calls: count,
      since: moment,
      until: moment,
      v3: apiReadiness,
      v2: apiReadiness,
    }),
  ).describe('null: nothing was counted yet'),
  programs: z.array(
    z.strictObject({
      program: z.string().describe('From the product name in User-Agent and the headers it sends'),
      name: perhaps(z.string()).describe('What an operator calls it'),
      agent: z.string().describe('The product name it gives itself, or empty'),
      calls: count,
      since: moment,
      until: moment,
      methods: z.array(methodSchema),
    }),
  ),
});

const reasonsOf = ({
  state,
  reasons,
  assumed,
  verified = [],
}: ApiReadiness): z.infer<typeof apiReadiness> => ({
  state,
  reasons: reasons.map(({ method, isMissed: missed, what, seen, words }) => ({
    method,
    missed,
    what,
    seen,
    words,
  })),
  assumed: [...assumed],
  verified: [...verified],
});

const methodOf = ({ since, until, ...use }: UsedMethod): z.infer<typeof methodSchema> => ({
  ...use,
  sources: { ...use.sources },
  parameters: [...use.parameters],
  sent: [...use.sent],
  received: [...use.received],
  since: iso(since),
  until: iso(until),
});

function usageOf({ isOn, known, readiness, programs }: AccountUsage): z.infer<typeof usageSchema> {
  return {
    counted: isOn,
    known,
    readiness:
      readiness === undefined
        ? null
        : {
            used: [...readiness.used],
            calls: readiness.calls,
            since: iso(readiness.since),
            until: iso(readiness.until),
            v3: reasonsOf(readiness.v3),
            v2: reasonsOf(readiness.v2),
          },
    programs: programs.map(({ key, name, agent, calls, since, until, methods }) => ({
      ...{ program: key, name: orNull(name), agent, calls, since: iso(since), until: iso(until) },
      methods: methods.map(methodOf),
    })),
  };
}

const show = endpoint({
  id: 'showUsage',
  verb: 'GET',
  path: '/accounts/{account}/usage',
  area: 'Accounts',
  summary:
    'Shows which methods, parameters and elements the account’s programs have used in the last weeks, and what they would miss with V3 and V2; never a value',
  scope: 'read',
  reply: { name: 'AccountUsage', schema: usageSchema },
  async handle({ admin, path }) {
    return usageOf(await admin.usage.show(await admin.accounts.find(accountIn(path))));
  },
});

const change = endpoint({
  id: 'changeUsage',
  verb: 'PATCH',
  path: '/accounts/{account}/usage',
  area: 'Accounts',
  summary: 'Turns counting of the account’s calls on or off; existing counts are kept',
  scope: 'operate',
  body: { name: 'UsageChange', schema: z.strictObject({ counted: z.boolean() }) },
  reply: { name: 'AccountUsage', schema: usageSchema },
  async handle({ admin, path, who, body }) {
    const account = await admin.accounts.find(accountIn(path));
    await admin.usage.switch(account, body.counted, who);
    return usageOf(await admin.usage.show(account));
  },
});

const name = endpoint({
  id: 'nameProgram',
  verb: 'PUT',
  path: '/accounts/{account}/usage/programs/{program}',
  area: 'Accounts',
  summary: 'Names one of the account’s programs; an empty name removes the name',
  scope: 'operate',
  body: { name: 'ProgramName', schema: z.strictObject({ name: z.string().max(100) }) },
  reply: { name: 'AccountUsage', schema: usageSchema },
  async handle({ admin, path, who, body }) {
    const account = await admin.accounts.find(accountIn(path));
    await admin.usage.name(account, path.program ?? '', body.name, who);
    return usageOf(await admin.usage.show(account));
  },
});

export const usageOperations: readonly Endpoint[] = [show, change, name];
