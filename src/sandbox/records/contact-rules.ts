import type { StoredRecord } from './kinds.ts';

/** Whether a record of the client cannot name the contact. A contact that has no client can be named by all. */
export const isOfAnotherClient = ({ owner }: StoredRecord<'contact'>, client: string | undefined): boolean =>
  owner !== undefined && owner !== client;
