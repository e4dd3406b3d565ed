import { z } from 'zod';
import { type Delivery, deliveryStates, outgoingEvents } from '../../../domain/delivery.ts';
import { endpoint, type Endpoint } from '../endpoint.ts';
import { wholeNumber } from '../queries.ts';
import { count, iso, moment, perhaps } from '../shapes.ts';

const deliverySchema = z.strictObject({
  id: z.string(),
  type: z.enum(outgoingEvents),
  accountId: z.string(),
  createdAt: moment,
  attempts: count,
  state: z.enum(deliveryStates),
  nextAt: perhaps(moment).describe('null: it is not sent again by itself'),
  note: z.string().describe('What the last attempt met'),
});

const deliveryOf = (delivery: Delivery): z.infer<typeof deliverySchema> => ({
  id: delivery.id,
  type: delivery.type,
  accountId: delivery.accountId,
  createdAt: iso(delivery.createdAt),
  attempts: delivery.attempts,
  state: delivery.state,
  nextAt: delivery.state === 'waiting' ? iso(delivery.nextAt) : null,
  note: delivery.note,
});

const deliveries = endpoint({
  id: 'listDeliveries',
  verb: 'GET',
  path: '/deliveries',
  area: 'Events',
  summary: 'Outgoing events and what became of them, the newest first',
  scope: 'read',
  query: z.strictObject({
    limit: wholeNumber(1, 1_000, 100),
    state: z.enum(deliveryStates).optional(),
  }),
  reply: { name: 'DeliveryList', schema: z.strictObject({ deliveries: z.array(deliverySchema) }) },
  handle: async ({ desk, query: { limit, state } }) => ({
    deliveries: (await desk.deliveries(limit, state)).map(deliveryOf),
  }),
});

const redeliver = endpoint({
  id: 'redeliver',
  verb: 'POST',
  path: '/deliveries/{delivery}/redeliver',
  area: 'Events',
  summary: 'Sends an event once more, whatever became of it; its schedule begins again',
  scope: 'operate',
  reply: { name: 'Redelivery', schema: z.strictObject({ delivery: deliverySchema }) },
  handle: async ({ desk, path, who }) => ({
    delivery: deliveryOf(await desk.redeliver(path.delivery ?? '', who)),
  }),
});

export const deliveryOperations: readonly Endpoint[] = [deliveries, redeliver];
