import type { Method } from './model.ts';

/**
 * Whether the mapping marks the method as a read: it has no look-up of an outcome, creates nothing, and V3
 * gets a GET. The verb of a legacy call does not tell.
 */
export const isRead = ({ settle, creates, v3 }: Method): boolean =>
  settle === undefined && !creates && v3.verbs.join() === 'GET';
