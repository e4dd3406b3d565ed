import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { MINUTE } from '../../../../src/lib/time/clock.ts';
import type { Write } from '../../../../src/features/writes/model.ts';
import { tradeSeed } from '../../../contract/tradeSeed.ts';
import { describeOnBoth } from '../../../db/engines.ts';
import { eventually } from '../../../support/clock.ts';
import { scene, type Answered, type Scene, type Surface } from './service.ts';

const operations: Readonly<Record<Surface, string>> = {
  v1: 'client.add',
  v3: 'client.add',
  v2: 'v2.clients.create',
};
const add = (name: string): readonly [string, string] => [
  'POST client.api/add',
  `<Client><Name>${name}</Name></Client>`,
];
const numberIn = ({ body }: Answered): string => /<ID>([^<]+)<\/ID>/.exec(body)?.[1] ?? '';
const joined = ({ headers }: Answered): string | null => headers.get('x-causeway-joined');

function suite(surface: Surface, env: () => Readonly<Record<string, string>>): void {
  let all: Scene;
  beforeAll(async () => {
    all = await scene(surface, tradeSeed, { env: env() });
  });
  afterEach(() => {
    all.ahead(0);
  });
  afterAll(() => all.close());

  const countOf = async (name: string): Promise<number> =>
    (await all.call(`GET client.api/search?query=${name}`)).body.split(`<Name>${name}</Name>`).length - 1;
  const rowOf = async ({ headers }: Answered): Promise<Write | undefined> =>
    all.bridge.services.store.writes.find(headers.get('x-request-id') ?? '');

  it('was not done once the service can no longer do it, and one of its repeats is sent', async () => {
    await all.fault(operations[surface], { do: 'reset-before' });
    const first = await all.call(...add('Nowhere'));
    expect([first.status, await countOf('Nowhere')]).toEqual([504, 0]);
    expect(await rowOf(first)).toMatchObject({ state: 'unknown' });
    all.ahead(6 * MINUTE);
    // On a busy machine one of them would come after another was answered, and be a write of its own.
    await all.fault(operations[surface], { do: 'latency', ms: 2_000 });
    const repeats = await Promise.all([0, 1, 2].map(() => all.call(...add('Nowhere'))));
    expect(repeats.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(repeats.map(numberIn)).size).toBe(1);
    expect(repeats.filter((one) => joined(one) === null)).toHaveLength(1);
    expect(await countOf('Nowhere')).toBe(1);
    expect(await rowOf(first)).toMatchObject({ state: 'settled', settlement: 'not-done' });
  });

  it('is done if the service did it late', async () => {
    await all.fault(operations[surface], { do: 'late', ms: 1_000 });
    const answer = await all.call(...add('Late'));
    expect(answer).toMatchObject({ status: 200 });
    expect(await rowOf(answer)).toMatchObject({ settlement: 'done', made: numberIn(answer) });
  });

  it('is done if its reply was cut', async () => {
    await all.fault(operations[surface], { do: 'cut' });
    expect(await all.call(...add('Cut'))).toMatchObject({ status: 200 });
    expect(await countOf('Cut')).toBe(1);
  });

  it('gets its own record if two equal ones are meant', async () => {
    await all.fault(operations[surface], { do: 'reset-after', times: 2 });
    const answers = await Promise.all([0, 1].map(() => all.call(...add('Twice'))));
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(new Set(answers.map(numberIn)).size).toBe(2);
    expect(await countOf('Twice')).toBe(2);
  });

  it('is settled in the background once its caller has gone', async () => {
    await all.fault(operations[surface], { do: 'late', ms: 7_000 });
    const first = await all.call(...add('Alone'));
    expect(first.status).toBe(504);
    await eventually('it is there', async () => ((await countOf('Alone')) === 1 ? true : undefined));
    all.ahead(MINUTE);
    const row = await eventually('it is settled', async () => {
      const found = await rowOf(first);
      return found?.state === 'settled' ? found : undefined;
    });
    expect(row).toMatchObject({ settlement: 'done', settledBy: undefined });
    const again = await all.call(...add('Alone'));
    expect([numberIn(again), joined(again)]).toEqual([row.made, first.headers.get('x-request-id')]);
  });
}

describe.each(['v1', 'v2'] as const)('a write of unknown outcome on %s', (surface) => {
  suite(surface, () => ({}));
});
describeOnBoth('a write of unknown outcome on v3', (bench) => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-settling-'));
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });
  // Beside a database on a server, what lies outside of it.
  // Inside, so that it ends before its database is dropped.
  describe('of a running bridge', () => {
    suite('v3', () => ({
      CAUSEWAY_DATABASE_URL: bench.url(),
      CAUSEWAY_DEPLOYMENT_FILE: join(folder, 'causeway.deployment'),
      CAUSEWAY_SPILL_FOLDER: join(folder, 'spill'),
    }));
  });
});
