import { describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { cliParts } from '../../../src/cli/open-tools.ts';
import { run } from '../../../src/cli/run.ts';
import { examine } from '../../../src/app/doctor/examine.ts';
import {
  failed,
  ok,
  states,
  unknown,
  warning,
  type Check,
  type Finding,
} from '../../../src/app/doctor/model.ts';
import { missingChecks } from '../../../src/app/doctor/missing.ts';
import { settingsCheck } from '../../../src/app/doctor/safe-settings.ts';
import { CommandLine, oauth } from '../../cli/harness.ts';
import { found, rows } from './setting.ts';

describe('a check of causeway doctor', () => {
  it('is reported if it hangs, and delays no other check', async () => {
    const hanging: Check = { what: 'hangs', examine: () => new Promise<never>(() => undefined) };
    const quick: Check = { what: 'quick', examine: () => ok('fine') };
    const findings = await examine([hanging, quick], await situation(), 50);
    expect(findings).toMatchObject([
      { what: 'hangs', state: 'failed', why: 'no answer within 0.05 s' },
      { what: 'quick', state: 'ok', why: 'fine' },
    ]);
  });

  it('is cancelled when its time is up', async () => {
    let aborted = false;
    const waits: Check = {
      what: 'waits',
      examine: (_, signal) => {
        signal.addEventListener('abort', () => (aborted = true));
        return new Promise<never>(() => undefined);
      },
    };
    await examine([waits], await situation(), 50);
    expect(aborted).toBe(true);
  });

  it('counts as failed if it throws, and shows no secret of the settings', async () => {
    const breaks: Check = {
      what: 'breaks',
      examine: () => {
        throw new Error('postgres://causeway:p%40ss-canary@db/x said p@ss-canary, secret-canary');
      },
    };
    const [finding] = await examine([breaks], await situation());
    expect(finding).toMatchObject({ state: 'failed', why: '*** said ***, ***' });
  });

  it.each(['causeway', 'a', 'backup'])('keeps its own words if %j is also a password', async (password) => {
    const own: Check = {
      what: 'own',
      examine: () =>
        unknown('causeway backup has made none (p@ss-canary)', 'causeway backup FILE, every day'),
    };
    const breaks: Check = {
      what: 'breaks',
      examine: () => {
        throw new Error(`1 ${password} 2`);
      },
    };
    expect(await examine([own, breaks], await situation(password))).toMatchObject([
      { why: 'causeway backup has made none (p@ss-canary)', remedy: 'causeway backup FILE, every day' },
      { why: '1 *** 2' },
    ]);
    const [{ why } = { why: '' }] = await examine([own], await situation());
    expect(why).toBe('causeway backup has made none (***)');
  });
});

type Situation = Parameters<typeof examine>[1];

/** With secrets in its settings. */
async function situation(password = 'p%40ss-canary'): Promise<Situation> {
  const { promise, resolve } = Promise.withResolvers<Situation>();
  const catching: Check = {
    what: 'catching',
    examine: (given) => {
      resolve(given);
      return ok('');
    },
  };
  await found(() => [catching], {
    ...oauth,
    CAUSEWAY_DATABASE_URL: `postgres://causeway:${password}@db/x`,
    CAUSEWAY_PLAIN_HOSTS: 'db',
  });
  return promise;
}

describe('the check of the settings', () => {
  const good = {
    CAUSEWAY_DATABASE_URL: 'sqlite::memory:',
    CAUSEWAY_V1_BASE_URL: 'https://v1.customer-bridge.net',
    CAUSEWAY_PUBLIC_URL: 'https://customer-bridge.net',
    CAUSEWAY_TRUSTED_PROXIES: '10.0.0.1',
  };

  const service = {
    CAUSEWAY_V2_BASE_URL: 'https://service.net/v2',
    CAUSEWAY_V3_BASE_URL: 'https://service.net/3.0',
    CAUSEWAY_V3_PRACTICE_BASE_URL: 'https://service.net/3.1',
    CAUSEWAY_AUTH_URL: 'https://authority.net',
    CAUSEWAY_CONNECTIONS_URL: 'https://service.net/connections',
  };
  const application = {
    CAUSEWAY_CLIENT_ID: 'client',
    CAUSEWAY_CLIENT_SECRET: 'secret-canary',
    CAUSEWAY_BRAND_NAME: 'Tidewater',
    CAUSEWAY_SERVICE_NAME: 'Harbour',
    CAUSEWAY_SUPPORT_ADDRESS: 'support@customer-bridge.net',
  };

  it.each([
    ['V1 alone', {}],
    ['all addresses', { ...service, ...application }],
  ])('passes if nothing is left of the demo, with %s', async (_, more) => {
    expect(rows(await found(() => [settingsCheck], { ...good, ...more }), '')).toEqual([
      'ok: nothing from the demo, nothing insecure',
    ]);
  });

  it('has a row for each missing setting without which accounts cannot move', async () => {
    const missing = await found(missingChecks, good);
    expect(missing.map(({ what, state }) => `${state} ${what}`)).toEqual([
      'warning V3 and the OAuth application',
      'ok e-mail',
    ]);
    expect(rows(await found(missingChecks, { ...good, CAUSEWAY_PUBLIC_URL: '' }), 'public')).toHaveLength(1);
  });

  it.each<readonly [string, Readonly<Record<string, string>>, RegExp]>([
    [
      'an upstream on this machine',
      { CAUSEWAY_V1_BASE_URL: 'http://127.0.0.1:8090/v1' },
      /^failed: CAUSEWAY_V1_BASE_URL/,
    ],
    [
      'an upstream of an example',
      { CAUSEWAY_V1_BASE_URL: 'https://v1.example.com' },
      /^failed: CAUSEWAY_V1_BASE_URL/,
    ],
    ...Object.keys(service).map((name): readonly [string, Readonly<Record<string, string>>, RegExp] => [
      `a leftover of the sandbox in ${name}`,
      { ...service, ...application, [name]: 'http://127.0.0.1:8090/left' },
      new RegExp(`^failed: ${name} is this machine`),
    ]),
    ['no proxy', { CAUSEWAY_TRUSTED_PROXIES: '' }, /^warning: no proxy is named/],
    ['open metrics', { CAUSEWAY_METRICS_HOST: '0.0.0.0' }, /^warning: the metrics can be reached/],
    ['a similar name as proof', { CAUSEWAY_CONSENT_PROOF: 'name' }, /^warning: a similar name/],
    [
      'the first token',
      { CAUSEWAY_ADMIN_TOKEN: '0123456789abcdef'.repeat(2) },
      /^warning: CAUSEWAY_ADMIN_TOKEN/,
    ],
    ['unchecked certificates', { NODE_TLS_REJECT_UNAUTHORIZED: '0' }, /^failed: NODE_TLS/],
    ['unencrypted hosts', { CAUSEWAY_PLAIN_HOSTS: 'db' }, /^warning: CAUSEWAY_PLAIN_HOSTS/],
    ['nothing to serve', { CAUSEWAY_V1_BASE_URL: '' }, /^warning: neither/],
    [
      'unencrypted hosts that the file of settings names',
      { CAUSEWAY_CONFIG: join(import.meta.dirname, 'plain-hosts.yaml') },
      /^warning: CAUSEWAY_PLAIN_HOSTS/,
    ],
  ])('reports %s', async (_, change, words) => {
    expect(rows(await found(() => [settingsCheck], { ...good, ...change }), '')).toEqual([
      expect.stringMatching(words),
    ]);
  });
});

describe('causeway doctor --production', () => {
  const rowOf = {
    ok: ok('fine'),
    warning: warning('so so', 'do'),
    failed: failed('bad', 'act'),
    unknown: unknown('?', ''),
  };

  async function asked(
    findings: readonly Finding[],
  ): Promise<{ readonly code: number; readonly text: string }> {
    let text = '';
    const write = (words: string): void => {
      text += words;
    };
    const terminal = {
      out: write,
      err: write,
      read: async () => '',
      save: async () => undefined,
      load: async () => '',
    };
    const parts = { ...cliParts(terminal, {}), examineProduction: async () => findings };
    return { code: await run(['doctor', '--production'], parts), text };
  }

  it.each([
    [['ok', 'unknown'], 0],
    [['ok', 'warning', 'unknown'], 1],
    [['warning', 'failed', 'ok'], 2],
  ] as const)('with rows %j ends with code %d', async (given, code) => {
    const findings = given.map((state) => ({ what: 'row', ...rowOf[state] }));
    const told = await asked(findings);
    expect(told.code).toBe(code);
    for (const state of given) expect(told.text).toContain(`${state.padEnd(8)} row: ${rowOf[state].why}`);
  });

  it('prints rows as JSON, without secrets, and changes nothing', async () => {
    using own = new CommandLine({ ...oauth, CAUSEWAY_CLIENT_ID: 'client' });
    const { code, out, err } = await own.causeway(['doctor', '--production', '--json']);
    const findings = JSON.parse(out) as readonly Finding[];
    expect(code).toBe(2);
    for (const { state } of findings) expect(states).toContain(state);
    expect(findings.find(({ what }) => what === 'CAUSEWAY_V3_BASE_URL')).toMatchObject({ state: 'failed' });
    expect(`${out}${err}`).not.toContain('secret-canary');
    expect((await own.causeway(['doctor', '--production', '--json'])).out).toContain(
      'there is no database yet',
    );
  });

  it('rejects a selector without --production', async () => {
    using own = new CommandLine();
    expect((await own.causeway(['doctor', '--dkim', 's1'])).code).toBe(2);
  });
});
