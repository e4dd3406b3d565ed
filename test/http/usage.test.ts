import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { freePort, RunningBridge } from '../support/bridge.ts';
import { Sender } from '../support/http.ts';
import { RunningSandbox } from '../support/sandbox.ts';

const studio = {
  name: 'Harbour Lane Studio',
  accountKey: 'A0000000000000000000000000000A16',
  users: [{ name: 'Ana Owner', email: 'ana@studio.example' }],
  clients: [
    { number: 1_000_000, name: 'Otto Beck', email: 'otto@secret.example', dateOfBirth: '1980-02-03' },
    { number: 1_000_001, name: 'Ida Ley' },
  ],
};
const KEYS = `apiKey=${'0'.repeat(32)}&accountKey=${studio.accountKey}`;
const TOKEN = 'usage-admin-token-0123456789abcdef';
const importer = { 'User-Agent': 'Time Import/3.1 (ana@studio.example)', Accept: 'text/xml' };
const sync = { Accept: '*/*', 'User-Agent': 'python-requests/2.31', 'Accept-Encoding': 'identity' };

interface Name {
  readonly name: string;
  readonly count: number;
}
interface Usage {
  readonly counted: boolean;
  readonly readiness: {
    readonly used: readonly string[];
    readonly v3: { readonly state: string };
    readonly v2: { readonly state: string; readonly reasons: readonly { readonly words: string }[] };
  } | null;
  readonly programs: readonly {
    readonly program: string;
    readonly name: string | null;
    readonly agent: string;
    readonly methods: readonly {
      readonly method: string;
      readonly calls: number;
      readonly replies: number;
      readonly sources: object;
      readonly parameters: readonly Name[];
      readonly sent: readonly Name[];
      readonly received: readonly Name[];
    }[];
  }[];
}

let sandbox: RunningSandbox;
let bridge: RunningBridge;
let sender: Sender;

beforeAll(async () => {
  const port = await freePort();
  sandbox = await RunningSandbox.start({
    protocol: { limits: { perMinute: null } },
    redirectUris: [`http://127.0.0.1:${String(port)}/_causeway/callback`],
  });
  await sandbox.seed([studio]);
  bridge = await RunningBridge.start({ port, sandbox: sandbox.url, env: { CAUSEWAY_ADMIN_TOKEN: TOKEN } });
  await bridge.add({ ...studio, apiKey: '0'.repeat(32), product: 'standard' });
  sender = new Sender(bridge.url);
});

afterAll(async () => {
  sender.close();
  await bridge.stop();
  await sandbox.close();
});

async function call(verb: string, path: string, headers: Readonly<Record<string, string>>, body?: string) {
  const separator = path.includes('?') ? '&' : '?';
  const answer = await sender.send({ verb, target: `/${path}${separator}${KEYS}`, headers, body });
  expect(answer.text).toContain('<Status>OK</Status>');
}

async function api(verb: string, path: string, body?: object): Promise<Usage> {
  const answer = await fetch(
    `${bridge.url}/_causeway/api/accounts/${encodeURIComponent(studio.name)}${path}`,
    {
      method: verb,
      headers: { Authorization: `Bearer ${TOKEN}`, ...(body && { 'Content-Type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    },
  );
  expect(answer.status).toBe(200);
  return (await answer.json()) as Usage;
}

const counts = (names: readonly Name[] | undefined): object =>
  Object.fromEntries((names ?? []).map(({ name, count }) => [name, count]));

describe('the usage of a program', () => {
  it('has exactly the names that it sent and received through V1, on both paths', async () => {
    // The first call of an account takes the general path, the next the fast one.
    for (let turn = 0; turn < 3; turn += 1) await call('GET', 'client.api/get/1000000', importer);
    await call('GET', 'client.api/list?detailed=true&modifiedSince=2020-01-01', sync);
    const change = '<Client><ID>1000001</ID><Name>Ida Ley</Name><Phone>040 1234</Phone><Fax></Fax></Client>';
    await call('PUT', 'client.api/update', { ...sync, 'Content-Type': 'text/xml' }, change);
    const { programs, readiness } = await api('GET', '/usage');
    expect(programs.map(({ agent }) => agent)).toEqual(['Time Import', 'python-requests']);
    const [first, second] = programs;
    const got = first?.methods[0];
    expect(first?.methods).toHaveLength(1);
    expect(got).toMatchObject({
      method: 'client.get',
      calls: 3,
      replies: 3,
      sources: { v1: 3 },
      sent: [],
      parameters: [],
    });
    expect(counts(got?.received)).toMatchObject({
      'Client/ID': 3,
      'Client/Name': 3,
      'Client/Email': 3,
      'Client/DateOfBirth': 3,
    });
    const methods = new Map(second?.methods.map((one) => [one.method, one]));
    expect([...methods.keys()].sort()).toEqual(['client.list', 'client.update']);
    expect(counts(methods.get('client.list')?.parameters)).toEqual({ detailed: 1, modifiedsince: 1 });
    expect(counts(methods.get('client.list')?.received)).toMatchObject({
      'Client/Name': 2,
      'Client/DateOfBirth': 1,
    });
    expect(counts(methods.get('client.update')?.sent)).toEqual({
      'Client/ID': 1,
      'Client/Name': 1,
      'Client/Phone': 1,
    });
    expect(readiness?.used).toEqual(['client.get', 'client.list', 'client.update']);
    expect(readiness?.v3.state).toBe('not-enough-seen');
    expect(readiness?.v2.state).toBe('not-ready');
    const words = readiness?.v2.reasons.map((reason) => reason.words) ?? [];
    expect(words).toContain(
      'it would miss Client/DateOfBirth of client.get, seen 3 times: V2 has no date of birth',
    );
    expect(words.some((line) => line.startsWith('client.list goes to V3: '))).toBe(true);
    const text = JSON.stringify(await api('GET', '/usage'));
    for (const value of ['Otto', 'secret.example', '1980', '040 1234', studio.accountKey, 'ana@'])
      expect(text).not.toContain(value);
  });

  it('appears under the name that an operator gives it', async () => {
    const { programs } = await api('GET', '/usage');
    const key = programs[0]?.program ?? '';
    const named = await api('PUT', `/usage/programs/${key}`, { name: 'Time import' });
    expect(named.programs.map(({ name }) => name)).toEqual(['Time import', null]);
    const bare = await api('PUT', `/usage/programs/${key}`, { name: '' });
    expect(bare.programs.map(({ name }) => name)).toEqual([null, null]);
  });

  it('stops for an account that was switched off, and keeps the counts', async () => {
    const before = await api('PATCH', '/usage', { counted: false });
    expect(before.counted).toBe(false);
    await call('GET', 'client.api/get/1000000', importer);
    expect((await api('GET', '/usage')).programs).toEqual(before.programs);
  });
});
