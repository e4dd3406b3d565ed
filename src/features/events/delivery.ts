import { by, byCreation, type ListPage, type Orders } from '../../lib/text/list-order.ts';
import type { Log } from '../../lib/log/log.ts';
import { DAY } from '../../lib/time/clock.ts';

/** `evt`: signed events for a program. The others are messages for people. */
export const channelNames = ['evt', 'slack', 'teams'] as const;
/** A kind of receiver. The ids of its deliveries begin with it. */
export type ChannelName = (typeof channelNames)[number];

/** Types of events that are sent to the configured webhook. */
export const outgoingEvents = [
  'account.invited',
  'account.consented',
  'account.refused',
  'account.lost',
  'account.exported',
  'account.recovered',
  'account.migrated',
  'account.flagged',
  'account.unflagged',
  'wave.stopped',
  'drift.raised',
  'drift.ended',
  'consent.awaiting',
  'consent.confirmed',
  'consent.refused',
  'route.kept',
  'route.returned',
  'write.unknown',
  'write.settled',
] as const;
/** Types of events sent to `CAUSEWAY_EVENTS_URL`. */
export type OutgoingEvent = (typeof outgoingEvents)[number];

/** In milliseconds, the longest pause after a failed attempt. */
export const LONGEST_RETRY = DAY;
/** In milliseconds from its creation: how long a finished delivery stays visible. */
export const DELIVERIES_KEPT = 30 * DAY;

export const deliveryStates = ['waiting', 'delivered', 'given-up'] as const;
/** The state of an event: waiting, delivered, or given up. */
export type DeliveryState = (typeof deliveryStates)[number];

/** One event on its way to the webhook: delivered at least once, in no guaranteed order. */
export interface Delivery {
  /** Id of the event, by which the receiver recognises repetitions. */
  readonly id: string;
  readonly type: OutgoingEvent;
  readonly accountId: string;
  /** The body, exactly as it is signed and sent each time. */
  readonly payload: string;
  readonly createdAt: number;
  readonly attempts: number;
  readonly state: DeliveryState;
  /** When it is due, while `waiting`. */
  readonly nextAt: number;
  /** The result of the last attempt, as a text for the operator; empty before the first. */
  readonly note: string;
}

/** The parsed body; undefined if it is not JSON. */
export function bodyOf({ payload }: Pick<Delivery, 'payload'>): unknown {
  try {
    return JSON.parse(payload) as unknown;
  } catch {
    return undefined;
  }
}

/** The account's name at the time of the event; its id if the body does not contain the name. */
export function accountNameOf(delivery: Pick<Delivery, 'payload' | 'accountId'>): string {
  const body = bodyOf(delivery) as { readonly account?: { readonly name?: unknown } } | null | undefined;
  return typeof body?.account?.name === 'string' ? body.account.name : delivery.accountId;
}

export type NewDelivery = Pick<Delivery, 'id' | 'type' | 'accountId' | 'payload' | 'createdAt'>;

/** One finished attempt. */
export interface DeliveryAttempt extends Sent {
  readonly at: number;
}

/** A delivery with its attempts, oldest first, except one that a crash cut short. */
export interface DeliveryStory {
  readonly delivery: Delivery;
  readonly attempts: readonly DeliveryAttempt[];
}

/** The orders of the list. */
export const deliveryOrders: Orders<Delivery, 'type' | 'state' | 'attempts'> = {
  at: byCreation,
  type: by('type', ({ type }) => type),
  state: by('state', ({ state }) => state),
  attempts: by('attempts', ({ attempts }) => attempts, 'number'),
};

/** A part of the list. */
export interface DeliveryPage extends ListPage<'type' | 'state' | 'attempts'> {
  /** Default: all. */
  readonly state?: DeliveryState | undefined;
}

/** Stores outgoing events; a claim belongs to one process until it expires. */
export interface DeliveryRepository {
  /**
   * Adds deliveries that do not exist yet and stores `upTo` (a number of the feed) for their receiver in the same
   * transaction. A reader that continues the feed from `readTo` therefore creates each event once, whatever happens in
   * between. `dueAt`: when they are due, by default when they were created.
   */
  add(deliveries: readonly NewDelivery[], upTo: number, receiver: ChannelName, dueAt?: number): Promise<void>;
  /** How far the feed has been read for the receiver, or else for any; undefined if never. */
  readTo(receiver?: ChannelName): Promise<number | undefined>;
  /**
   * Due deliveries, oldest first, counted as attempted and kept from other processes for `hold` milliseconds. After a
   * crash they are due again. `prefix`: how their ids begin.
   */
  take(now: number, hold: number, limit: number, prefix?: string): Promise<readonly Delivery[]>;
  /** `at`: when the attempt ended. */
  delivered(id: string, note: string, at: number): Promise<void>;
  /**
   * `nextAt` undefined: never again automatically. If it was made due again meanwhile, or taken by another process, only
   * the attempt is recorded. Returns whether it counted, that is, changed what happens next.
   */
  failed(tried: Tried, nextAt: number | undefined, note: string, at: number): Promise<boolean>;
  /** Makes it due at once and restarts its schedule, whatever its state. Undefined if it does not exist. */
  again(id: string, now: number): Promise<Delivery | undefined>;
  /** The same for every delivery that was given up; returns how many. */
  allAgain(now: number): Promise<number>;
  find(id: string): Promise<DeliveryStory | undefined>;
  /** Newest first, unless another order is given. Empty if the row of a plain id in `before` is gone. */
  list(page: DeliveryPage): Promise<readonly Delivery[]>;
  counts(): Promise<Readonly<Record<DeliveryState, number>>>;
  /**
   * Deletes deliveries created earlier that are finished (delivered or given up), or were due earlier and nobody has sent
   * them. Returns how many of those that nobody has sent.
   */
  forget(before: number): Promise<number>;
}

/** A delivery as it was taken, which identifies the attempt. */
export type Tried = Pick<Delivery, 'id' | 'attempts'>;

/** The outcome of one attempt, as a text for the operator, without addresses or secrets. */
export interface Sent {
  readonly outcome: 'delivered' | 'failed';
  readonly note: string;
}

/** Signs an event and posts it to the configured webhook. Never rejects; limits its own time. */
export interface EventSender {
  send(delivery: Delivery, now: number): Promise<Sent>;
}

/** Deletes what is older than `DELIVERIES_KEPT`; the log says how many events are never sent because of that. */
export async function forgetOld(
  deliveries: Pick<DeliveryRepository, 'forget'>,
  now: number,
  log: Pick<Log, 'warn'>,
): Promise<void> {
  const unsent = await deliveries.forget(now - DELIVERIES_KEPT);
  if (unsent > 0) log.warn('events.expired', { unsent });
}
