import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { CommandLine } from './harness.ts';

let commandLine: CommandLine;

beforeEach(() => {
  commandLine = new CommandLine();
});
afterEach(() => {
  commandLine[Symbol.dispose]();
});

describe('causeway route', () => {
  it('lists every method with its default, and its previous route', async () => {
    expect((await commandLine.causeway(['route', 'set', 'client.list', 'v2', '--all'])).code).toBe(0);
    const told = await commandLine.causeway(['route', 'list', '--format', 'json']);
    const rows = JSON.parse(told.out) as {
      readonly method: string;
      readonly route: string;
      readonly default: string;
    }[];
    expect(rows.length).toBeGreaterThan(100);
    expect(rows.filter(({ route }) => route === 'v2')).toMatchObject([
      { method: 'client.list', account: 'all', route: 'v2', default: 'v3', v2: 'B', by: 'command line' },
    ]);
    const set = await commandLine.causeway(['route', 'list', '--set', '--format', 'csv']);
    expect(set.out.trim().split('\r\n')).toHaveLength(2);
  });

  it('says what is lost, and that V2 is not configured', async () => {
    const told = await commandLine.causeway(['route', 'set', 'client.list', 'v2', '--all']);
    expect(told.out).toBe('client.list of every account is served from v2\n');
    expect(told.err).toContain('lost: Client/FirstName is not in the reply');
    expect(told.err).toContain('CAUSEWAY_V2_BASE_URL is not set');
  });

  it('says which methods V3 still serves', async () => {
    const one = await commandLine.causeway(['route', 'set', 'client.list', 'v2']);
    expect(one.err).toMatch(/\nV3 still serves all its calls\.\n$/);
    const family = await commandLine.causeway(['route', 'set', 'client.*', 'v2', '--accept-assumed']);
    expect(family.err).toMatch(
      /\nV3 still serves all calls of 4 of them: client\.list, client\.search, client\.contact\.get, client\.contact\.update\.\n$/,
    );
    for (const [method, route] of [
      ['client.get', 'v2'],
      ['client.list', 'v3'],
    ] as const)
      expect((await commandLine.causeway(['route', 'set', method, route])).err).not.toContain('still serves');
  });

  it('routes a write to V2 that rests on an assumption only once that is accepted', async () => {
    const refused = await commandLine.causeway(['route', 'set', 'client.*', 'v2']);
    expect(refused).toMatchObject({ code: 1, out: '' });
    expect(refused.err).toContain('V2 assumed: nobody has seen it yet');
    expect(refused.err).toMatch(
      /nothing was changed\. On V2 client\.add, client\.update, .* would write on an assumption: .*--accept-assumed/,
    );
    expect((await commandLine.causeway(['route', 'list', '--set'])).out).toMatch(/No route was set/);
    const one = ['route', 'set', 'client.contact.update', 'v2'];
    expect((await commandLine.causeway(one)).code).toBe(1);
    expect((await commandLine.causeway(['route', 'set', 'client.contact.get', 'v2'])).code).toBe(0);
    expect((await commandLine.causeway(['route', 'set', 'client.contact.update', 'v3'])).code).toBe(0);
    expect((await commandLine.causeway([...one, '--accept-assumed'])).code).toBe(0);
    const { out } = await commandLine.causeway(['route', 'list', '--set', '--format', 'json']);
    expect(JSON.parse(out)).toMatchObject([
      { method: 'client.contact.get', route: 'v2', evidence: 'assumed' },
      { method: 'client.contact.update', route: 'v2', evidence: 'assumed' },
    ]);
  });

  it('applies to every account if none is named', async () => {
    const told = await commandLine.causeway(['route', 'set', 'client.get', 'v2']);
    expect(told).toMatchObject({ code: 0, out: 'client.get of every account is served from v2\n' });
  });

  it('accepts a family, a grade and all methods', async () => {
    const family = await commandLine.causeway(['route', 'set', 'clientgroup.*', 'v3']);
    expect(family.out).toMatch(/^\d methods of every account are served from v3\n$/);
    const graded = await commandLine.causeway(['route', 'set', 'grade:a', 'v2', '--accept-assumed']);
    expect(graded.out).toMatch(/^\d+ methods of every account are served from v2\n$/);
    expect(graded.err).not.toContain('grade B');
    expect(graded.err).toContain('all of them\n  grade A\n');
    const every = await commandLine.causeway(['route', 'set', '*', 'v2', '--accept-assumed']);
    expect(every.err).toContain('client.archive stays on V3: V2 shows whether a client is archived');
    expect(every.err).toContain(
      '\nclient.list, client.search, client.get, client.add, client.update\n  lost: Client/DateOfBirth',
    );
    expect(every.err.match(/lost: Client\/FirstName is not in the reply/g)).toHaveLength(1);
    const rows = async (): Promise<readonly { readonly route: string }[]> =>
      JSON.parse((await commandLine.causeway(['route', 'list', '--set', '--format', 'json'])).out) as [];
    const set = await rows();
    expect(set.filter(({ route }) => route === 'v2').length).toBeGreaterThan(100);
    expect(every.out).toBe(
      `${set.filter(({ route }) => route === 'v2').length} methods of every account are served from v2\n`,
    );
    await commandLine.causeway(['route', 'set', '*', 'default']);
    expect(await rows()).toEqual([]);
  });

  it('sets all methods that V2 can serve in one transaction', async () => {
    const { code, out } = await commandLine.causeway(['route', 'set', '*', 'v2', '--accept-assumed']);
    expect([code, out]).toEqual([0, '104 methods of every account are served from v2\n']);
    using database = new DatabaseSync(join(commandLine.folder, 'causeway.db'), { readOnly: true });
    const [version] = database.prepare("SELECT value FROM counters WHERE name = 'routes'").all();
    expect(version).toEqual({ value: 1 });
  });

  it('shows what it would do to several accounts, and does it only with --yes', async () => {
    for (const [name, key] of [
      ['Old Mill', 'A'],
      ['Fern', 'C'],
    ] as const)
      await commandLine.causeway(['accounts', 'add', name, '--account-key', key.repeat(32)]);
    const shown = await commandLine.causeway(['route', 'set', 'client.list', 'v2']);
    expect(shown).toMatchObject({ code: 1, out: '' });
    expect(shown.err).toContain('lost: Client/FirstName is not in the reply');
    expect(shown.err).toContain("assumed: V3's page and size parameters");
    expect(shown.err).toContain(
      'nothing was changed. client.list of 2 accounts would be served from v2; --yes does it',
    );
    expect((await commandLine.causeway(['route', 'list', '--set'])).out).toMatch(/No route was set/);
    const done = await commandLine.causeway(['route', 'set', 'client.list', 'v2', '--yes']);
    expect(done).toMatchObject({ code: 0, out: 'client.list of every account is served from v2\n' });
  });

  it('counts no account that keeps a route of its own', async () => {
    for (const [name, key] of [
      ['Old Mill', 'A'],
      ['Fern', 'C'],
      ['Harbour', 'D'],
    ] as const)
      await commandLine.causeway(['accounts', 'add', name, '--account-key', key.repeat(32)]);
    await commandLine.causeway(['route', 'set', 'client.list', 'v3', '--account', 'Fern']);
    const shown = await commandLine.causeway(['route', 'set', 'client.list', 'v2']);
    expect(shown.err).toContain('client.list of 2 accounts would be served from v2');
    const both = await commandLine.causeway(['route', 'set', 'client.*', 'v3']);
    expect(both.err).toMatch(/\d+ methods of 3 accounts would be served from v3/);
  });

  it('sets and resets a route for one account', async () => {
    await commandLine.causeway(['accounts', 'add', 'Old Mill', '--account-key', 'A'.repeat(32)]);
    const set = await commandLine.causeway(['route', 'set', 'client.get', 'v2', '--account', 'old mill']);
    expect(set).toMatchObject({ code: 0, out: 'client.get of Old Mill is served from v2\n' });
    const back = await commandLine.causeway([
      'route',
      'set',
      'client.get',
      'default',
      '--account',
      'Old Mill',
    ]);
    expect(back.out).toBe('client.get of Old Mill is served by default (v3)\n');
    expect((await commandLine.causeway(['route', 'list', '--set'])).out).toMatch(/No route was set/);
  });

  it('accepts the methods that lose nothing', async () => {
    const told = await commandLine.causeway(['route', 'set', 'lossless', 'v2', '--accept-assumed']);
    expect(told.code).toBe(0);
    expect(told.out).toMatch(/^\d+ methods of every account are served from v2\n$/);
    expect(told.err).not.toContain('lost: ');
  });

  it('tries methods on one account first, and shows the results', async () => {
    for (const [name, key] of [
      ['Old Mill', 'A'],
      ['Fern', 'C'],
    ] as const)
      await commandLine.causeway(['accounts', 'add', name, '--account-key', key.repeat(32)]);
    const set = ['route', 'set', 'client.list', 'v2', '--canary', 'old mill', '--for', '12h'];
    const early = await commandLine.causeway(set);
    expect(early).toMatchObject({ code: 1, out: '' });
    expect(early.err).toContain('nothing was changed. Old Mill has not moved');
    {
      using database = new DatabaseSync(join(commandLine.folder, 'causeway.db'));
      database.exec(
        "UPDATE accounts SET stage = 'migrated', grant_id = 'g', organisation_id = 'o', organisation_name = 'O' WHERE name = 'Old Mill'",
      );
    }
    const told = await commandLine.causeway(set);
    expect(told.code).toBe(0);
    expect(told.out).toMatch(/^client\.list of Old Mill is served from v2, on trial until \d{4}-/);
    expect(told.err).toContain('lost: Client/FirstName is not in the reply');
    const rows = JSON.parse(
      (await commandLine.causeway(['route', 'list', '--set', '--format', 'json'])).out,
    ) as object[];
    expect(rows).toMatchObject([{ method: 'client.list', account: 'Old Mill', route: 'v2', by: 'canary' }]);
    const [trial] = JSON.parse(
      (await commandLine.causeway(['route', 'canaries', '--format', 'json'])).out,
    ) as { readonly since: string; readonly until: string }[];
    expect(trial).toMatchObject({ account: 'Old Mill', methods: 'client.list', calls: 0, state: 'running' });
    expect(Date.parse(trial?.until ?? '') - Date.parse(trial?.since ?? '')).toBeGreaterThan(11 * 3_600_000);
    const again = await commandLine.causeway(set);
    expect(again).toMatchObject({ code: 1, out: '' });
    expect(again.err).toContain('a route is already being tried on Old Mill');
    await commandLine.causeway(['route', 'set', 'client.list', 'default', '--account', 'Old Mill']);
    const { out } = await commandLine.causeway(['route', 'canaries', '--format', 'json']);
    expect(JSON.parse(out)).toMatchObject([{ state: 'ended', why: 'ended by command line' }]);
    await commandLine.causeway(['route', 'set', 'client.get', 'v2', '--account', 'Old Mill']);
    const more = await commandLine.causeway([...set.with(2, 'client.*'), '--accept-assumed']);
    expect(more.err).toContain('1 other method has this route already.\n');
    expect(more.err).toContain('V3 still serves all calls of 4 of them: client.list, ');
  });

  it.each([
    [['client.lists', 'v2', '--all'], 1, /there is no method "client\.lists"; did you mean client\.list/],
    [
      ['client.archive', 'v2', '--all'],
      1,
      /client\.archive cannot be served by V2: V2 shows whether a client is archived/,
    ],
    [['clients.*', 'v2'], 1, /there is no method "clients\.\*"; did you mean client\.\*/],
    [['grade:D', 'v2'], 1, /there is no method "grade:D"; the grades of V2 are A, B, C/],
    [['uuid.*', 'v2'], 1, /there is no method "uuid\.\*"/],
    [['client.list', 'v4', '--all'], 2, /the route is v2, v3 or default, not "v4"/],
    [
      ['client.list', 'v2', '--canary', 'x', '--account', 'x'],
      2,
      /--account and --canary cannot be combined/,
    ],
    [['client.list', 'v2', '--for', '1d'], 2, /--canary and --for go together/],
    [['client.list', 'v2', '--canary', 'x', '--for', 'long'], 2, /minutes, hours or days: 30m, 12h, 1d/],
    [['client.list', 'default', '--canary', 'x'], 2, /v2 or v3 can be tried/],
    [['client.list', 'v2', '--canary', 'Nobody'], 1, /there is no account "Nobody"/],
    [['client.list', 'v2', '--all', '--account', 'x'], 2, /--account and --all cannot be combined/],
    [['client.list', 'v2', '--account', 'Nobody'], 1, /there is no account "Nobody"/],
  ])('route set %j is refused with an explanation', async (args, code, words) => {
    const told = await commandLine.causeway(['route', 'set', ...args]);
    expect({ ...told, code: told.code }).toMatchObject({ code });
    expect(told.err).toMatch(words);
  });

  it('a practice account has no V2', async () => {
    await commandLine.causeway([
      'accounts',
      'add',
      'Two Rivers',
      '--account-key',
      'B'.repeat(32),
      '--product',
      'practice',
    ]);
    const told = await commandLine.causeway(['route', 'set', 'client.list', 'v2', '--account', 'Two Rivers']);
    expect(told).toMatchObject({ code: 1 });
    expect(told.err).toContain('practice variant, which has no V2');
  });
});

describe('the setting CAUSEWAY_ROUTES', () => {
  it('changes the default of methods', async () => {
    using other = new CommandLine({ CAUSEWAY_ROUTES: 'client.list=v2, client.get=v2' });
    const told = await other.causeway(['route', 'list', '--format', 'json']);
    const rows = JSON.parse(told.out) as { readonly method: string; readonly route: string }[];
    expect(rows.filter(({ route }) => route === 'v2').map(({ method }) => method)).toEqual([
      'client.get',
      'client.list',
    ]);
  });

  it.each([
    ['client.lists=v2', /there is no method client\.lists/],
    ['client.archive=v2', /client\.archive has no steps for V2/],
    ['client.list', /takes method=v2 or method=v3/],
  ])('prevents the start if it is wrong: %s', async (value, words) => {
    using other = new CommandLine({ CAUSEWAY_ROUTES: value });
    const told = await other.causeway(['route', 'list']);
    expect(told.code).not.toBe(0);
    expect(told.err).toMatch(words);
  });
});

describe('causeway mappings', () => {
  it('shows the calls of a method and its losses', async () => {
    const told = await commandLine.causeway(['mappings', 'show', 'client.list']);
    expect(told.out).toContain('GET /v2/clients (page by page)');
    expect(told.out).toContain('it is not in the reply: V2 has no date of birth');
    expect(told.out).toContain('evidence    V3 specified: the specification says so');
    expect(told.out).toContain('V2 observed: real traffic');
  });

  it('turns a reply of V2 into the legacy reply', async () => {
    const sample = commandLine.file(
      'sample.json',
      JSON.stringify({
        data: [{ uuid: '3f0c2f0e-6a0b-4a55-9f0e-0f1f6f7a1b10', name: 'A & B', archived: false }],
      }),
    );
    const told = await commandLine.causeway(['mappings', 'try', 'client.list', sample]);
    expect(told.out).toContain('<Clients><Client><ID>1</ID><Name>A &amp; B</Name>');
    expect(told.out).toContain('<IsArchived>No</IsArchived>');
  });

  it('prints a list that V2 needs two passes for once; the second pass can be named', async () => {
    const page = (name: string): unknown => ({
      data: [{ uuid: `3f0c2f0e-6a0b-4a55-9f0e-0f1f6f7a1b1${name.length}`, name }],
    });
    const once = commandLine.file('once.json', JSON.stringify({ 'GET /v2/clients': page('A') }));
    const told = await commandLine.causeway(['mappings', 'try', 'client.list', once]);
    expect(told.out.match(/<Client>/g)).toHaveLength(1);
    const both = commandLine.file(
      'both.json',
      JSON.stringify({ 'GET /v2/clients': page('A'), 'GET /v2/clients?status=archived': page('Old') }),
    );
    const second = await commandLine.causeway(['mappings', 'try', 'client.list', both]);
    expect(Array.from(second.out.matchAll(/<Client><ID>\d<\/ID><Name>(\w+)/g), ([, name]) => name)).toEqual([
      'A',
      'Old',
    ]);
  });

  it('turns a legacy request into calls of V2, and names what has no place there', async () => {
    const sample = commandLine.file(
      'sample.xml',
      '<Client><Name>A</Name><City>Oslo</City><DateOfBirth>2020-01-01</DateOfBirth></Client>',
    );
    const told = await commandLine.causeway(['mappings', 'try', 'client.add', sample]);
    expect(told.out).toContain(
      'POST /v2/clients\n{"name":"A","addresses":[{"type":"billing","city":"Oslo"}]}\n',
    );
    expect(told.err).toBe('no place in V2: Client/DateOfBirth\n');
  });

  it('accepts the replies of V2 that a request needs', async () => {
    const request = commandLine.file(
      'change.xml',
      '<Client><ID>7</ID><Name>A</Name><City>Oslo</City></Client>',
    );
    const client = 'GET /v2/clients/00000000-0000-4000-8000-000000000007';
    const before = { addresses: [{ type: 'postal', city: 'Bergen' }] };
    const answers = commandLine.file('answers.json', JSON.stringify({ [client]: { data: before } }));
    const told = await commandLine.causeway([
      'mappings',
      'try',
      'client.update',
      request,
      '--answers',
      answers,
    ]);
    expect(told.out).toContain(
      '"addresses":[{"type":"postal","city":"Bergen"},{"type":"billing","city":"Oslo"}]',
    );
  });

  it.each([
    [['client.add', 'empty.xml'], 1, /the call fails: /],
    [['client.list', 'broken.json'], 1, /the sample is not JSON/],
    [['client.list', 'sample.txt'], 2, /a \.json or \.xml file/],
    [['client.list', 'nowhere.json'], 1, /cannot be read/],
    [['client.archive', 'empty.xml'], 1, /client\.archive has no steps for V2/],
    [
      ['client.get', 'keyed.json'],
      1,
      /client\.get does not call GET \/v2\/clients\/\{client\}; its calls: GET \/v2\/clients\/0{8}-/,
    ],
  ])('refuses mappings try %j with an explanation', async (args, code, words) => {
    const files: Readonly<Record<string, string>> = {
      'empty.xml': '<Client />',
      'broken.json': '{',
      'sample.txt': '',
      'keyed.json': '{"GET /v2/clients/{client}": {"data": {"name": "A"}}}',
    };
    const [method = '', name = ''] = args;
    const text = files[name];
    const path = text === undefined ? name : commandLine.file(name, text);
    const told = await commandLine.causeway(['mappings', 'try', method, path]);
    expect(told.code).toBe(code);
    expect(told.err).toMatch(words);
  });
});
