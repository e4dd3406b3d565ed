/**
 * The receivers of outgoing events. All of them share one table of deliveries, one schedule of retries and one job;
 * they differ in the feed entries they get, in the body, and in the address.
 */
import { createHash } from 'node:crypto';
import type { Account } from '../accounts/account.ts';
import type { FeedEvent } from '../accounts/history.ts';
import { channelNames, type ChannelName, type EventSender, type NewDelivery } from './delivery.ts';

/** One configured receiver: its message for an entry of the feed, and how it is sent. */
export interface Channel {
  readonly name: ChannelName;
  /** Undefined if the receiver does not want the entry. */
  readonly write: (event: FeedEvent, account: Account) => NewDelivery | undefined;
  readonly sender: EventSender;
}

/** The same entry has the same id at a channel, whoever reads it and however often. */
export function deliveryId(channel: ChannelName, { seq, accountId, at, kind }: FeedEvent): string {
  const digest = createHash('sha256').update([seq, accountId, at, kind].join(' ')).digest('hex');
  return `${channel}_${digest.slice(0, 32)}`;
}

/** The channel of a delivery, by its id. */
export const channelOf = (id: string): ChannelName =>
  channelNames.find((name) => id.startsWith(`${name}_`)) ?? 'evt';
