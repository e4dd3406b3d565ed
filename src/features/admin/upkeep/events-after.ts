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
  const last = found.length === 0 ? await admin.latestEvent() : since;
  if (since <= last) return found;
  throw new AdminRefusal(
    'conflict',
    `there is no entry ${since}: the last is ${last}; if an earlier backup was restored, read on from there`,
  );
}
