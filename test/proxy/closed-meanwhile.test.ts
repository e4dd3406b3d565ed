import { afterEach, describe, expect, it } from '@jest/globals';
import { close } from '../../src/features/accounts/account.ts';
import type { LegacyCall } from '../../src/proxy/call/call.ts';
import { ACCOUNT, callOf, closeWorlds, ok, world, type World } from './world.ts';

afterEach(closeWorlds);

const BODY = '<Client><Name>Late</Name></Client>';
const closed = { at: 1, kind: 'closed', actor: 'test', detail: '' };
const v1 = () => ok('<Client><ID>7</ID></Client>');

/** A write whose message arrives over two seconds, while something is done to its account. */
function slow(to: World, meanwhile: () => Promise<unknown>): LegacyCall {
  const call = callOf('POST client.api/add', { body: BODY });
  const read: LegacyCall['body']['read'] = async (limit) => {
    await meanwhile();
    to.clock.time += 2_000;
    return call.body.read(limit);
  };
  return { ...call, body: { ...call.body, read } };
}

describe('a write whose message arrives slowly', () => {
  it.each(['legacy', 'migrated'] as const)(
    'is refused, and nothing is sent or recorded, if its account of the stage %s is closed meanwhile',
    async (stage) => {
      const to = await world({ stage, ledger: true, v1 });
      const call = slow(to, () => to.store.accounts.change(ACCOUNT, close, closed));
      await expect(to.bridge.serve(call)).rejects.toMatchObject({
        code: 'keysRefused',
        refused: { accountId: ACCOUNT, why: 'closed' },
      });
      expect(await to.store.writes.list({ limit: 10 })).toEqual([]);
      expect([...to.v1.requests, ...to.v3.requests]).toEqual([]);
    },
  );

  it('is refused like any unknown key if its account is closed and erased meanwhile', async () => {
    const to = await world({ stage: 'legacy', ledger: true, v1 });
    const call = slow(to, async () => {
      await to.store.accounts.change(ACCOUNT, close, closed);
      expect(await to.store.forget(ACCOUNT)).toMatchObject({ outcome: 'forgotten' });
    });
    await expect(to.bridge.serve(call)).rejects.toMatchObject({ code: 'keysRefused' });
    expect(await to.store.writes.list({ limit: 10 })).toEqual([]);
    expect(to.v1.requests).toEqual([]);
  });

  it('is carried out if its account is served as before', async () => {
    const to = await world({ stage: 'legacy', ledger: true, v1 });
    await to.bridge.serve(slow(to, async () => undefined));
    expect(await to.store.writes.list({ limit: 10 })).toHaveLength(1);
  });
});
