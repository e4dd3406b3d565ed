import { afterEach, describe, expect, it } from '@jest/globals';
import type { AccountEvent } from '../../../src/features/accounts/account.ts';
import { MINUTE, type Clock } from '../../../src/lib/time/clock.ts';
import { AheadClock, eventually } from '../../support/clock.ts';
import { SnapshotWorld } from '../snapshot/world.ts';

/**
 * 403 has two meanings: this call is not allowed, or nothing is any more (V2 specification, "Errors": scope, or
 * organisation access).
 */

const studio = {
  name: 'Harbour Lane Studio',
  accountKey: 'A000000000000000000000000000C403',
  clients: [{ number: 1_000_000, name: 'Fjord & Söhne' }],
};
const GET = 'client.api/get/1000000';
const AGAIN = 'This connection must be authorised again';

afterEach(() => SnapshotWorld.closeAll());

async function moved(clock?: Clock): Promise<SnapshotWorld> {
  const world = await SnapshotWorld.open(studio, {}, true, clock);
  await world.move();
  await world.bridge.services.store.routes.set(['client.get'], 'all', undefined, 'test');
  return world;
}

const stageOf = async ({ bridge, accountId }: SnapshotWorld): Promise<string | undefined> =>
  (await bridge.services.store.accounts.byId(await accountId))?.life.stage;

const forbid = (
  { sandbox }: SnapshotWorld,
  surface: 'v2' | 'v3',
  operation: string | undefined,
): Promise<unknown> =>
  sandbox.control('POST', 'faults', { on: { surface, operation }, do: 'status', status: 403, times: 2 });

/** The entry of V1's last numbers may come before it or after it. */
const lastEvent = async ({ bridge, accountId }: SnapshotWorld): Promise<AccountEvent | undefined> =>
  (await bridge.services.store.accounts.timeline(await accountId)).findLast(
    ({ kind }) => kind !== 'numbers.read',
  );

/** How often the bridge has asked which organisations its token is valid for, since the move. */
async function asked({ sandbox }: SnapshotWorld): Promise<number> {
  const seen = await sandbox.requests();
  const firstForbidden = seen.findIndex(({ status }) => status === 403);
  return seen.slice(firstForbidden).filter(({ path }) => path === '/connections').length;
}

/** As its administrator does, on the service's own page; tokens that were issued live on. */
async function disconnect({ sandbox, bridge, accountId }: SnapshotWorld): Promise<void> {
  const account = await bridge.services.store.accounts.byId(await accountId);
  const id = account && 'binding' in account.life ? account.life.binding.organisation.id : '';
  const page = await (await fetch(`${sandbox.url}/_sandbox/screens/organisations/${id}`)).text();
  const connection = /name="connection" value="([^"]+)"/.exec(page)?.[1] ?? '';
  const answer = await fetch(`${sandbox.url}/_sandbox/screens/organisations/${id}/disconnect`, {
    method: 'POST',
    body: new URLSearchParams({ connection }),
  });
  expect(answer.ok).toBe(true);
}

describe('a call that the service forbids', () => {
  it.each([
    ['v3', 'client.get', GET, 'client.api/list'],
    ['v2', undefined, 'category.api/list', 'staff.api/list'],
  ] as const)(
    'by %s is refused with its reason, and no other is',
    async (surface, operation, path, other) => {
      const world = await moved();
      await forbid(world, surface, operation);
      for (const again of [1, 2]) {
        const { status, headers, text } = await world.program.get(path);
        expect([again, status, headers['x-causeway-source']]).toEqual([again, 403, surface]);
        expect(text).toContain(
          '<Status>ERROR</Status><ErrorDescription>The service does not permit this call: ',
        );
        expect(text).not.toContain(AGAIN);
      }
      expect((await world.program.get(path)).status).toBe(200);
      expect((await world.program.get(other)).status).toBe(200);
      expect(await stageOf(world)).toBe('migrated');
      await eventually('the list of organisations is asked for', async () =>
        (await asked(world)) > 0 ? true : undefined,
      );
      expect((await lastEvent(world))?.kind).toBe('migrated');
      expect(await stageOf(world)).toBe('migrated');
      expect(await asked(world)).toBe(1);
    },
  );
});

describe('an organisation that its administrator has disconnected', () => {
  it('is lost for that reason, and every call says that the connection must be authorised again', async () => {
    const clock = new AheadClock();
    const world = await moved(clock);
    await disconnect(world);
    const { status, text } = await world.program.get(GET);
    expect([status, text.includes(AGAIN)]).toEqual([403, false]);
    await eventually('the list of organisations is asked for', async () =>
      (await asked(world)) > 0 ? true : undefined,
    );
    expect(await stageOf(world)).toBe('migrated');
    clock.advance(5 * MINUTE);
    let looks = 0;
    await eventually('the account is lost', async () => {
      if ((await stageOf(world)) === 'lost') return true;
      // The bridge may have noted its first question only after the clock had moved.
      if ((looks += 1) % 100 === 0) clock.advance(5 * MINUTE);
      return undefined;
    });
    expect(await lastEvent(world)).toMatchObject({
      kind: 'lost',
      actor: 'bridge',
      detail: 'the grant was lost: disconnected',
    });
    const after = await world.program.get(GET);
    expect([after.status, after.headers['x-causeway-source']]).toEqual([403, 'bridge']);
    expect(after.text).toContain(AGAIN);
    expect(await world.bridge.services.store.grants.list()).toMatchObject([
      { state: 'lost', reason: 'disconnected' },
    ]);
  });
});

describe('a consent that the service has revoked', () => {
  it('is lost when its refresh token is refused, and every call says that it must be given again', async () => {
    const world = await moved();
    await world.sandbox.control('POST', 'faults', { on: { surface: 'v3' }, do: 'revoke' });
    await eventually('the account is lost', async () => {
      await world.program.get(GET);
      return (await stageOf(world)) === 'lost' ? true : undefined;
    });
    for (const path of [GET, 'category.api/list']) {
      const { status, headers, text } = await world.program.get(path);
      expect([status, headers['x-causeway-source']]).toEqual([403, 'bridge']);
      expect(text).toContain(AGAIN);
    }
  });
});
