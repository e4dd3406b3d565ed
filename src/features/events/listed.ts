/** The list of outgoing events as a table, for files and for the command line. */
import { iso } from '../../lib/time/iso.ts';
import { channelOf } from './channel.ts';
import { accountNameOf, type Delivery } from './delivery.ts';

/** Where an event goes, as API and files name it. */
export const channelLabels = { evt: 'events', slack: 'slack', teams: 'teams' } as const;

/** What each column has. */
export const deliveryColumns = {
  id: ({ id }: Delivery) => id,
  channel: ({ id }: Delivery) => channelLabels[channelOf(id)],
  type: ({ type }: Delivery) => type,
  account_id: ({ accountId }: Delivery) => accountId,
  account: accountNameOf,
  created_at: ({ createdAt }: Delivery) => iso(createdAt),
  attempts: ({ attempts }: Delivery) => attempts,
  state: ({ state }: Delivery) => state,
  // Empty: it is not sent again automatically.
  next_at: ({ state, nextAt }: Delivery) => (state === 'waiting' ? iso(nextAt) : undefined),
  note: ({ note }: Delivery) => note,
} as const;
