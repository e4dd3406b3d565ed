import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { storeOn, type Store } from '../../src/app/store.ts';
import { checkKeys } from '../../src/app/wiring/key-check.ts';
import { warnOfRemovedKeys } from '../../src/app/wiring/removed-keys.ts';
import type { Engine } from '../../src/db/engine.ts';
import { sqliteEngine } from '../../src/db/sqlite/sqlite.ts';
import type { LogFields } from '../../src/lib/log/log.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import { DAY } from '../../src/lib/time/clock.ts';
import { KeyKeeper } from '../../src/tokens/sealing/key-rotation.ts';
import { KeyRing } from '../../src/tokens/sealing/keyring.ts';
import { sealedAs } from '../../src/tokens/sealing/sealed.ts';
import { HandClock, START } from '../support/clock.ts';
import { migratedImage } from '../support/store.ts';

const ringOf = (...ids: readonly string[]): KeyRing =>
  KeyRing.parse(new Secret(ids.map((id) => `${id}:${Buffer.alloc(32, id).toString('base64')}`).join(',')));

describe('a start without an encryption key that earlier starts had', () => {
  let [engine, store, clock]: [Engine | undefined, Store | undefined, HandClock] = [
    undefined,
    undefined,
    new HandClock(),
  ];
  let counts = 0;

  beforeEach(async () => {
    clock = new HandClock();
    engine = sqliteEngine(':memory:', undefined, await migratedImage());
    store = storeOn(engine);
    counts = 0;
  });
  afterEach(async () => {
    await store?.close();
  });

  /** What a start with these keys warns of. */
  async function started(...ids: readonly string[]): Promise<readonly (LogFields | undefined)[]> {
    if (store === undefined) throw new Error('no store');
    const ring = ringOf(...ids);
    const keys = new KeyKeeper({
      ...{ repository: store.sealed, pauses: store.pauses, ring, clock, writesKept: 30 * DAY },
      since: await checkKeys(store, ring, clock),
      parity: {
        underEarlierKeys: async () => {
          counts += 1;
          return 0;
        },
      },
    });
    const warned: (LogFields | undefined)[] = [];
    const log = {
      info: () => undefined,
      error: () => undefined,
      warn: (event: string, fields?: LogFields) => {
        expect(event).toBe('keys.missed');
        warned.push(fields);
      },
    };
    await warnOfRemovedKeys({ store, ring, keys, log });
    clock.advance(1_000);
    return warned;
  }

  async function linkUntil(expires: number): Promise<void> {
    await engine?.db
      .insertInto('status_links')
      .values({
        ...{ message_id: `m${expires}`, account_id: 'a', link_index: `i${expires}` },
        ...{ issued_at: clock.now(), expires_at: expires, withdrawn_at: null },
      })
      .execute();
    clock.advance(1_000);
  }

  it('is not hindered by a database that refuses to say what needs the key', async () => {
    const said: unknown[] = [];
    const log = {
      info: () => undefined,
      error: () => undefined,
      warn: (event: string, fields?: LogFields) => said.push([event, fields]),
    };
    const settings = {
      get: () => Promise.reject(new Error('the table is locked')),
      set: () => Promise.resolve(),
    };
    await warnOfRemovedKeys({ store: { settings }, ring: ringOf('k1'), keys: {} as never, log });
    expect(said).toEqual([['keys.unchecked', { error: 'the table is locked' }]]);
  });

  it('names the key and what still needs it, at each start until nothing does', async () => {
    const expires = START + 40 * DAY;
    await started('k1');
    await linkUntil(expires);
    expect(await started('k1', 'k2')).toEqual([]);
    expect(await started('k2', 'k1')).toEqual([]);
    const warning = { keyId: 'k1', pages: 1, until: new Date(expires).toISOString() };
    expect([await started('k2'), await started('k2')]).toEqual([[warning], [warning]]);
    expect([await started('k2', 'k1'), await started('k2')]).toEqual([[], [warning]]);
    clock.advance(40 * DAY);
    expect(await started('k2')).toEqual([]);
    counts = 0;
    expect([await started('k2'), counts]).toEqual([[], 0]);
  });

  it('names what that key alone has sealed or hashed, if other earlier keys are still there', async () => {
    await started('k1');
    await linkUntil(START + 3 * DAY);
    await started('k2', 'k1');
    await linkUntil(START + 9 * DAY);
    await started('k3', 'k2', 'k1');
    expect(await started('k3', 'k2')).toMatchObject([{ keyId: 'k1', pages: 1 }]);
    expect(await started('k3')).toMatchObject([
      { keyId: 'k1', pages: 1 },
      { keyId: 'k2', pages: 1 },
    ]);
  });

  it('names nothing that a key of the ring opens, before and after the time of the removed one', async () => {
    await started('k1');
    await linkUntil(START + 40 * DAY);
    // The rotation is undone.
    await started('k2', 'k1');
    await started('k1', 'k2');
    expect(await started('k1')).toEqual([]);
    await started('k3', 'k1');
    await started('k4', 'k3', 'k1');
    expect(await started('k4', 'k1')).toEqual([]);
  });

  it('names what a key has hashed before another one was first for a while', async () => {
    await started('k1');
    await linkUntil(START + 40 * DAY);
    await started('k2', 'k1');
    await started('k1', 'k2');
    await started('k3', 'k1', 'k2');
    expect(await started('k3')).toMatchObject([{ keyId: 'k1', pages: 1 }]);
  });

  it('counts sealed values that are deleted by themselves, and does not count a key that was never first', async () => {
    const ring = ringOf('k1');
    await started('k1');
    const content = ring.seal(new Secret('text'), 'r', sealedAs.consoleResult);
    await engine?.db
      .insertInto('console_results')
      .values({ id: 'r', token_id: 't', kept_at: START, content_sealed: content })
      .execute();
    await started('k1', 'k9');
    expect(await started('k1')).toEqual([]);
    await started('k2', 'k1');
    expect(await started('k2')).toMatchObject([{ keyId: 'k1', values: 1 }]);
  });

  it('names erased accounts once, because they need the key for ever', async () => {
    await started('k1');
    await engine?.db.insertInto('erased_keys').values({ key_index: 'one' }).execute();
    await linkUntil(START + DAY);
    await started('k2', 'k1');
    expect(await started('k2')).toMatchObject([{ keyId: 'k1', pages: 1, erased: 1 }]);
    expect(await started('k2')).toEqual([expect.not.objectContaining({ erased: 1 })]);
    clock.advance(DAY);
    expect(await started('k2')).toEqual([]);
  });
});
