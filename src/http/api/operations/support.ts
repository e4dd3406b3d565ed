import { z } from 'zod';
import { causeOf, type CallRecord } from '../../../features/usage/call-log.ts';
import { adviceAbout } from '../../../features/admin/support.ts';
import { remedyOf } from '../../../features/usage/call-advice.ts';
import { endpoint, type Endpoint } from '../endpoint.ts';
import { refusedWhys } from '../../../lib/failure.ts';
import { accountOf, accountSchema, orNull, perhaps } from '../shapes.ts';
import { iso, moment } from '../../../lib/time/iso.ts';

/** One call, without anything it carried. */
export const callSchema = z.strictObject({
  requestId: z.string(),
  at: moment.describe('When it ended'),
  verb: z.string(),
  method: z.string(),
  asked: perhaps(z.string()).describe(
    'What was requested if the method is `generic` or `none`: `client.lst`; null: the method is known, or the name is not that of a method',
  ),
  source: z.string(),
  status: z.int(),
  failed: z.boolean(),
  millis: z.number(),
  upstreamMillis: perhaps(z.number()).describe(
    'The service’s part of it: how long at least one request was open; null: it was not asked',
  ),
  waitedMillis: perhaps(z.number()).describe(
    'How long it waited for the service’s rate limit, while no request was open; null: it did not wait',
  ),
  failure: perhaps(z.string()).describe(
    'Why the program got no reply, as in the log (docs/troubleshoot/calls.md); null: it got one',
  ),
  cause: perhaps(z.string()).describe('The failure in words; null: it did not fail'),
  advice: perhaps(z.string()).describe('What to do about it, in a sentence; null: it did not fail'),
  told: perhaps(z.string()).describe(
    'The error text sent to the program, without values; null: the call succeeded, or there was no text',
  ),
  refused: perhaps(
    z.strictObject({
      why: z.enum(refusedWhys),
      from: z.string().describe('The address it came from; empty: not known'),
    }),
  ).describe(
    'Why the call was refused despite the correct account key; such a call counts neither as a call nor as an error; null: it was not refused',
  ),
  losses: perhaps(z.string()).describe('Names of what was dropped or shortened; null: nothing'),
});

/** A call in that form. */
export const callOf = (call: CallRecord): z.infer<typeof callSchema> => ({
  requestId: call.requestId,
  at: iso(call.at),
  verb: call.verb,
  method: call.method,
  asked: orNull(call.asked),
  source: call.source,
  status: call.status,
  failed: call.failed,
  millis: call.millis,
  upstreamMillis: orNull(call.upstreamMillis),
  waitedMillis: orNull(call.waitedMillis),
  failure: orNull(call.failure),
  cause: orNull(causeOf(call)),
  advice: orNull(remedyOf(call)),
  told: orNull(call.told),
  refused: orNull(call.refused),
  losses: orNull(call.losses),
});

const OUTCOME =
  'The outcome of a call that creates, changes or deletes, in words; `GET /writes/{id}` has the rest; null: it is none, or nothing of it was sent';

const foundOf = (found: Parameters<typeof adviceAbout>[0]) => ({
  call: { ...callOf(found.call), advice: orNull(adviceAbout(found)) },
  write: orNull(found.write?.words),
});

const find = endpoint({
  id: 'findCaller',
  verb: 'POST',
  path: '/find',
  area: 'Accounts',
  summary: 'Finds accounts by a request id, an account key, or words in names, contacts, addresses and notes',
  notes: 'A key is looked up by its keyed hash; it is neither stored nor logged nor returned.',
  scope: 'read',
  body: { name: 'Find', schema: z.strictObject({ text: z.string().min(1).max(200) }) },
  reply: {
    name: 'Found',
    schema: z.strictObject({
      by: z.enum(['request', 'key', 'words']),
      accounts: z.array(z.strictObject({ id: z.string(), name: z.string(), stage: z.string() })),
      call: perhaps(callSchema),
      write: perhaps(z.string()).describe(OUTCOME),
    }),
  },
  async handle({ admin, body: { text } }) {
    const found = await admin.support.find(text);
    const accounts =
      found.by === 'words'
        ? found.accounts.map(({ id, name, stage }) => ({ id, name, stage }))
        : [{ id: found.account.id, name: found.account.name, stage: found.account.life.stage }];
    if (found.by !== 'request') return { by: found.by, accounts, call: null, write: null };
    return { by: found.by, accounts, ...foundOf(found) };
  },
});

const call = endpoint({
  id: 'showCall',
  verb: 'GET',
  path: '/calls/{request}',
  area: 'Accounts',
  summary: 'Shows one call of the last seven days by the id in `X-Request-Id` of its reply, for any account',
  scope: 'read',
  reply: {
    name: 'Call',
    schema: z.strictObject({
      account: accountSchema,
      call: callSchema,
      write: perhaps(z.string()).describe(OUTCOME),
    }),
  },
  async handle({ admin, path }) {
    const found = await admin.support.call(path.request ?? '');
    return { account: accountOf(found.account), ...foundOf(found) };
  },
});

export const supportOperations: readonly Endpoint[] = [find, call];
