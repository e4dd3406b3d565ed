import { z } from 'zod';
import { stageNames } from '../../../features/accounts/account.ts';
import type { FeedEvent } from '../../../features/accounts/history.ts';
import { endpoint, type Endpoint } from '../endpoint.ts';
import { flag, wholeNumber } from '../queries.ts';
import { count, orNull, perhaps } from '../shapes.ts';
import { eventsAfter } from '../../../features/admin/upkeep/events-after.ts';
import { iso, moment } from '../../../lib/time/iso.ts';

const feedEventSchema = z.strictObject({
  seq: count.describe('Increases with each entry; one with a smaller number never appears later'),
  accountId: z.string(),
  at: moment,
  kind: z.string(),
  actor: z.string(),
  detail: z.string(),
  from: perhaps(z.enum(stageNames)),
  to: perhaps(z.enum(stageNames)).describe('null: the stage did not change'),
});

/** An entry of the feed in the form of the API; the event stream sends the same. */
export const feedEventOf = ({ transition, ...event }: FeedEvent): z.infer<typeof feedEventSchema> => ({
  ...event,
  at: iso(event.at),
  from: orNull(transition?.from),
  to: orNull(transition?.to),
});

const events = endpoint({
  id: 'listEvents',
  verb: 'GET',
  path: '/events',
  area: 'Events',
  summary: 'Lists what has happened to all accounts, in order, starting after a given entry',
  scope: 'read',
  query: z.strictObject({
    since: wholeNumber(0, Number.MAX_SAFE_INTEGER, 0).describe('`seq` of the last entry already read'),
    limit: wholeNumber(1, 1_000, 100),
    transitions: flag.describe('true: only changes of stage'),
  }),
  reply: {
    name: 'EventList',
    schema: z.strictObject({
      events: z.array(feedEventSchema),
      next: count.describe('`since` of the next call'),
    }),
  },
  async handle({ admin, query: { since, limit, transitions } }) {
    const found = await eventsAfter(admin, since, limit, transitions);
    return { events: found.map(feedEventOf), next: found.at(-1)?.seq ?? since };
  },
});

export const feedOperations: readonly Endpoint[] = [events];
