/** A wave in the form of the status report and the API. */
import { z } from 'zod';
import { fields, type Columns } from '../../../lib/text/columns.ts';
import { decodedQuery } from '../../../lib/text/address-text.ts';
import { iso, moment } from '../../../lib/time/iso.ts';
import { waveStates, type WaveWithMembers } from './model.ts';

/** A number of accounts. */
const count = z.int().nonnegative();

/** One wave. */
export const shownWaveSchema = z.strictObject({
  name: z.string(),
  query: z.string().describe('The accounts in it, as parameters of `GET /accounts`'),
  most: count.nullable().describe('At most this many, those with the fewest calls first; null: all'),
  start: z.string().nullable().describe("Not before this time on the clock of each customer's zone"),
  holdHours: count,
  mostErrorPercent: z.number(),
  mostTroubledPercent: z.number(),
  state: z.enum(waveStates),
  since: moment,
  reason: z.string().describe('Why it is in this state'),
  accounts: count.describe(
    'Accounts that went out with it; for a planned wave: those it would take now, of which `notInvited` are left out',
  ),
  invited: count.describe(
    'Customers whose turn has come; while a wave is out, the bridge invites the others',
  ),
  firstInvitedAt: moment.nullable().describe("When its first customer's turn had come; null: not yet"),
  queued: count.describe(
    'Of those, customers whose e-mail has not been sent yet; while the wave is stopped, it is held back',
  ),
  notInvited: count.describe(
    'Of those, customers who could not be invited: without an address, for example; for a planned wave: accounts that no e-mail reaches',
  ),
});
/** One wave. */
export type ShownWave = z.infer<typeof shownWaveSchema>;

/**
 * The wave in that form. `would`: how many accounts a planned one would take now, and how many of them no e-mail
 * reaches.
 */
export const waveShown = (
  { brake, members, ...wave }: WaveWithMembers,
  would = { accounts: members.length, unreached: 0 },
): ShownWave => ({
  name: wave.name,
  query: wave.query,
  most: wave.most ?? null,
  start: wave.start ?? null,
  ...brake,
  state: wave.state,
  since: iso(wave.since),
  reason: wave.reason,
  accounts: wave.state === 'planned' ? would.accounts : members.length,
  invited: members.filter(({ invitedAt }) => invitedAt !== undefined).length,
  firstInvitedAt: firstIn(members),
  queued: members.filter(({ isQueued }) => isQueued).length,
  notInvited: wave.state === 'planned' ? would.unreached : members.filter(({ isLeft }) => isLeft).length,
});

function firstIn(members: WaveWithMembers['members']): string | null {
  const first = Math.min(...members.map(({ invitedAt }) => invitedAt ?? Infinity));
  return Number.isFinite(first) ? iso(first) : null;
}

/** The columns of the list. */
export const waveColumns: Columns<ShownWave> = {
  ...fields<ShownWave>('name'),
  who: ({ query, most }) =>
    [decodedQuery(query), most === null ? '' : `at most ${most}`].filter(Boolean).join(', '),
  ...fields<ShownWave>('start', 'state', 'accounts'),
  can_be_invited: ({ state, accounts, notInvited }) => (state === 'planned' ? accounts - notInvited : 0),
  invited: ({ state, invited, queued, notInvited }) =>
    state === 'planned' ? 0 : invited - queued - notInvited,
  queued: ({ queued }) => queued,
  not_invited: ({ notInvited }) => notInvited,
  waiting: ({ state, accounts, invited }) => (state === 'planned' ? 0 : accounts - invited),
  ...fields<ShownWave>('reason'),
};
