import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { get } from 'node:http';
import type { Pair } from '../../src/mapping/crosswalk/identifier.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import { AdminUpkeep, type AdminUpkeepParts } from '../../src/features/admin/upkeep/upkeep.ts';
import { silentLog } from '../../src/lib/log/log.ts';
import { errorOf, Office } from './api-harness.ts';
import { HandClock } from '../support/clock.ts';

let office: Office;
beforeAll(async () => {
  office = await Office.open();
});
afterAll(() => office.stop());

const uuidOf = (number: number): string => `00000000-0000-4000-8000-${String(number).padStart(12, '0')}`;
const pairsOf = (count: number): readonly Pair[] =>
  Array.from({ length: count }, (_, index) => ({
    kind: 'client',
    number: index + 1,
    uuid: uuidOf(index + 1),
  }));

const audited = async (): Promise<readonly string[]> => {
  const { json } = await office.call('/audit');
  return (json.rows as readonly { readonly who: string; readonly action: string; readonly detail: string }[])
    .map(({ who, action, detail }) => `${who} ${action}: ${detail}`)
    .reverse();
};

/** A reply as it comes, whatever its type. */
async function raw(path: string, token = office.read): Promise<Response> {
  return fetch(`${office.bridge.url}/_causeway/api${path}`, {
    headers: { Authorization: `Bearer ${token}` },
  });
}

describe('the crosswalk of an account in the API', () => {
  it('is exported as CSV that can be imported again', async () => {
    const id = await office.addAccount('Exported');
    const pairs = pairsOf(5_000);
    await office.bridge.services.store.crosswalk.learn(id, pairs);
    const reply = await raw(`/accounts/${id}/crosswalk/export`);
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect(reply.headers.get('content-disposition')).toBe(`attachment; filename="crosswalk-${id}.csv"`);
    const lines = (await reply.text()).split('\r\n');
    expect(lines[0]).toBe('kind,number,uuid');
    expect(lines).toHaveLength(5_002);
    expect(lines.slice(1, -1)).toEqual(pairs.map(({ kind, number, uuid }) => `${kind},${number},${uuid}`));
  });

  it('is exported for one kind, which must exist, and an existing account', async () => {
    const id = await office.addAccount('One kind');
    await office.bridge.services.store.crosswalk.learn(id, [
      ...pairsOf(1),
      { kind: 'job', number: 7, uuid: uuidOf(9) },
    ]);
    const reply = await raw(`/accounts/${id}/crosswalk/export?kind=job`);
    expect(await reply.text()).toBe(`kind,number,uuid\r\njob,7,${uuidOf(9)}\r\n`);
    const strange = await office.call(`/accounts/${id}/crosswalk/export?kind=dragon`);
    expect([strange.status, errorOf(strange).code]).toEqual([422, 'unusable']);
    expect((await office.call('/accounts/nobody/crosswalk/export')).status).toBe(404);
  });

  it('is read no further if the client has gone', async () => {
    const id = await office.addAccount('Left alone');
    await office.bridge.services.store.crosswalk.learn(id, pairsOf(50_000));
    const request = get(`${office.bridge.url}/_causeway/api/accounts/${id}/crosswalk/export`, {
      headers: { Authorization: `Bearer ${office.read}` },
    });
    const [response] = (await once(request, 'response')) as [NodeJS.ReadableStream & { destroy(): void }];
    response.destroy();
    expect((await office.call('/me')).status).toBe(200);
  });

  it('is requested from V1, and the reply says why nothing was learned', async () => {
    const id = await office.addAccount('No API key');
    const reply = await office.call(`/accounts/${id}/crosswalk/learn`, { verb: 'POST' });
    expect(reply.json).toMatchObject({ outcome: 'absent', added: 0 });
    const rows = await audited();
    expect(rows.slice(-2)).toEqual([
      'operate test crosswalk.learn: requested',
      'operate test crosswalk.learn: nothing was learned: absent',
    ]);
  });
});

describe('a list of accounts in the API', () => {
  it('is complete JSON however it is written', async () => {
    for (let account = 0; account < 3; account += 1) await office.addAccount(`Export ${account} “\u202e”`);
    const reply = await raw('/accounts/export');
    const { accounts } = (await reply.json()) as { readonly accounts: readonly { readonly name: string }[] };
    expect(accounts.filter(({ name }) => name.startsWith('Export '))).toHaveLength(3);
    expect(reply.headers.get('cache-control')).toBe('no-store');
  });
});

describe('a grant in the API', () => {
  it('is refreshed for an account that has one', async () => {
    const id = await office.addAccount('No grant');
    const refused = await office.call(`/accounts/${id}/grant/renew`, { verb: 'POST' });
    expect([refused.status, errorOf(refused).message]).toEqual([
      409,
      'there is no consent to renew: it is legacy',
    ]);
  });
});

const account = {
  id: 'a',
  name: 'A',
  product: 'standard',
  application: 'default',
  origin: 'added',
  createdAt: 0,
  stageSince: 0,
  lastCallAt: undefined,
  life: {
    stage: 'migrated',
    binding: { grantId: 'g', organisation: { id: 'o', name: 'O' } },
  },
} as unknown as Parameters<AdminUpkeep['renew']>[0];

const held = (generation: number): unknown => ({
  id: 'g',
  state: 'held',
  renewedAt: 5,
  tokens: { generation },
});

/** The parts, and what was written down. */
function seeded(parts: Partial<AdminUpkeepParts>): {
  readonly upkeep: AdminUpkeep;
  readonly audit: readonly string[];
} {
  const audit: string[] = [];
  const upkeep = new AdminUpkeep({
    identifierSync: { learn: async () => ({ outcome: 'failed' }) },
    grants: { find: async () => held(3) as never },
    vault: undefined,
    audit: {
      write: async ({ detail }) => {
        audit.push(detail);
      },
    },
    clock: new HandClock(),
    log: silentLog,
    ...parts,
  });
  return { upkeep, audit };
}

describe('upkeep by the API', () => {
  it('does not use the keys of a closed account to learn', async () => {
    let asked = 0;
    const learn = async () => {
      asked += 1;
      return { outcome: 'failed' } as const;
    };
    const { upkeep, audit } = seeded({ identifierSync: { learn } });
    const closed = { ...account, life: { stage: 'closed' } } as const;
    await expect(upkeep.learn(closed as never, 'ada')).rejects.toMatchObject({ fault: 'conflict' });
    expect([asked, audit]).toEqual([0, []]);
  });

  it('refreshes past the present generation, and says so if there is no newer one', async () => {
    let generation = 3;
    const vault: AdminUpkeepParts['vault'] = {
      async renewAfter(_, present) {
        generation = Math.min(4, present + 1);
        return { token: new Secret('t'), generation };
      },
    };
    const { upkeep, audit } = seeded({ vault, grants: { find: async () => held(generation) as never } });
    expect((await upkeep.renew(account, 'ada')).tokens.generation).toBe(4);
    await expect(upkeep.renew(account, 'ada')).rejects.toMatchObject({ fault: 'unavailable' });
    expect(audit).toEqual([
      'requested',
      'done: there is a newer pair of tokens',
      'requested',
      'failed: no newer pair of tokens',
    ]);
  });

  it('does not wait for a long identifier sync, and records its result', async () => {
    const { promise, resolve } = Promise.withResolvers<{ readonly outcome: 'refused' }>();
    const { upkeep, audit } = seeded({ identifierSync: { learn: () => promise }, patience: 1 });
    expect(await upkeep.learn(account, 'ada')).toEqual({ outcome: 'running' });
    expect(audit).toEqual(['requested']);
    resolve({ outcome: 'refused' });
    await promise;
    await new Promise(setImmediate);
    expect(audit).toEqual(['requested', 'nothing was learned: refused']);
  });
});
