import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { doubtOf } from '../../../src/tokens/deployment/deployment.ts';
import { sealPair } from '../../../src/tokens/grant-row.ts';
import { Secret } from '../../../src/lib/secret/secret.ts';
import { openArchive } from '../../../src/features/backup/archive-repository.ts';
import { sqliteEngine } from '../../../src/db/sqlite/sqlite.ts';
import { migrate } from '../../../src/db/migrate.ts';
import { migrations } from '../../../src/db/migrations/index.ts';
import { openStore, type Store } from '../../../src/app/store.ts';
import { KeyRing, newKeyLine } from '../../../src/tokens/sealing/keyring.ts';
import { Child } from '../../db/child.ts';
import { idKey } from '../../../src/mapping/crosswalk/identifier.ts';
import { anna, newAccount, NOW } from '../../db/records.ts';
import { migratedImage } from '../../support/store.ts';
import { sqlOf } from '../../support/sql.ts';

const SECRET = 'refresh-canary-7f3a';
const keys = newKeyLine('k1');
const ring = KeyRing.parse(new Secret(keys));

let folder: string;
let database: string;
let file: string;
const url = (): string => `sqlite:${database}`;
const archive = (by = ring) => openArchive(url(), by, {});
const backup = async (to = file, force = false, now = NOW) => (await archive()).backup(to, { force, now });

async function withStore<T>(work: (store: Store) => Promise<T>, at = url()): Promise<T> {
  const path = at.replace('sqlite:', '');
  if (!existsSync(path)) writeFileSync(path, await migratedImage());
  const store = await openStore(at);
  try {
    return await work(store);
  } finally {
    await store.close();
  }
}

async function addAccount(store: Store, name: string): Promise<void> {
  const account = newAccount({ name });
  const accountKeySealed = ring.seal(new Secret('account-key-canary'), account.id, 'account-key');
  await store.accounts.add({ ...account, accountKeySealed });
}

async function addGrant(store: Store, id: string): Promise<void> {
  const tokens = sealPair(ring, id, {
    generation: 1,
    accessToken: new Secret('access-canary-7f3a'),
    accessExpiresAt: NOW,
    refreshToken: new Secret(SECRET),
  });
  await store.grants.create({ id, consenter: anna, scope: 'service', tokens, now: NOW });
}

const namesIn = (at = url()): Promise<readonly string[]> =>
  withStore(async (store) => (await store.accounts.list()).map(({ name }) => name), at);

const doubtIn = (path: string): unknown => {
  const raw = new DatabaseSync(path);
  try {
    return raw.prepare('select doubt from deployment').get()?.doubt;
  } finally {
    raw.close();
  }
};

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-backup-'));
  database = join(folder, 'causeway.db');
  file = join(folder, 'copy.backup');
  await withStore(async (store) => {
    await store.settings.set('sealed', ring.seal(new Secret('database'), 'database', 'sealed'));
    await addAccount(store, 'Before');
    await addGrant(store, 'grant-1');
  });
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('a backup', () => {
  it('is a complete database that identifies itself, readable by its owner only', async () => {
    const made = await backup();
    expect(made).toMatchObject({
      file,
      accounts: 1,
      grants: 1,
      schema: migrations.length,
      keyIds: ['k1'],
      at: NOW,
      bytes: statSync(file).size,
    });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(doubtIn(file)).toBe('backup');
    expect(doubtIn(database)).toBeNull();
    expect(await namesIn(`sqlite:${file}`)).toEqual(['Before']);
    expect(readdirSync(folder).filter((name) => name.includes('.part-'))).toEqual([]);
  });

  it('contains no secret, not even one that was deleted unsealed', async () => {
    await sqlOf(url(), "insert into settings (name, value) values ('stray', 'stray-canary-7f3a')");
    await sqlOf(url(), "delete from settings where name = 'stray'");
    await backup();
    const bytes = readFileSync(file).toString('latin1');
    for (const secret of [SECRET, 'access-canary', 'account-key-canary', 'stray-canary', keys.slice(3)])
      expect(bytes).not.toContain(secret);
  });

  it('names every key it needs', async () => {
    const both = KeyRing.parse(new Secret(`${newKeyLine('k2')},${keys}`));
    const tokens = sealPair(both, 'grant-2', {
      generation: 1,
      accessToken: new Secret('a'),
      accessExpiresAt: NOW,
      refreshToken: new Secret('r'),
    });
    await withStore((store) =>
      store.grants.create({ id: 'grant-2', consenter: anna, scope: 'service', tokens, now: NOW }),
    );
    expect((await backup()).keyIds).toEqual(['k1', 'k2']);
  });

  it('replaces a file only on request, and never the database itself', async () => {
    writeFileSync(file, 'precious');
    await expect(backup()).rejects.toThrow('already exists');
    expect(readFileSync(file, 'utf8')).toBe('precious');
    await backup(file, true);
    expect(doubtIn(file)).toBe('backup');
    await expect(backup(database, true)).rejects.toThrow('belongs to the database itself');
    await expect(backup(`${database}-wal`, true)).rejects.toThrow('belongs to the database itself');
    await expect(backup(join(folder, 'nowhere', 'copy'))).rejects.toThrow('the folder does not exist:');
    await expect(backup(folder, true)).rejects.toThrow('is not a file');
    expect(await namesIn()).toEqual(['Before']);
  });

  it('of a missing, foreign or in-memory database is refused', async () => {
    const other = join(folder, 'other.db');
    await expect(
      (await openArchive(`sqlite:${other}`, ring, {})).backup(file, { force: false, now: NOW }),
    ).rejects.toThrow('there is no database');
    await sqlOf(`sqlite:${other}`, 'create table recipes (name text)');
    await expect(
      (await openArchive(`sqlite:${other}`, ring, {})).backup(file, { force: false, now: NOW }),
    ).rejects.toThrow("not Causeway's");
    await expect(openArchive('sqlite::memory:', ring, {})).rejects.toThrow('in memory');
    expect(existsSync(file)).toBe(false);
  });

  it('is one moment of a database that is being written to', async () => {
    const step = 50;
    await using writer = new Child('learn.ts', url(), 'account', 1_000_000, step);
    await writer.next();
    for (let job = 0; job < 5; job += 1) {
      const before = Number(await writer.next());
      await backup(file, true);
      const learned = await withStore(async (store) => {
        let count = 0;
        for await (const pair of store.crosswalk.export('account')) {
          count += 1;
          expect(pair.number).toBe(count);
        }
        return count;
      }, `sqlite:${file}`);
      expect(learned).toBeGreaterThanOrEqual(before);
      expect(learned % step).toBe(0);
    }
  });

  it.each(['copied', 'checked', 'published'])(
    'leaves no half file if it is killed when it is %s',
    async (step) => {
      writeFileSync(file, 'the one before');
      await using child = new Child('backup.ts', database, file, step);
      expect(await child.rest()).toEqual([]);
      if (step === 'published') expect(doubtIn(file)).toBe('backup');
      else expect(readFileSync(file, 'utf8')).toBe('the one before');
      await backup(file, true);
      expect(await namesIn(`sqlite:${file}`)).toEqual(['Before']);
      expect(await namesIn()).toEqual(['Before']);
    },
  );

  it('writes into no other file under its temporary name', async () => {
    const part = `${file}.part-${process.pid}`;
    const elsewhere = join(folder, 'elsewhere');
    writeFileSync(elsewhere, '');
    chmodSync(elsewhere, 0o666);
    for (const lay of [symlinkSync, linkSync]) {
      lay(elsewhere, part);
      await backup(file, true);
      expect(statSync(file).mode & 0o777).toBe(0o600);
      expect(readFileSync(elsewhere, 'utf8')).toBe('');
    }
  });

  it.each(['it\'s "mine"; -- x', "'; drop table accounts; --", 'a?b#c%20d'])(
    'works with any file name: %s',
    async (name) => {
      const odd = join(folder, name);
      await backup(odd);
      const staged = await (await archive()).stage(odd);
      expect(staged.facts).toMatchObject({ accounts: 1 });
      await staged.put(NOW);
      expect(await namesIn(url())).toEqual(['Before']);
    },
  );

  it('removes what a killed backup left an hour ago', async () => {
    const [old, young] = [`${file}.part-1`, `${file}.part-2`];
    for (const left of [old, young]) writeFileSync(left, 'half');
    utimesSync(old, new Date(0), new Date(0));
    await backup();
    expect([existsSync(old), existsSync(young)]).toEqual([false, true]);
  });

  it('removes what a killed backup left under the name of another day, and no other file', async () => {
    const ours = 'causeway-2026-11-19.db.part-4711';
    const others = ['causeway-2026-11-19.db', 'photos.tar.part-12', 'causeway-2026-11-18.db.part-00'];
    for (const left of [ours, ...others, 'causeway-2026-11-18.db.part-10']) {
      writeFileSync(join(folder, left), 'half');
      utimesSync(join(folder, left), new Date(0), new Date(0));
    }
    await backup(join(folder, 'causeway-2026-11-20.db'));
    expect(readdirSync(folder)).toEqual(
      expect.arrayContaining([...others, 'causeway-2026-11-18.db.part-10']),
    );
    expect(readdirSync(folder)).not.toContain(ours);
  });
});

describe('a restore', () => {
  it('installs the backup, keeps the database it replaces, and says what is lost', async () => {
    await backup();
    await withStore(async (store) => {
      await addAccount(store, 'After');
      const [before] = await store.accounts.list();
      await store.accounts.note(before?.id ?? '', {
        at: NOW + 1,
        kind: 'noted',
        actor: 'test',
        detail: 'changed',
      });
    });
    const staged = await (await archive()).stage(file);
    expect(staged.facts).toMatchObject({ accounts: 1, at: NOW });
    expect(staged.losses?.added).toEqual(['After']);
    const { kept } = await staged.put(NOW + 2);
    await staged.discard();
    expect(await namesIn()).toEqual(['Before']);
    expect(kept).toMatch(/causeway\.db\.replaced-20270115-080000$/);
    expect((await namesIn(`sqlite:${kept ?? ''}`)).toSorted()).toEqual(['After', 'Before']);
    expect(doubtIn(database)).toBe('restored');
    expect(statSync(database).mode & 0o777).toBe(0o600);
    expect(doubtIn(file)).toBe('backup');
  });

  it.each([true, false])(
    'keeps a symbolic link to a database on another disk; it is there: %s',
    async (there) => {
      await backup();
      const [disk, real] = [join(folder, 'disk'), join(folder, 'disk', 'real.db')];
      mkdirSync(disk);
      renameSync(database, real);
      if (!there) rmSync(real);
      symlinkSync(join('disk', 'real.db'), database);
      const kept = await (await (await archive()).stage(file)).put(NOW);
      expect(lstatSync(database).isSymbolicLink()).toBe(true);
      expect(kept.kept?.startsWith(`${real}.replaced-`)).toBe(there ? true : undefined);
      expect(readdirSync(disk)).toHaveLength(there ? 2 : 1);
      expect(await namesIn(`sqlite:${real}`)).toEqual(['Before']);
    },
  );

  it('makes the folder of a database on a fresh machine, and leaves none if nothing is restored', async () => {
    await backup();
    const fresh = join(folder, 'fresh');
    const there = join(fresh, 'var', 'causeway.db');
    const restoring = await openArchive(`sqlite:${there}`, ring, {});
    await (await restoring.stage(file)).discard();
    expect(existsSync(fresh)).toBe(false);
    const staged = await restoring.stage(file);
    await staged.put(NOW);
    await staged.discard();
    expect(await namesIn(`sqlite:${there}`)).toEqual(['Before']);
    expect(statSync(join(fresh, 'var')).mode & 0o777).toBe(0o700);
  });

  it('lists the accounts that moved or were closed since, and would be served by V1 again', async () => {
    for (const name of ['Mover', 'Closer', 'Gone']) await withStore((store) => addAccount(store, name));
    await sqlOf(url(), "update accounts set stage = 'closed' where name = 'Gone'");
    await backup();
    await sqlOf(
      url(),
      `update accounts set stage = 'migrated', grant_id = 'grant-1', organisation_id = 'o1', organisation_name = 'O'
       where name = 'Mover'`,
    );
    await sqlOf(url(), "update accounts set stage = 'closed' where name = 'Closer'");
    expect((await (await archive()).stage(file)).losses).toMatchObject({ reverted: ['Closer', 'Mover'] });
  });

  it('lists the accounts whose connection has ended since, and would be used again', async () => {
    await sqlOf(
      url(),
      `update accounts set stage = 'consented', grant_id = 'grant-1', organisation_id = 'o1', organisation_name = 'O'`,
    );
    await backup();
    expect((await (await archive()).stage(file)).losses).toMatchObject({ ended: [] });
    await sqlOf(url(), "update grants set state = 'lost'");
    expect((await (await archive()).stage(file)).losses?.ended).toEqual(['Before']);
  });

  it('lists the accounts that were invited since, and counts the writes since whose outcome is not known', async () => {
    const account = await withStore(async (store) => {
      await addAccount(store, 'Not invited');
      const [first] = (await store.accounts.list()).filter(({ name }) => name === 'Before');
      return first?.id ?? '';
    });
    const write = (id: string, state: string, settlement = 'null') =>
      sqlOf(
        url(),
        `insert into writes (id, account_id, method, route, fingerprint, length, owner, state, settlement, caller,
           facts_sealed, created_at, attempts, note)
         values ('${id}', '${account}', 'client.add', 'v3', '${id}', 1, 'o', '${state}', ${settlement}, 'untold', '', 1, 0, '')`,
      );
    const invite = (id: string) =>
      withStore((store) =>
        store.invitations.issue({ id, accountId: account, linkIndex: id, now: NOW, expiresAt: NOW + 1 }),
      );
    await write('known to both', 'unknown');
    await invite('in both');
    await backup();
    const none = { invited: [], unsettled: 0 };
    expect((await (await archive()).stage(file)).losses).toMatchObject(none);
    await write('unknown since', 'unknown');
    await write('open since', 'open');
    await write('undecidable since', 'settled', "'undecidable'");
    await write('done since', 'settled', "'done'");
    await invite('since');
    expect((await (await archive()).stage(file)).losses).toMatchObject({ invited: ['Before'], unsettled: 3 });
  });

  it('assigns no number again that was assigned after a backup whose database is lost', async () => {
    const account = await withStore(async (store) => (await store.accounts.list())[0]?.id ?? '');
    const numbered = (uuid = randomUUID()) =>
      withStore(async (store) => {
        await store.crosswalk.markComplete(account, ['client']);
        const numbers = await store.crosswalk.numbers(account, [{ kind: 'client', uuid }]);
        return numbers.get(idKey('client', uuid)) ?? 0;
      });
    await backup();
    const before = await numbered();
    for (const path of [database, `${database}-wal`, `${database}-shm`]) rmSync(path, { force: true });
    const staged = await (await archive()).stage(file);
    await staged.put(NOW);
    expect(await numbered()).toBeGreaterThanOrEqual(before + 1_000_000);
  });

  it('lists the accounts whose tokens were refreshed since', async () => {
    await backup();
    await sqlOf(url(), "update accounts set grant_id = 'grant-1'");
    await sqlOf(url(), "update grants set generation = 2 where id = 'grant-1'");
    const staged = await (await archive()).stage(file);
    await staged.discard();
    expect(staged.losses).toMatchObject({ added: [], changed: [], renewed: ['Before'] });
    expect(readdirSync(folder).filter((name) => name.includes('.part-'))).toEqual([]);
  });

  it('is refused while a process has the database open, even an idle one, and works once it is killed', async () => {
    await backup();
    await using holder = new Child('hold.ts', url());
    expect(await holder.next()).toBe('open');
    const staged = await (await archive()).stage(file);
    await expect(staged.put(NOW)).rejects.toThrow('is in use');
    expect(readdirSync(folder).filter((name) => name.includes('replaced'))).toEqual([]);
    expect(doubtIn(database)).toBeNull();
    await holder.kill();
    await (await (await archive()).stage(file)).put(NOW);
    expect(doubtIn(database)).toBe('restored');
  });

  it.each<readonly [string, () => void, RegExp]>([
    [
      'a truncated one',
      () => {
        truncateSync(file, Math.floor(statSync(file).size / 2));
      },
      /damaged|malformed/,
    ],
    [
      'one cut to a page',
      () => {
        truncateSync(file, 4_096);
      },
      /damaged|malformed|not Causeway's/,
    ],
    [
      'an empty one',
      () => {
        truncateSync(file, 0);
      },
      /not Causeway's/,
    ],
    [
      'no database',
      () => {
        writeFileSync(file, 'a letter to nobody'.repeat(300));
      },
      /not a database/,
    ],
    [
      'a page of noise',
      () => {
        const bytes = readFileSync(file);
        bytes.fill(0xa5, 4_096 * 3, 4_096 * 5);
        writeFileSync(file, bytes);
      },
      /damaged|malformed/,
    ],
    [
      'nothing',
      () => {
        rmSync(file);
      },
      /there is no file/,
    ],
  ])('refuses %s and changes nothing', async (_what, spoil, words) => {
    await backup();
    chmodSync(file, 0o600);
    spoil();
    await expect((await archive()).stage(file)).rejects.toThrow(words);
    expect(await namesIn()).toEqual(['Before']);
    expect(readdirSync(folder).filter((name) => /\.part-|replaced/.test(name))).toEqual([]);
  });

  it('refuses a backup that the keys do not open, and names the missing keys', async () => {
    await backup();
    const missing = KeyRing.parse(new Secret(newKeyLine('k9')));
    await expect((await archive(missing)).stage(file)).rejects.toThrow('needs the encryption key k1,');
    const wrong = KeyRing.parse(new Secret(newKeyLine('k1')));
    await expect((await archive(wrong)).stage(file)).rejects.toThrow('needs the encryption key k1,');
    const enough = KeyRing.parse(new Secret(`${newKeyLine('k9')},${keys}`));
    await (await (await archive(enough)).stage(file)).discard();
  });

  it('refuses a newer schema, the database itself and a foreign database', async () => {
    await backup();
    await expect((await archive()).stage(database)).rejects.toThrow('is the database itself');
    const newer = join(folder, 'newer');
    copyFileSync(file, newer);
    await sqlOf(`sqlite:${newer}`, 'insert into schema_version (version, applied_at) values (999, 1)');
    await expect((await archive()).stage(newer)).rejects.toThrow('newer Causeway (schema 999');
    const recipes = join(folder, 'recipes');
    await sqlOf(`sqlite:${recipes}`, 'create table recipes (name text)');
    await expect((await archive()).stage(recipes)).rejects.toThrow("not Causeway's");
  });

  it('accepts a copy made by hand, with its write-ahead log', async () => {
    const raw = new DatabaseSync(database);
    raw.exec("PRAGMA journal_mode = WAL; insert into settings (name, value) values ('late', 'in the log')");
    for (const end of ['', '-wal']) copyFileSync(`${database}${end}`, `${file}${end}`);
    raw.close();
    const staged = await (await archive()).stage(file);
    await staged.put(NOW);
    expect(await withStore((store) => store.settings.get('late'))).toBe('in the log');
  });

  it('works where no database exists, and where a damaged one does', async () => {
    await backup();
    rmSync(database);
    expect(await (await (await archive()).stage(file)).put(NOW)).toEqual({ kept: undefined });
    expect(await namesIn()).toEqual(['Before']);
    writeFileSync(database, 'torn by a broken disk'.repeat(500));
    const { kept } = await (await (await archive()).stage(file)).put(NOW);
    expect(readFileSync(kept ?? '', 'utf8')).toContain('torn by a broken disk');
    expect(await namesIn()).toEqual(['Before']);
  });

  it.each([
    ['copied', 'old'],
    ['checked', 'old'],
    ['marked', 'old'],
    ['kept', 'old'],
    ['renamed', 'new'],
  ])('killed when it is %s leaves the %s database, complete', async (step, which) => {
    await backup();
    await withStore((store) => addAccount(store, 'After'));
    await using child = new Child('restore.ts', database, file, keys, step);
    expect(await child.rest()).toEqual([]);
    expect((await namesIn()).toSorted()).toEqual(which === 'old' ? ['After', 'Before'] : ['Before']);
    expect(doubtIn(database)).toBe(which === 'old' ? null : 'restored');
    const raw = new DatabaseSync(database);
    expect(raw.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    raw.close();
    await (await (await archive()).stage(file)).put(NOW);
    expect(await namesIn()).toEqual(['Before']);
  });

  it('puts a backup from before deployment files in doubt, too, but not an upgrade', async () => {
    const older = join(folder, 'older.db');
    const engine = sqliteEngine(older);
    await migrate(engine, migrations.slice(0, 4));
    await engine.db.destroy();
    const old = await openArchive(`sqlite:${older}`, ring, {});
    const made = await old.backup(file, { force: false, now: NOW });
    expect(made).toMatchObject({ schema: 4, deployment: undefined, accounts: 0 });
    await withStore(async (store) => {
      expect(doubtOf(await store.deployment.look())).toBeUndefined();
    }, `sqlite:${older}`);

    const staged = await old.stage(file);
    await staged.put(NOW + 1);
    await withStore(async (store) => {
      expect((await store.deployment.look()).written).toEqual({ why: 'restored', at: NOW + 1 });
    }, `sqlite:${older}`);
    await withStore(async (store) => {
      expect((await store.deployment.look()).written).toEqual({ why: 'backup', at: NOW });
    }, `sqlite:${file}`);
  });
});
