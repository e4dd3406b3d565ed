import { describe, expect, it } from '@jest/globals';
import pg from 'pg';
import { postgresPeer } from '../../src/app/settings/postgres-peer.ts';
import { ConfigurationFault, readSettings } from '../../src/app/settings/settings.ts';
import type { Settings } from '../../src/app/settings/model.ts';
import { fileKey, names, table } from '../../src/app/settings/table.ts';
import { builtInProfiles, loadProfile } from '../../src/app/settings/profiles.ts';
import { readFileSync } from 'node:fs';

const key = `k1:${Buffer.alloc(32, 7).toString('base64')}`;
const least = { CAUSEWAY_ENCRYPTION_KEYS: key };
const oauth = {
  CAUSEWAY_V3_BASE_URL: 'https://v3.example.com/3.0/',
  CAUSEWAY_AUTH_URL: 'https://identity.example.com',
  CAUSEWAY_CONNECTIONS_URL: 'https://api.example.com/connections',
  CAUSEWAY_CLIENT_ID: 'client-1',
  CAUSEWAY_CLIENT_SECRET: 'first,second',
};

type Files = Readonly<Record<string, string>>;

function readText(files: Files): (path: string) => string {
  return (path) => {
    const content = files[path];
    if (content !== undefined) return content;
    if (path.includes('profiles')) return readFileSync(path, 'utf8');
    throw Object.assign(new Error('no such file'), { code: 'ENOENT' });
  };
}

const read = (env: NodeJS.ProcessEnv, files: Files = {}): Settings =>
  readSettings({ env, readText: readText(files) });

function faultsOf(env: NodeJS.ProcessEnv, files: Files = {}): readonly string[] {
  try {
    read(env, files);
  } catch (error) {
    if (error instanceof ConfigurationFault) return error.faults;
    throw error;
  }
  return [];
}

describe('settings', () => {
  it('require proof of an organisation unless a name is declared sufficient', () => {
    expect(read(least).consentProof).toBe('required');
    expect(read({ ...least, CAUSEWAY_CONSENT_PROOF: 'name' }).consentProof).toBe('name');
    expect(faultsOf({ ...least, CAUSEWAY_CONSENT_PROOF: 'link' }).join()).toContain('CAUSEWAY_CONSENT_PROOF');
  });

  it('need nothing but encryption keys', () => {
    const settings = read(least);
    expect(settings.listener).toEqual({
      host: '127.0.0.1',
      port: 8080,
      metricsHost: '127.0.0.1',
      metricsPort: 9464,
    });
    expect(settings.database.reveal()).toBe('sqlite:var/causeway.db');
    expect(settings.oauth).toBeUndefined();
    expect(settings.profile.name).toBe('spec');
    expect(settings.malformedStatus).toBe(500);
    expect(settings.discovery).toBe(true);
  });

  it('do not start without encryption keys', () => {
    expect(faultsOf({})).toEqual([
      'CAUSEWAY_ENCRYPTION_KEYS: is required; causeway keys generate creates a key',
    ]);
  });

  it('are frozen at every level', () => {
    const settings = read({ ...least, ...oauth });
    expect(Object.isFrozen(settings.listener)).toBe(true);
    expect(Object.isFrozen(settings.oauth?.applications[0].clientSecrets)).toBe(true);
    expect(Object.isFrozen(settings.profile.durations)).toBe(true);
  });

  it('show no secret, however they are printed', () => {
    const settings = read({
      ...least,
      ...oauth,
      CAUSEWAY_DATABASE_URL: 'postgres://u:topsecret@db/c?sslmode=verify-full',
    });
    const printed = JSON.stringify(settings) + String(settings.database);
    expect(printed).not.toMatch(/topsecret|first|second|BwcHBw/);
  });

  it.each([
    ['https://v2.example.com', 'https://v2.example.com/v2'],
    ['https://v2.example.com/', 'https://v2.example.com/v2'],
    ['https://v2.example.com/v2', 'https://v2.example.com/v2'],
    ['https://v2.example.com/api/V2/', 'https://v2.example.com/api/V2'],
    ['https://example.com/v2x', 'https://example.com/v2x/v2'],
  ])('accept the root of V2 with its version segment or without: %s', (given, root) => {
    expect(read({ ...least, ...oauth, CAUSEWAY_V2_BASE_URL: given }).oauth?.v2).toBe(root);
  });

  it('allow no V2 without V3, because not every method has a V2 route', () => {
    expect(faultsOf({ ...least, CAUSEWAY_V2_BASE_URL: 'https://v2.example.com' })).toContain(
      'CAUSEWAY_V3_BASE_URL: is required with CAUSEWAY_V2_BASE_URL',
    );
    expect(read({ ...least, ...oauth }).oauth?.v2).toBeUndefined();
  });

  it('give the practice product the V3 root if it has none of its own, without the last slash', () => {
    expect(read({ ...least, ...oauth }).oauth?.v3).toEqual({
      standard: 'https://v3.example.com/3.0',
      practice: 'https://v3.example.com/3.0',
    });
  });

  it('accept several client secrets, in order', () => {
    expect(
      read({ ...least, ...oauth }).oauth?.applications[0].clientSecrets.map((one) => one.reveal()),
    ).toEqual(['first', 'second']);
  });

  it('accept trusted proxies as networks and as single addresses', () => {
    expect(read(least).trustedProxies).toEqual([]);
    const { trustedProxies } = read({
      ...least,
      CAUSEWAY_TRUSTED_PROXIES: '10.0.0.0/8, 192.0.2.7,2001:db8::/32',
    });
    expect(trustedProxies).toEqual([
      { address: '10.0.0.0', prefix: 8 },
      { address: '192.0.2.7', prefix: 32 },
      { address: '2001:db8::', prefix: 32 },
    ]);
  });

  it('treat an empty variable as unset', () => {
    expect(read({ ...least, CAUSEWAY_PORT: '', CAUSEWAY_REDIS_URL: '' }).listener.port).toBe(8080);
  });

  it('ignore the variables of other programs', () => {
    expect(read({ ...least, PORT: 'x', SANDBOX_PORT: '1' }).listener.port).toBe(8080);
  });
});

describe('the check of the settings', () => {
  it('reports all faults together, each with its variable', () => {
    const faults = faultsOf({
      CAUSEWAY_PORT: '80a',
      CAUSEWAY_CUTOVER: 'later',
      CAUSEWAY_DISCOVERY: 'maybe',
      CAUSEWAY_V1_BASE_URL: 'v1.example.com',
      CAUSEWAY_UPSTREAM_PROFILE: 'c',
    });
    expect(faults).toEqual([
      'CAUSEWAY_PORT: must be a whole number from 0 to 65535, not "80a"',
      'CAUSEWAY_V1_BASE_URL: must be a whole address, beginning with https:// or http://, not "v1.example.com"',
      'CAUSEWAY_CUTOVER: must be auto or manual, not "later"',
      'CAUSEWAY_DISCOVERY: must be on or off, not "maybe"',
      'CAUSEWAY_UPSTREAM_PROFILE: is neither spec, a, b nor a file that can be read',
      'CAUSEWAY_ENCRYPTION_KEYS: is required; causeway keys generate creates a key',
    ]);
  });

  it.each(names.filter((name) => table[name].secret))('never shows the value of %s', (name) => {
    const faults = faultsOf({ ...least, [name]: 'canary,,canary' });
    expect(faults.join()).not.toContain('canary');
  });

  it.each(['x'.repeat(31), ` ${'x'.repeat(40)}`, 'admin', 'admin'.repeat(10)])(
    'refuses a console token that can be guessed: %j',
    (token) => {
      const [fault, ...more] = faultsOf({ ...least, CAUSEWAY_ADMIN_TOKEN: token });
      expect(fault).toMatch(/^CAUSEWAY_ADMIN_TOKEN: must have at least 32 characters/);
      expect([more, fault?.includes(token.trim())]).toEqual([[], false]);
    },
  );

  it.each(['proxy', '10.0.0.0/33', '10.0.0.0/8,,', '10.0.0.0/x', '0.0.0.0/0', '::/0', '2001:db8::/129'])(
    'refuses %s as trusted proxies',
    (given) => {
      expect(faultsOf({ ...least, CAUSEWAY_TRUSTED_PROXIES: given })).toEqual([
        expect.stringMatching(/^CAUSEWAY_TRUSTED_PROXIES: must (be networks|not cover every)/),
      ]);
    },
  );

  it('repeats no password of an address', () => {
    expect(faultsOf({ ...least, CAUSEWAY_V1_BASE_URL: 'https://u:canary@v1.example.com' })).toEqual([
      'CAUSEWAY_V1_BASE_URL: must not hold a user name or password',
    ]);
  });

  it.each([
    ['70000', 'CAUSEWAY_PORT'],
    ['-1', 'CAUSEWAY_PORT'],
    ['1e3', 'CAUSEWAY_PORT'],
    ['601', 'CAUSEWAY_WAIT_SECONDS'],
    ['99', 'CAUSEWAY_MALFORMED_STATUS'],
    ['http://causeway.example.com', 'CAUSEWAY_PUBLIC_URL'],
    ['https://causeway.example.com/?a=b', 'CAUSEWAY_PUBLIC_URL'],
    ['ftp://xml.example.com', 'CAUSEWAY_LEGACY_URL'],
    ['mysql://db', 'CAUSEWAY_DATABASE_URL'],
    ['http://redis', 'CAUSEWAY_REDIS_URL'],
    ['smtp', 'CAUSEWAY_SMTP_URL'],
  ])('refuses %s as %s', (value, name) => {
    expect(
      faultsOf({ ...least, [name]: value }).filter((fault) => fault.startsWith(`${name}:`)),
    ).toHaveLength(1);
  });

  it.each([
    'http://localhost:8080',
    'http://127.0.0.1:8080',
    'http://[::1]:8080',
    'https://causeway.example.com',
  ])('accepts %s as the public URL', (url) => {
    expect(read({ ...least, CAUSEWAY_PUBLIC_URL: url }).publicUrl).toBe(url);
  });

  it.each([
    ['no id', Buffer.alloc(32).toString('base64')],
    ['a short key', `k1:${Buffer.alloc(16).toString('base64')}`],
    ['the second one wrong', `${key},k2:x`],
    ['one id twice', `${key},${key}`],
  ])('refuses encryption keys with %s', (_what, keys) => {
    const faults = faultsOf({ CAUSEWAY_ENCRYPTION_KEYS: keys });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(/^CAUSEWAY_ENCRYPTION_KEYS: must/);
  });

  it('names what is missing if V3 is only partly configured', () => {
    expect(
      faultsOf({ ...least, CAUSEWAY_V3_BASE_URL: 'https://v3.example.com', CAUSEWAY_CLIENT_ID: 'x' }),
    ).toEqual([
      'CAUSEWAY_AUTH_URL: is required with CAUSEWAY_V3_BASE_URL, CAUSEWAY_CLIENT_ID',
      'CAUSEWAY_CLIENT_SECRET: is required with CAUSEWAY_V3_BASE_URL, CAUSEWAY_CLIENT_ID',
      'CAUSEWAY_CONNECTIONS_URL: is required, because the profile spec looks organisations up there',
    ]);
  });

  it('demands no connections address if the profile only reads the token', () => {
    const rest = { ...oauth, CAUSEWAY_CONNECTIONS_URL: '' };
    expect(faultsOf({ ...least, ...rest, CAUSEWAY_UPSTREAM_PROFILE: 'b' })).toEqual([]);
  });

  it('demands a public URL if browsers cannot reach the listener', () => {
    expect(faultsOf({ ...least, ...oauth, CAUSEWAY_HOST: '0.0.0.0' })).toHaveLength(1);
    expect(faultsOf({ ...least, ...oauth, CAUSEWAY_HOST: '::1' })).toEqual([]);
    expect(faultsOf({ ...least, CAUSEWAY_HOST: '0.0.0.0' })).toEqual([]);
  });

  it('gives an account an eighth of the connections by default, and never more than all', () => {
    const sharesOf = (env: Readonly<Record<string, string>>): object =>
      readSettings({ env: { ...least, ...env } }).connections;
    expect(sharesOf({})).toEqual({ size: 128, share: 16, waitSeconds: 2 });
    expect(sharesOf({ CAUSEWAY_UPSTREAM_CONNECTIONS: '4' })).toMatchObject({ size: 4, share: 1 });
    expect(sharesOf({ CAUSEWAY_ACCOUNT_CONNECTIONS: '64' })).toMatchObject({ size: 128, share: 64 });
    expect(faultsOf({ ...least, CAUSEWAY_ACCOUNT_CONNECTIONS: '129' })).toEqual([
      'CAUSEWAY_ACCOUNT_CONNECTIONS: must not exceed CAUSEWAY_UPSTREAM_CONNECTIONS, or one account could take all connections',
    ]);
  });

  it('demands different ports for the listener and that of legacy programs', () => {
    expect(faultsOf({ ...least, CAUSEWAY_LEGACY_HOST: '10.0.0.5' })).toEqual([
      'CAUSEWAY_LEGACY_PORT: is required with CAUSEWAY_LEGACY_HOST',
    ]);
    expect(faultsOf({ ...least, CAUSEWAY_LEGACY_PORT: '8080' })).toEqual([
      'CAUSEWAY_LEGACY_PORT: must differ from CAUSEWAY_PORT, the port of the other listener',
    ]);
    expect(faultsOf({ ...least, CAUSEWAY_HOST: '::', CAUSEWAY_LEGACY_PORT: '9464' })).toEqual([
      'CAUSEWAY_METRICS_PORT: must differ from CAUSEWAY_LEGACY_PORT, the port of the other listener',
    ]);
    expect(faultsOf({ ...least, CAUSEWAY_LEGACY_PORT: '8080', CAUSEWAY_LEGACY_HOST: '10.0.0.5' })).toEqual(
      [],
    );
  });

  it('refuses Redis beside SQLite', () => {
    const redis = { ...least, CAUSEWAY_REDIS_URL: 'redis://127.0.0.1' };
    expect(faultsOf(redis)).toEqual([
      'CAUSEWAY_REDIS_URL: requires PostgreSQL; CAUSEWAY_DATABASE_URL names SQLite',
    ]);
    expect(faultsOf({ ...redis, CAUSEWAY_DATABASE_URL: 'postgres://127.0.0.1/causeway' })).toEqual([]);
  });

  it('names an unknown variable, and the one that was probably meant', () => {
    expect(
      faultsOf({ ...least, CAUSEWAY_DATABSE_URL: 'x', CAUSEWAY_PORT_FILE: 'y', CAUSEWAY_ZEBRA: '1' }),
    ).toEqual([
      'CAUSEWAY_DATABSE_URL: there is no such setting; did you mean CAUSEWAY_DATABASE_URL?',
      'CAUSEWAY_PORT_FILE: there is no such setting; only secrets can be given as a file',
      'CAUSEWAY_ZEBRA: there is no such setting',
    ]);
  });
});

describe('the settings file', () => {
  const env = { ...least, CAUSEWAY_CONFIG: 'causeway.yaml' };

  it.each([
    ['CAUSEWAY_PORT', 'port'],
    ['CAUSEWAY_DATABASE_URL', 'database.url'],
    ['CAUSEWAY_V3_PRACTICE_BASE_URL', 'v3.practice.base.url'],
    ['CAUSEWAY_CLIENT_SECRET_FILE', 'client.secret.file'],
  ])('has %s under %s', (variable, expected) => {
    expect(fileKey(variable)).toBe(expected);
  });

  it('has a key for every setting, none the beginning of another', () => {
    const keys = names.map(fileKey);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys.filter((one) => keys.some((other) => other.startsWith(`${one}.`)))).toEqual([]);
  });

  it('allows dots or nesting', () => {
    const dotted = read(env, { 'causeway.yaml': 'database.url: sqlite:a.db\nport: 9000\ndiscovery: off\n' });
    const nested = read(env, {
      'causeway.yaml': 'database:\n  url: sqlite:a.db\nport: "9000"\ndiscovery: false\n',
    });
    for (const settings of [dotted, nested]) {
      expect(settings.database.reveal()).toBe('sqlite:a.db');
      expect(settings.listener.port).toBe(9000);
      expect(settings.discovery).toBe(false);
    }
  });

  it('gives digits as they are written, and nothing for an empty value or null', () => {
    const file =
      'client.id: 00123456789\nclient.secret: 1234567e89012345\nbrand.name: 0x10\nscope: ~\nhost:\n';
    const unset = { CAUSEWAY_CLIENT_ID: '', CAUSEWAY_CLIENT_SECRET: '' };
    const settings = read({ ...env, ...oauth, ...unset }, { 'causeway.yaml': file });
    const [application] = settings.oauth?.applications ?? [];
    expect(application?.clientId).toBe('00123456789');
    expect(application?.clientSecrets.map((secret) => secret.reveal())).toEqual(['1234567e89012345']);
    expect(settings.brand.name).toBe('0x10');
    expect(settings.listener.host).toBe('127.0.0.1');
  });

  it('yields to the environment', () => {
    const settings = read(
      { ...env, CAUSEWAY_PORT: '9001' },
      { 'causeway.yaml': 'port: 9000\nhost: localhost\n' },
    );
    expect(settings.listener).toMatchObject({ port: 9001, host: 'localhost' });
  });

  it('may be empty', () => {
    expect(read(env, { 'causeway.yaml': '# nothing yet\n' }).listener.port).toBe(8080);
  });

  it('is named with key and line if a value is wrong', () => {
    expect(faultsOf(env, { 'causeway.yaml': 'port: many\nscope: [a, b]\n' })).toEqual([
      'CAUSEWAY_SCOPE (scope in causeway.yaml): must be a single value',
      'CAUSEWAY_PORT (port in causeway.yaml): must be a whole number from 0 to 65535, not "many"',
    ]);
  });

  it('may not have unknown keys', () => {
    expect(faultsOf(env, { 'causeway.yaml': 'databse: { url: "sqlite:x" }\nCAUSEWAY_PORT: 1\n' })).toEqual([
      'CAUSEWAY_CONFIG: causeway.yaml has the unknown key databse.url; did you mean database.url?',
      expect.stringContaining('unknown key CAUSEWAY_PORT'),
    ]);
  });

  it.each([
    ['cannot be read', {}, /^CAUSEWAY_CONFIG: causeway.yaml cannot be read \(ENOENT\)$/],
    [
      'is no YAML',
      { 'causeway.yaml': 'client.secret: "canary\nport: ]' },
      /^CAUSEWAY_CONFIG: causeway.yaml is not YAML, or has a key twice$/,
    ],
    [
      'is a list',
      { 'causeway.yaml': '- port' },
      /^CAUSEWAY_CONFIG: causeway.yaml must be YAML with keys and values, such as port: 8080$/,
    ],
    [
      'is a file for the environment',
      { 'causeway.yaml': '# settings\nCAUSEWAY_PORT=8081\nCAUSEWAY_HOST=canary\n' },
      /^CAUSEWAY_CONFIG: causeway.yaml is read as YAML .* line 2 is NAME=value/,
    ],
    [
      'is a file for the environment whose lines YAML takes for keys',
      { 'causeway.yaml': 'CAUSEWAY_CLIENT_SECRET=\'a: canary\nCAUSEWAY_MAIL_FROM="canary: <x>"\n' },
      /^CAUSEWAY_CONFIG: causeway.yaml is read as YAML .* line 1 is NAME=value/,
    ],
  ])('is a fault if it %s', (_what, files: Files, words) => {
    const faults = faultsOf(env, files);
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(words);
  });
});

describe('further OAuth applications', () => {
  const env = { ...least, ...oauth, CAUSEWAY_APPLICATIONS_FILE: 'applications.yaml' };
  const payroll = 'payroll:\n  client: { id: client-2, secret.file: payroll.txt }\n';
  const faultsIn = (file: string): readonly string[] =>
    faultsOf(env, { 'applications.yaml': file, 'payroll.txt': 'canary\n' });

  it('have their own values, and share the rest of the settings', () => {
    const file = `${payroll}  products: [practice]\n  scope: openid payroll\n  brand.name: Payroll\n`;
    const files = { 'applications.yaml': file, 'payroll.txt': 'one,two\n' };
    const [first, second] = read(env, files).oauth?.applications ?? [];
    expect(first).toMatchObject({ name: 'default', clientId: 'client-1', products: [] });
    expect(second).toMatchObject({
      name: 'payroll',
      clientId: 'client-2',
      scopes: { standard: 'openid payroll', practice: first?.scopes.practice },
      products: ['practice'],
      brandName: 'Payroll',
    });
    expect(second?.clientSecrets.map((secret) => secret.reveal())).toEqual(['one', 'two']);
    expect(JSON.stringify(second)).not.toContain('one');
  });

  it('have ids and secrets of digits as they are written', () => {
    const file = 'payroll:\n  client: { id: 007, secret: 12345678901234567890123 }\n';
    const [, second] = read(env, { 'applications.yaml': file }).oauth?.applications ?? [];
    expect(second?.clientId).toBe('007');
    expect(second?.clientSecrets.map((secret) => secret.reveal())).toEqual(['12345678901234567890123']);
  });

  it.each([
    ['a name twice', `${payroll}${payroll}`, 'is not YAML, or has a key twice'],
    ['no application', '{}', 'must hold the names of applications'],
    ['a list', '- payroll', 'must hold the names of applications'],
    ['an unknown key', `${payroll}  client.identifier: x\n`, 'has the unknown key client.identifier'],
    ['nothing under a name', 'payroll:\n', 'must have keys and values'],
    ['no client ID', 'payroll: { client.secret: canary }', 'lacks client.id'],
    ['no secret', 'payroll: { client.id: client-2 }', 'lacks client.secret or client.secret.file'],
    ['two secrets', `${payroll}  client.secret: canary\n`, 'has both client.secret and client.secret.file'],
    ['no such file', payroll.replace('payroll.txt', 'nowhere.txt'), 'cannot be read (ENOENT)'],
    ['the client ID of another', payroll.replace('client-2', 'client-1'), 'have the same client.id'],
    ['the name of the settings', payroll.replace('payroll:', 'default:'), 'choose another name'],
    ['a name for no address', payroll.replace('payroll:', '../Pay:'), 'small letters, digits and hyphens'],
    ['an unknown product', `${payroll}  products: [gold]\n`, 'has products other than standard and practice'],
    ['a list for a value', `${payroll}  scope: [a, b]\n`, 'has a scope that is no single value'],
    [
      'a product of another',
      `${payroll}  products: practice\nhr: { client.id: client-3, client.secret: canary, products: practice }\n`,
      'both have the product practice',
    ],
  ])('are a fault with %s', (_what, file, words) => {
    const faults = faultsIn(file).join('\n');
    expect(faults).toContain(words);
    expect(faults).toMatch(/^CAUSEWAY_APPLICATIONS_FILE: /);
    expect(faults).not.toContain('canary');
  });

  it('need the default one', () => {
    const alone = { ...least, CAUSEWAY_APPLICATIONS_FILE: 'applications.yaml' };
    expect(faultsOf(alone, { 'applications.yaml': payroll, 'payroll.txt': 'x' })).toContainEqual(
      'CAUSEWAY_CLIENT_ID: is required with CAUSEWAY_APPLICATIONS_FILE',
    );
  });
});

describe('a secret from a file', () => {
  const rest = { ...least, ...oauth, CAUSEWAY_CLIENT_SECRET: '' };

  it.each(['hidden', 'hidden\n', 'hidden\r\n'])('loses its last line break: %j', (content) => {
    const settings = read({ ...rest, CAUSEWAY_CLIENT_SECRET_FILE: 'secret.txt' }, { 'secret.txt': content });
    expect(settings.oauth?.applications[0].clientSecrets[0]?.reveal()).toBe('hidden');
  });

  it('can be named in the settings file', () => {
    const files = { 'causeway.yaml': 'client.secret.file: secret.txt\n', 'secret.txt': 'hidden\n' };
    const settings = read({ ...rest, CAUSEWAY_CONFIG: 'causeway.yaml' }, files);
    expect(settings.oauth?.applications[0].clientSecrets[0]?.reveal()).toBe('hidden');
  });

  it('is one fault if it cannot be read', () => {
    expect(faultsOf({ ...rest, CAUSEWAY_CLIENT_SECRET_FILE: 'secret.txt' })).toEqual([
      'CAUSEWAY_CLIENT_SECRET_FILE: the file cannot be read (ENOENT)',
    ]);
  });

  it('is a fault if it is empty', () => {
    expect(
      faultsOf({ ...rest, CAUSEWAY_CLIENT_SECRET_FILE: 'secret.txt' }, { 'secret.txt': '\n' }),
    ).toHaveLength(1);
  });

  it('is a fault beside the secret itself', () => {
    const env = { ...rest, CAUSEWAY_CLIENT_SECRET: 'a', CAUSEWAY_CLIENT_SECRET_FILE: 'secret.txt' };
    expect(faultsOf(env, { 'secret.txt': 'b' })).toEqual([
      'CAUSEWAY_CLIENT_SECRET: is given twice, as CAUSEWAY_CLIENT_SECRET and as CAUSEWAY_CLIENT_SECRET_FILE',
    ]);
  });
});

describe('unencrypted connections', () => {
  const mail = { CAUSEWAY_MAIL_FROM: 'bridge@example.com' };
  const plain: readonly (readonly [host: string, env: Record<string, string>])[] = [
    ['v1.example.com', { CAUSEWAY_V1_BASE_URL: 'http://v1.example.com/v1' }],
    ['V3.example.com', { ...oauth, CAUSEWAY_V3_BASE_URL: 'http://V3.example.com' }],
    ['v2.example.com', { ...oauth, CAUSEWAY_V2_BASE_URL: 'http://v2.example.com' }],
    ['p.example.com', { ...oauth, CAUSEWAY_V3_PRACTICE_BASE_URL: 'http://p.example.com' }],
    ['id.example.com', { ...oauth, CAUSEWAY_AUTH_URL: 'http://id.example.com:8080' }],
    ['c.example.com', { ...oauth, CAUSEWAY_CONNECTIONS_URL: 'http://c.example.com/connections' }],
    ['collector', { CAUSEWAY_OTLP_URL: 'http://collector:4318' }],
    ['10.0.0.7', { CAUSEWAY_V1_BASE_URL: 'http://10.0.0.7' }],
    ['2001:db8::7', { CAUSEWAY_V1_BASE_URL: 'http://[2001:db8::7]:80' }],
    ['db', { CAUSEWAY_DATABASE_URL: 'postgres://u:topsecret@db/c' }],
    ['db', { CAUSEWAY_DATABASE_URL: 'postgresql://u:topsecret@db/c?sslmode=disable' }],
    ['other', { CAUSEWAY_DATABASE_URL: 'postgres://u:topsecret@127.0.0.1/c?host=other' }],
    ['other', { CAUSEWAY_DATABASE_URL: 'postgres://u:topsecret@other/c?host=' }],
    ['other', { CAUSEWAY_DATABASE_URL: 'postgres://u:topsecret@db/c?host=/run/postgresql&host=other' }],
    ['other', { CAUSEWAY_DATABASE_URL: 'postgres:///c', PGHOST: 'other' }],
    ['other', { CAUSEWAY_DATABASE_URL: 'postgres://u:topsecret@/c', PGHOST: 'other' }],
    ['db', { CAUSEWAY_DATABASE_URL: 'postgres://u:topsecret@db/c?sslmode=require&sslmode=disable' }],
    ['db', { CAUSEWAY_DATABASE_URL: 'postgres://db/c?ssl=0', PGSSLMODE: 'require' }],
    ['::ffff:10.0.0.7', { CAUSEWAY_DATABASE_URL: 'postgres:///c?host=::ffff:10.0.0.7' }],
    [
      'cache',
      {
        ...oauth,
        CAUSEWAY_REDIS_URL: 'redis://:topsecret@cache',
        CAUSEWAY_DATABASE_URL: 'postgres://127.0.0.1/c',
      },
    ],
    ['mail', { ...mail, CAUSEWAY_SMTP_URL: 'smtp://mail:25' }],
  ];

  it.each(plain)('are refused unless %s is allowed by name: %j', (host, env) => {
    const [fault, ...more] = faultsOf({ ...least, ...env });
    expect(more).toEqual([]);
    expect(fault).toContain(`${host.toLowerCase()} would be spoken to without encryption`);
    expect(fault).toContain('CAUSEWAY_PLAIN_HOSTS');
    expect(fault).not.toContain('topsecret');
    expect(faultsOf({ ...least, ...env, CAUSEWAY_PLAIN_HOSTS: `elsewhere, ${host}` })).toEqual([]);
    expect(faultsOf({ ...least, ...env, CAUSEWAY_PLAIN_HOSTS: 'elsewhere' })).toHaveLength(1);
  });

  it.each([
    { CAUSEWAY_DATABASE_URL: 'postgres://db/c?sslmode=verify-full' },
    { CAUSEWAY_DATABASE_URL: 'postgres://db/c?ssl=true' },
    { CAUSEWAY_DATABASE_URL: 'postgres:///c?host=/var/run/postgresql' },
    { CAUSEWAY_DATABASE_URL: 'postgres://%2Fvar%2Frun%2Fpostgresql/c' },
    { CAUSEWAY_DATABASE_URL: 'postgres:///c', PGHOST: '/var/run/postgresql' },
    { CAUSEWAY_DATABASE_URL: 'postgres:///c' },
    { CAUSEWAY_DATABASE_URL: 'postgres://u@/c' },
    { CAUSEWAY_DATABASE_URL: 'postgres://db/c', PGSSLMODE: 'verify-full' },
    { CAUSEWAY_DATABASE_URL: 'postgres://localhost/c' },
    { ...oauth, CAUSEWAY_REDIS_URL: 'rediss://cache', CAUSEWAY_DATABASE_URL: 'postgres://127.0.0.1/c' },
    { ...mail, CAUSEWAY_SMTP_URL: 'smtps://mail' },
    { ...mail, CAUSEWAY_SMTP_URL: 'smtp://u:p@mail' },
    { ...mail, CAUSEWAY_SMTP_URL: 'smtp://127.0.0.1:1025' },
    { CAUSEWAY_V1_BASE_URL: 'http://[::1]:8090/v1' },
  ])('do not include those that are encrypted or stay on this machine: %j', (env) => {
    expect(faultsOf({ ...least, ...env })).toEqual([]);
  });

  const addresses = [
    ...['postgres:///c', 'postgres://u@/c', 'postgres://u:p@db:5433/c', 'postgresql://[2001:db8::7]/c'],
    ...[
      'postgres://db/c?host=',
      'postgres://db/c?host=a&host=b',
      'postgres:///c?host=a',
      'postgres://db,other/c',
    ],
    ...['postgres://%2Frun%2Fp/c', 'postgres:///c?host=/run/p', 'postgres:///c?host=/run/p,other'],
    ...['true', '1', '0', 'false', 'no-verify', ''].map((ssl) => `postgres://db/c?ssl=${ssl}`),
    ...['', 'disable', 'allow', 'prefer', 'require', 'no-verify', 'verify-full', 'disable&ssl=true'].map(
      (mode) => `postgres://db/c?sslmode=${mode}`,
    ),
    ...['postgres://db/c?sslnegotiation=direct', 'postgres://db/c?sslmode=require&sslmode=disable'],
  ];
  it.each([
    ...[
      'u:p%E4ss@h',
      'u%E4:p@h',
      'u:p@h%E4',
      'u:p%@h',
      'u:100%@h',
      'u:p%zz@h',
      'u:p%C3%A4ss@h',
      'u:p%20s@h',
    ].map((peer) => `postgres://${peer}/c`),
    ...['postgres://h/%E4', 'postgres://h/%C3%A4', 'postgres://u%E4@h/c?user=u', 'postgres://h%E4/c?host=h'],
    ...[
      'postgres://u:p%E4@/c',
      'postgres://u:p%E4 %@h/c',
      'postgres://u:p%@[::1]/c',
      'postgres://u:p@h/%E4?host=a',
    ],
  ])('are read where pg reads them: %s', (address) => {
    const read = (): unknown => new pg.Client(address);
    if (postgresPeer(address, {}) === undefined) expect(read).toThrow();
    else expect(read).not.toThrow();
  });

  const environments = [{}, { PGHOST: 'elsewhere' }, { PGHOST: '/run/p', PGSSLMODE: 'require' }];
  it.each(addresses.flatMap((address) => environments.map((env) => [address, env] as const)))(
    'follow the host and the encryption that pg reads from %s and %j',
    (address, env) => {
      const before = { env: process.env, emitWarning: process.emitWarning.bind(process) };
      process.env = env;
      // pg warns of some of these modes, which stand here to be compared, not to be used.
      process.emitWarning = () => undefined;
      try {
        const { host, connectionParameters } = new pg.Client(address) as pg.Client & {
          readonly connectionParameters: { readonly ssl: unknown };
        };
        const peer = postgresPeer(address, env);
        expect(peer?.host).toBe(host);
        // What is sent in the clear must never be taken for encrypted.
        if (peer?.encrypted === true) expect(connectionParameters.ssl).toBeTruthy();
      } finally {
        Object.assign(process, before);
      }
    },
  );

  it.each(['a b', 'http://db', 'db:5432', '*', 'db,,redis'])('are not allowed by %j', (given) => {
    const [fault] = faultsOf({ ...least, CAUSEWAY_PLAIN_HOSTS: given });
    expect(fault).toMatch(/^CAUSEWAY_PLAIN_HOSTS: must be names or addresses/);
  });
});

describe('the notices at start', () => {
  it('tell of a Redis in which nothing is shared', () => {
    expect(
      read({
        ...least,
        CAUSEWAY_V1_BASE_URL: 'https://v1.example.com',
        CAUSEWAY_REDIS_URL: 'redis://127.0.0.1',
        CAUSEWAY_DATABASE_URL: 'postgres://127.0.0.1/c',
      }).notices,
    ).toEqual(['CAUSEWAY_REDIS_URL has nothing to share: without V3 no request has a limit']);
  });

  it('tell of an unencrypted upstream, except on loopback', () => {
    const plain = { CAUSEWAY_V1_BASE_URL: 'http://v1.example.com', CAUSEWAY_PLAIN_HOSTS: 'v1.example.com' };
    expect(read({ ...least, ...plain }).notices).toHaveLength(1);
    expect(read({ ...least, CAUSEWAY_V1_BASE_URL: 'http://127.0.0.1:8090/v1' }).notices).toEqual([]);
  });

  it('tell how customers read who asks them, if no name is set', () => {
    const names = {
      CAUSEWAY_BRAND_NAME: 'Tidewater Software',
      CAUSEWAY_SERVICE_NAME: 'Example Manager',
      CAUSEWAY_SUPPORT_ADDRESS: 'help@tidewater.example',
    };
    const url = 'https://bridge.example.com';
    const found = read({ ...least, ...oauth, CAUSEWAY_PUBLIC_URL: url }).notices;
    expect(found.map((notice) => notice.split(' ', 1)[0])).toEqual(Object.keys(names));
    expect(found[0]).toContain('read bridge.example.com as your name');
    expect(read({ ...least, ...oauth, CAUSEWAY_PORT: '8180' }).notices[0]).toContain(
      'read 127.0.0.1:8180 as',
    );
    expect(read({ ...least, ...oauth, ...names }).notices).toEqual([]);
    expect(read({ ...least, CAUSEWAY_V1_BASE_URL: 'http://127.0.0.1:8090/v1' }).notices).toEqual([]);
  });

  it('tell if no call can be served', () => {
    expect(read(least).notices.join()).toContain('no call can be served');
  });
});

describe('upstream profiles', () => {
  const fromDisk = (path: string): string => readFileSync(path, 'utf8');

  it.each(builtInProfiles)('include %s, which is complete', (name) => {
    expect(loadProfile(name, fromDisk)).toMatchObject({ name });
  });

  it('have the durations of the specification', () => {
    expect(loadProfile('spec', fromDisk)).toMatchObject({
      durations: { access: 30 * 60, refresh: 60 * 86_400, grace: 30 * 60, lease: 270, refreshTimeout: 90 },
      limits: { perMinute: 60 },
      refreshCredentials: 'basic',
      exchangeCredentials: 'body',
    });
  });

  it('differ in a and b where the providers do', () => {
    expect(loadProfile('a', fromDisk)).toMatchObject({ organisationSources: ['connections'] });
    expect(loadProfile('b', fromDisk)).toMatchObject({
      durations: { grace: 0 },
      refreshCredentials: 'body',
      organisationHeader: 'account_id',
    });
  });

  it('can be a file of the operator, whose faults name the field', () => {
    const spec = fromDisk('mappings/profiles/spec.yaml');
    const env = { ...least, CAUSEWAY_UPSTREAM_PROFILE: 'own.yaml' };
    expect(read(env, { 'own.yaml': spec.replace('name: spec', 'name: own') }).profile.name).toBe('own');
    expect(faultsOf(env, { 'own.yaml': spec.replace('lease: 270', 'lease: 60') })).toEqual([
      'CAUSEWAY_UPSTREAM_PROFILE: durations.lease must be longer than durations.refreshTimeout',
    ]);
    expect(faultsOf(env, { 'own.yaml': spec.replace('perMinute: 60', 'perMinute: none') })).toEqual([
      expect.stringMatching(/^CAUSEWAY_UPSTREAM_PROFILE: limits\.perMinute: /),
    ]);
  });
});
