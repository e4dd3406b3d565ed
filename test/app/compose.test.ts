import { afterEach, expect, it } from '@jest/globals';
import { appendFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { mock } from 'node:test';
import { openServices } from '../../src/app/wiring/services.ts';
import { compose } from '../../src/app/compose.ts';
import { readSettings } from '../../src/app/settings/settings.ts';
import { loadMapping } from '../../src/mapping/compile/compile.ts';
import { silentLog, type Log } from '../../src/lib/log/log.ts';
import { MINUTE, systemClock } from '../../src/lib/time/clock.ts';
import { newKeyLine } from '../../src/tokens/sealing/keyring.ts';
import { oauth } from '../cli/harness.ts';
import { deliveredMapping, mappingFolder } from '../support/mapping.ts';
import { eventually } from '../support/clock.ts';
import { bridgeSettings } from '../support/bridge.ts';
import { openMemoryStore } from '../support/store.ts';

afterEach(() => {
  mock.restoreAll();
});

it.each(['the permits cannot be read', 'the last part fails'])(
  'a bridge that fails to start closes its store: %s',
  async (what) => {
    const store = await openMemoryStore();
    const fails = (): never => {
      throw new Error(what);
    };
    if (what === 'the last part fails') mock.method(store, 'watch', fails);
    else mock.method(store.permits, 'read', fails);
    const settings = readSettings({
      env: {
        ...bridgeSettings(0, 'http://127.0.0.1:9'),
        CAUSEWAY_DATABASE_URL: 'sqlite::memory:',
        CAUSEWAY_ENCRYPTION_KEYS: newKeyLine(),
      },
    });
    const around = { clock: systemClock, log: silentLog, mapping: deliveredMapping(), store };
    await expect(compose(settings, around)).rejects.toThrow(what);
    await expect(store.ready()).rejects.toThrow();
  },
);

it('a bridge tells the digest of the mapping it has compiled, not of files edited since', async () => {
  const mappings = mkdtempSync(join(tmpdir(), 'causeway-mappings-'));
  cpSync(mappingFolder, mappings, { recursive: true });
  const settings = readSettings({
    env: {
      ...bridgeSettings(0, 'http://127.0.0.1:9'),
      CAUSEWAY_MAPPINGS: mappings,
      CAUSEWAY_METRICS_PORT: '0',
      CAUSEWAY_DATABASE_URL: 'sqlite::memory:',
      CAUSEWAY_ENCRYPTION_KEYS: newKeyLine(),
    },
  });
  const bridge = await compose(settings, { clock: systemClock, log: silentLog });
  try {
    appendFileSync(join(mappings, 'client.yaml'), '# edited\n');
    expect(await bridge.start()).toMatchObject({ digest: deliveredMapping().digest });
    expect(loadMapping(mappings).digest).not.toBe(deliveredMapping().digest);
  } finally {
    await bridge.stop();
    rmSync(mappings, { recursive: true });
  }
});

it('a bridge warns at its start of an encryption key that was removed although something needs it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-keys-'));
  const [old, fresh] = ['k1', 'k2'].map((id) => newKeyLine(id));
  const warned: unknown[] = [];
  const log: Log = {
    ...silentLog,
    warn: (event, fields) => {
      if (event === 'keys.missed') warned.push(fields);
    },
  };
  const started = async (
    keys: readonly (string | undefined)[],
    until: () => unknown = () => true,
  ): Promise<void> => {
    const settings = readSettings({
      env: {
        ...bridgeSettings(0, 'http://127.0.0.1:9'),
        CAUSEWAY_METRICS_PORT: '0',
        CAUSEWAY_DATABASE_URL: `sqlite:${join(folder, 'causeway.db')}`,
        CAUSEWAY_ENCRYPTION_KEYS: keys.join(','),
      },
    });
    const bridge = await compose(settings, { clock: systemClock, log, mapping: deliveredMapping() });
    await bridge.start();
    await eventually('it has looked', until);
    await bridge.stop();
  };
  try {
    await started([old]);
    const db = new DatabaseSync(join(folder, 'causeway.db'));
    db.exec("insert into erased_keys (key_index) values ('one')");
    db.close();
    await started([fresh, old]);
    expect(warned).toEqual([]);
    await started([fresh], () => warned[0]);
    expect(warned).toEqual([{ keyId: 'k1', erased: 1 }]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('a bridge frees no permit of the rate limit because the clock of the machine was set forward', async () => {
  const settings = readSettings({
    env: {
      ...oauth,
      CAUSEWAY_DATABASE_URL: 'sqlite::memory:',
      CAUSEWAY_ENCRYPTION_KEYS: newKeyLine(),
    },
  });
  const around = { clock: systemClock, log: silentLog, mapping: deliveredMapping() };
  const services = await openServices(settings, around);
  const takeAll = async (): Promise<number> => {
    let taken = 0;
    for (; taken < settings.profile.limits.perMinute; taken += 1) {
      const slot = await services.oauth?.rateLimiter.acquire('key', 0).catch(() => undefined);
      if (slot === undefined) break;
      slot.left();
      slot.answered();
    }
    return taken;
  };
  try {
    expect(await takeAll()).toBeGreaterThan(0);
    const ahead = Date.now() + 5 * MINUTE;
    mock.method(Date, 'now', () => ahead);
    expect(await takeAll()).toBe(0);
  } finally {
    await services.close();
  }
});
