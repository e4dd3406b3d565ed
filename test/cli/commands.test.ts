import { describe, expect, it } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { nextActionNames } from '../../src/features/status/codes.ts';
import { nextCommand, nextWords } from '../../src/features/status/next-command.ts';
import { CommandLine, oauth } from './harness.ts';

const uuid = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;

async function withAccount(
  commandLine: CommandLine,
  name = 'Harbour Lane Studio',
  key = 'KEY-CANARY-1',
): Promise<void> {
  const { code } = await commandLine.causeway(
    ['accounts', 'add', name, '--same-name', '--account-key', '-'],
    key,
  );
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
    using commandLine = new CommandLine();
    const { code, out } = await commandLine.causeway([...words, '--help']);
    expect(code).toBe(0);
    expect(out).toContain(`Usage: ${['causeway', ...words].join(' ')}`);
  });

  it.each([
    [['brownouts', 'plan'], "error: required options '--start <time>', '--minutes <count>' not specified"],
    [['parity', 'accept', 'A', '--reason', 'agreed'], "error: required option '--name <name>' not specified"],
  ])('%j names every required option that is missing', async (words, said) => {
    using commandLine = new CommandLine();
    const { code, err } = await commandLine.causeway(words);
    expect(code).toBe(2);
    expect(err.split('\n', 1)).toEqual([said]);
  });

  it("accepts every command that it suggests as an account's next step", async () => {
    using commandLine = new CommandLine();
    await withAccount(commandLine, "O'Neill & Sons");
    const account = { id: uuid(1), name: "O'Neill & Sons", wave: null };
    for (const action of nextActionNames) {
      const words = nextWords(action, account);
      if (words === undefined) continue;
      const { err } = await commandLine.causeway(words);
      expect(`${words.join(' ')}: ${err}`).not.toMatch(/missing|unknown (?:option|command)|too many/);
    }
    expect(nextCommand('look-at-calls', account)).toBe(
      String.raw`causeway calls 'O'\''Neill & Sons' --failed`,
    );
    // What the terminal does not print as it is cannot be pasted.
    expect(nextWords('invite', { ...account, name: 'Mill\u200b' })).toEqual(['invite', uuid(1)]);
  });

  it('names an account by the given id, which distinguishes accounts of one name', async () => {
    using commandLine = new CommandLine();
    await withAccount(commandLine, 'Mill');
    const next = async (asked: string) => (await commandLine.causeway(['accounts', 'show', asked])).out;
    expect(await next('Mill')).toContain('(causeway invite Mill)');
    const [, id = ''] = /^id +(\S+)$/m.exec(await next('Mill')) ?? [];
    await withAccount(commandLine, 'Mill', 'KEY-CANARY-2');
    expect(await next(id)).toContain(`(causeway invite ${id})`);
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
  ])('%j is bad usage: code 2, with an explanation', async (words) => {
    using commandLine = new CommandLine();
    const { code, out, err } = await commandLine.causeway(words);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).not.toBe('');
  });

  it('ends with code 2 if it is configured wrongly, and names every fault', async () => {
    using commandLine = new CommandLine({ CAUSEWAY_ENCRYPTION_KEYS: '', CAUSEWAY_PORT: 'x' });
    const { code, err } = await commandLine.causeway(['accounts', 'list']);
    expect(code).toBe(2);
    expect(err).toMatch(
      /CAUSEWAY_ENCRYPTION_KEYS[^]*CAUSEWAY_PORT|CAUSEWAY_PORT[^]*CAUSEWAY_ENCRYPTION_KEYS/,
    );
  });
});

describe('causeway accounts', () => {
  it('adds, lists and shows, and never shows a key', async () => {
    using commandLine = new CommandLine();
    await withAccount(commandLine);
    const list = await commandLine.causeway(['accounts', 'list']);
    expect(list.out).toMatch(/^NAME +STAGE .*\nHarbour Lane Studio +Not moved /);
    const show = await commandLine.causeway(['accounts', 'show', 'Harbour Lane Studio', '--format', 'json']);
    expect(JSON.parse(show.out)).toMatchObject({
      name: 'Harbour Lane Studio',
      stage: 'legacy',
      origin: 'added',
    });
    const { out } = await commandLine.causeway(['accounts', 'show', 'Harbour Lane Studio']);
    expect(out).toMatch(/^stage +legacy, on the console "Not moved"$/m);
    // No label without a value.
    expect(out).not.toMatch(/^\w+\s*$/m);
    expect(list.out + show.out).not.toContain('CANARY');
  });

  it('reads both keys from standard input, one line each', async () => {
    using commandLine = new CommandLine();
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
    expect((await commandLine.causeway(args, 'ACC\nAPI\n')).code).toBe(0);
    expect((await commandLine.causeway(args, 'ACC2\n')).code).toBe(2);
    const taken = await commandLine.causeway(
      ['accounts', 'add', 'Two Rivers', '--account-key', '-'],
      'ACC3\n',
    );
    const confirm = 'choose another name, or confirm that both are right (--same-name)';
    expect(taken.err).toContain(confirm);
    await commandLine.causeway(['accounts', 'add', 'Old Mill', '--account-key', '-'], 'ACC3\n');
    const rename = ['accounts', 'set', 'Old Mill', '--name', 'two rivers'];
    expect(await commandLine.causeway(rename)).toMatchObject({
      code: 1,
      err: expect.stringContaining(confirm),
    });
    expect((await commandLine.causeway([...rename, '--same-name'])).code).toBe(0);
    expect((await commandLine.causeway(['accounts', 'set', 'x', '--same-name'])).code).toBe(2);
    expect((await commandLine.causeway(['find', ' '])).err).toContain('give a text to look for');
    expect((await commandLine.causeway(['deliveries', 'list'])).out).toContain('No event was sent yet.');
    expect((await commandLine.causeway(['replay', '/no/such/folder'])).err).toContain(
      'there is no such folder',
    );
  });

  it('reads a key from a file', async () => {
    using commandLine = new CommandLine();
    const path = commandLine.file('key.txt', 'ACC\r\n');
    expect((await commandLine.causeway(['accounts', 'add', 'A', '--account-key-file', path])).code).toBe(0);
    expect(await commandLine.causeway(['accounts', 'add', 'B', '--account-key', 'ACC'])).toMatchObject({
      code: 1,
      err: 'causeway: an account with this account key already exists: A\n',
    });
  });

  it('says so if there are no accounts', async () => {
    using commandLine = new CommandLine();
    expect((await commandLine.causeway(['accounts', 'list'])).out).toMatch(/^There is no account yet/);
    expect((await commandLine.causeway(['accounts', 'list', '--format', 'json'])).out).toBe('[]\n');
    expect((await commandLine.causeway(['accounts', 'list', '--format', 'csv'])).out).toMatch(
      /^name,stage,[^\n]*\r\n$/,
    );
  });

  it('finds accounts similar to an unknown name', async () => {
    using commandLine = new CommandLine();
    await withAccount(commandLine);
    expect(await commandLine.causeway(['accounts', 'show', 'Harbor Lane Studio'])).toMatchObject({
      code: 1,
      err: 'causeway: there is no account "Harbor Lane Studio"; did you mean Harbour Lane Studio?\n',
    });
    expect((await commandLine.causeway(['accounts', 'show', 'zzz'])).err).toContain(
      'causeway accounts list shows all',
    );
  });

  it('finds a name in any case', async () => {
    using commandLine = new CommandLine();
    await withAccount(commandLine);
    expect((await commandLine.causeway(['accounts', 'show', 'harbour lane studio'])).code).toBe(0);
  });

  it('prints no name as a spreadsheet formula or a terminal command', async () => {
    using commandLine = new CommandLine();
    await withAccount(commandLine, '=1+1, "x"');
    const csv = await commandLine.causeway(['accounts', 'list', '--format', 'csv']);
    expect(csv.out).toContain(`"'=1+1, ""x""",legacy`);
  });
});

describe('causeway beside a database sealed with other keys', () => {
  it('refuses before it writes anything, and accepts the old key beside a new one', async () => {
    using commandLine = new CommandLine();
    await withAccount(commandLine);
    const old = commandLine.env.CAUSEWAY_ENCRYPTION_KEYS ?? '';
    const young = `k2:${Buffer.alloc(32, 6).toString('base64')}`;
    commandLine.env.CAUSEWAY_ENCRYPTION_KEYS = young;
    const refused = await commandLine.causeway(['accounts', 'add', 'B', '--account-key', 'B']);
    expect(refused).toMatchObject({
      code: 1,
      err: expect.stringContaining('sealed with the encryption key k1'),
    });
    commandLine.env.CAUSEWAY_ENCRYPTION_KEYS = `${young},${old}`;
    const list = await commandLine.causeway(['accounts', 'list', '--format', 'json']);
    expect(JSON.parse(list.out)).toHaveLength(1);
  });
});

describe('causeway accounts, given a name that two accounts have,', () => {
  it('distinguishes them by id only', async () => {
    using commandLine = new CommandLine();
    await withAccount(commandLine, 'Same', 'A');
    await withAccount(commandLine, 'Same', 'B');
    for (const name of ['Same', 'same']) {
      const { code, err } = await commandLine.causeway(['accounts', 'show', name]);
      expect(code).toBe(1);
      expect(err).toContain('use the id');
    }
  });
});

describe('causeway invite', () => {
  it('prints a link under the public URL', async () => {
    using commandLine = new CommandLine(oauth);
    await withAccount(commandLine);
    const { code, out } = await commandLine.causeway(['invite', 'Harbour Lane Studio', '--format', 'json']);
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

  it('creates no link at all if one of the accounts is unknown', async () => {
    using commandLine = new CommandLine(oauth);
    await withAccount(commandLine);
    const { code, out } = await commandLine.causeway(['invite', 'Harbour Lane Studio', 'Nobody']);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    const show = await commandLine.causeway(['accounts', 'show', 'Harbour Lane Studio', '--format', 'csv']);
    expect(show.out).not.toContain('invited');
  });

  it('is refused if no account can move', async () => {
    using commandLine = new CommandLine();
    await withAccount(commandLine);
    expect(await commandLine.causeway(['invite', 'Harbour Lane Studio'])).toMatchObject({ code: 1, out: '' });
  });
});

describe('causeway grants and cutover', () => {
  it('say what is missing for an account without a grant', async () => {
    using commandLine = new CommandLine(oauth);
    await withAccount(commandLine);
    expect((await commandLine.causeway(['grants', 'list'])).out).toMatch(/^There is no grant yet/);
    expect(await commandLine.causeway(['grants', 'refresh', 'Harbour Lane Studio'])).toMatchObject({
      code: 1,
      err: 'causeway: Harbour Lane Studio has no grant: its stage is legacy\n',
    });
    const moved = await commandLine.causeway(['cutover', 'Harbour Lane Studio', '--yes']);
    expect(moved.code).toBe(1);
    expect(moved.err).toContain('Harbour Lane Studio has the stage Not moved; only an account that');
  });
});

describe('causeway cutover', () => {
  it.each([
    ['token', '"token" is no check that can be overridden. Those that can be: '],
    ['samples,', '"" is no check that can be overridden. Those that can be: '],
    [
      'samples,identifiers',
      'identifiers is overridden by accepting new numbers (--accept-unlearned). By name: ',
    ],
  ])('refuses --despite %s, and names the checks that can be overridden', async (given, said) => {
    using commandLine = new CommandLine(oauth);
    const refused = await commandLine.causeway(['cutover', 'Nobody', '--despite', given, '--yes']);
    expect(refused).toMatchObject({ code: 2, out: '' });
    expect(refused.err).toContain(`${said}readers, v2, api-key, samples, parity.`);
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
    // What an overflow is cut to: the number after it would be none.
    `client,2147483647,${uuid(11)}`,
  ].join('\r\n');

  it('imports the good lines, reports the bad ones, and overwrites nothing', async () => {
    using commandLine = new CommandLine();
    await withAccount(commandLine);
    const { code, out, err } = await commandLine.causeway(
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
      '11',
      'causeway: 7 lines were not imported',
      '',
    ]);
    const exported = await commandLine.causeway(['crosswalk', 'export', 'Harbour Lane Studio']);
    expect(exported.out.split('\r\n').sort()).toEqual(
      ['', `client,1000000,${uuid(1)}`, `client,1000001,${uuid(3)}`, 'kind,number,uuid'].sort(),
    );
  });

  it('imports what it exported', async () => {
    using commandLine = new CommandLine();
    await withAccount(commandLine);
    const path = commandLine.file(
      'in.csv',
      `\uFEFFkind;number;uuid\nclient;1;${uuid(1)}\nstaff;1;${uuid(1)}\n`,
    );
    expect((await commandLine.causeway(['crosswalk', 'import', 'Harbour Lane Studio', path])).code).toBe(0);
    const copy = `${commandLine.folder}/out.csv`;
    const exported = await commandLine.causeway([
      'crosswalk',
      'export',
      'Harbour Lane Studio',
      '--output',
      copy,
    ]);
    expect(exported.out).toBe(`2 pairs were written to ${copy}\n`);
    expect(await commandLine.causeway(['crosswalk', 'import', 'Harbour Lane Studio', copy])).toMatchObject({
      code: 0,
      out: '0 pairs were added, 2 were known already\n',
    });
  });

  it.each([
    ['no header', `client,1,${uuid(1)}`],
    ['nothing', ''],
  ])('refuses a file with %s', async (_what, text) => {
    using commandLine = new CommandLine();
    await withAccount(commandLine);
    const { code, err } = await commandLine.causeway(
      ['crosswalk', 'import', 'Harbour Lane Studio', '-'],
      text,
    );
    expect(code).toBe(1);
    expect(err).toContain('the first line of the file must be kind,number,uuid');
  });

  it('says where an export cannot be written', async () => {
    using commandLine = new CommandLine();
    await withAccount(commandLine);
    const path = `${commandLine.folder}/nowhere/out.csv`;
    const { code, err } = await commandLine.causeway([
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
    using commandLine = new CommandLine();
    await withAccount(commandLine);
    const { code, err } = await commandLine.causeway(['crosswalk', 'learn', 'Harbour Lane Studio']);
    expect(code).toBe(1);
    expect(err).toContain('V1 is not configured');
    await commandLine.causeway(['accounts', 'close', 'Harbour Lane Studio', '--yes']);
    const closed = await commandLine.causeway(['crosswalk', 'learn', 'Harbour Lane Studio']);
    expect([closed.code, closed.err]).toEqual([
      1,
      expect.stringContaining('is closed: its keys are no longer used'),
    ]);
  });
});

describe('causeway keys, config and mappings', () => {
  it('generate a key that the configuration accepts', async () => {
    using commandLine = new CommandLine();
    const { out } = await commandLine.causeway(['keys', 'generate', '--id', 'spring']);
    expect(out).toMatch(/^spring:[A-Za-z0-9+/]{43}=\n$/);
    using other = new CommandLine({ CAUSEWAY_ENCRYPTION_KEYS: out.trim() });
    expect((await other.causeway(['config', 'check'])).code).toBe(0);
  });

  it('show the settings in force and their origin, but no secret', async () => {
    using commandLine = new CommandLine({ ...oauth, CAUSEWAY_PORT: '9000' });
    const { code, out } = await commandLine.causeway(['config', 'check', '--format', 'json']);
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

  it('report at once what would end a start: a route, mapping files, a port, a database address', async () => {
    const wrong = {
      CAUSEWAY_ROUTES: 'client.lisst=v2',
      CAUSEWAY_MAPPINGS: '/missing-maps',
      CAUSEWAY_METRICS_PORT: '9000',
      CAUSEWAY_DATABASE_URL: 'postgres://u:p@host:5432x/db',
    };
    const told = await Promise.all(
      Object.entries(wrong).map(async ([name, value]) => {
        using commandLine = new CommandLine({ ...oauth, CAUSEWAY_PORT: '9000', [name]: value });
        const { code, err } = await commandLine.causeway(['config', 'check']);
        return [code, new RegExp(`${name}: .*`).exec(err)?.[0]];
      }),
    );
    expect(told).toEqual([
      [2, 'CAUSEWAY_ROUTES: there is no method client.lisst'],
      [2, expect.stringMatching(/^CAUSEWAY_MAPPINGS: .*missing-maps:1: it cannot be read/)],
      [2, 'CAUSEWAY_METRICS_PORT: must differ from CAUSEWAY_PORT, the port of the other listener'],
      [2, expect.stringMatching(/^CAUSEWAY_DATABASE_URL: must be like postgres:/)],
    ]);
  });

  it('name the elements of CAUSEWAY_LOSSY_WRITES that no write has', async () => {
    const known = 'Client/DateOfBirth,job/add-partner,Client/Contacts/Contact/Email';
    const lossy = `drop:${known},Nosuch/Element,Client/Contacts/Email`;
    using commandLine = new CommandLine({ ...oauth, CAUSEWAY_LOSSY_WRITES: lossy });
    const { code, err } = await commandLine.causeway(['config', 'check']);
    expect([code, err.match(/no write has .*/g)]).toEqual([
      0,
      ['no write has the element Nosuch/Element', 'no write has the element Client/Contacts/Email'],
    ]);
  });

  it('report a fault in a mapping with file and line', async () => {
    using commandLine = new CommandLine();
    const checked = await commandLine.causeway(['mappings', 'check']);
    expect(checked.out).toContain('client');
    expect(checked.err).toMatch(/^digest [0-9a-f]{12}: /);
    commandLine.file(
      'client.yaml',
      'family: client.api\nsource: x\nmethods:\n  client.list: { legacy: FETCH client.api/list }\n',
    );
    commandLine.file('identifiers.yaml', readFileSync('mappings/identifiers.yaml', 'utf8'));
    const { code, err } = await commandLine.causeway(['mappings', 'check', commandLine.folder]);
    expect(code).toBe(1);
    expect(err).toMatch(/client\.yaml:\d+: /);
    const config = commandLine.file('causeway.yml', `mappings: ${commandLine.folder}\n`);
    using configured = new CommandLine({ CAUSEWAY_CONFIG: config });
    expect((await configured.causeway(['mappings', 'check'])).err).toMatch(/client\.yaml:\d+: /);
    using misled = new CommandLine({ CAUSEWAY_CONFIG: '/nowhere.yml' });
    expect(await misled.causeway(['mappings', 'show', 'client.get'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('/nowhere.yml cannot be read'),
    });
  });

  it('neither create nor migrate a database to name what is wrong', async () => {
    using commandLine = new CommandLine({ ...oauth });
    const files = (): readonly string[] => readdirSync(commandLine.folder);
    expect((await commandLine.causeway(['doctor'])).out).toMatch(/database +ok +it has no tables yet;/);
    expect(files()).toEqual([]);
    await commandLine.causeway(['accounts', 'list']);
    expect((await commandLine.causeway(['doctor'])).out).not.toMatch(/^database /m);
    const database = new DatabaseSync(join(commandLine.folder, 'causeway.db'));
    database.exec('delete from schema_version where version > 5');
    expect((await commandLine.causeway(['doctor'])).out).toContain('it has the schema 5, which is too old;');
    expect(database.prepare('select max(version) as newest from schema_version').get()?.newest).toBe(5);
    database.close();
    expect(files().filter((name) => name.includes('schema'))).toEqual([]);
  });

  it('name the key that an older database needs', async () => {
    using commandLine = new CommandLine({ ...oauth });
    await commandLine.causeway(['accounts', 'list']);
    const database = new DatabaseSync(join(commandLine.folder, 'causeway.db'));
    database.exec('delete from schema_version where version > 5');
    database.close();
    commandLine.env.CAUSEWAY_ENCRYPTION_KEYS = `k2:${Buffer.alloc(32, 6).toString('base64')}`;
    const { code, err } = await commandLine.causeway(['doctor']);
    expect(err).toContain('the database was sealed with the encryption key k1');
    expect(code).not.toBe(0);
  });

  it('name the upstream that does not answer', async () => {
    using commandLine = new CommandLine({ ...oauth });
    const { code, out, err } = await commandLine.causeway(['doctor']);
    expect(code).toBe(1);
    expect(out).toMatch(/CAUSEWAY_V3_BASE_URL +failed +does not answer/);
    expect(out).toMatch(/CAUSEWAY_CLIENT_SECRET +skipped +not checked: the token endpoint does not answer/);
    expect(err).toMatch(/\d of \d failed, 1 skipped/);
    // The words that scripts read stay what they were.
    expect((await commandLine.causeway(['doctor', '--json'])).out).toContain('"result": "wrong"');
    expect((await commandLine.causeway(['doctor', '--format', 'csv'])).out).toContain(',wrong,');
  });
});
