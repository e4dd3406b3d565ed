/** The list of outgoing events as a table, for files and for the command line. */
import { iso } from '../../lib/time/iso.ts';
import { channelOf } from './channel.ts';
import { accountNameOf, type Delivery } from './delivery.ts';

/** The receiver's name in the API and in files. */
export const channelLabels = { evt: 'events', slack: 'slack', teams: 'teams' } as const;

/** The value of each column. */
export const deliveryColumns = {
  id: ({ id }: Delivery) => id,
  channel: ({ id }: Delivery) => channelLabels[channelOf(id)],
  type: ({ type }: Delivery) => type,
  account_id: ({ accountId }: Delivery) => accountId,
  account: accountNameOf,
  created_at: ({ createdAt }: Delivery) => iso(createdAt),
  attempts: ({ attempts }: Delivery) => attempts,
  state: ({ state }: Delivery) => state,
  // Empty if it is not sent again automatically.
  next_at: ({ state, nextAt }: Delivery) => (state === 'waiting' ? iso(nextAt) : undefined),
  note: ({ note }: Delivery) => note,
} as const;
