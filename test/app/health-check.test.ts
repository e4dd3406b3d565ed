import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { smallDisk } from '../../scripts/testing/small-disk.ts';
import { StoreFault, type Hindrance, type StoreOutage } from '../../src/lib/store-fault.ts';
import { ClockCheck } from '../../src/app/health/clock-check.ts';
import { HealthCheck, knownReasons, type HealthCheckParts } from '../../src/app/health/health-check.ts';
import { remedies, remedyOf } from '../../src/app/health/remedies.ts';
import { degradedOf } from '../../src/app/wiring/upstream/sharing.ts';
import { Metrics } from '../../src/app/metrics/metrics.ts';
import { KeptLog, openTestServer } from '../http/harness.ts';
import { freePort, RunningBridge } from '../support/bridge.ts';
import { eventually } from '../support/clock.ts';

const away: StoreOutage = { since: 0, reason: 'connection refused', reads: false };

const check = (parts: Partial<HealthCheckParts> = {}): HealthCheck =>
  new HealthCheck({
    log: new KeptLog(),
    writable: async () => undefined,
    lock: async () => undefined,
    outage: () => undefined,
    outlasts: () => true,
    folders: [],
    clock: new ClockCheck(() => 0),
    now: () => 0,
    databaseClock: async () => undefined,
    hasV1: true,
    hasV3: true,
    moved: async () => 0,
    others: () => ({}),
    ...parts,
  });

async function seen(parts: Partial<HealthCheckParts>): Promise<readonly [boolean, readonly string[]]> {
  const health = check(parts);
  await health.run();
  const { serves, degraded } = health.view;
  return [serves, Object.keys(degraded)];
}

const hindered = (hindrance?: Hindrance) => ({
  writable: () => Promise.reject(new StoreFault('unavailable', 'no', undefined, hindrance)),
});

describe('the health of a bridge', () => {
  it.each<readonly [string, Partial<HealthCheckParts>, boolean, readonly string[]]>([
    ['all is well', {}, true, []],
    ['there is neither V1 nor V3', { hasV1: false, hasV3: false }, false, ['no-upstream']],
    ['accounts have moved and there is no V3', { hasV3: false, moved: async () => 3 }, true, ['no-v3']],
    ['nobody has moved and there is no V3', { hasV3: false }, true, []],
    ['the disk is full', hindered('full'), true, ['disk-full']],
    ['the database can only be read', hindered('read-only'), true, ['store-read-only']],
    ['the database is locked', hindered('locked'), true, ['store-locked']],
    ['somebody has locked a table', { lock: async () => 'psql has locked it' }, true, ['store-locked']],
    ['its server has no memory left', hindered('out-of-memory'), true, ['store-memory']],
    ['the clock of the database is another', { databaseClock: async () => 120_000 }, true, ['clock']],
    ['the database cannot be written to for another reason', hindered(), true, ['store-unwritable']],
    ['the database is away', { ...hindered(), outage: () => away }, true, ['database']],
    ['it is away for too long', { outage: () => away, outlasts: () => false }, false, ['database']],
    ['only writing must wait', { outage: () => ({ ...away, reads: true }) }, true, ['store-locked']],
    ['others are in trouble', { others: () => ({ authority: 'silent' }) }, true, ['authority']],
  ])('is judged when %s', async (_name, parts, serves, reasons) => {
    expect(await seen(parts)).toEqual([serves, reasons]);
  });

  it('names a full disk of waiting documents apart, because all other writes are sent', async () => {
    const [store, disk] = [smallDisk(), smallDisk()];
    if (store === undefined || disk === undefined) return; // nothing can be mounted here
    try {
      const apart = { folders: [store.folder], spool: join(disk.folder, 'spool') };
      expect(await seen(apart)).toEqual([true, []]);
      disk.fill(128 * 1024);
      expect(await seen(apart)).toEqual([true, ['disk-low']]);
      disk.fill();
      expect(await seen(apart)).toEqual([true, ['spool-full']]);
      expect(await seen({ ...apart, folders: [disk.folder] })).toEqual([true, ['disk-full']]);
    } finally {
      for (const mounted of [store, disk]) mounted.unmount();
    }
  });

  it('says that only the disk of spilled tokens is full, because all calls are served', async () => {
    const [store, disk] = [smallDisk(), smallDisk()];
    if (store === undefined || disk === undefined) return; // nothing can be mounted here
    try {
      const health = check({ folders: [store.folder], spill: disk.folder });
      await health.run();
      expect(health.view.degraded).toEqual({});
      disk.fill();
      await health.run();
      expect(health.view.degraded).toEqual({
        'disk-low': expect.stringMatching(/^new tokens may find no place .* the disk is full: 0\.0 MB of 2 /),
      });
      expect(await seen({ folders: [disk.folder], spill: disk.folder })).toEqual([true, ['disk-full']]);
    } finally {
      for (const mounted of [store, disk]) mounted.unmount();
    }
  });

  it('notices in a running bridge that the disk mounted for spilled tokens is full', async () => {
    const disk = smallDisk();
    if (disk === undefined) return; // nothing can be mounted here
    disk.fill();
    const bridge = await RunningBridge.start({
      port: await freePort(),
      sandbox: 'http://127.0.0.1:9',
      env: { CAUSEWAY_SPILL_FOLDER: disk.folder },
    });
    try {
      await eventually('it says so', async () => {
        const answer = await fetch(`${bridge.url}/_causeway/health/ready`);
        const { degraded } = (await answer.json()) as { readonly degraded?: object };
        return Object.keys(degraded ?? {}).includes('disk-low') ? true : undefined;
      });
    } finally {
      await bridge.stop();
      disk.unmount();
    }
  });

  it('shows operators since when a fault lasts and what to do about it', () => {
    let [now, silent] = [1_000, true];
    const health = check({
      now: () => now,
      others: () => (silent ? { authority: 'no tokens are renewed: 503' } : {}),
    });
    const [first] = health.details;
    expect(first).toMatchObject({ code: 'authority', words: 'no tokens are renewed: 503', since: 1_000 });
    expect(first?.remedy).toContain('CAUSEWAY_AUTH_URL');
    now = 9_000;
    expect(health.details).toMatchObject([{ since: 1_000 }]);
    silent = false;
    expect(health.details).toEqual([]);
    silent = true;
    expect(health.details).toMatchObject([{ since: 9_000 }]);
  });

  it('has a remedy for each reason, and one name for a limit that is not shared', () => {
    const lacking = [...knownReasons, 'consents', 'v1', 'v2', 'v3', 'v3-practice'].filter(
      (code) => remedyOf(code) === undefined,
    );
    expect(lacking).toEqual([]);
    const sharing = { trouble: 'connection refused', instances: 2 } as Parameters<typeof degradedOf>[0];
    expect(knownReasons).toContain(Object.keys(degradedOf(sharing) ?? {})[0]);
  });

  it.each(Object.keys(remedies))('explains %s on the page, and in words for everybody', async (code) => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/operate/health.md'), 'utf8');
    expect(page).toMatch(new RegExp(`^\\|[^|]*\`${code}\``, 'm'));
    const { port } = await openTestServer({
      make: () => ({
        health: { view: () => ({ serves: true, degraded: { [code]: 'secret' } }), stopping: () => false },
      }),
    });
    const answer = await fetch(`http://127.0.0.1:${port}/_causeway/health/ready`);
    const { degraded } = (await answer.json()) as { readonly degraded: Readonly<Record<string, string>> };
    expect(degraded[code]).not.toMatch(/secret|the log says why/);
  });

  it('recovers by itself, and logs each change once', async () => {
    const log = new KeptLog();
    let full = true;
    const health = check({
      log,
      writable: async () => {
        if (full) throw new StoreFault('unavailable', 'no', undefined, 'full');
      },
    });
    await health.run();
    await health.run();
    full = false;
    await health.run();
    await health.run();
    expect(log.lines.map(({ event }) => event)).toEqual(['health.degraded', 'health.good']);
  });

  it('has a metric and an alert for each reason', async () => {
    const metrics = new Metrics();
    let degraded = {};
    metrics.watchesHealth(() => ({ serves: true, degraded }));
    const before = await metrics.text();
    for (const reason of knownReasons) expect(before).toContain(`causeway_degraded{reason="${reason}"} 0`);
    degraded = { 'disk-full': 'words', v3: 'words' };
    const text = await metrics.text();
    expect(text).toContain('causeway_degraded{reason="disk-full"} 1');
    expect(text).toContain('causeway_degraded{reason="v3"} 1');
    expect(text).toContain('causeway_ready 1');
    degraded = {};
    expect(await metrics.text()).not.toContain('reason="v3"} 1');
    const alerts = readFileSync(
      join(import.meta.dirname, '..', '..', 'docs', 'operate', 'alerts.yaml'),
      'utf8',
    );
    for (const metric of ['causeway_degraded', 'causeway_ready']) expect(alerts).toContain(metric);
  });
});
