import { describe, expect, it } from '@jest/globals';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readSettings } from '../../src/app/settings/settings.ts';
import { DEMO_MARK, erase, ownership } from '../../src/db/ownership.ts';
import { environmentText, readEnvironment } from '../../src/lib/environment-file.ts';
import { Demo } from '../../src/demo/demo.ts';
import { guide } from '../../src/demo/guide.ts';
import { FileLock } from '../../src/db/file-lock.ts';
import type { DemoOrganisation } from '../../src/demo/seed/demo-organisation.ts';
import { demoOrganisations } from '../../src/demo/seed/organisations.ts';
import { formsOf } from '../../src/replay/pages.ts';
import { demoPlace } from '../../src/app/settings/demo-place.ts';
import { childEnvironment, planDemo } from '../../src/demo/plan.ts';
import { takenPorts } from '../../src/demo/ports.ts';
import { isDemoRunning, withDemoSettings } from '../../src/app/settings/demo-settings.ts';
import { readOptions, Usage } from '../../src/demo/options.ts';
import { seedOrganisationSchema } from '../../src/sandbox/seed/schema.ts';
import { openStore } from '../../src/app/store.ts';
import { pause } from '../../src/lib/time/pause.ts';
import { freePort } from '../support/bridge.ts';

class Folder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'causeway-demo-'));
  readonly database = `sqlite:${join(this.path, 'causeway.db')}`;

  async store(mark: boolean): Promise<void> {
    const store = await openStore(this.database);
    if (mark) await store.settings.set(DEMO_MARK, 'yes');
    await store.close();
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

describe('the options of the demo', () => {
  it('give fresh data with three clients by default', () => {
    expect(readOptions([])).toEqual({ keep: false, clients: 3, accounts: undefined, clock: false });
    expect(readOptions(['--keep', '--clients', '1000', '--clock'])).toEqual({
      keep: true,
      clients: 1000,
      accounts: undefined,
      clock: true,
    });
    expect(readOptions(['--accounts', '10']).accounts).toBe(10);
  });

  it.each([
    ['--clients', 'x'],
    ['--clients', '-1'],
    ['--clients', '200001'],
    ['--accounts', '9'],
    ['--accounts', '2001'],
    ['--accounts', '1e3'],
    ['--accounts', '500', '--keep'],
    ['--quick'],
    ['more'],
  ])('refuse %s %s', (...args: readonly string[]) => {
    expect(() => readOptions(args)).toThrow(Usage);
  });
});

describe('the demo’s data', () => {
  it.each([0, 1, 3, 4, 500])(
    'has %i clients in Harbour Lane Studio, each with a number of its own',
    (count) => {
      const { harbourLane } = demoOrganisations(count);
      const clients = harbourLane.seed.clients as readonly {
        readonly number: number;
        readonly name: string;
      }[];
      expect(clients).toHaveLength(count);
      expect(new Set(clients.map(({ number }) => number)).size).toBe(count);
    },
  );

  it('is accepted by the sandbox as a seed', () => {
    const all: readonly DemoOrganisation[] = Object.values(demoOrganisations(50));
    for (const { name, accountKey, seed } of all) {
      expect(seedOrganisationSchema.safeParse({ name, accountKey, ...seed })).toMatchObject({
        success: true,
      });
    }
  });

  it('has the keys of the contract and one of each kind of user', () => {
    const all: readonly DemoOrganisation[] = Object.values(demoOrganisations(3));
    expect(all.map(({ accountKey }) => accountKey)).toEqual(
      [1, 2, 3, 4, 5].map((n) => `A${String(n).padStart(31, '0')}`),
    );
    for (const { seed } of all) {
      expect(seed.users).toMatchObject([
        { administrator: true, privilege: true },
        { administrator: true, privilege: false },
        { administrator: false, privilege: false },
      ]);
    }
  });
});

describe('the database of a demo', () => {
  it('counts as empty before it exists', async () => {
    using folder = new Folder();
    expect(await ownership(folder.database)).toBe('empty');
  });

  it('counts as foreign without the mark, whoever created it', async () => {
    using folder = new Folder();
    await folder.store(false);
    expect(await ownership(folder.database)).toBe('foreign');
    using other = new Folder();
    const raw = new DatabaseSync(join(other.path, 'causeway.db'));
    raw.exec('create table mine (a text)');
    raw.close();
    expect(await ownership(other.database)).toBe('foreign');
    using third = new Folder();
    writeFileSync(join(third.path, 'causeway.db'), 'my notes, no database');
    expect(await ownership(third.database)).toBe('foreign');
  });

  it('belongs to the demo if it has the mark, and can be erased', async () => {
    using folder = new Folder();
    await folder.store(true);
    expect(await ownership(folder.database)).toBe('demo');
    await erase(folder.database);
    expect(await ownership(folder.database)).toBe('empty');
  });
});

describe('the folder of a demo', () => {
  it('is for one demo at a time', () => {
    using folder = new Folder();
    const { lockFile } = demoPlace(folder.database);
    const first = FileLock.take(lockFile);
    expect(first).toBeDefined();
    expect(FileLock.take(lockFile)).toBeUndefined();
    first?.release();
    const second = FileLock.take(lockFile);
    expect(second).toBeDefined();
    second?.release();
  });
});

describe('a demo that is stopped while it starts', () => {
  it.each([
    ['before its first process', () => Promise.resolve()],
    ['while its first process starts', (folder: Folder) => exists(join(folder.path, 'sandbox.log'))],
  ])('leaves no process behind: %s', async (_, moment) => {
    using folder = new Folder();
    const names = [
      'CAUSEWAY_PORT',
      'CAUSEWAY_METRICS_PORT',
      'SANDBOX_PORT',
      'MAILBOX_PORT',
      'MAILBOX_SMTP_PORT',
    ];
    const env: Record<string, string | undefined> = {
      ...process.env,
      CAUSEWAY_DATABASE_URL: folder.database,
    };
    for (const name of names) env[name] = String(await freePort());
    const demo = new Demo(readOptions([]), env);
    const started = demo.start().then(
      () => 'started',
      (error: unknown) => error,
    );
    await moment(folder);
    await demo.stop();
    expect(await started).toBeInstanceOf(Error);
    expect(await takenPorts(planDemo(env, undefined).ports)).toEqual([]);
    expect(isDemoRunning({ CAUSEWAY_DATABASE_URL: folder.database })).toBe(false);
  });
});

async function exists(file: string): Promise<void> {
  while (!existsSync(file)) await pause(5);
}

describe('the plan of a demo', () => {
  it('has settings that the bridge accepts, with keys of its own', () => {
    const one = planDemo({}, undefined);
    const other = planDemo({}, undefined);
    expect(readSettings({ env: one.bridgeSettings })).toMatchObject({
      listener: { host: '127.0.0.1', port: 8080, metricsPort: 9464 },
      publicUrl: 'http://127.0.0.1:8080',
      v1: 'http://127.0.0.1:8090/v1',
      mail: { from: { name: 'Tidewater Software', address: 'connections@tidewater.example' } },
      brand: { name: 'Tidewater Software', support: 'support@tidewater.example' },
    });
    expect(one.bridgeSettings.CAUSEWAY_SMTP_URL).toBe('smtp://127.0.0.1:1025');
    expect(one).toMatchObject({ mailbox: 'http://127.0.0.1:8025', mailStaysHere: true });
    expect(one.bridgeSettings.CAUSEWAY_ENCRYPTION_KEYS).not.toBe(
      other.bridgeSettings.CAUSEWAY_ENCRYPTION_KEYS,
    );
    expect(one.console.address).toBe('http://127.0.0.1:8080/_causeway/console');
    expect(one.bridgeSettings.CAUSEWAY_ADMIN_TOKEN).toBe(one.console.token);
    expect(one.console.token).not.toBe(other.console.token);
    expect(planDemo({}, 'k:kept', 'kept-token').console.token).toBe('kept-token');
    expect(planDemo({ CAUSEWAY_ADMIN_TOKEN: 'mine' }, undefined, 'kept-token').console.token).toBe('mine');
  });

  it('follows the ports, and configured settings take precedence', () => {
    const env = {
      CAUSEWAY_PORT: '8180',
      SANDBOX_PORT: '8190',
      MAILBOX_PORT: '8125',
      MAILBOX_SMTP_PORT: '1125',
      CAUSEWAY_WAIT_SECONDS: '5',
      CAUSEWAY_TEST_X: 'y',
    };
    const { bridgeSettings, sandboxSettings, mailboxSettings } = planDemo(env, 'k:kept');
    expect(bridgeSettings).toMatchObject({
      CAUSEWAY_PUBLIC_URL: 'http://127.0.0.1:8180',
      CAUSEWAY_AUTH_URL: 'http://127.0.0.1:8190',
      CAUSEWAY_WAIT_SECONDS: '5',
      CAUSEWAY_ENCRYPTION_KEYS: 'k:kept',
      CAUSEWAY_SMTP_URL: 'smtp://127.0.0.1:1125',
    });
    expect(mailboxSettings).toMatchObject({ MAILBOX_PORT: '8125', MAILBOX_SMTP_PORT: '1125' });
    expect(JSON.parse(mailboxSettings.MAILBOX_LINKS ?? '')).toMatchObject({
      console: 'http://127.0.0.1:8180/_causeway/console',
      sandbox: 'http://127.0.0.1:8190',
    });
    expect(bridgeSettings).not.toHaveProperty('CAUSEWAY_TEST_X');
    expect(sandboxSettings.SANDBOX_CLIENTS).toContain('http://127.0.0.1:8180/_causeway/callback');
  });

  it('leaves e-mail to the configured server', () => {
    const { bridgeSettings, mailStaysHere } = planDemo(
      { CAUSEWAY_SMTP_URL: 'smtp://mail.example' },
      undefined,
    );
    expect(bridgeSettings.CAUSEWAY_SMTP_URL).toBe('smtp://mail.example');
    expect(mailStaysHere).toBe(false);
  });

  it('keeps everything beside the database file', () => {
    expect(demoPlace(undefined)).toMatchObject({
      folder: 'var/demo',
      environmentFile: 'var/demo/causeway.env',
    });
    expect(demoPlace('sqlite:/a/b.db').environmentFile).toBe('/a/causeway.env');
    expect(demoPlace('postgres://db/causeway').environmentFile).toBe('var/demo/causeway.env');
  });

  it('passes a child process nothing but its own settings', () => {
    const env = { PATH: '/bin', CAUSEWAY_PORT: '1', SANDBOX_PORT: '2', MAILBOX_PORT: '3' };
    expect(childEnvironment(env, { CAUSEWAY_HOST: 'x' })).toEqual({ PATH: '/bin', CAUSEWAY_HOST: 'x' });
  });
});

describe('the demo’s causeway.env', () => {
  it('is read back as it was written', () => {
    const settings = {
      CAUSEWAY_SCOPE: "openid it's $HOME `x`",
      CAUSEWAY_PORT: '8080',
      CAUSEWAY_KEY: 'k1:a+b/c=',
    };
    expect(readEnvironment(environmentText(settings))).toEqual(settings);
  });

  it('is read if no setting is given, and only beside a database of the demo', async () => {
    using folder = new Folder();
    const left = { CAUSEWAY_DATABASE_URL: folder.database, CAUSEWAY_PORT: '8081' };
    writeFileSync(join(folder.path, 'causeway.env'), environmentText(left));
    const env = { CAUSEWAY_DATABASE_URL: folder.database };
    expect(await withDemoSettings(env)).toEqual(env);
    await folder.store(false);
    expect(await withDemoSettings(env)).toEqual(env);
    await folder.store(true);
    expect(await withDemoSettings(env)).toEqual(left);
    expect(await withDemoSettings({ ...env, CAUSEWAY_PORT: '8081' })).toEqual(left);
    const given = { ...env, CAUSEWAY_WAIT_SECONDS: '1' };
    expect(await withDemoSettings(given)).toEqual(given);
  });

  it('shows whether its demo is running', () => {
    using folder = new Folder();
    const env = { CAUSEWAY_DATABASE_URL: folder.database };
    expect(isDemoRunning(env)).toBe(false);
    const lock = FileLock.take(demoPlace(folder.database).lockFile);
    expect(isDemoRunning(env)).toBe(true);
    lock?.release();
    expect(isDemoRunning(env)).toBe(false);
  });

  it('is ignored if it names another database', async () => {
    using folder = new Folder();
    using other = new Folder();
    await folder.store(true);
    await other.store(true);
    writeFileSync(
      join(folder.path, 'causeway.env'),
      environmentText({ CAUSEWAY_DATABASE_URL: other.database, CAUSEWAY_PORT: '1' }),
    );
    const env = { CAUSEWAY_DATABASE_URL: folder.database };
    expect(await withDemoSettings(env)).toEqual(env);
  });
});

describe('the forms of a page', () => {
  it('include hidden fields, buttons and ticked boxes', () => {
    const html = `<form method="post"
      action="/go?a=1&amp;b=2"><input type="hidden" name="state" value="&quot;x&#39;" />
      <label class="c"><input type="checkbox" name="o" value="1"><span>One &amp; Co</span></label
      ><label><input type="checkbox" name="o" value="2" disabled><span>Two</span></label>
      <button name="d" value="yes">Approve</button ></form>`;
    expect(formsOf(html)).toEqual([
      {
        action: '/go?a=1&b=2',
        method: 'POST',
        fields: [['state', `"x'`]],
        choices: [
          { name: 'd', value: 'yes', words: 'Approve' },
          { name: 'o', value: '1', words: 'One & Co' },
        ],
      },
    ]);
  });
});

describe('the output of the demo', () => {
  const plan = planDemo({}, undefined);
  const organisations = demoOrganisations(3);
  const { oldMill, northgate, kauriLane } = organisations;
  const links = [{ name: northgate.name, link: 'http://127.0.0.1:8080/_causeway/connect/x' }];

  it('explains how to let the remaining accounts consent', () => {
    const words = guide(plan, organisations, { mailed: [oldMill], links, awaiting: [kauriLane] });
    expect(words).toContain('not moved: served through V1; invited by mail');
    expect(words).toContain('V1 is closed for it: 403');
    expect(words).toContain('invitation in the mailbox');
    expect(words).toContain(links[0]?.link);
    expect(words).toContain("npx causeway consents confirm 'Kauri Lane Joinery' --yes");
    expect(words).toContain('approved, not confirmed: served through V1');
  });

  it('sends nobody to an empty mailbox', () => {
    const words = guide(plan, organisations, {
      mailed: [],
      links: [...links, { name: oldMill.name, link: '' }],
      awaiting: [],
    });
    expect(words).toContain('not moved: served through V1\n');
    expect(words).not.toContain('invitation in the mailbox');
  });

  it('shows how to get a new token once the one that it made is revoked', () => {
    const words = guide(plan, organisations, { mailed: [], links: [], awaiting: [], isTokenOver: true });
    expect(words).toContain('npx causeway tokens create NAME --scope administer');
    expect(words).not.toContain(plan.console.token);
  });

  it('says so if every account has moved', () => {
    const words = guide(plan, organisations, { mailed: [], links: [], awaiting: [] });
    expect(words).toContain('No account is waiting for its customer');
    expect(words).not.toMatch(/not moved|403|Authorise|consents confirm/);
  });
});
