import { z } from 'zod';
import { channelOf } from '../../../features/events/channel.ts';
import {
  deliveryOrders,
  deliveryStates,
  outgoingEvents,
  type Delivery,
} from '../../../features/events/delivery.ts';
import { channelLabels, deliveryColumns } from '../../../features/events/listed.ts';
import { positionText } from '../../../lib/text/list-order.ts';
import { csvList } from '../csv-list.ts';
import { endpoint, type Endpoint } from '../endpoint.ts';
import { cursorQuery, cursorReply, nextCursor, orderQuery } from '../queries.ts';
import { count, perhaps } from '../shapes.ts';
import { iso, moment } from '../../../lib/time/iso.ts';

const delivery = {
  id: z.string(),
  channel: z.enum(['events', 'slack', 'teams']).describe('events: CAUSEWAY_EVENTS_URL'),
  type: z.enum(outgoingEvents),
  accountId: z.string(),
  createdAt: moment,
  attempts: count.describe('Of the present schedule'),
  state: z.enum(deliveryStates),
  nextAt: perhaps(moment).describe('null: it is not sent again automatically'),
  note: z.string().describe('Result of the last attempt'),
} as const;

const deliveryOf = (one: Delivery): z.infer<z.ZodObject<typeof delivery>> => ({
  id: one.id,
  channel: channelLabels[channelOf(one.id)],
  type: one.type,
  accountId: one.accountId,
  createdAt: iso(one.createdAt),
  attempts: one.attempts,
  state: one.state,
  nextAt: one.state === 'waiting' ? iso(one.nextAt) : null,
  note: one.note,
});

const idIn = ({ delivery: id = '' }: Readonly<Record<string, string>>): string => id;

const filter = { state: z.enum(deliveryStates).optional() } as const;

const list = endpoint({
  id: 'listDeliveries',
  verb: 'GET',
  path: '/deliveries',
  area: 'Events',
  summary: 'Lists outgoing events and their state, newest first by default',
  scope: 'read',
  query: z.strictObject({ ...cursorQuery(deliveryOrders), ...filter }),
  reply: {
    name: 'DeliveryList',
    schema: z.strictObject({
      deliveries: z.array(z.strictObject(delivery)),
      ...cursorReply,
    }),
  },
  async handle({ admin, query }) {
    const found = await admin.deliveries.list(query);
    return {
      deliveries: found.map(deliveryOf),
      next: nextCursor(deliveryOrders, query, found, admin.deliveries.rows),
    };
  },
});

const csv = endpoint({
  id: 'listDeliveriesCsv',
  verb: 'GET',
  path: '/deliveries.csv',
  area: 'Events',
  summary: 'All these outgoing events as CSV',
  scope: 'read',
  type: 'text/csv',
  query: z.strictObject({ ...orderQuery(deliveryOrders), ...filter }),
  reply: { name: 'DeliveryCsv', schema: z.string() },
  handle: ({ admin, query }) =>
    Promise.resolve(
      csvList<Delivery>({
        file: 'events.csv',
        columns: deliveryColumns,
        read: (limit, last) =>
          admin.deliveries.list({
            ...{ ...query, limit },
            before: last && positionText(deliveryOrders, query, last, last.id),
          }),
      }),
    ),
});

const show = endpoint({
  id: 'showDelivery',
  verb: 'GET',
  path: '/deliveries/{delivery}',
  area: 'Events',
  summary: 'Shows an outgoing event: its body as it is sent, and the result of each attempt',
  scope: 'read',
  reply: {
    name: 'DeliveryStory',
    schema: z.strictObject({
      ...delivery,
      body: z.string().describe('Byte for byte as it is signed and sent'),
      story: z
        .array(z.strictObject({ at: moment, outcome: z.enum(['delivered', 'failed']), note: z.string() }))
        .describe('Every finished attempt, oldest first'),
    }),
  },
  async handle({ admin, path }) {
    const { delivery: one, attempts } = await admin.deliveries.find(idIn(path));
    const story = attempts.map(({ at, outcome, note }) => ({ at: iso(at), outcome, note }));
    return { ...deliveryOf(one), body: one.payload, story };
  },
});

const again = endpoint({
  id: 'redeliver',
  verb: 'POST',
  path: '/deliveries/{delivery}/redeliver',
  area: 'Events',
  summary: 'Resends an event, whatever its state; its schedule starts over',
  scope: 'operate',
  reply: { name: 'Redelivery', schema: z.strictObject({ delivery: z.strictObject(delivery) }) },
  handle: async ({ admin, path, who }) => ({
    delivery: deliveryOf(await admin.deliveries.again(idIn(path), who)),
  }),
});

const allAgain = endpoint({
  id: 'redeliverAll',
  verb: 'POST',
  path: '/deliveries/redeliver',
  area: 'Events',
  summary: 'Resends every event that was given up',
  scope: 'operate',
  reply: { name: 'Redeliveries', schema: z.strictObject({ sent: count.describe('How many these are') }) },
  handle: async ({ admin, who }) => ({ sent: await admin.deliveries.allAgain(who) }),
});

export const deliveryOperations: readonly Endpoint[] = [list, csv, show, again, allAgain];
