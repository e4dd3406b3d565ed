/** An operator's start for invitations, such as Monday at nine, on the clock of each customer. */
import { instantIn, isLocal, localIn } from '../../../lib/time/local.ts';
import type { MessageKind } from '../outbox.ts';
import { dueAt, type SendingHours } from './hours.ts';

/** When a requested message may leave. `start`: not before this time on the clock of the zone. */
export function startOf(
  hours: SendingHours,
  kind: MessageKind,
  zone: string | undefined,
  { now, start }: { readonly now: number; readonly start: string | undefined },
): number {
  const wanted = start === undefined ? now : instantIn(zone ?? hours.zone, start);
  return dueAt(hours, kind, zone, Math.max(now, wanted));
}

/** The fault of a start, as a text for the operator; undefined if there is none. `zone`: the installation's. */
export function startFault(zone: string, start: string, now: number): string | undefined {
  if (!isLocal(start)) return 'the start must be a time like 2026-11-30T09:00';
  const here = localIn(zone, now);
  return start < here ? `the start has passed: it is ${here.replace('T', ' ')} in ${zone}` : undefined;
}

/** Undefined for a message of this minute, which leaves at once. */
export const laterThan = (now: number, at: number | undefined): number | undefined =>
  at === undefined || at <= now ? undefined : at;
