import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { judgeRedis, surroundingChecks } from '../../../src/app/doctor/surroundings.ts';
import { MINUTE, SECOND } from '../../../src/lib/time/clock.ts';
import { smallDisk } from '../../../scripts/testing/small-disk.ts';
import { freePort } from '../../support/bridge.ts';
import { OtlpReceiver } from '../../support/otlp-receiver.ts';
import { hasRedis, RunningRedis } from '../../support/redis.ts';
import { RunningSandbox } from '../../support/sandbox.ts';
import { found, rows } from './setting.ts';

let sandbox: RunningSandbox;
beforeAll(async () => {
  sandbox = await RunningSandbox.start({ redirectUris: [] });
});
afterAll(() => sandbox.close());

const roots = (url: string): Readonly<Record<string, string>> => ({
  CAUSEWAY_PUBLIC_URL: 'https://bridge.test',
  CAUSEWAY_V1_BASE_URL: `${url}/v1`,
  CAUSEWAY_V2_BASE_URL: url,
  CAUSEWAY_V3_BASE_URL: `${url}/3.0`,
  CAUSEWAY_AUTH_URL: url,
  CAUSEWAY_CONNECTIONS_URL: `${url}/connections`,
  CAUSEWAY_CLIENT_ID: 'client',
  CAUSEWAY_CLIENT_SECRET: 'secret-canary',
});

const versions = ['CAUSEWAY_V1_BASE_URL', 'CAUSEWAY_V2_BASE_URL', 'CAUSEWAY_V3_BASE_URL'];

describe('the check of the service', () => {
  it('passes if V1, V2 and V3 refuse unknown callers', async () => {
    const findings = await found(surroundingChecks, roots(sandbox.url));
    for (const name of versions) expect(rows(findings, name)).toEqual(['ok: answers (401)']);
  });

  it('reports each version that does not answer', async () => {
    const findings = await found(surroundingChecks, roots(`http://127.0.0.1:${await freePort()}`));
    for (const name of versions)
      expect(rows(findings, name)).toEqual(['failed: does not answer: ECONNREFUSED']);
    expect(rows(findings, 'clock')).toEqual(['unknown: no answer from the service gives the time']);
    expect(rows(findings, 'CAUSEWAY_CLIENT_SECRET')).toEqual([
      'unknown: not checked: the token endpoint does not answer',
    ]);
  });
});

describe('the check of the trace receiver', () => {
  it('passes if it accepts spans, and reports one that refuses them or is missing', async () => {
    const receiver = await OtlpReceiver.open();
    const { url } = receiver;
    const row = async (): Promise<readonly string[]> =>
      rows(await found(surroundingChecks, { CAUSEWAY_OTLP_URL: url }), 'CAUSEWAY_OTLP_URL');
    expect(await row()).toEqual(['ok: accepts spans (200)']);
    expect(receiver.faults).toEqual([]);
    receiver.status = 401;
    expect(await row()).toEqual(['failed: does not accept spans (401)']);
    await receiver.close();
    expect(await row()).toEqual([expect.stringMatching(/^failed: does not answer: /)]);
  });
});

describe('the clock of this machine', () => {
  it.each([
    ['is good if it agrees with the service', 0, /^ok/],
    ['is warned about if it is a little ahead', 12 * SECOND, /^warning: 1[123] s ahead/],
    ['is reported if it is far ahead', 2 * MINUTE, /^failed: 1[12]\d s ahead/],
    ['is reported if it is far behind', -2 * MINUTE, /^failed: 1[12]\d s behind/],
  ])('%s', async (_, off, words) => {
    const findings = await found(surroundingChecks, roots(sandbox.url), { now: () => Date.now() + off });
    expect(rows(findings, 'clock')).toEqual([expect.stringMatching(words)]);
  });
});

describe('the check of the database’s disk', () => {
  it('passes if there is space', async () => {
    expect(rows(await found(surroundingChecks, {}), 'disk')[0]).toMatch(/^ok: \d+ MB are free$/);
  });

  it('reports a disk that is nearly full, and one that is full', async () => {
    const disk = smallDisk();
    if (disk === undefined) return; // nothing can be mounted here
    try {
      const look = async (): Promise<string | undefined> =>
        rows(
          await found(surroundingChecks, { CAUSEWAY_DATABASE_URL: `sqlite:${disk.folder}/causeway.db` }),
          `disk of ${disk.folder}`,
        )[0];
      disk.fill(128 * 1024);
      expect(await look()).toMatch(/^warning: the disk is nearly full/);
      disk.empty();
      disk.fill();
      expect(await look()).toMatch(/^failed: the disk is full/);
    } finally {
      disk.unmount();
    }
  });

  describe.each([
    ['waiting documents', 'CAUSEWAY_SPOOL_FOLDER'],
    ['spilled tokens', 'CAUSEWAY_SPILL_FOLDER'],
  ])('for the folder of %s', (_, setting) => {
    let folder: string;
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'causeway-doctor-'));
    });
    afterEach(() => {
      rmSync(folder, { recursive: true });
    });

    const look = async (own: string): Promise<readonly string[]> =>
      rows(
        await found(surroundingChecks, {
          CAUSEWAY_DATABASE_URL: `sqlite:${folder}/causeway.db`,
          [setting]: own,
        }),
        `disk of ${own}`,
      );

    it('has a row of its own only if that is on another disk', async () => {
      expect(await look(join(folder, 'own'))).toEqual([]);
      const disk = smallDisk();
      if (disk === undefined) return; // nothing can be mounted here
      try {
        for (const own of [disk.folder, join(disk.folder, 'own')]) {
          expect(await look(own)).toEqual([expect.stringMatching(/^ok: [12] MB are free$/)]);
          disk.fill(128 * 1024);
          expect(await look(own)).toEqual([expect.stringMatching(/^warning: .*the disk is nearly full/)]);
          disk.fill();
          expect(await look(own)).toEqual([expect.stringMatching(/^failed: .*the disk is full/)]);
          disk.empty();
        }
      } finally {
        disk.unmount();
      }
    });

    it('reports a folder that cannot be created', async () => {
      const file = join(folder, 'file');
      writeFileSync(file, '');
      expect(await look(join(file, 'own'))).toEqual(['failed: it cannot be written to or created']);
    });
  });
});

describe('the check of Redis', () => {
  it.each([
    [
      'is good if it keeps every key',
      { version: '7.2.4', policy: 'noeviction', persists: false },
      /^ok: version 7\.2\.4/,
    ],
    [
      'is reported if it is old',
      { version: '4.0.14', policy: 'noeviction', persists: false },
      /^failed: version 4/,
    ],
    [
      'cannot be judged if it does not show its settings',
      { version: '7.2.4', policy: undefined, persists: undefined },
      /^unknown/,
    ],
  ])('%s', (_, facts, words) => {
    expect(judgeRedis(facts).map(({ state, why }) => `${state}: ${why}`)).toEqual([
      expect.stringMatching(words),
    ]);
  });

  (hasRedis ? it : it.skip)('reports an eviction policy, and a server that is down', async () => {
    const redis = await RunningRedis.start('pass-canary');
    const env = {
      CAUSEWAY_DATABASE_URL: 'postgres://causeway@127.0.0.1:9/causeway',
      CAUSEWAY_REDIS_URL: redis.url,
    };
    const look = async (): Promise<readonly string[]> => rows(await found(surroundingChecks, env), 'Redis');
    try {
      expect(await look()).toEqual([
        expect.stringMatching(/^ok: version \d.*in memory only, which is enough$/),
      ]);
      await redis.ask((client) => client.config('SET', 'maxmemory-policy', 'allkeys-lru'));
      expect(await look()).toEqual(['failed: it discards keys when it is full (allkeys-lru)']);
    } finally {
      await redis.stop();
    }
    const [row = ''] = await look();
    expect(row).toMatch(/^failed: .*ECONNREFUSED/);
    expect(row).not.toContain('pass-canary');
  });
});
