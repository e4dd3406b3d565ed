import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MINUTE } from '../../../src/lib/time/clock.ts';
import { FIRST_ALLOTTED } from '../../../src/mapping/crosswalk/identifier.ts';
import { tradeSeed } from '../../contract/tradeSeed.ts';
import { eventually } from '../../support/clock.ts';
import { scene, type Answered, type Scene } from './settling/service.ts';

/** The account moves while nobody knows yet what came of a write that went to V1. */
describe.each([
  { when: 'made before the move', ms: 7_000 },
  { when: 'made after the move', ms: 20_000 },
])('a write to V1 whose record is $when', ({ ms }) => {
  let all: Scene;
  beforeAll(async () => {
    all = await scene('v1', tradeSeed);
  });
  afterAll(() => all.close());

  it('is found on V3, and keeps the number that the program knows', async () => {
    const { name, users } = tradeSeed as {
      readonly name: string;
      readonly users: readonly { name: string }[];
    };
    const countOf = async (): Promise<number> =>
      (await all.call('GET client.api/search?query=Mover')).body.split('<Name>Mover</Name>').length - 1;
    const numberOf = async (): Promise<string | undefined> =>
      /<ID>(\d+)<\/ID>\s*<Name>Mover</.exec((await all.call('GET client.api/search?query=Mover')).body)?.[1];
    const rowOf = async ({ headers }: Answered) =>
      all.bridge.services.store.writes.find(headers.get('x-request-id') ?? '');
    await all.fault('client.add', { do: 'late', ms });
    const lost = await all.call('POST client.api/add', '<Client><Name>Mover</Name></Client>');
    expect(lost.status).toBe(504);
    expect(await rowOf(lost)).toMatchObject({ route: 'v1', allotted: undefined });
    const there = (): Promise<true> =>
      eventually('it is there', async () => ((await countOf()) === 1 ? true : undefined));
    if (ms < 10_000) await there();
    const before = await numberOf();
    await all.bridge.migrate(name, users[0]?.name ?? '');
    if (ms > 10_000) await there();
    all.ahead(MINUTE);
    const row = await eventually('it is settled', async () => {
      const found = await rowOf(lost);
      return found?.state === 'settled' ? found : undefined;
    });
    expect(row).toMatchObject({ settlement: 'done' });
    // As V1 has shown it, where it has.
    expect(row.made).toBe(before ?? (await numberOf()));
    if (before === undefined) expect(Number(row.made)).toBeGreaterThanOrEqual(FIRST_ALLOTTED);
    const shown = await all.call(`GET client.api/get/${row.made ?? ''}`);
    expect(shown.headers.get('x-causeway-source')).toBe('v3');
    expect(shown.body).toContain(`<ID>${row.made ?? ''}</ID>`);
    expect(shown.body).toContain('<Name>Mover</Name>');
    const again = await all.call('POST client.api/add', '<Client><Name>Mover</Name></Client>');
    expect(again.headers.get('x-causeway-joined')).toBe(row.id);
    expect(await countOf()).toBe(1);
  });
});
