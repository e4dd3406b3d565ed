import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Write } from '../../../src/features/writes/model.ts';
import { MINUTE } from '../../../src/lib/time/clock.ts';
import { LAST_NUMBER } from '../../../src/mapping/crosswalk/allot.ts';
import { FIRST_ALLOTTED, idKey } from '../../../src/mapping/crosswalk/identifier.ts';
import { tradeSeed } from '../../contract/tradeSeed.ts';
import { describeOnBoth, type Bench } from '../../db/engines.ts';
import { sqlOf } from '../../support/sql.ts';
import { eventually } from '../../support/clock.ts';
import { scene, type Answered, type Scene } from './settling/service.ts';

const operations = { v3: 'client.add', v2: 'v2.clients.create' } as const;
type Moved = keyof typeof operations;

const numberIn = ({ body }: Answered): string => /<ID>([^<]+)<\/ID>/.exec(body)?.[1] ?? '';

function suite(surface: Moved, bench: Bench): void {
  let all: Scene;
  let folder: string;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'causeway-numbers-'));
    all = await scene(surface, tradeSeed, {
      env: {
        CAUSEWAY_DATABASE_URL: bench.url(),
        CAUSEWAY_DEPLOYMENT_FILE: join(folder, 'causeway.deployment'),
        CAUSEWAY_SPILL_FOLDER: join(folder, 'spill'),
      },
    });
  });
  afterAll(async () => {
    await all.close();
    rmSync(folder, { recursive: true });
  });

  const add = (name: string, inner = ''): Promise<Answered> =>
    all.call('POST client.api/add', `<Client><Name>${name}</Name>${inner}</Client>`);
  const countOf = async (name: string): Promise<number> =>
    (await all.call(`GET client.api/search?query=${name}`)).body.split(`<Name>${name}</Name>`).length - 1;
  const rowOf = async ({ headers }: Answered): Promise<Write | undefined> =>
    all.bridge.services.store.writes.find(headers.get('x-request-id') ?? '');
  const youngest = async (): Promise<Write | undefined> =>
    (await all.bridge.services.store.writes.list({ limit: 1 }))[0];
  const struck = async (): Promise<number> => {
    const faults = (await all.sandbox.control('GET', 'faults')) as readonly { readonly struck: number }[];
    return faults.reduce((sum, fault) => sum + fault.struck, 0);
  };
  const account = async (): Promise<string> => (await youngest())?.accountId ?? '';
  const isStored = async (number: number): Promise<boolean> => {
    const id = { kind: 'client', number };
    return (await all.bridge.services.store.crosswalk.uuids(await account(), [id])).has(
      idKey('client', number),
    );
  };

  it('is in the ledger before the call is sent, and in the reply', async () => {
    await all.sandbox.control('DELETE', 'faults');
    await all.fault(operations[surface], { do: 'latency', ms: 500 });
    const answer = add('Beforehand');
    await eventually('the call has left', async () => ((await struck()) === 1 ? true : undefined));
    const open = await youngest();
    expect(open).toMatchObject({ method: 'client.add', state: 'open' });
    expect(open?.allotted).toBeGreaterThanOrEqual(FIRST_ALLOTTED);
    expect(await isStored(open?.allotted ?? 0)).toBe(false);
    expect(numberIn(await answer)).toBe(String(open?.allotted));
    expect(await isStored(open?.allotted ?? 0)).toBe(true);
  });

  it('is the allotted one if the reply was lost and the record is found', async () => {
    await all.fault(operations[surface], { do: 'reset-after' });
    const answer = await add('Found', '<Contacts><Contact><Name>Their contact</Name></Contact></Contacts>');
    const row = await rowOf(answer);
    expect(row).toMatchObject({ state: 'settled', settlement: 'done', made: String(row?.allotted) });
    expect(answer.status).toBe(200);
    expect(numberIn(answer)).toBe(String(row?.allotted));
    expect(answer.body).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
    expect((await all.call(`GET client.api/get/${numberIn(answer)}`)).body).toContain('<Name>Found</Name>');
  });

  it('is the allotted one although older records of the kind are not known', async () => {
    await sqlOf(bench.url(), `update crosswalk_kinds set complete = 0 where kind = 'client'`);
    try {
      await all.fault(operations[surface], { do: 'reset-after' });
      const answer = await add('Incomplete');
      const row = await rowOf(answer);
      expect(row).toMatchObject({ settlement: 'done', made: String(row?.allotted) });
    } finally {
      await sqlOf(bench.url(), `update crosswalk_kinds set complete = 1 where kind = 'client'`);
    }
  });

  it('stays the one under which another read saw the record first', async () => {
    await all.fault(operations[surface], { do: 'late', ms: 7_000 });
    const answer = await add('Met');
    expect(answer.status).toBe(504);
    const met = await eventually('a list shows it', async () => {
      const { body } = await all.call('GET client.api/list');
      return /<ID>(\d+)<\/ID>\s*<Name>Met</.exec(body)?.[1];
    });
    all.ahead(MINUTE);
    const row = await eventually('it is settled', async () => {
      const found = await rowOf(answer);
      return found?.state === 'settled' ? found : undefined;
    });
    all.ahead(0);
    expect(row).toMatchObject({ settlement: 'done', made: met });
    expect(Number(met)).toBeGreaterThan(row.allotted ?? 0);
  });

  it('leaves a gap if the service refuses the write', async () => {
    await all.fault(operations[surface], { do: 'status', status: 400, when: 'before' });
    const refused = await rowOf(await add('Refused'));
    expect(refused).toMatchObject({ state: 'refused' });
    expect(Number(numberIn(await add('Accepted')))).toBe((refused?.allotted ?? 0) + 1);
  });

  it('is refused with a message before anything is sent if none is left', async () => {
    const before = await youngest();
    await sqlOf(bench.url(), `update crosswalk_kinds set allotted_to = ${LAST_NUMBER} where kind = 'client'`);
    const { status, body } = await add('Exhausted');
    await sqlOf(
      bench.url(),
      `update crosswalk_kinds set allotted_to = ${(before?.allotted ?? 0) + 1} where kind = 'client'`,
    );
    expect(status).toBe(200);
    expect(body).toContain('<Status>ERROR</Status>');
    expect(body).toContain('No number is left for a new record of this kind in this account');
    expect((await youngest())?.id).toBe(before?.id);
    expect(await countOf('Exhausted')).toBe(0);
  });

  if (bench.engine === 'PostgreSQL')
    it.each(['writes', 'crosswalk_kinds'])(
      'is refused if the server has no room for it in %s, and the call is not sent',
      async (table) => {
        // What the server itself says when it cannot extend a file.
        await sqlOf(
          bench.url(),
          `create function full_disk() returns trigger language plpgsql as
             $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
           create trigger full_disk before insert on ${table} for each row execute function full_disk()`,
        );
        try {
          const { status, body } = await add('Nowhere');
          expect(status).toBe(503);
          expect(body).toContain('nothing was sent');
        } finally {
          await sqlOf(bench.url(), `drop trigger full_disk on ${table}; drop function full_disk()`);
        }
        expect(await countOf('Nowhere')).toBe(0);
      },
    );
}

describe.each(['v3', 'v2'] as const)('the number of a record created on %s', (surface) => {
  describeOnBoth('in the ledger', (bench) => {
    // Inside, so that it ends before its database is dropped.
    describe('of a running bridge', () => {
      suite(surface, bench);
    });
  });
});
