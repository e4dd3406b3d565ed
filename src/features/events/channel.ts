/**
 * Where outgoing events go. All receivers share one table of deliveries, one schedule of retries and one job; they differ
 * in which entries of the feed they are told of, in the body, and in the address.
 */
import { createHash } from 'node:crypto';
import type { Account } from '../accounts/account.ts';
import type { FeedEvent } from '../accounts/history.ts';
import type { EventSender, NewDelivery } from './delivery.ts';

/** `evt`: signed events for a program. The others are messages for people. */
export const channelNames = ['evt', 'slack', 'teams'] as const;
/** Where something is sent. The ids of its deliveries begin with it. */
export type ChannelName = (typeof channelNames)[number];

/** One configured receiver: what it is sent for an entry of the feed, and how. */
export interface Channel {
  readonly name: ChannelName;
  /** Undefined if the entry is of no interest there. */
  readonly write: (event: FeedEvent, account: Account) => NewDelivery | undefined;
  readonly sender: EventSender;
}

/** The same entry gets the same id at a channel, whoever reads it and how often. */
export function deliveryId(channel: ChannelName, { seq, accountId, at, kind }: FeedEvent): string {
  const digest = createHash('sha256').update([seq, accountId, at, kind].join(' ')).digest('hex');
  return `${channel}_${digest.slice(0, 32)}`;
}

/** The channel of a delivery, by its id. */
export const channelOf = (id: string): ChannelName =>
  channelNames.find((name) => id.startsWith(`${name}_`)) ?? 'evt';
