import { afterEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { run } from '../../src/cli/run.ts';
import { cliParts } from '../../src/cli/open-tools.ts';
import { statusReportSchema, type StatusReport } from '../../src/features/status/model.ts';
import { openStore } from '../../src/app/store.ts';
import { CommandLine } from './harness.ts';

const NAME = '=HYPERLINK("http://evil.example") \u202e';

async function seeded(settings: Readonly<Record<string, string>> = {}): Promise<CommandLine> {
  const commandLine = new CommandLine(settings);
  for (const [name, key] of [
    ['Harbour Lane Studio', 'K1'],
    [NAME, 'K2'],
  ])
    expect(
      await commandLine.causeway(['accounts', 'add', name ?? '', '--account-key', '-'], key),
    ).toMatchObject({
      code: 0,
    });
  return commandLine;
}

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function bridge(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('causeway status', () => {
  it('shows totals and every account, without colours if there is no terminal', async () => {
    using commandLine = await seeded({ CAUSEWAY_V1_END: '2099-12-31' });
    const { code, out } = await commandLine.causeway(['status']);
    expect(code).toBe(0);
    expect(out).toContain('0 of 2 moved');
    expect(out).toContain('V1 ends on 2099-12-31');
    expect(out).toMatch(/^Harbour Lane Studio +Not moved +0 +invite the customer +never$/m);
    expect(out).not.toMatch(/[\u001b\u202e]/);
  });

  it('prints JSON of the published schema', async () => {
    using commandLine = await seeded();
    const { out } = await commandLine.causeway(['status', '--format', 'json', '--sort', 'name', '--reverse']);
    const statusReport = statusReportSchema.parse(JSON.parse(out));
    expect(statusReport.accounts.map(({ name }) => name)).toEqual(['Harbour Lane Studio', NAME]);
    expect(out).not.toContain('\u202e');
    expect(statusReport.history).toHaveLength(1);
  });

  it('writes CSV and HTML to a file', async () => {
    using commandLine = await seeded();
    for (const format of ['csv', 'html']) {
      const file = join(commandLine.folder, `report.${format}`);
      const told = await commandLine.causeway(['status', '--format', format, '--output', file]);
      expect(told).toEqual({ code: 0, out: '', err: '' });
      expect(readFileSync(file, 'utf8')).toContain('Harbour Lane Studio');
    }
    expect(readFileSync(join(commandLine.folder, 'report.csv'), 'utf8')).toContain(`"'=HYPERLINK(""http`);
    const lost = await commandLine.causeway([
      'status',
      '--output',
      join(commandLine.folder, 'no', 'such', 'folder'),
    ]);
    expect(lost.code).toBe(1);
    expect(lost.err).toContain('cannot be written');
  });

  it('shows only the requested accounts', async () => {
    using commandLine = await seeded();
    const names = async (...args: readonly string[]) => {
      const { out } = await commandLine.causeway(['status', '--format', 'json', ...args]);
      return (JSON.parse(out) as StatusReport).accounts.map(({ name }) => name);
    };
    expect(await names('--search', 'harbour')).toEqual(['Harbour Lane Studio']);
    expect(await names('--stage', 'migrated', 'lost')).toEqual([]);
    expect(await names('--stuck')).toEqual([]);
    expect(await names('--stage', 'legacy')).toHaveLength(2);
    expect(await names('--next', 'invite', 'remind')).toHaveLength(2);
    expect(await names('--reason', 'declined')).toEqual([]);
  });

  it.each([
    [['--fail-under', '0'], 0, ''],
    [['--fail-under', '1'], 1, '0 % have moved, 1 % are required'],
    [['--fail-under', '80 %', '--fail-on', 'lost'], 1, '0 % have moved'],
    [['--fail-on', 'lost', 'stuck', 'errors', 'late'], 0, ''],
  ] as const)('%j ends with code %d', async (args, code, words) => {
    using commandLine = await seeded();
    const told = await commandLine.causeway(['status', ...args]);
    expect(told.code).toBe(code);
    expect(told.out).toContain('0 of 2 moved');
    expect(told.err).toContain(words);
  });

  it('fails if accounts are lost, stuck or late', async () => {
    using commandLine = await seeded({ CAUSEWAY_V1_END: '2020-01-01' });
    const store = await openStore(commandLine.env.CAUSEWAY_DATABASE_URL ?? '');
    const [first] = await store.accounts.list();
    const now = Date.now();
    const binding = { grantId: 'g', organisation: { id: 'o', name: 'O' } };
    await store.accounts.change(first?.id ?? '', () => ({ stage: 'migrated', binding }), {
      at: now,
      kind: 'migrated',
      actor: 'bridge',
      detail: '',
    });
    await store.accounts.change(first?.id ?? '', () => ({ stage: 'lost', binding, reason: 'expired' }), {
      at: now,
      kind: 'lost',
      actor: 'bridge',
      detail: '',
    });
    await store.close();
    const { code, err } = await commandLine.causeway(['status', '--fail-on', 'lost', 'stuck']);
    expect({ code, err }).toEqual({ code: 1, err: 'causeway: 1 account lost; 1 account stuck\n' });
  });

  it.each([
    [['--format', 'xml']],
    [['--fail-under', '101']],
    [['--fail-under', 'half']],
    [['--fail-on', 'nothing']],
    [['--stage', 'moved']],
    [['--sort', 'age']],
    [['--watch', '0']],
    [['--watch']],
    [['--token', 'x']],
    [['--url', 'http://127.0.0.1:1']],
    [['--url', 'http://127.0.0.1:1', '--token', 'a', '--token-file', 'b']],
    [['--url', 'http://127.0.0.1:1', '--token', 'a b']],
  ])('%j is refused as bad usage', async (args) => {
    using commandLine = new CommandLine();
    const told = await commandLine.causeway(['status', ...args]);
    expect({ code: told.code, out: told.out }).toEqual({ code: 2, out: '' });
  });

  it('refreshes on a terminal, in its colours and width, until it is stopped', async () => {
    using commandLine = await seeded();
    let [out, looks] = ['', 0];
    const pauses: number[] = [];
    const terminal = {
      out: (text: string) => {
        out += text;
      },
      err: () => undefined,
      read: async () => '',
      save: async () => undefined,
      load: async () => '',
      screen: {
        columns: () => 60,
        colour: true,
        pause: async (millis: number) => {
          pauses.push(millis);
          looks += 1;
          return looks < 3;
        },
      },
    };
    expect(await run(['status', '--watch', '5'], cliParts(terminal, commandLine.env))).toBe(0);
    expect(pauses).toEqual([5_000, 5_000, 5_000]);
    expect(out.split('\u001b[H\u001b[2J')).toHaveLength(4);
    expect(out).toContain('\u001b[33mNot moved');
  });
});

describe('causeway status of a running bridge', () => {
  const url = ['status', '--format', 'json', '--token', '-', '--url'];

  it('is the same status report, requested with the token', async () => {
    using commandLine = await seeded();
    const own = (await commandLine.causeway(['status', '--format', 'json'])).out;
    const asked: unknown[] = [];
    const address = await bridge((request, response) => {
      asked.push([request.url, request.headers.authorization]);
      response.setHeader('Content-Type', 'application/json').end(own);
    });
    const { code, out } = await commandLine.causeway([...url, `${address}/somewhere`], 'cwt_canary\n');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual(JSON.parse(own));
    expect(asked).toEqual([['/_causeway/api/board', 'Bearer cwt_canary']]);
  });

  it.each([
    ['29', 0],
    ['29.5', 1],
  ])('is compared with --fail-under %s without rounding', async (required, code) => {
    using commandLine = await seeded();
    const own = JSON.parse((await commandLine.causeway(['status', '--format', 'json'])).out) as StatusReport;
    const progress = { ...own.progress, of: 100, done: 29, left: 71, share: 29 / 100 };
    const address = await bridge((_, response) => {
      response.end(JSON.stringify({ ...own, progress }));
    });
    const told = await commandLine.causeway([...url, address, '--fail-under', required], 't');
    expect(told.code).toBe(code);
  });

  it.each([
    ['does not accept the token', 401, '{}'],
    ['answers 503', 503, 'x'],
    ['answers 404: --url must be the address of the bridge’s console', 404, 'x'],
    ['answers 302', 302, ''],
    ['is not a status report of this version', 200, '{"version":2}'],
    ['is not a status report of this version', 200, '<html>'],
  ])('says that it %s after a reply of %i with %s', async (words, status, body) => {
    using commandLine = new CommandLine();
    const address = await bridge((_, response) => {
      response.writeHead(status, { Location: 'http://127.0.0.1:1/' }).end(body);
    });
    const told = await commandLine.causeway([...url, address], 'cwt_canary');
    expect(told).toMatchObject({ code: 1, out: '' });
    expect(told.err).toContain(words);
    expect(told.err).not.toContain('canary');
  });

  it('says if no bridge answers, and if the address is invalid', async () => {
    using commandLine = new CommandLine();
    const address = await bridge(() => undefined);
    servers.splice(0).forEach((server) => server.close());
    expect((await commandLine.causeway([...url, address], 't')).err).toContain('does not answer');
    expect((await commandLine.causeway([...url, 'bridge'], 't')).err).toContain('must be a complete address');
  });
});

describe('causeway tokens', () => {
  it('creates a token that is shown once, lists it without its value, and revokes it', async () => {
    using commandLine = new CommandLine();
    expect((await commandLine.causeway(['tokens', 'list'])).out).toContain('There is no token yet');
    const made = await commandLine.causeway([
      'tokens',
      'create',
      'Anna',
      '--scope',
      'operate',
      '--format',
      'json',
    ]);
    const [shown] = JSON.parse(made.out) as { token: string; scope: string }[];
    const { token, scope } = shown ?? { token: '', scope: '' };
    expect(token).toMatch(/^cwt_[A-Za-z0-9_-]{43}$/);
    expect(scope).toBe('operate');
    expect((await commandLine.causeway(['tokens', 'create', 'Anna'])).err).toContain('already exists');
    const listed = await commandLine.causeway(['tokens', 'list']);
    expect(listed.out).toMatch(/^Anna +operate +good /m);
    expect(readFileSync(join(commandLine.folder, 'causeway.db')).includes(token.slice(4))).toBe(false);
    expect((await commandLine.causeway(['tokens', 'revoke', 'Anna'])).out).toBe('Anna is revoked\n');
    expect((await commandLine.causeway(['tokens', 'list'])).out).toMatch(/^Anna +operate +revoked /m);
    expect(await commandLine.causeway(['tokens', 'revoke', 'Bob'])).toMatchObject({ code: 1 });
    const store = await openStore(commandLine.env.CAUSEWAY_DATABASE_URL ?? '');
    const audit = await store.audit.list({ limit: 10 });
    await store.close();
    expect(audit.map(({ who, action, detail }) => [who, action, detail])).toEqual([
      ['command line', 'tokens.revoke', 'Anna'],
      ['command line', 'tokens.create', 'Anna, operate'],
    ]);
  });

  it('creates a token with an expiry', async () => {
    using commandLine = new CommandLine();
    expect((await commandLine.causeway(['tokens', 'create', 'CI', '--expires', '2999-12-31'])).out).toMatch(
      /^CI +read +2999-12-31/m,
    );
    expect((await commandLine.causeway(['tokens', 'create', 'week', '--expires', '7d'])).code).toBe(0);
    expect((await commandLine.causeway(['tokens', 'list'])).out).toMatch(/^CI +read +good .*2999-12-31/m);
  });

  it.each(['soon', '0d', '-1d', '2999-13-01', '2020-01-01', '7'])('refuses the expiry %j', async (when) => {
    using commandLine = new CommandLine();
    const { code, out } = await commandLine.causeway(['tokens', 'create', 'CI', '--expires', when]);
    expect([code, out]).toEqual([2, '']);
  });

  it.each([[' '], ['=1+1'], ['a\u001b[1m'], ['x'.repeat(61)]])('refuses the name %j', async (name) => {
    using commandLine = new CommandLine();
    expect(await commandLine.causeway(['tokens', 'create', name])).toMatchObject({ code: 2, out: '' });
  });
});
