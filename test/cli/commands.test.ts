import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { Desk, oauth } from './harness.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

async function withAccount(desk: Desk, name = 'Harbour Lane Studio', key = 'KEY-CANARY-1'): Promise<void> {
  const { code } = await desk.causeway(['accounts', 'add', name, '--account-key', '-'], key);
  expect(code).toBe(0);
}

describe('causeway', () => {
  it.each([
    [[]],
    [['accounts']],
    [['accounts', 'add']],
    [['accounts', 'list']],
    [['accounts', 'show']],
    [['invite']],
    [['grants']],
    [['grants', 'list']],
    [['grants', 'refresh']],
    [['crosswalk']],
    [['crosswalk', 'learn']],
    [['crosswalk', 'import']],
    [['crosswalk', 'export']],
    [['cutover']],
    [['keys', 'generate']],
    [['config', 'check']],
    [['mappings', 'check']],
    [['doctor']],
  ])('%j explains itself', async (words) => {
    using desk = new Desk();
    const { code, out } = await desk.causeway([...words, '--help']);
    expect(code).toBe(0);
    expect(out).toContain(`Usage: ${['causeway', ...words].join(' ')}`);
  });

  it.each([
    [['acounts']],
    [['accounts', 'lst']],
    [['accounts', 'add']],
    [['accounts', 'add', 'X']],
    [['accounts', 'add', 'X', '--account-key', 'a b']],
    [['accounts', 'add', 'X', '--account-key', 'a', '--account-key-file', 'b']],
    [['accounts', 'add', 'X', '--account-key', 'a', '--product', 'other']],
    [['accounts', 'list', '--format', 'xml']],
    [['accounts', 'list', '--colour']],
    [['keys', 'generate', '--id', 'a:b']],
  ])('%j is asked wrongly: code 2, with words', async (words) => {
    using desk = new Desk();
    const { code, out, err } = await desk.causeway(words);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).not.toBe('');
  });

  it('ends with code 2 when it is configured wrongly, and names every fault', async () => {
    using desk = new Desk({ CAUSEWAY_ENCRYPTION_KEYS: '', CAUSEWAY_PORT: 'x' });
    const { code, err } = await desk.causeway(['accounts', 'list']);
    expect(code).toBe(2);
    expect(err).toMatch(
      /CAUSEWAY_ENCRYPTION_KEYS[^]*CAUSEWAY_PORT|CAUSEWAY_PORT[^]*CAUSEWAY_ENCRYPTION_KEYS/,
    );
  });
});

describe('causeway accounts', () => {
  it('adds, lists and shows, and never shows a key', async () => {
    using desk = new Desk();
    await withAccount(desk);
    const list = await desk.causeway(['accounts', 'list']);
    expect(list.out).toMatch(/^NAME +STAGE .*\nHarbour Lane Studio +legacy /);
    const show = await desk.causeway(['accounts', 'show', 'Harbour Lane Studio', '--format', 'json']);
    expect(JSON.parse(show.out)).toMatchObject({
      name: 'Harbour Lane Studio',
      stage: 'legacy',
      origin: 'added',
    });
    expect(list.out + show.out).not.toContain('CANARY');
  });

  it('takes both keys from standard input, one line each', async () => {
    using desk = new Desk();
    const args = [
      'accounts',
      'add',
      'Two Rivers',
      '--product',
      'practice',
      '--account-key',
      '-',
      '--api-key',
      '-',
    ];
    expect((await desk.causeway(args, 'ACC\nAPI\n')).code).toBe(0);
    expect((await desk.causeway(args, 'ACC2\n')).code).toBe(2);
  });

  it('takes a key from a file', async () => {
    using desk = new Desk();
    const path = desk.file('key.txt', 'ACC\r\n');
    expect((await desk.causeway(['accounts', 'add', 'A', '--account-key-file', path])).code).toBe(0);
    expect(await desk.causeway(['accounts', 'add', 'B', '--account-key', 'ACC'])).toMatchObject({
      code: 1,
      err: 'causeway: an account with this account key exists already\n',
    });
  });

  it('says so when there is none', async () => {
    using desk = new Desk();
    expect((await desk.causeway(['accounts', 'list'])).out).toMatch(/^There is no account yet/);
    expect((await desk.causeway(['accounts', 'list', '--format', 'json'])).out).toBe('[]\n');
    expect((await desk.causeway(['accounts', 'list', '--format', 'csv'])).out).toMatch(
      /^name,stage,[^\n]*\r\n$/,
    );
  });

  it('names the accounts that come near an unknown name', async () => {
    using desk = new Desk();
    await withAccount(desk);
    expect(await desk.causeway(['accounts', 'show', 'Harbor Lane Studio'])).toMatchObject({
      code: 1,
      err: 'causeway: there is no account "Harbor Lane Studio"; did you mean Harbour Lane Studio?\n',
    });
    expect((await desk.causeway(['accounts', 'show', 'zzz'])).err).toContain(
      'causeway accounts list shows all',
    );
  });

  it('finds a name whatever its case', async () => {
    using desk = new Desk();
    await withAccount(desk);
    expect((await desk.causeway(['accounts', 'show', 'harbour lane studio'])).code).toBe(0);
  });

  it('lets no name begin a formula in a spreadsheet, nor write over the terminal', async () => {
    using desk = new Desk();
    await withAccount(desk, '=1+1, "x"');
    const csv = await desk.causeway(['accounts', 'list', '--format', 'csv']);
    expect(csv.out).toContain(`"'=1+1, ""x""",legacy`);
  });
});

describe('causeway beside a database that is sealed with other keys', () => {
  it('refuses before anything is written, and takes the old key beside a new one', async () => {
    using desk = new Desk();
    await withAccount(desk);
    const old = desk.env.CAUSEWAY_ENCRYPTION_KEYS ?? '';
    const young = `k2:${Buffer.alloc(32, 6).toString('base64')}`;
    desk.env.CAUSEWAY_ENCRYPTION_KEYS = young;
    const refused = await desk.causeway(['accounts', 'add', 'B', '--account-key', 'B']);
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringContaining('sealed with the encryption key k1'),
    });
    desk.env.CAUSEWAY_ENCRYPTION_KEYS = `${young},${old}`;
    const list = await desk.causeway(['accounts', 'list', '--format', 'json']);
    expect(JSON.parse(list.out)).toHaveLength(1);
  });
});

describe('causeway accounts of one name', () => {
  it('are told apart by id only', async () => {
    using desk = new Desk();
    await withAccount(desk, 'Same', 'A');
    await withAccount(desk, 'Same', 'B');
    for (const name of ['Same', 'same']) {
      const { code, err } = await desk.causeway(['accounts', 'show', name]);
      expect(code).toBe(1);
      expect(err).toContain('use the id');
    }
  });
});

describe('causeway invite', () => {
  it('prints a link under the public URL', async () => {
    using desk = new Desk(oauth);
    await withAccount(desk);
    const { code, out } = await desk.causeway(['invite', 'Harbour Lane Studio', '--format', 'json']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual([
      {
        account: 'Harbour Lane Studio',
        expires: expect.stringMatching(/^\d{4}-/),
        link: expect.stringMatching(
          /^https:\/\/causeway\.example\.com\/_causeway\/connect\/[A-Za-z0-9_-]{43}$/,
        ),
      },
    ]);
  });

  it('makes no link at all when one of the accounts is unknown', async () => {
    using desk = new Desk(oauth);
    await withAccount(desk);
    const { code, out } = await desk.causeway(['invite', 'Harbour Lane Studio', 'Nobody']);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    const show = await desk.causeway(['accounts', 'show', 'Harbour Lane Studio', '--format', 'csv']);
    expect(show.out).not.toContain('invited');
  });

  it('is refused where nobody can move', async () => {
    using desk = new Desk();
    await withAccount(desk);
    expect(await desk.causeway(['invite', 'Harbour Lane Studio'])).toMatchObject({ code: 1, out: '' });
  });
});

describe('causeway grants and cutover', () => {
  it('say what is missing for an account without a grant', async () => {
    using desk = new Desk(oauth);
    await withAccount(desk);
    expect((await desk.causeway(['grants', 'list'])).out).toMatch(/^There is no grant yet/);
    expect(await desk.causeway(['grants', 'refresh', 'Harbour Lane Studio'])).toMatchObject({
      code: 1,
      err: 'causeway: Harbour Lane Studio has no grant: its stage is legacy\n',
    });
    expect((await desk.causeway(['cutover', 'Harbour Lane Studio', '--yes'])).code).toBe(1);
  });
});

describe('causeway crosswalk', () => {
  const table = [
    'kind,number,uuid',
    `client,1000000,${uuid(1)}`,
    `"contact";2;x`,
    `client,abc,${uuid(2)}`,
    '',
    `Client,1000001,${uuid(3).toUpperCase()}`,
    `planet,5,${uuid(4)}`,
    'client,7,not-a-uuid',
    `client,1000000,${uuid(9)}`,
    `client,2147483648,${uuid(10)}`,
  ].join('\r\n');

  it('imports the good lines, reports the bad ones, and overwrites nothing', async () => {
    using desk = new Desk();
    await withAccount(desk);
    const { code, out, err } = await desk.causeway(
      ['crosswalk', 'import', 'Harbour Lane Studio', '-'],
      table,
    );
    expect(code).toBe(1);
    expect(out).toBe('2 pairs were added, 0 were known already\n');
    expect(err.split('\n').map((line) => /^line (\d+)/.exec(line)?.[1] ?? line)).toEqual([
      '3',
      '4',
      '7',
      '8',
      '9',
      '10',
      'causeway: 6 lines were not taken',
      '',
    ]);
    const exported = await desk.causeway(['crosswalk', 'export', 'Harbour Lane Studio']);
    expect(exported.out.split('\r\n').sort()).toEqual(
      ['', `client,1000000,${uuid(1)}`, `client,1000001,${uuid(3)}`, 'kind,number,uuid'].sort(),
    );
  });

  it('imports what it exported', async () => {
    using desk = new Desk();
    await withAccount(desk);
    const path = desk.file('in.csv', `\uFEFFkind;number;uuid\nclient;1;${uuid(1)}\nstaff;1;${uuid(1)}\n`);
    expect((await desk.causeway(['crosswalk', 'import', 'Harbour Lane Studio', path])).code).toBe(0);
    const copy = `${desk.folder}/out.csv`;
    const exported = await desk.causeway(['crosswalk', 'export', 'Harbour Lane Studio', '--output', copy]);
    expect(exported.out).toBe(`2 pairs were written to ${copy}\n`);
    expect(await desk.causeway(['crosswalk', 'import', 'Harbour Lane Studio', copy])).toMatchObject({
      code: 0,
      out: '0 pairs were added, 2 were known already\n',
    });
  });

  it.each([
    ['no header', `client,1,${uuid(1)}`],
    ['nothing', ''],
  ])('refuses a file with %s', async (_what, text) => {
    using desk = new Desk();
    await withAccount(desk);
    const { code, err } = await desk.causeway(['crosswalk', 'import', 'Harbour Lane Studio', '-'], text);
    expect(code).toBe(1);
    expect(err).toContain('the first line of the file must be kind,number,uuid');
  });

  it('says where an export cannot be written', async () => {
    using desk = new Desk();
    await withAccount(desk);
    const path = `${desk.folder}/nowhere/out.csv`;
    const { code, err } = await desk.causeway([
      'crosswalk',
      'export',
      'Harbour Lane Studio',
      '--output',
      path,
    ]);
    expect(code).toBe(1);
    expect(err).toBe(`causeway: ${path} cannot be written\n`);
  });

  it('says why nothing can be learned', async () => {
    using desk = new Desk();
    await withAccount(desk);
    const { code, err } = await desk.causeway(['crosswalk', 'learn', 'Harbour Lane Studio']);
    expect(code).toBe(1);
    expect(err).toContain('there is no V1 root');
  });
});

describe('causeway keys, config and mappings', () => {
  it('make a key that the configuration takes', async () => {
    using desk = new Desk();
    const { out } = await desk.causeway(['keys', 'generate', '--id', 'spring']);
    expect(out).toMatch(/^spring:[A-Za-z0-9+/]{43}=\n$/);
    using other = new Desk({ CAUSEWAY_ENCRYPTION_KEYS: out.trim() });
    expect((await other.causeway(['config', 'check'])).code).toBe(0);
  });

  it('show what is in force and where it came from, but no secret', async () => {
    using desk = new Desk({ ...oauth, CAUSEWAY_PORT: '9000' });
    const { code, out } = await desk.causeway(['config', 'check', '--format', 'json']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual(
      expect.arrayContaining([
        { setting: 'CAUSEWAY_PORT', value: '9000', from: 'CAUSEWAY_PORT' },
        { setting: 'CAUSEWAY_HOST', value: '127.0.0.1', from: 'default' },
        { setting: 'CAUSEWAY_CLIENT_SECRET', value: '***', from: 'CAUSEWAY_CLIENT_SECRET' },
      ]),
    );
    expect(out).not.toContain('canary');
  });

  it('tell a fault of a mapping with file and line', async () => {
    using desk = new Desk();
    expect((await desk.causeway(['mappings', 'check'])).out).toContain('client');
    desk.file(
      'client.yaml',
      'family: client.api\nsource: x\nmethods:\n  client.list: { legacy: FETCH client.api/list }\n',
    );
    desk.file('identifiers.yaml', readFileSync('mappings/identifiers.yaml', 'utf8'));
    const { code, err } = await desk.causeway(['mappings', 'check', desk.folder]);
    expect(code).toBe(1);
    expect(err).toMatch(/client\.yaml:\d+: /);
  });

  it('say which upstream does not answer', async () => {
    using desk = new Desk({ ...oauth });
    const { code, out } = await desk.causeway(['doctor']);
    expect(code).toBe(1);
    expect(out).toMatch(/CAUSEWAY_V3_BASE_URL +wrong +does not answer/);
  });
});
