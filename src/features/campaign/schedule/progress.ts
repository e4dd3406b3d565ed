/**
 * The progress of the outgoing e-mails, and when the last of them leaves.
 *
 * Waiting messages are played through the limit for one address, the pace and the sending hours one by one, as the
 * outbox would send them. A pure function of these messages and the time.
 */
import { HOUR, MINUTE } from '../../../lib/time/clock.ts';
import { EventHeap, type Timed } from '../../../lib/time/event-heap.ts';
import type { MessageKind } from '../outbox.ts';
import { dueAt, type SendingHours } from './hours.ts';

/** A message that has not left. */
export interface WaitingMessage {
  readonly kind: MessageKind;
  /** The account's zone; undefined: the installation's. */
  readonly zone: string | undefined;
  readonly nextAt: number;
  /** The key of its address; undefined: unknown, or being sent now. */
  readonly to: string | undefined;
}

/** The messages waiting in the outbox, and those sent. */
export interface OutboxFacts {
  readonly waiting: readonly WaitingMessage[];
  /** Invitations of stopped waves, which do not leave. */
  readonly held: number;
  /** When each message of the last day left. */
  readonly sent: readonly number[];
  /** The attempts of the last hour, in order: the key of the address, and when. */
  readonly attempts: readonly { readonly to: string; readonly at: number }[];
}

/** Messages that leave at one time on one day, later than now. */
export interface LaterMessages {
  readonly at: number;
  readonly messages: number;
}

/** The state of sending. */
export interface SendingProgress {
  /** Messages that may leave now. */
  readonly due: number;
  /** Messages sent since the oldest of these became due. */
  readonly sent: number;
  /** When the last of the messages that are due now will have left; undefined if none waits. */
  readonly endsAt: number | undefined;
  /** Messages sent within the last minute. */
  readonly lastMinute: number;
  readonly perMinute: number;
  /** Messages that wait for their hours, their day or the limit for their address, the earliest first. */
  readonly later: readonly LaterMessages[];
  /** When the very last will have left, whether due now or later; undefined if none waits. */
  readonly allEndAt: number | undefined;
  /** Invitations of stopped waves, which do not leave until their wave continues. */
  readonly held: number;
}

/** The limits on sending, and the present time. */
interface Limits {
  readonly hours: SendingHours;
  readonly pace: { readonly perMinute: number; readonly perAddress: number };
  readonly now: number;
}

interface Ready extends Timed {
  readonly message: WaitingMessage;
}

/** The state of sending at `now`. */
export function progressOf(facts: OutboxFacts, limits: Limits): SendingProgress {
  const { held, sent } = facts;
  const { hours, pace, now } = limits;
  const waiting = withinAddressLimit(facts, limits);
  const due: WaitingMessage[] = [];
  const later: number[] = [];
  for (const message of waiting) {
    const at = dueAt(hours, message.kind, message.zone, Math.max(now, message.nextAt));
    if (at <= now) due.push(message);
    else later.push(at);
  }
  const began = due.reduce((first, { nextAt }) => Math.min(first, nextAt), Infinity);
  return {
    due: due.length,
    sent: sent.filter((at) => at >= began).length,
    endsAt: endOf(due, limits),
    lastMinute: sent.filter((at) => at > now - MINUTE).length,
    perMinute: pace.perMinute,
    later: laterOf(later),
    allEndAt: endOf(waiting, limits),
    held,
  };
}

/** The messages, those that the limit for their address holds back at the time when it lets them go. */
function withinAddressLimit(
  { waiting, attempts }: OutboxFacts,
  { hours, pace, now }: Limits,
): readonly WaitingMessage[] {
  const taken = new Map<string, number[]>();
  const timesOf = (to: string): number[] => {
    const times = taken.get(to) ?? [];
    taken.set(to, times);
    return times;
  };
  for (const { to, at } of attempts) timesOf(to).push(at);
  const openAt = ({ kind, zone }: WaitingMessage, at: number): number => dueAt(hours, kind, zone, at);
  return waiting
    .map((message) => ({ message, at: openAt(message, Math.max(now, message.nextAt)) }))
    .sort((a, b) => a.at - b.at)
    .map(({ message, at }) => {
      if (message.to === undefined) return message;
      const times = timesOf(message.to);
      const free = (times.at(-pace.perAddress) ?? -Infinity) + HOUR;
      const leaves = free <= at ? at : openAt(message, Math.ceil(free / MINUTE) * MINUTE);
      times.push(leaves);
      return free <= at ? message : { ...message, nextAt: leaves };
    });
}

/** When the last of these messages leaves. */
function endOf(messages: readonly WaitingMessage[], { hours, pace, now }: Limits): number | undefined {
  const heap = new EventHeap<Ready>();
  messages.forEach((message, order) => {
    heap.push({ at: Math.max(now, message.nextAt), order, message });
  });
  // The outbox takes them one after the other, as fast as the pace allows.
  const apart = MINUTE / pace.perMinute;
  let free = now;
  let end: number | undefined;
  for (let next = heap.pop(); next !== undefined; next = heap.pop()) {
    const at = Math.max(free, next.at);
    const open = dueAt(hours, next.message.kind, next.message.zone, at);
    if (open > at) heap.push({ ...next, at: open });
    else {
      end = at;
      free = at + apart;
    }
  }
  return end;
}

/** Grouped by time, because a whole wave in one zone becomes due at once. */
function laterOf(times: readonly number[]): readonly LaterMessages[] {
  const counts = new Map<number, number>();
  for (const at of times) counts.set(at, (counts.get(at) ?? 0) + 1);
  return Array.from(counts, ([at, messages]) => ({ at, messages })).sort((a, b) => a.at - b.at);
}
