import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { execFile } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { writeClient } from '../../src/app/tools/client.ts';
import { Deeds } from '../../src/app/tools/deeds.ts';
import type { WantedClient, WrittenClient } from '../../src/app/tools/model.ts';
import { recordingToolsOf } from '../../src/app/tools/recording.ts';
import { readinessRulesOf } from '../../src/app/wiring/features/usage.ts';
import { needs } from '../../scripts/testing/needs.ts';
import { AdminUsage } from '../../src/features/admin/usage/usage.ts';
import { HOUR } from '../../src/lib/time/clock.ts';
import { isRead } from '../../src/mapping/compile/reads.ts';
import { EVERY_ACCOUNT } from '../../src/mapping/routes/routes.ts';
import type { Connection, Make } from '../../src/proof/client/assets/typescript/runtime/client.ts';
import type { Input, Method, Shared } from '../../src/proof/client/client-tables.ts';
import type { Tokens, TokenStore } from '../../src/proof/client/assets/typescript/runtime/tokens.ts';
import { inputOf, replyOf, type Uuids } from '../../src/proof/client/recorded-case.ts';
import { assertAlike } from '../../src/proof/client/assets/typescript/testing/parity.ts';
import type { Table } from '../contract/case.ts';
import { methodOf } from '../contract/losses.ts';
import { jobSeed } from '../contract/jobSeed.ts';
import { moneySeed } from '../contract/moneySeed.ts';
import { studioSeed } from '../contract/seed.ts';
import { clients } from '../contract/tables/clients.ts';
import { clientGroups } from '../contract/tables/clientGroups.ts';
import { costs } from '../contract/tables/costs.ts';
import { customFields } from '../contract/tables/customFields.ts';
import { documents } from '../contract/tables/documents.ts';
import { invoices } from '../contract/tables/invoices.ts';
import { jobParts } from '../contract/tables/jobParts.ts';
import { jobs } from '../contract/tables/jobs.ts';
import { leads } from '../contract/tables/leads.ts';
import { purchaseOrders } from '../contract/tables/purchaseOrders.ts';
import { quotes } from '../contract/tables/quotes.ts';
import { suppliers } from '../contract/tables/suppliers.ts';
import { times } from '../contract/tables/times.ts';
import { tradeSeed } from '../contract/tradeSeed.ts';
import { freePort, RunningBridge } from '../support/bridge.ts';
import { eventually } from '../support/clock.ts';
import { deliveredMapping } from '../support/mapping.ts';
import { CLIENT_ID, CLIENT_SECRET, RunningSandbox } from '../support/sandbox.ts';

/** The contract's organisations, with the contract's reads, and further ones. */
const organisations: readonly {
  readonly name: string;
  readonly seed: object;
  readonly tables: readonly Table[];
  readonly more: readonly string[];
}[] = [
  {
    ...{ name: 'Studio', seed: studioSeed, tables: [clients, customFields, documents] },
    more: ['staff.api/list', 'staff.api/get/7', 'category.api/list', 'template.api/list', 'task.api/list'],
  },
  { name: 'Jobs', seed: jobSeed, tables: [jobs, jobParts], more: [] },
  { name: 'Money', seed: moneySeed, tables: [invoices, purchaseOrders, quotes], more: [] },
  { name: 'Trade', seed: tradeSeed, tables: [clientGroups, costs, leads, suppliers, times], more: [] },
];

const API_KEY = '0123456789ABCDEF0123456789ABCDEF';
/** The administrator of an organisation. */
const personOf = (name: string): string => `Ana of ${name}`;
const SECRET = 'Wilhelmina';
/** In milliseconds, between two calls of which each may be the first that is recorded. */
const BETWEEN = 250;
const OWN_CALLBACK = 'http://127.0.0.1/own';
const project = join(import.meta.dirname, '..', '..');
const run = promisify(execFile);
const given = process.env.CAUSEWAY_TEST_PHP ?? '';
const php = given === '' ? (needs.php.find() ?? '') : given;
// `npm test` says how to get a PHP where there is none.
const inPhp = php === '' ? it.skip : it;
const keyOf = (name: string): string =>
  `B${String(organisations.findIndex((one) => one.name === name)).padStart(31, '0')}`;

/** What a generated `index.ts` gives. */
interface Written {
  readonly methods: Readonly<Record<string, Method>>;
  createClient(
    connection: Connection,
  ): Record<string, Record<string, (...given: unknown[]) => Promise<unknown>>>;
}

let folder: string;
let sandbox: RunningSandbox;
let bridge: RunningBridge;
const opened = new AsyncDisposableStack();
let ofAccount: WrittenClient;
let seeded: Awaited<ReturnType<RunningSandbox['seed']>>;

/** A call of a legacy program. */
const legacy = (name: string, address: string, sent: RequestInit = {}): Promise<Response> =>
  fetch(
    `${bridge.url}/${address}${address.includes('?') ? '&' : '?'}apiKey=${API_KEY}&accountKey=${keyOf(name)}`,
    sent,
  );

async function write(given: Partial<WantedClient> & Pick<WantedClient, 'folder'>): Promise<WrittenClient> {
  const { services } = bridge;
  const rules = readinessRulesOf(services);
  const { store, clock } = services;
  const usage = new AdminUsage({ usage: store.usage, audit: store.audit, rules, isCounted: true, clock });
  const wanted: WantedClient = {
    ...{ account: undefined, language: 'typescript', route: 'v3', overwrite: false, version: 'test' },
    ...given,
  };
  return writeClient({ services, deeds: new Deeds(services), usage }, wanted, () => undefined);
}

const accountOf = async (name: string) => {
  const view = await bridge.services.accounts.show(name);
  if (view === undefined) throw new Error(`there is no ${name}`);
  return view.account;
};

/** Reads, and a record that is made, read, changed and read again; recorded as they are made. */
async function playProgram(): Promise<void> {
  const account = await accountOf('Studio');
  const tools = recordingToolsOf(bridge.services, new Deeds(bridge.services));
  await tools.start(account, HOUR);
  await eventually('the bridge records', async () => {
    await legacy('Studio', 'supplier.api/list');
    await delay(BETWEEN);
    return (await tools.show(account)).samples > 0 ? true : undefined;
  });
  for (const address of ['client.api/list', 'client.api/get/1000000', 'staff.api/list', 'client.api/get/5'])
    await legacy('Studio', address);
  const body = `<Client><Name>${SECRET}</Name><Phone>1</Phone></Client>`;
  const made = await (await legacy('Studio', 'client.api/add', { method: 'POST', body })).text();
  const number = /<ID>(\d+)<\/ID>/.exec(made)?.[1] ?? '';
  const changed = `<Client><ID>${number}</ID><Name>Other</Name></Client>`;
  await legacy('Studio', 'client.api/update', { method: 'PUT', body: changed });
  await legacy('Studio', `client.api/get/${number}`);
  await eventually('the calls are written', async () => {
    const kept = await bridge.services.samples.find(account.id, 'recorded');
    return kept.some(({ request }) => request.segments[2] === number) ? true : undefined;
  });
  await tools.stop(account);
}

/** The first tokens of a grant of its own: the customer consents to another program. */
async function ownTokens(organisation: string): Promise<Tokens> {
  const request = new URLSearchParams({
    response_type: 'code',
    client_id: CLIENT_ID,
    redirect_uri: OWN_CALLBACK,
    scope: 'openid profile email service offline_access',
    state: 'x',
    prompt: 'consent',
  });
  const user = seeded.find(({ id }) => id === organisation)?.users[0]?.id;
  const chosen = new URLSearchParams([
    ...request,
    ['user', user ?? ''],
    ['organisation', organisation],
    ['decision', 'approve'],
  ]);
  const page = await fetch(`${sandbox.url}/identity/connect/consent`, {
    ...{ method: 'POST', body: chosen, redirect: 'manual' },
  });
  const code = new URL(page.headers.get('location') ?? '').searchParams.get('code') ?? '';
  const answer = await fetch(`${sandbox.url}/connect/token`, {
    method: 'POST',
    body: new URLSearchParams({
      ...{ grant_type: 'authorization_code', code, redirect_uri: OWN_CALLBACK },
      ...{ client_id: CLIENT_ID, client_secret: CLIENT_SECRET },
    }),
  });
  const told = (await answer.json()) as Readonly<Record<string, string>>;
  // As if it had been stored long ago: it has to be renewed before the first call.
  return { accessToken: told.access_token ?? '', refreshToken: told.refresh_token ?? '', expiresAt: 0 };
}

class Memory implements TokenStore {
  tokens: Tokens;

  constructor(tokens: Tokens) {
    this.tokens = tokens;
  }

  load(): Promise<Tokens> {
    return Promise.resolve(this.tokens);
  }

  save(tokens: Tokens): Promise<void> {
    this.tokens = tokens;
    return Promise.resolve();
  }
}

async function connectionOf(name: string): Promise<Connection> {
  const organisation = seeded.find((one) => one.name === name)?.id ?? '';
  return {
    ...{ v3Url: `${sandbox.url}/3.0`, v2Url: `${sandbox.url}/v2`, authUrl: sandbox.url, organisation },
    ...{ clientId: CLIENT_ID, clientSecret: CLIENT_SECRET },
    tokens: new Memory(await ownTokens(organisation)),
  };
}

/** By the crosswalk of the bridge. */
async function uuidsOf(name: string): Promise<Uuids> {
  const known = new Map<string, string>();
  for await (const { kind, number, uuid } of bridge.services.store.crosswalk.export(
    (await accountOf(name)).id,
  ))
    known.set(`${kind} ${number}`, uuid.toLowerCase());
  return (kind, number) => known.get(`${kind} ${Number(number)}`) ?? '';
}

/** Addresses of the contract's reads that succeed, each once. */
function readsOf({ tables, more }: (typeof organisations)[number]): readonly string[] {
  const mapping = deliveredMapping();
  const calls = tables.flatMap(({ cases }) =>
    cases.filter(({ organisation }) => organisation === 'studio').flatMap((one) => one.calls),
  );
  const reads = calls.filter((call) => {
    const method = methodOf(mapping, call);
    const isPlain = call.verb === 'GET' && call.keys === 'behind' && !call.path.includes('{');
    return isPlain && call.expected.is !== 'failure' && method !== undefined && isRead(method);
  });
  return [...new Set([...reads.map(({ path }) => path.replace(/\/(?=\?|$)/, '')), ...more])];
}

/** V2 has no way, or no number by which the bridge orders what was made within one second before it cuts a page. */
const isOtherwise = ({ v2 }: Method, address: string): boolean =>
  v2 === undefined || (v2.page !== undefined && address.includes('?'));

/** A read as the bridge answered it. */
interface AnsweredRead {
  readonly address: string;
  readonly method: Method;
  readonly input: Input;
  readonly expected: ReturnType<typeof replyOf>;
}

/** What a client gave, or the words of its error. */
type Given = { readonly reply: unknown } | { readonly error: string };

/** Undefined: it gave what the bridge gave. */
function differenceIn({ address, method, expected }: AnsweredRead, given: Given): string | undefined {
  if (expected === undefined && 'error' in given) return undefined;
  try {
    assertAlike(method, 'reply' in given ? given.reply : given.error, expected?.reply);
    return undefined;
  } catch (error) {
    return `${address}: ${error instanceof Error ? error.message : 'unknown'}`;
  }
}

/** The answers of the bridge on V3, by organisation, for the client in PHP. */
const answered = new Map<string, readonly AnsweredRead[]>();

/** What is not as the bridge has it. */
async function differences(
  api: 'v3' | 'v2',
  written: Written,
  seen: Set<string>,
): Promise<readonly string[]> {
  const found: string[] = [];
  const { connect } = (await import(join(folder, 'all', 'runtime', 'client.ts'))) as {
    readonly connect: (connection: Connection, shared: Shared, route: 'v3' | 'v2') => Make;
  };
  const { shared } = (await import(join(folder, 'all', 'shared.ts'))) as { readonly shared: Shared };
  for (const one of organisations) {
    const [make, uuids] = [connect(await connectionOf(one.name), shared, api), await uuidsOf(one.name)];
    const reads: AnsweredRead[] = [];
    for (const address of readsOf(one)) {
      const id = methodOf(deliveredMapping(), { verb: 'GET', path: address })?.id ?? '';
      const method = written.methods[id];
      if (method === undefined || (api === 'v2' && isOtherwise(method, address))) continue;
      const reply = await legacy(one.name, address);
      expect([address, reply.headers.get('x-causeway-source')]).toEqual([address, api]);
      const expected = replyOf(await reply.text(), method, uuids);
      seen.add(id);
      const input = inputOf(`/${address}`, '', method, uuids);
      const given = await make(method, input, { api }).then(
        (value) => ({ reply: value }),
        (error: unknown) => ({ error: error instanceof Error ? error.message : 'unknown' }),
      );
      const read = { address, method, input, expected };
      reads.push(read);
      const difference = differenceIn(read, given);
      if (difference !== undefined) found.push(`${one.name} ${difference}`);
    }
    if (api === 'v3') answered.set(one.name, reads);
  }
  return found;
}

/** Calls made by a program in PHP, one after the other, with a grant of its own. */
async function playedInPhp(
  name: string,
  calls: readonly { readonly method: string; readonly input: Input }[],
): Promise<readonly Given[]> {
  const { v3Url, authUrl, organisation, clientId, clientSecret, tokens } = await connectionOf(name);
  const file = join(folder, `${name}.json`);
  writeFileSync(`${file}.tokens`, JSON.stringify(await tokens.load()), { mode: 0o600 });
  const connection = { v3Url, authUrl, organisation, clientId, clientSecret };
  writeFileSync(file, JSON.stringify({ connection, calls }));
  const program = join(import.meta.dirname, 'play-client.php');
  const { stdout } = await run(php, [program, join(folder, 'php'), file], { maxBuffer: 64 * 1024 * 1024 });
  return JSON.parse(stdout) as readonly Given[];
}

/** The methods that a client has a way for. */
const readIds = (api: 'v3' | 'v2'): readonly string[] =>
  deliveredMapping()
    .methods.filter((method) => isRead(method) && (api === 'v3' || method.v2?.way === 'steps'))
    .map(({ id }) => id);

/** `docs/campaign/leaving.md` says how they are run. */
describe('a generated client', () => {
  let all: Written;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'causeway-client-'));
    opened.defer(() => {
      rmSync(folder, { recursive: true, force: true });
    });
    const port = await freePort();
    const redirectUris = [`http://127.0.0.1:${port}/_causeway/callback`, OWN_CALLBACK];
    const protocol = { limits: { perMinute: null } };
    sandbox = await RunningSandbox.start({ redirectUris, protocol });
    opened.defer(() => sandbox.close());
    seeded = await sandbox.seed(
      organisations.map(({ name, seed }, at) => ({
        ...seed,
        id: `a0000000-0000-4000-8000-00000000c10${at}`,
        ...{ name, accountKey: keyOf(name), apiKeys: [API_KEY] },
        users: [{ name: personOf(name), email: `ana@${name.toLowerCase()}.example` }],
      })),
    );
    const profile = { limits: { perMinute: 1_000_000 }, v3: { standsInForV2: false } };
    const env = {
      ...{ CAUSEWAY_V2_BASE_URL: `${sandbox.url}/v2`, CAUSEWAY_LOSSY_WRITES: 'drop' },
      CAUSEWAY_SNAPSHOT: 'off',
    };
    bridge = await RunningBridge.start({ port, sandbox: sandbox.url, profile, env });
    opened.defer(() => bridge.stop());
    for (const { name } of organisations)
      await bridge.add({ name, accountKey: keyOf(name), apiKey: API_KEY, product: 'standard' });
    await bridge.add({ name: 'Silent', accountKey: 'C'.repeat(32), apiKey: API_KEY, product: 'standard' });
    await playProgram();
    for (const { name } of organisations) await bridge.migrate(name, personOf(name));
    await write({ folder: join(folder, 'all') });
    const account = await accountOf('Studio');
    await eventually('its calls are counted', async () => {
      const { programs } = await bridge.services.store.usage.stored.find(account.id);
      const isCounted = [...programs.values()].some(({ methods }) => methods.has('client.update'));
      return isCounted ? true : undefined;
    });
    ofAccount = await write({ account, folder: join(folder, 'studio') });
    all = (await import(join(folder, 'all', 'index.ts'))) as Written;
    await write({ language: 'php', folder: join(folder, 'php') });
    await write({ language: 'php', account, folder: join(folder, 'php-studio') });
  }, 600_000);

  afterAll(async () => {
    await opened.disposeAsync();
  });

  it('has the methods that the programs of its account use, and no others', async () => {
    const { methods } = (await import(join(folder, 'studio', 'index.ts'))) as Written;
    const used = ['client.add', 'client.get', 'client.list', 'client.update', 'staff.list', 'supplier.list'];
    expect(Object.keys(methods).toSorted()).toEqual(used);
    expect(ofAccount).toMatchObject({ methods: used.length, unknown: [] });
    expect(readFileSync(join(folder, 'studio', 'README.md'), 'utf8')).toContain(
      '| `client.get` | 3 | grade B |',
    );
  });

  it('passes the strictest type checks', async () => {
    const tsc = join(project, 'node_modules', 'typescript', 'bin', 'tsc');
    const types = join(project, 'node_modules', '@types');
    await run(process.execPath, [tsc, '-p', join(folder, 'all'), '--typeRoots', types]);
  });

  it("passes its own tests, including the account's recorded calls, which contain no names", async () => {
    expect(ofAccount.cases).toBeGreaterThan(6);
    const env = { PATH: process.env.PATH ?? '' };
    const { stdout } = await run(process.execPath, ['--test'], { cwd: join(folder, 'studio'), env }).catch(
      (error: unknown) => error as { readonly stdout: string },
    );
    expect(stdout).toMatch(/fail 0\n/);
    expect(stdout).toMatch(/client\/add-\d+\.http on V3/);
    expect(stdout).toMatch(/client\/get-\d+\.http on V2/);
    const { stdout: names } = await run('grep', ['-rlE', SECRET, join(folder, 'studio')]).catch(() => ({
      stdout: '',
    }));
    expect(names).toBe('');
  });

  it('returns on V3 what the bridge returns, for every read', async () => {
    const seen = new Set<string>();
    expect(await differences('v3', all, seen)).toEqual([]);
    expect(readIds('v3').filter((id) => !seen.has(id))).toEqual([]);
  });

  inPhp('passes its own tests in PHP, the recorded calls of the account among them', async () => {
    const { stdout } = await run(php, [join(folder, 'php-studio', 'test', 'run.php')]).catch(
      (error: unknown) => error as { readonly stdout: string },
    );
    expect(stdout).toMatch(/, 0 failed\n$/);
    for (const call of ['client/add', 'client/get', 'client/update', 'supplier/list'])
      expect(stdout).toContain(`ok - ${call}-`);
    const { stdout: names } = await run('grep', ['-rlE', SECRET, join(folder, 'php-studio')]).catch(() => ({
      stdout: '',
    }));
    expect(names).toBe('');
  });

  inPhp(
    'gives in PHP on V3 what the bridge gives, for every read, and renews its tokens by itself',
    async () => {
      const found: string[] = [];
      for (const [name, reads] of answered) {
        const replies = await playedInPhp(
          name,
          reads.map(({ method, input }) => ({ method: method.id, input })),
        );
        for (const [at, read] of reads.entries()) {
          const difference = differenceIn(read, replies[at] ?? { error: 'no reply' });
          if (difference !== undefined) found.push(`${name} ${difference}`);
        }
        const { refreshingSince } = JSON.parse(readFileSync(join(folder, `${name}.json.tokens`), 'utf8')) as {
          readonly refreshingSince: number | null;
        };
        expect(refreshingSince).toBeNull();
      }
      expect(found).toEqual([]);
      expect([...answered.values()].flat().length).toBeGreaterThan(readIds('v3').length);
    },
  );

  it('returns on V2 what the bridge returns, for every read that V2 has', async () => {
    const { store, mapping } = bridge.services;
    const onV2 = mapping.methods.flatMap(({ id, v2 }) => (v2?.way === 'steps' ? [id] : []));
    await store.routes.set(onV2, EVERY_ACCOUNT, 'v2', 'test');
    await eventually('the routes are in force', async () =>
      (await legacy('Studio', 'staff.api/list')).headers.get('x-causeway-source') === 'v2' ? true : undefined,
    );
    const seen = new Set<string>();
    expect(await differences('v2', all, seen)).toEqual([]);
    expect(readIds('v2').filter((id) => !seen.has(id))).toEqual([]);
  });

  it('writes once on either interface what the bridge then reads, and refreshes its own tokens', async () => {
    const connection = await connectionOf('Studio');
    const { refreshToken } = (await connection.tokens.load()) ?? { refreshToken: '' };
    const { client } = all.createClient(connection);
    for (const api of ['v3', 'v2'] as const) {
      const made = (await client?.add?.({ Name: `Made on ${api}` }, { api })) as Readonly<
        Record<string, string>
      >;
      expect(made).toMatchObject({ Name: `Made on ${api}` });
      const changed = await client?.update?.({ ID: made.ID, Name: `Changed on ${api}` }, { api });
      expect(changed).toMatchObject({ ID: made.ID, Name: `Changed on ${api}` });
    }
    const names = [
      ...(await (await legacy('Studio', 'client.api/list')).text()).matchAll(/<Name>(\w+ on v[32])</g),
    ];
    expect(names.map(([, name]) => name).toSorted()).toEqual(['Changed on v2', 'Changed on v3']);
    expect((await connection.tokens.load())?.refreshToken).not.toBe(refreshToken);
    await expect(client?.add?.({ Name: 'A', DateOfBirth: '19700101' }, { api: 'v2' })).rejects.toMatchObject({
      name: 'NotOnV2',
      message: expect.stringContaining('Client/DateOfBirth'),
    });
  });

  it('is written completely or not at all, and replaces another client only on request', async () => {
    const home = join(folder, 'home');
    mkdirSync(home);
    writeFileSync(join(home, 'letter.txt'), 'mine');
    await expect(write({ folder: home, overwrite: true })).rejects.toThrow(
      'is not empty and holds no client',
    );
    await expect(write({ folder: join(folder, 'all') })).rejects.toThrow('--overwrite replaces it');
    await expect(write({ folder: join(home, 'letter.txt') })).rejects.toThrow('cannot be written');
    await expect(write({ account: await accountOf('Silent'), folder: join(folder, 'none') })).rejects.toThrow(
      'no counted call of Silent',
    );
    expect(existsSync(join(folder, 'none'))).toBe(false);
    await write({ folder: join(folder, 'again') });
    writeFileSync(join(folder, 'again', 'own.txt'), 'changed');
    // Of a process that died while it replaced a client.
    cpSync(join(folder, 'again'), join(folder, 'again.old'), { recursive: true });
    mkdirSync(join(folder, 'again.new.unfinished'));
    await write({ folder: join(folder, 'again'), overwrite: true, route: 'v2' });
    expect(existsSync(join(folder, 'again', 'own.txt'))).toBe(false);
    for (const rest of ['old', 'new', 'new.unfinished'])
      expect(existsSync(join(folder, `again.${rest}`))).toBe(false);
    expect(readFileSync(join(folder, 'again', 'index.ts'), 'utf8')).toContain('shared, "v2")');
    chmodSync(home, 0o500);
    if (process.getuid?.() !== 0)
      await expect(write({ folder: join(home, 'client') })).rejects.toThrow('cannot be written');
  });

  inPhp('writes in PHP what the bridge then reads', async () => {
    const [made] = await playedInPhp('Studio', [
      { method: 'client.add', input: { body: { Name: 'Made <in> "PHP"' } } },
    ]);
    expect(made).toMatchObject({ reply: { Name: 'Made <in> "PHP"' } });
    expect(await (await legacy('Studio', 'client.api/list')).text()).toMatch(/<Name>Made &lt;in&gt; ["&]/);
  });
});
