import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DatabaseSync } from 'node:sqlite';
import { watchesOf } from '../../src/app/wiring/features/watches.ts';
import type { Watch } from '../../src/features/cutover/watch/model.ts';
import { ConsentStuck } from '../../src/replay/consent.ts';
import type { Cause } from '../../src/features/cutover/parity/difference.ts';
import type { ParityReport } from '../../src/features/cutover/parity/model.ts';
import { supplierNames } from '../../src/sandbox/seed/generate/foundation.ts';
import { MINUTE } from '../../src/lib/time/clock.ts';
import { eventually } from '../support/clock.ts';
import { ParityStage, type Seeded } from '../support/parity-stage.ts';

const ACCOUNTS = 50;
/** Consents at the same time. */
const TOGETHER = 5;
const MANY = 510;
/** In seconds: the account with `MANY` clients waits for the service's limit, and for the others. */
const JUDGED_WITHIN = 600;
const ADMIN = 'cwt_parity-accounts-token-of-this-test-alone-0001';
/** Every account has it, with a note and an amount. */
const JOB = 'J100001';
const reads = [`job.api/get/${JOB}`, 'client.api/list', 'staff.api/list', 'supplier.api/list'];

interface Kind extends Partial<Seeded> {
  /** Undefined: it only looks like a difference. */
  readonly cause: Cause | undefined;
  readonly clients?: number;
  /** Of answers that differ. Default: all. */
  readonly times?: number;
  /** A call of its programs besides `reads`. */
  readonly read?: string;
  /** Instead of a rule: the service refuses. */
  readonly status?: number;
}

const job = (rule: object): Seeded => ({ operation: 'job.get', rule });
const supplier = (rule: object): Seeded => ({ operation: 'supplier.list', rule });

/** What is seeded into the answers of V3, or of V1 where that is what changes. */
const kinds: Readonly<Record<string, Kind>> = {
  value: { cause: 'value', ...job({ change: 'value', element: 'Name', at: 0, to: 'Something else' }) },
  order: { cause: 'order', ...supplier({ change: 'reverse', element: 'Supplier' }) },
  'missing element': {
    cause: 'missing-element',
    // Of a task: where the job itself has none, the bridge writes an empty one.
    ...job({ change: 'replace', pattern: '(<Tasks>[^]*?)<DueDate>[^<]*</DueDate>', with: '$1' }),
  },
  'other type': { cause: 'type', ...job({ change: 'value', element: 'Billable', to: '1' }) },
  rounding: { cause: 'rounding', ...job({ change: 'round', element: 'Budget', places: 0 }) },
  'time zone': { cause: 'time-zone', ...job({ change: 'shift', element: 'Date', hours: -11 }) },
  'missing record': {
    cause: 'missing-record',
    ...supplier([
      { change: 'remove', element: 'Supplier', at: 1, count: 1 },
      { change: 'value', element: 'TotalRecords', to: String(supplierNames.length - 1) },
    ]),
  },
  'extra record': {
    cause: 'extra-record',
    ...supplier([
      {
        change: 'replace',
        pattern: '<Suppliers>',
        with: '<Suppliers><Supplier><UUID>0e000000-0000-4000-8000-00000000000e</UUID><Name>Odd</Name></Supplier>',
      },
      { change: 'value', element: 'TotalRecords', to: String(supplierNames.length + 1) },
    ]),
  },
  paging: {
    ...{ cause: 'paging', clients: MANY, operation: 'client.list' },
    rule: { change: 'value', element: 'TotalRecords', to: '500' },
  },
  permission: { cause: 'permission', operation: 'staff.list', status: 403 },
  'changed meanwhile': {
    ...{ cause: undefined, surface: 'v1', times: 1 },
    ...job({ change: 'value', element: 'Name', at: 0, to: 'Older' }),
  },
  noise: { cause: undefined, surface: 'v1', ...job({ change: 'count', element: 'Description', at: 0 }) },
  'no comparison': { cause: 'not-compared', read: 'client.api/search?query=Confidential' },
  alike: { cause: undefined },
};
const kindNames = Object.keys(kinds);
const names = Array.from({ length: ACCOUNTS }, (_, n) => `Account ${n + 1}`);
const kindOf = (name: string): string => kindNames[names.indexOf(name) % kindNames.length] ?? '';
const seedOf = (name: string): Kind => kinds[kindOf(name)] ?? { cause: undefined };
const ofKind = (kind: string): readonly string[] => names.filter((name) => kindOf(name) === kind);
const readsOf = (name: string): readonly string[] => {
  const { read } = seedOf(name);
  return read === undefined ? reads : [...reads, read];
};
const isReal = (name: string): boolean => seedOf(name).cause !== undefined;

let stage: ParityStage;
const reports = new Map<string, ParityReport>();

async function seedDifference(name: string): Promise<void> {
  const { operation, surface = 'v3', rule, status, times = 1_000_000 } = seedOf(name);
  if (operation === undefined) return;
  const on = { surface, operation, accountId: await stage.organisationId(name) };
  const what = status === undefined ? { do: 'alter', rule } : { do: 'status', status };
  await stage.sandbox.control('POST', 'faults', { id: name.replace(' ', '-'), on, ...what, times });
}

/** Undefined: its numbers are still being learned, and the page asks to come back. */
async function consented(name: string): Promise<true | undefined> {
  try {
    await stage.consent(name);
    return true;
  } catch (error) {
    if (error instanceof ConsentStuck && error.status === 503) return undefined;
    throw error;
  }
}

/** From the first call of its program until the checks have said whether it moves. */
async function play(name: string): Promise<void> {
  for (const address of readsOf(name))
    expect(await stage.legacy(name, address)).toContain('<Status>OK</Status>');
  await seedDifference(name);
  await eventually(`${name} has consented`, () => consented(name));
  const judged = async (): Promise<true | undefined> => {
    const one = await stage.report(name);
    if (one.comparison === undefined || one.verdict === 'running') return undefined;
    reports.set(name, one);
    return isReal(name) || (await stage.account(name)).life.stage === 'migrated' ? true : undefined;
  };
  await eventually(`${name} is judged`, judged, JUDGED_WITHIN);
}

/** Every value of some tables of an SQLite database. */
function rowsOf(url: string, tables: readonly string[]): string {
  const database = new DatabaseSync(url.replace(/^sqlite:/, ''), { readOnly: true });
  const rows = tables.map((table) => database.prepare(`select * from ${table}`).all());
  database.close();
  return JSON.stringify(rows);
}

function api(path: string, body?: object): Promise<Response> {
  return fetch(`${stage.bridge.url}/_causeway/api${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { Authorization: `Bearer ${ADMIN}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

describe('the comparison of generated accounts while parity is required', () => {
  beforeAll(async () => {
    stage = await ParityStage.open(
      names,
      (name) => ({ generate: { clients: seedOf(name).clients ?? 4, seed: names.indexOf(name) } }),
      { CAUSEWAY_PARITY: 'required', CAUSEWAY_ADMIN_TOKEN: ADMIN },
    );
    const waiting = [...names];
    const take = async (): Promise<void> => {
      for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) await play(name);
    };
    await Promise.all(Array.from({ length: TOGETHER }, take));
  }, 900_000);

  afterAll(() => stage[Symbol.asyncDispose]());

  it.each(kindNames)('reports the kind "%s" under its cause and nothing else, or not at all', (kind) => {
    const some = ofKind(kind);
    expect(some.length).toBeGreaterThanOrEqual(Math.floor(ACCOUNTS / kindNames.length));
    for (const name of some) {
      const { groups, comparison, verdict } = reports.get(name) ?? {};
      const found = [...new Set(groups?.map(({ cause }) => cause))];
      const { cause } = seedOf(name);
      expect({ name, kind, found, reads: comparison?.reads }).toEqual({
        ...{ name, kind, found: cause === undefined ? [] : [cause], reads: readsOf(name).length },
      });
      const expected = cause === undefined ? 'alike' : cause === 'not-compared' ? 'incomplete' : 'different';
      expect([name, verdict]).toEqual([name, expected]);
      expect([name, (comparison?.changed ?? 0) > 0, (comparison?.noise ?? 0) > 0]).toEqual([
        ...[name, kind === 'changed meanwhile', kind === 'noise'],
      ]);
    }
  });

  it('lets every equal account move, and none that differs', async () => {
    for (const name of names) {
      const { life } = await stage.account(name);
      expect([name, life.stage]).toEqual([name, isReal(name) ? 'consented' : 'migrated']);
    }
  });

  it('cannot be overruled by an operator until every difference is accepted by name', async () => {
    const [name = ''] = ofKind('value');
    const { id } = await stage.account(name);
    const move = async (): Promise<unknown> =>
      (await api('/actions/cutover', { accounts: [id], acceptUnlearned: true, despite: ['parity'] })).json();
    expect(await move()).toMatchObject({ done: 0 });
    expect((await stage.account(name)).life.stage).toBe('consented');
    const accepted = await api(`/accounts/${id}/parity/acceptances`, { name: 'Kim', reason: 'renamed' });
    expect(accepted.status).toBe(200);
    expect(await move()).toMatchObject({ done: 1 });
    expect((await stage.account(name)).life.stage).toBe('migrated');
    expect(await stage.legacy(name, reads[0] ?? '')).toContain('Something else');
  });

  it('counts a read that cannot be compared as open, until an operator accepts it for all accounts', async () => {
    const [name = '', other = ''] = ofKind('no comparison');
    const { id } = await stage.account(name);
    const move = async (accounts: readonly string[]): Promise<unknown> =>
      (await api('/actions/cutover', { accounts, acceptUnlearned: true })).json();
    expect(await stage.report(name)).toMatchObject({
      words: '4 of 4 reads alike; 1 read not compared, to be accepted',
      groups: [
        { key: 'client.search not-compared', example: expect.stringContaining('free text') as unknown },
      ],
    });
    expect(await move([id])).toMatchObject({ done: 0 });
    const given = { differences: ['client.search not-compared'], everywhere: true };
    const sent = { ...given, name: 'Kim', reason: 'searched by hand' };
    expect((await api(`/accounts/${id}/parity/acceptances`, sent)).status).toBe(200);
    expect((await stage.report(other)).words).toMatch(
      /^4 of 4 reads alike; 1 read without a comparison accepted by Kim on [\d-]{10}: searched by hand$/,
    );
    expect(await move([id, (await stage.account(other)).id])).toMatchObject({ done: 2 });
  });

  it('stores no value of a record in clear, neither of V1 nor of V3', async () => {
    const [name = ''] = ofKind('value');
    const list = await stage.legacy(name, 'client.api/list');
    const values = [...list.matchAll(/<(?:Name|Email|Phone)>([^<&]{6,})</g)].map(([, value = '']) => value);
    expect(values.length).toBeGreaterThan(4);
    const url = stage.bridge.services.settings.database.reveal();
    const tables = ['parity_runs', 'parity_latest', 'parity_acceptances', 'samples', 'used_names', 'watches'];
    const stored = rowsOf(url, tables);
    expect(stored).toContain('v3 job.get Response/Job/Name value');
    for (const value of [...values, 'Something else', 'Older']) expect(stored).not.toContain(value);
  });

  it('flags an account whose programs receive less since the move than before', async () => {
    const [name = ''] = ofKind('alike');
    const { services } = stage.bridge;
    const clock = { now: () => services.clock.now() + 2 * MINUTE };
    const watch = async (): Promise<Watch | undefined> => {
      const { id } = await stage.account(name);
      // Has the bridge write what it has counted.
      expect((await api(`/accounts/${id}/usage`)).status).toBe(200);
      await watchesOf({ ...services, clock }).run();
      return (await services.store.watches.known(id)).get(id);
    };
    expect(await watch()).toMatchObject({ findings: [], flaggedAt: undefined });
    await stage.alter(name, job({ change: 'value', element: 'DueDate', to: '' }), 'since');
    for (let n = 0; n < 12; n += 1) await stage.legacy(name, reads[0] ?? '');
    expect((await watch())?.findings.map(({ key }) => key)).toContain('element job.get Job/DueDate');
    expect((await watch())?.flaggedAt).toBeDefined();
    const { id } = await stage.account(name);
    expect(await services.store.statusReport.readOne(id, services.clock.now())).toMatchObject({
      watches: new Map([[id, expect.objectContaining({ accountId: id })]]),
    });
  });

  it("stays within the service's limit and sends no write", async () => {
    const requests = (await stage.sandbox.control('GET', 'requests?limit=100000')) as readonly {
      readonly status: number;
      readonly method: string;
      readonly surface: string;
    }[];
    const ofService = requests.filter(({ surface }) => surface === 'v1' || surface === 'v3');
    expect(ofService.length).toBeGreaterThan(ACCOUNTS * reads.length * 2);
    expect(ofService.filter(({ status }) => status === 429)).toEqual([]);
    expect(ofService.filter(({ method }) => method !== 'GET')).toEqual([]);
  });
});
