/** A brown-out as API and command line have it. */
import { z } from 'zod';
import { iso, moment } from '../../../lib/time/iso.ts';
import { brownoutStates, type Brownout } from './brownout.ts';

const count = z.int().nonnegative();

/** One brown-out. */
export const shownBrownoutSchema = z.strictObject({
  id: z.string(),
  query: z.string().describe('Who was in it when it was planned: the parameters of `GET /accounts`'),
  from: moment,
  to: moment,
  state: z.enum(brownoutStates),
  plannedAt: moment,
  who: z.string(),
  stopped: z.strictObject({ at: moment, who: z.string() }).nullable(),
  accounts: count,
  refused: count.describe('Reads that were refused'),
  refusedAccounts: count.describe('Accounts whose programs made them'),
  consented: count.describe('Customers of it who have consented since it began'),
  consentedAfterRefusal: count.describe('Of these, those whose reads were refused'),
});

/** The brown-out in that form. */
export const brownoutShown = (one: Brownout): z.infer<typeof shownBrownoutSchema> => ({
  ...one,
  from: iso(one.from),
  to: iso(one.to),
  plannedAt: iso(one.plannedAt),
  stopped: one.stopped === undefined ? null : { at: iso(one.stopped.at), who: one.stopped.who },
});
