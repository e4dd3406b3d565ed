import type { Method } from './model.ts';

/**
 * Whether the mapping marks the method as a read: nothing is looked up afterwards, nothing is created, and V3 is only
 * asked. The verb of a legacy call says nothing about it.
 */
export const isRead = ({ settle, creates, v3 }: Method): boolean =>
  settle === undefined && !creates && v3.verbs.join() === 'GET';
