import { afterEach, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { canMount, smallDisk } from '../../scripts/testing/small-disk.ts';
import { giveConsent } from '../../src/replay/consent.ts';
import { eventually } from '../support/clock.ts';
import { API_KEY, LegacyProgram, textIn } from '../support/legacy.ts';
import { Mortal } from './killed.ts';

const NAME = 'Full Studio';
const PERSON = 'Ana Owner';
const ACCOUNT_KEY = 'D0000000000000000000000000000001';
const ADD = '<Client><Name>Made on a full disk</Name></Client>';
/** As many as were carried out, and answered with 504, before there was a reserve. */
const ADDS = 18;
const MEGABYTES = 2;
const organisation = {
  name: NAME,
  accountKey: ACCOUNT_KEY,
  apiKeys: [API_KEY],
  users: [{ name: PERSON, email: 'owner@full.example' }],
  clients: [{ number: 1_000_000, name: 'Seeded' }],
};

interface Health {
  readonly status: number;
  readonly degraded: readonly string[];
}

async function healthOf({ bridge }: Mortal): Promise<Health> {
  const answer = await fetch(`${bridge}/_causeway/health/ready`);
  const { degraded } = (await answer.json()) as { readonly degraded?: object };
  return { status: answer.status, degraded: Object.keys(degraded ?? {}) };
}

/** As `ready` says it: always 200, because reads are served. */
const degradedBy = (bridge: Mortal, reason: string | undefined, meanwhile?: () => void): Promise<true> =>
  eventually(`it says ${reason ?? 'that all is well'}`, async () => {
    meanwhile?.();
    const { status, degraded } = await healthOf(bridge);
    expect(status).toBe(200);
    return (reason === undefined ? degraded.length === 0 : degraded.includes(reason)) ? true : undefined;
  });

interface Disk {
  /** Of the database; undefined: wherever there is room. */
  readonly folder: string | undefined;
  fill(bridge: Mortal): void;
  /** Leaves less than a tenth; where that can be had. */
  readonly nearlyFill?: () => void;
  empty(bridge: Mortal): void;
  give(): void;
}

function mounted(): Disk {
  const disk = smallDisk(MEGABYTES);
  if (disk === undefined) throw new Error('the disk could not be mounted');
  return {
    folder: disk.folder,
    fill: () => {
      disk.fill();
    },
    nearlyFill: () => {
      disk.fill(MEGABYTES * 1024 * 1024 * 0.08);
    },
    empty: () => {
      disk.empty();
    },
    give: () => {
      disk.unmount();
    },
  };
}

/** Where nobody may mount: a process whose files may not grow cannot write a database either. */
function limited(): Disk {
  const limit = (bridge: Mortal, bytes: string): void => {
    execFileSync('prlimit', ['--pid', String(bridge.pid), `--fsize=${bytes}:unlimited`]);
  };
  return {
    folder: undefined,
    fill: (bridge) => {
      limit(bridge, '4096');
    },
    empty: (bridge) => {
      limit(bridge, 'unlimited');
    },
    give: () => undefined,
  };
}

const disks: readonly (readonly [string, () => Disk])[] = [
  ...(canMount() ? [['a disk of 2 MB', mounted] as const] : []),
  ['a limit on the size of its files', limited],
];

describe.each(disks)('a bridge with %s', (_name, make) => {
  let disk: Disk | undefined;
  let bridge: Mortal | undefined;
  let program: LegacyProgram | undefined;

  afterEach(async () => {
    program?.close();
    await bridge?.end();
    disk?.give();
  });

  async function started(): Promise<{
    readonly disk: Disk;
    readonly bridge: Mortal;
    readonly program: LegacyProgram;
  }> {
    disk = make();
    bridge = await Mortal.start([organisation], disk.folder);
    await bridge.rise();
    await bridge.add({ ...organisation, person: PERSON });
    await giveConsent({ link: await bridge.link(NAME), person: PERSON, organisation: NAME });
    await bridge.moved(NAME);
    program = new LegacyProgram(bridge.bridge, ACCOUNT_KEY);
    return { disk, bridge, program };
  }

  const sent = async ({ control }: Mortal): Promise<number> =>
    (await control.requests()).filter(({ path }) => path === '/3.0/client.api/add').length;

  it('sends no write that it could not record, serves reads, and recovers by itself', async () => {
    const { disk: full, bridge: there, program: caller } = await started();
    expect(textIn((await caller.post('client.api/add', ADD)).text, 'Status')).toBe('OK');
    await degradedBy(there, undefined);
    const adds = await eventually('no add finds any space', async () => {
      full.fill(there); // also with what the bridge has freed
      const earlier = await sent(there);
      const all = await Promise.all(Array.from({ length: ADDS }, () => caller.post('client.api/add', ADD)));
      const done = all.filter(({ status }) => status === 200).length;
      expect(await sent(there)).toBe(earlier + done); // nothing that could not be recorded
      return done === 0 ? all : undefined;
    });
    const before = await sent(there);
    expect(adds.map(({ status }) => status)).toEqual(adds.map(() => 503));
    for (const { text, headers } of adds) {
      expect(text).toContain('nothing was sent');
      expect(headers['retry-after']).toMatch(/^\d+$/);
    }
    const change = '<Client><ID>1000000</ID><Name>Changed</Name></Client>';
    expect((await caller.put('client.api/update', change)).status).toBe(503);
    const list = await caller.get('client.api/list');
    expect([list.status, textIn(list.text, 'Status')]).toEqual([200, 'OK']);
    expect(list.text).not.toContain('Changed');
    expect(await sent(there)).toBe(before);
    // What the bridge frees, others take.
    await degradedBy(there, 'disk-full', () => {
      full.fill(there);
    });
    full.empty(there);
    await degradedBy(there, undefined);
    await eventually('a record is made', async () => {
      const { status } = await caller.post('client.api/add', ADD);
      return status === 200 ? true : undefined;
    });
  });

  it('warns that its disk is nearly full while it serves everything', async () => {
    const { disk: small, bridge: there, program: caller } = await started();
    if (small.nearlyFill === undefined) return;
    small.nearlyFill();
    await degradedBy(there, 'disk-low');
    expect((await caller.post('client.api/add', ADD)).status).toBe(200);
    small.empty(there);
    await degradedBy(there, undefined);
  });
});
