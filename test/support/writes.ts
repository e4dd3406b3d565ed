import { randomUUID } from 'node:crypto';
import type { Store } from '../../src/app/store.ts';
import type { Settlement, WriteFacts } from '../../src/features/writes/model.ts';
import { sealSteps } from '../../src/features/writes/rows/sealed-steps.ts';
import type { WriteStep } from '../../src/features/writes/steps.ts';
import type { Seal } from '../../src/lib/secret/seal.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import { sealedAs } from '../../src/tokens/sealing/sealed.ts';

export interface LostWrite {
  readonly accountId: string;
  readonly method?: string;
  readonly values?: WriteFacts['values'];
  /** What looking at the service came to; nobody has looked unless said. */
  readonly settlement?: Settlement;
  readonly made?: string;
  readonly at?: number;
  readonly steps?: readonly WriteStep[];
  /** Hashes of its `Idempotency-Key`. */
  readonly idempotency?: readonly string[];
  readonly repeats?: string;
}

/** A write has left, and its answer was lost: what that leaves in the ledger. Its id. */
export async function lose(
  { store, ring }: { readonly store: Store; readonly ring: Seal },
  lost: LostWrite,
): Promise<string> {
  const {
    accountId,
    method = 'client.add',
    values = {},
    settlement,
    made,
    at = Date.now(),
    steps = [],
  } = lost;
  const { idempotency = [], repeats } = lost;
  const id = randomUUID();
  const facts: WriteFacts = {
    verb: 'POST',
    segments: ['client.api', 'add'],
    query: [['apiKey', 'KEY-CANARY']],
    values,
  };
  await store.writes.enter(
    {
      ...{ id, accountId, method, route: 'v3', fingerprints: [id], idempotency, repeats, length: 100 },
      ...{ owner: 'process-1', kind: 'client', now: at },
      stepsSealed: sealSteps(ring, id, steps),
      factsSealed: ring.seal(new Secret(JSON.stringify(facts)), id, sealedAs.writeFacts),
    },
    { untoldSince: at, keyedSince: at, besides: [] },
  );
  await store.writes.end(id, { state: 'unknown', caller: 'untold', now: at + 1 });
  if (settlement !== undefined)
    await store.writes.settle(id, {
      ...{ settlement, made, kind: 'client', note: 'two records hold what was sent' },
      now: at + 2,
    });
  return id;
}

/** A job that was added, and of whose template nobody knows. */
export const jobSteps: readonly WriteStep[] = [
  {
    key: '0',
    says: 'the job was added',
    state: 'done',
    made: 'J9',
    answer: { name: 'STEP-CANARY' },
    isLast: false,
  },
  { key: '1', says: 'the template was applied', state: 'unknown', isLast: true },
];

/** A job that was added with its template; only the reply is missing. */
export const completeSteps: readonly WriteStep[] = jobSteps.map((step) => ({ ...step, state: 'done' }));
