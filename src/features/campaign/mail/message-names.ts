import { messageKinds } from '../outbox.ts';

/** `first`: for customers that never had V1 keys, who are not asked "once more". */
export const messageNames = [...messageKinds, 'first', 'first-reminder'] as const;
/** The name of a message in the files of texts, below `letters`. */
export type MessageName = (typeof messageNames)[number];
