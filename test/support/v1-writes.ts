import { randomUUID } from 'node:crypto';
import type { Store } from '../../src/app/store.ts';

export interface V1Write {
  readonly accountId: string;
  readonly adds?: readonly string[];
  readonly at?: number;
}

/** A write has left for V1: what that leaves in the ledger. Its id. */
export async function leaveForV1(store: Store, { accountId, adds, at = 1 }: V1Write): Promise<string> {
  const id = randomUUID();
  await store.writes.enter(
    {
      ...{
        id,
        accountId,
        method: 'client.add',
        route: 'v1',
        fingerprints: [id],
        idempotency: [],
        length: 100,
      },
      ...{ owner: 'process-1', factsSealed: 'sealed', kind: 'client', adds, now: at },
    },
    { untoldSince: at, keyedSince: at, besides: [] },
  );
  return id;
}

/** V1 has answered it, with the number of the record. */
export async function answeredByV1(store: Store, id: string, made: string, at = 2): Promise<void> {
  const ending = { state: 'done', caller: 'told', route: 'v1', made, kind: 'client' } as const;
  await store.writes.end(id, { ...ending, now: at, answeredAt: at });
}
