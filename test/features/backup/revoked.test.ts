import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openStore, type Store } from '../../../src/app/store.ts';
import { close } from '../../../src/features/accounts/account.ts';
import { openArchive } from '../../../src/features/backup/archive-repository.ts';
import type { RestoreLosses } from '../../../src/features/backup/archive.ts';
import { Tokens } from '../../../src/features/admin/tokens/tokens.ts';
import { systemRandom } from '../../../src/lib/secret/random.ts';
import { Secret } from '../../../src/lib/secret/secret.ts';
import { DAY, HOUR } from '../../../src/lib/time/clock.ts';
import { KeyRing, newKeyLine } from '../../../src/tokens/sealing/keyring.ts';
import { newAccount, NOW } from '../../db/records.ts';
import { sqlOf } from '../../support/sql.ts';
import { migratedImage } from '../../support/store.ts';

const ring = KeyRing.parse(new Secret(newKeyLine('k1')));

interface Open {
  readonly store: Store;
  readonly tokens: Tokens;
}

let folder: string;
let database: string;
let file: string;

async function inDatabase<T>(work: (open: Open) => Promise<T>): Promise<T> {
  const store = await openStore(`sqlite:${database}`);
  const { tokens, sessions, audit } = store;
  const parts = { tokens, sessions, audit, seal: ring, clock: { now: () => NOW }, random: systemRandom };
  try {
    return await work({ store, tokens: new Tokens(parts) });
  } finally {
    await store.close();
  }
}

const archive = () => openArchive(`sqlite:${database}`, ring, {});
const backup = async () => (await archive()).backup(file, { force: false, now: NOW });

async function restored(): Promise<RestoreLosses | undefined> {
  const staged = await (await archive()).stage(file);
  await staged.put(NOW + HOUR);
  return staged.losses;
}

const person = (name: string) =>
  ({ id: `openid-${name}-4711`, name, scope: 'operate', subject: name }) as const;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-revoked-'));
  [database, file] = [join(folder, 'causeway.db'), join(folder, 'copy.backup')];
  writeFileSync(database, await migratedImage());
  await inDatabase(({ store }) =>
    store.settings.set('sealed', ring.seal(new Secret('database'), 'database', 'sealed')),
  );
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

describe('a restore of a backup from before a revocation', () => {
  it('leaves a token of console and API revoked, and lists it', async () => {
    const [leaked, other] = await inDatabase(async ({ tokens }) => [
      (await tokens.create('nightly', 'administer', 'Kim')).secret,
      (await tokens.create('other', 'read', 'Kim')).secret,
    ]);
    await backup();
    await inDatabase(({ tokens }) => tokens.revoke('nightly', 'Kim'));
    expect((await restored())?.stopped).toMatchObject({ tokens: ['nightly'], people: [] });
    await inDatabase(async ({ tokens }) => {
      expect(await tokens.recognise(leaked)).toBeUndefined();
      expect((await tokens.recognise(other))?.scope).toBe('read');
    });
  });

  it('refuses the keys of an account that was added and erased since, and sends nothing to who unsubscribed', async () => {
    await backup();
    const account = newAccount();
    await inDatabase(async ({ store }) => {
      const { id } = await store.accounts.add(account);
      const event = { at: NOW, kind: 'closed', actor: 'Kim', detail: '' };
      await store.accounts.change(id, close, event);
      expect(await store.forget(id)).toMatchObject({ outcome: 'forgotten' });
    });
    await sqlOf(
      `sqlite:${database}`,
      "insert into suppressions (address, reason, detail, at) values ('ada@example.com', 'unsubscribed', '', 1)",
    );
    expect(await restored()).toMatchObject({ added: [], suppressed: 1 });
    await inDatabase(async ({ store }) => {
      expect(await store.accounts.wasErased([account.accountKeyIndex])).toBe(true);
    });
    await inDatabase(async ({ store }) => {
      expect(await store.campaign.suppression('ada@example.com')).toMatchObject({ reason: 'unsubscribed' });
    });
  });

  it('lets nobody in who was blocked, even a person whom the backup does not know', async () => {
    await inDatabase(async ({ tokens }) => {
      await tokens.enter(person('Ada'), HOUR);
      await tokens.create('Bob', 'read', 'Kim');
    });
    await backup();
    await inDatabase(async ({ tokens }) => {
      await tokens.revoke('Bob', 'Kim');
      await sqlOf(`sqlite:${database}`, "delete from console_tokens where name = 'Bob'");
      await tokens.enter(person('Bob'), HOUR);
      await tokens.enter(person('Cy'), HOUR);
      for (const name of ['Ada', 'Bob']) await tokens.revoke(name, 'Kim');
    });
    expect((await restored())?.stopped).toMatchObject({ tokens: [], people: ['Ada', 'Bob'] });
    await inDatabase(async ({ tokens }) => {
      expect(await tokens.enter(person('Ada'), HOUR)).toBeUndefined();
      expect(await tokens.enter(person('Bob'), HOUR)).toBeUndefined();
      expect(await tokens.enter(person('Cy'), HOUR)).toBeDefined();
      await tokens.admit(person('Bob').id, 'Kim');
      expect(await tokens.enter(person('Bob'), HOUR)).toBeDefined();
    });
  });

  it('leaves a person whom 1.0.0-rc.1 cannot tell from a token to the OpenID provider, and says so', async () => {
    await backup();
    await sqlOf(`sqlite:${file}`, 'alter table console_tokens drop column subject');
    await inDatabase(async ({ tokens }) => {
      await tokens.enter(person('Ada'), HOUR);
      await tokens.revoke('Ada', 'Kim');
    });
    expect((await restored())?.stopped).toMatchObject({ tokens: [], people: [], admitted: ['Ada'] });
    // As the start of this release does.
    await sqlOf(`sqlite:${database}`, 'alter table console_tokens add column subject text');
    await inDatabase(async ({ tokens }) => {
      expect(await tokens.list()).toEqual([]);
      expect(await tokens.enter(person('Ada'), HOUR)).toBeDefined();
    });
  });

  it('takes no token of 1.0.0-rc.1 for a person', async () => {
    await inDatabase(({ tokens }) => tokens.create('nightly', 'read', 'Kim'));
    await backup();
    await inDatabase(async ({ tokens }) => {
      await tokens.create('later', 'read', 'Kim');
      for (const name of ['nightly', 'later']) await tokens.revoke(name, 'Kim');
    });
    await sqlOf(`sqlite:${database}`, 'alter table console_tokens drop column subject');
    const stopped = { tokens: ['nightly'], people: [], admitted: [] };
    expect((await restored())?.stopped).toMatchObject(stopped);
    await inDatabase(async ({ tokens }) => {
      expect((await tokens.list()).map(({ name }) => name)).toEqual(['nightly']);
    });
  });

  it('opens no session again that had ended since', async () => {
    const cookie = await inDatabase(async ({ tokens }) => (await tokens.enter(person('Ada'), HOUR))?.cookie);
    if (cookie === undefined) throw new Error('not signed in');
    await backup();
    await inDatabase(({ tokens }) => tokens.signOut(cookie));
    await restored();
    await inDatabase(async ({ tokens }) => {
      expect(await tokens.session(cookie)).toBeUndefined();
    });
  });

  it('is possible where the tokens of the present database cannot be read', async () => {
    await backup();
    await sqlOf(`sqlite:${database}`, 'drop table console_tokens');
    await restored();
    await inDatabase(async ({ tokens }) => {
      expect(await tokens.list()).toEqual([]);
    });
  });
});

it('a restore lists the brown-outs, waves, routes and trials that were stopped since', async () => {
  const account = newAccount({ name: 'Fern' });
  const accountKeySealed = ring.seal(new Secret('key'), account.id, 'account-key');
  const { id } = await inDatabase(({ store }) => store.accounts.add({ ...account, accountKeySealed }));
  const sql = (text: string): Promise<unknown> => sqlOf(`sqlite:${database}`, text);
  await sql(`insert into brownouts (id, query, from_at, to_at, planned_at, who)
    values ('b1', '', ${NOW + DAY}, ${NOW + DAY + HOUR}, 1, 'Kim'), ('b2', '', ${NOW}, ${NOW + 1}, 1, 'Kim')`);
  for (const name of ['first', 'second', 'third'])
    await sql(`insert into waves (name, position, query, hold_hours, most_errors, most_troubled, state, since, reason)
      values ('${name}', 1, '', 1, 1, 1, 'sent', 1, '')`);
  await inDatabase(async ({ store }) => {
    await store.routes.set(['client.get', 'client.list'], id, 'v2', 'Kim');
    await store.routes.set(['job.list'], 'all', 'v2', 'Kim');
  });
  await sql(`insert into route_canaries (account_id, methods, route, before, calls_before, failed_before, begun_at, until,
    calls, failed, lost) values ('${id}', '[]', 'v2', '{}', 1, 0, 1, 2, 0, 0, 0)`);
  await backup();
  const nothing = { tokens: [], people: [], admitted: [], brownouts: [], waves: [], routes: [], trials: [] };
  expect((await (await archive()).stage(file)).losses?.stopped).toEqual(nothing);

  await sql("update brownouts set stopped_at = 5 where id = 'b1'");
  await sql("update waves set state = 'stopped' where name = 'first'");
  await sql("delete from waves where name = 'second'");
  await sql("update route_canaries set outcome = 'returned'");
  await inDatabase(async ({ store }) => {
    await store.routes.set(['client.get'], id, undefined, 'Kim');
    await store.routes.set(['job.list'], 'all', 'v3', 'Kim');
    await store.routes.set(['job.get'], 'all', 'v3', 'Kim');
  });
  expect((await (await archive()).stage(file)).losses?.stopped).toEqual({
    ...nothing,
    brownouts: [{ id: 'b1', from: NOW + DAY, to: NOW + DAY + HOUR }],
    waves: ['first', 'second'],
    routes: ['client.get of Fern', 'job.get of all accounts', 'job.list of all accounts'],
    trials: ['Fern'],
  });
});
