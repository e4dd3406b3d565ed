import type { AccountRepository } from '../accounts/model.ts';
import { HOUR, MINUTE, type Clock } from '../../lib/time/clock.ts';
import { channelOf, type Channel } from './channel.ts';
import {
  channelNames,
  type ChannelName,
  LONGEST_RETRY,
  type Delivery,
  type DeliveryRepository,
  type NewDelivery,
  type Sent,
} from './delivery.ts';
import type { HistoryRepository } from '../accounts/history.ts';
import { wordsOf, type Log } from '../../lib/log/log.ts';
import { joined } from '../../lib/text/joined.ts';

export interface DeliveryJobParts {
  readonly history: Pick<HistoryRepository, 'since' | 'latest'>;
  readonly deliveries: DeliveryRepository;
  readonly accounts: Pick<AccountRepository, 'byId'>;
  /** The receivers; at least one. */
  readonly channels: readonly Channel[];
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * The pause after each failed attempt; after the last one the event is given up. Published in
 * docs/reference/events.md.
 */
export const retryPauses = [MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, LONGEST_RETRY] as const;

/** Feed entries per read. */
const AT_ONCE = 500;
/** Events sent in parallel to one receiver. */
const SIDE_BY_SIDE = 5;
/** In milliseconds, longer than any attempt may take; an event whose process died is then due again. */
const HOLD = 2 * MINUTE;

/**
 * Delivers events to the configured receivers: each created once from the feed, and sent until it arrives or is
 * given up.
 */
export class DeliveryJob {
  readonly #parts: DeliveryJobParts;

  constructor(parts: DeliveryJobParts) {
    this.#parts = parts;
  }

  /**
   * Marks where the events of a new receiver begin, so that nothing from the past is sent. Throws the store's errors.
   */
  async begin(): Promise<void> {
    const { history, deliveries, channels } = this.#parts;
    const latest = await history.latest();
    for (const { name } of channels)
      if ((await deliveries.readTo(name)) === undefined)
        await deliveries.add([], (await deliveries.readTo()) ?? latest, name);
  }

  /** Never rejects. Joins a run that is still in progress. */
  readonly run = joined((signal) => this.#run(signal));

  async #run(signal: AbortSignal | undefined): Promise<void> {
    try {
      await this.begin();
      for (const channel of this.#parts.channels) await this.#read(channel, signal);
      await Promise.all(channelNames.map((name) => this.#sendAll(name, signal)));
    } catch (error) {
      this.#parts.log.error('events.failed', { error: wordsOf(error) });
    }
  }

  /**
   * Continues after the last entry that was read for the receiver: one that was not configured for a while misses
   * nothing.
   */
  async #read({ name, write }: Channel, signal: AbortSignal | undefined): Promise<void> {
    const { history, deliveries, clock } = this.#parts;
    const latest = await history.latest();
    let seq = (await deliveries.readTo(name)) ?? latest;
    while (seq < latest && signal?.aborted !== true) {
      const events = await history.since(seq, { limit: AT_ONCE });
      const last = events.at(-1);
      if (last === undefined) return;
      const made: NewDelivery[] = [];
      for (const event of events) {
        const account = await this.#parts.accounts.byId(event.accountId);
        if (account === undefined) continue;
        made.push(...[write(event, account) ?? []].flat());
      }
      // Due now: the event may be so old that one that was due then counts as left behind.
      await deliveries.add(made, last.seq, name, clock.now());
      seq = last.seq;
    }
  }

  /** Each receiver by itself: one that does not answer must not hold up the others. */
  async #sendAll(name: ChannelName, signal: AbortSignal | undefined): Promise<void> {
    while (signal?.aborted !== true) if (!(await this.#send(name))) return;
  }

  /** False if nothing is due, or nothing arrived: then no more is sent until the next run. */
  async #send(name: ChannelName): Promise<boolean> {
    const { deliveries, clock } = this.#parts;
    const due = await deliveries.take(clock.now(), HOLD, SIDE_BY_SIDE, `${name}_`);
    const arrived = await Promise.all(due.map((delivery) => this.#attempt(delivery)));
    return arrived.includes(true);
  }

  async #attempt(delivery: Delivery): Promise<boolean> {
    const { deliveries, clock, log } = this.#parts;
    const { id, type, accountId, attempts } = delivery;
    const { outcome, note } = await this.#sent(delivery);
    const arrived = outcome === 'delivered';
    if (arrived) await deliveries.delivered(id, note, clock.now());
    const told = arrived ? outcome : await this.#failed(delivery, note);
    log.info('events.sent', { event: id, type, account: accountId, attempt: attempts, outcome: told, note });
    return arrived;
  }

  /** An event that was resent while its last attempt was in progress is not given up. */
  async #failed(delivery: Delivery, note: string): Promise<'failed' | 'given up'> {
    const now = this.#parts.clock.now();
    const pause = retryPauses[delivery.attempts - 1];
    const nextAt = pause === undefined ? undefined : now + pause;
    const counted = await this.#parts.deliveries.failed(delivery, nextAt, note, now);
    return counted && pause === undefined ? 'given up' : 'failed';
  }

  async #sent(delivery: Delivery): Promise<Sent> {
    const { channels, clock } = this.#parts;
    const channel = channels.find(({ name }) => name === channelOf(delivery.id));
    return (
      channel?.sender.send(delivery, clock.now()) ?? { outcome: 'failed', note: 'no address is configured' }
    );
  }
}
