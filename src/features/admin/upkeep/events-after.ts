import type { FeedEvent } from '../../accounts/history.ts';
import type { AdminService } from '../admin.ts';
import { AdminRefusal } from '../refusal.ts';

/**
 * Timeline entries of all accounts after `since`, in order. Throws `AdminRefusal` conflict if there is no entry
 * `since`: after a restore of an earlier backup the numbers begin again lower.
 */
export async function eventsAfter(
  admin: Pick<AdminService, 'events' | 'latestEvent'>,
  since: number,
  limit: number,
  transitionsOnly?: boolean,
): Promise<readonly FeedEvent[]> {
  const found = await admin.events(since, limit, transitionsOnly);
  if (found.length === 0) checkIsThere(since, await admin.latestEvent());
  return found;
}

/** Throws `AdminRefusal` conflict if the entry is beyond the last one. */
export function checkIsThere(entry: number, last: number): void {
  if (entry > last)
    throw new AdminRefusal(
      'conflict',
      `there is no entry ${entry}: the last is ${last}; if an earlier backup was restored, read on from there`,
    );
}
