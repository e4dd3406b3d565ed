import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { canMount, smallDisk, type SmallDisk } from '../../scripts/testing/small-disk.ts';
import { lockForBridge } from '../../src/db/sqlite/bridge-lock.ts';
import { DiskReserve } from '../../src/db/sqlite/disk-reserve.ts';
import { StoreFault } from '../../src/lib/store-fault.ts';
import { openStore, type Store } from '../../src/app/store.ts';
import { eventually } from '../support/clock.ts';
import { newAccount } from './records.ts';

const suite = canMount() ? describe : describe.skip;

suite('a store on a disk of 2 MB', () => {
  let disk: SmallDisk;
  let store: Store;
  let id: string;

  const reserve = (): string => join(disk.folder, 'causeway.db.reserve');
  const made = (count: number) =>
    Array.from({ length: count }, () => ({ kind: 'client', uuid: randomUUID() }));
  const number = async (
    uuids: readonly { readonly kind: string; readonly uuid: string }[],
  ): Promise<number> =>
    (await store.crosswalk.numbers(id, uuids, new Set(uuids.map(({ uuid }) => uuid)))).size;
  const hindered = async (): Promise<unknown> =>
    store.writable().then(
      () => 'writable',
      (error: unknown) => (error instanceof StoreFault ? error.hindrance : error),
    );

  beforeEach(async () => {
    const mounted = smallDisk();
    if (mounted === undefined) throw new Error('the disk could not be mounted');
    disk = mounted;
    store = await openStore(`sqlite:${join(disk.folder, 'causeway.db')}`);
    ({ id } = await store.accounts.add(newAccount()));
    await store.writable();
  });

  afterEach(async () => {
    await store.close().catch(() => undefined);
    disk.unmount();
  });

  it('reserves room for records made upstream when the disk fills up, and refuses more writes', async () => {
    expect(existsSync(reserve())).toBe(true);
    disk.fill();
    // Forty calls were under way, and one with more records than fit into the pages that are there.
    for (let call = 0; call < 40; call += 1) expect(await number(made(1))).toBe(1);
    expect(await number(made(200))).toBe(200);
    expect(await hindered()).toBe('full');
  });

  it('accepts writes again by itself once there is room', async () => {
    disk.fill();
    await number(made(200));
    expect(await hindered()).toBe('full');
    disk.empty();
    await eventually('it can be written to', async () =>
      (await hindered()) === 'writable' ? true : undefined,
    );
    expect(existsSync(reserve())).toBe(true);
  });

  it('frees the room of a reserve that could not be completed', async () => {
    disk.fill();
    await number(made(200));
    disk.empty();
    disk.fill(256 * 1024);
    expect(await hindered()).toBe('full');
    expect(existsSync(reserve())).toBe(false);
  });

  it('uses no reserve for reads', async () => {
    await store.crosswalk.markComplete(id, ['client']);
    disk.fill();
    for (let tries = 0; tries < 300; tries += 1)
      await store.crosswalk.numbers(id, made(1)).catch(() => undefined);
    expect(existsSync(reserve())).toBe(true);
  });

  it('opens again while the disk is full, although an orderly close has removed its log', async () => {
    const url = `sqlite:${join(disk.folder, 'causeway.db')}`;
    await store.close();
    disk.fill();
    const lock = lockForBridge(url);
    store = await openStore(url);
    expect(await store.accounts.byId(id)).toBeDefined();
    expect(await hindered()).toBe('full');
    lock?.release();
  });

  it('tells a read-only file system from a full one', async () => {
    await store.close();
    rmSync(reserve());
    const kept = new DiskReserve(join(disk.folder, 'causeway.db'));
    disk.makeReadOnly();
    expect([await kept.hold(), kept.hindrance]).toEqual([false, 'read-only']);
  });
});
