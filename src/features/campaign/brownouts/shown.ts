/** A brown-out in the form of API and command line. */
import { z } from 'zod';
import { fields, type Columns } from '../../../lib/text/columns.ts';
import { decodedQuery } from '../../../lib/text/address-text.ts';
import { iso, moment } from '../../../lib/time/iso.ts';
import { brownoutStates, type Brownout } from './brownout.ts';

const count = z.int().nonnegative();

/** One brown-out. */
export const shownBrownoutSchema = z.strictObject({
  id: z.string(),
  query: z.string().describe('The accounts in it when it was planned, as parameters of `GET /accounts`'),
  from: moment,
  to: moment,
  state: z.enum(brownoutStates),
  plannedAt: moment,
  who: z.string(),
  stopped: z.strictObject({ at: moment, who: z.string() }).nullable(),
  accounts: count,
  refused: count.describe('Reads that were refused'),
  refusedAccounts: count.describe('Accounts whose programs made them'),
  consented: count.describe('Customers in it who have consented since it began'),
  consentedAfterRefusal: count.describe('Of these, those whose reads were refused'),
});

/** One brown-out. */
export type ShownBrownout = z.infer<typeof shownBrownoutSchema>;

/** The brown-out in that form. */
export const brownoutShown = (one: Brownout): ShownBrownout => ({
  ...one,
  from: iso(one.from),
  to: iso(one.to),
  plannedAt: iso(one.plannedAt),
  stopped: one.stopped === undefined ? null : { at: iso(one.stopped.at), who: one.stopped.who },
});

/** The columns of the list. */
export const brownoutColumns: Columns<ShownBrownout> = {
  ...fields<ShownBrownout>('id'),
  who: ({ query }) => decodedQuery(query),
  ...fields<ShownBrownout>('from', 'to', 'state', 'accounts', 'refused'),
  refused_accounts: ({ refusedAccounts }) => refusedAccounts,
  ...fields<ShownBrownout>('consented'),
  planned_by: ({ who }) => who,
};
