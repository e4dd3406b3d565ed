import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compose } from '../../src/app/compose.ts';
import { readSettings } from '../../src/app/settings/settings.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { silentLog } from '../../src/lib/log/log.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import { lockForBridge } from '../../src/db/sqlite/bridge-lock.ts';
import { openStore } from '../../src/app/store.ts';
import { newKeyLine } from '../../src/tokens/sealing/keyring.ts';
import { openTools } from '../../src/app/tools/tools.ts';
import { Child } from './child.ts';

let folder: string;
let database: string;

const settings = (path = database) =>
  readSettings({
    env: {
      CAUSEWAY_HOST: '127.0.0.1',
      CAUSEWAY_PORT: '0',
      CAUSEWAY_METRICS_PORT: '0',
      CAUSEWAY_DATABASE_URL: `sqlite:${path}`,
      CAUSEWAY_ENCRYPTION_KEYS: keys,
      CAUSEWAY_V1_BASE_URL: 'http://127.0.0.1:9/v1',
    },
  });
const keys = newKeyLine();
const around = { clock: systemClock, log: silentLog };

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-lock-'));
  database = join(folder, 'causeway.db');
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('two bridges on one database file', () => {
  it('conflict: the second refuses to start, and says why', async () => {
    const first = await compose(settings(), around);
    try {
      await first.start();
      await expect(compose(settings(), around)).rejects.toThrow(
        /^another bridge works on sqlite:.*causeway\.db already .*stop it first; for several bridges use PostgreSQL/,
      );
    } finally {
      await first.stop();
    }
    const next = await compose(settings(), around);
    await next.start();
    await next.stop();
  });

  it('are detected under whatever name the file is opened', async () => {
    const first = await compose(settings(), around);
    const elsewhere = join(folder, 'elsewhere');
    mkdirSync(elsewhere);
    symlinkSync(database, join(elsewhere, 'linked.db'));
    symlinkSync(folder, join(elsewhere, 'folder'));
    try {
      for (const name of ['linked.db', 'folder/causeway.db'])
        await expect(compose(settings(join(elsewhere, name)), around)).rejects.toThrow(
          /another bridge works/,
        );
    } finally {
      await first.stop();
    }
  });

  it('leave no lock behind when one is killed', async () => {
    const url = `sqlite:${database}`;
    const child = new Child('lock.ts', url);
    expect(await child.next()).toBe('locked');
    expect(() => lockForBridge(url)).toThrow(/another bridge works/);
    await child.kill();
    const lock = lockForBridge(url);
    expect(lock).toBeDefined();
    lock?.release();
  });

  it('leave no lock behind if one could not start', async () => {
    const wrong = {
      ...settings(),
      encryptionKeys: settings().encryptionKeys,
      mappings: join(folder, 'none'),
    };
    await expect(compose(wrong, around)).rejects.toThrow();
    lockForBridge(`sqlite:${database}`)?.release();
  });
});

describe('a running bridge on a database', () => {
  it('allows the command line and any other process beside it', async () => {
    const bridge = await compose(settings(), around);
    try {
      await bridge.start();
      const tools = await openTools(settings());
      await tools.addAccount({ name: 'Beside', accountKey: new Secret('C0000000000000000000000000000001') });
      expect((await tools.accounts.list()).map(({ name }) => name)).toEqual(['Beside']);
      await tools.close();
      const store = await openStore(`sqlite:${database}`);
      await store.ready();
      await store.close();
    } finally {
      await bridge.stop();
    }
  });

  it('allows everything beside it if the database is on a server or in memory', () => {
    expect(lockForBridge('sqlite::memory:')).toBeUndefined();
    expect(lockForBridge('postgres://causeway@localhost/causeway')).toBeUndefined();
  });
});
