import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { parse } from 'yaml';
import { verifyMapping, writeVerification } from '../../src/app/tools/verify.ts';
import { Deeds } from '../../src/app/tools/deeds.ts';
import { demoOrganisations } from '../../src/demo/seed/organisations.ts';
import { giveConsent } from '../../src/replay/consent.ts';
import { Refusal } from '../../src/lib/log/terminal.ts';
import type { Services } from '../../src/app/wiring/services.ts';
import { loadMapping } from '../../src/mapping/compile/compile.ts';
import type { Verification } from '../../src/proof/verify/model.ts';
import type { VerifyResult } from '../../src/proof/verify/verify.ts';
import { loadProfile } from '../../src/app/settings/profiles.ts';
import { openBridge, openDirect } from '../contract/lanes.ts';
import { studioSeed } from '../contract/seed.ts';
import type { Table } from '../contract/case.ts';
import { LossRecord } from '../contract/losses.ts';
import { clients } from '../contract/tables/clients.ts';
import { invoices } from '../contract/tables/invoices.ts';
import { suppliers } from '../contract/tables/suppliers.ts';
import { freePort, RunningBridge } from '../support/bridge.ts';
import { eventually } from '../support/clock.ts';
import { RunningSandbox } from '../support/sandbox.ts';

const { id, name, accountKey, apiKeys, users } = studioSeed;
/** An organisation whose few records have many keys without a value. */
const small = demoOrganisations(3).harbourLane;
const PER_MINUTE = 6_000;
/** The step with which another round begins. */
const CORRECTED = ': the corrected mapping';
/** The limit of the altered service. */
const FEWER_PER_MINUTE = 3_000;

let sandbox: RunningSandbox;
let bridge: RunningBridge;
let folder: string;
/** With the patched mapping. */
let corrected: Services | undefined;
/** Of the altered service. */
let whole: Verification | undefined;
/** What that run said of its progress. */
const steps: string[] = [];

/** What the service does otherwise than the mapping says, and what a run has to find of it. */
const alterations = [
  [{ surface: 'v2' }, { change: 'path', from: 'job-categories', to: 'categories' }],
  [{ surface: 'v2' }, { change: 'parameter', from: 'page', to: 'pageNumber' }],
  [{ surface: 'v2' }, { change: 'rename', name: 'telephone', to: 'unused' }],
  [{ surface: 'v2' }, { change: 'rename', name: 'phone', to: 'telephone' }],
  [{ surface: 'v2' }, { change: 'header', name: 'X-MinLimit-Remaining', as: 'X-Minute-Remaining' }],
  [
    { surface: 'v2', operation: 'v2.staff.list' },
    { change: 'rename', name: 'firstName', to: 'givenName' },
  ],
  [
    { surface: 'v2', operation: 'v2.staff.get' },
    { change: 'rename', name: 'firstName', to: 'givenName' },
  ],
  [{ surface: 'v3' }, { change: 'path', from: 'template.api/list', to: 'template.api/lists' }],
  [{ surface: 'v3' }, { change: 'parameter', from: 'pagesize', to: 'size' }],
  [{ surface: 'v3' }, { change: 'rename', name: 'City', to: 'CityName' }],
  [{ surface: 'v1' }, { change: 'rename', name: 'PostCode', to: 'PostalCode' }],
  [{ surface: 'v3' }, { change: 'header', name: 'X-MinLimit-Remaining', as: 'X-Minute-Remaining' }],
  [
    { surface: 'v3', operation: 'client.list' },
    { change: 'value', element: 'PageSize', to: '200' },
  ],
  [{ surface: 'v2' }, { change: 'replace', pattern: '"per_page":[0-9]+', with: '"per_page":200' }],
  [
    { surface: 'v1' },
    { change: 'replace', pattern: 'Invalid staff identifier', with: 'Unknown staff member' },
  ],
  [
    { surface: 'v3' },
    { change: 'replace', pattern: 'Invalid staff identifier', with: 'Unknown staff member' },
  ],
  [
    { surface: 'v2', operation: 'v2.staff.create' },
    { change: 'rename', name: 'firstName', to: 'givenName' },
  ],
  [
    { surface: 'v2', operation: 'v2.staff.update' },
    { change: 'rename', name: 'firstName', to: 'givenName' },
  ],
  // By which a record is searched for in a list (`find` in the mapping), and what entries of a list show (`entries`).
  [{ surface: 'v2' }, { change: 'rename', name: 'invoiceNumber', to: 'number' }],
  [{ surface: 'v1' }, { change: 'rename', name: 'Boolean', to: 'BooleanValue' }],
  [{ surface: 'v2' }, { change: 'move', from: 'contactDetails.email', to: 'email' }],
  [{ surface: 'v2' }, { change: 'rename', name: 'position', to: 'role' }],
] as const;

/** What no change of the mapping corrects. */
const beyondTheMapping = [
  [
    { surface: 'v2', operation: 'v2.tasks.list' },
    { change: 'replace', pattern: '"description":"[^"]*",?', with: '' },
  ],
  [
    { surface: 'v2', operation: 'v2.job-templates.list' },
    { change: 'rename', name: 'data', to: 'items' },
  ],
  [
    { surface: 'v2', operation: 'v2.suppliers.get' },
    { change: 'replace', pattern: '"message":', with: '"explanation":' },
  ],
  [
    { surface: 'v2', operation: 'v2.costs.list' },
    { change: 'replace', pattern: '"unitPrice":([0-9.]+)', with: '"unitPrice":"NZD $1"' },
  ],
] as const;

async function alter(all: readonly (readonly [object, object])[]): Promise<void> {
  await sandbox.control('DELETE', 'faults');
  for (const [on, rule] of all)
    await sandbox.control('POST', 'faults', { on, do: 'alter', rule, times: 1_000_000 });
}

const limit = (perMinute: number): Promise<unknown> =>
  sandbox.control('POST', 'settings', { protocol: { limits: { perMinute } } });

const verified = (
  services: Services,
  writes = false,
  organisation = name,
  progress: (words: string) => void = () => undefined,
): Promise<VerifyResult> =>
  verifyMapping(services, new Deeds(services), {
    ...{ organisation, writes, perMinute: PER_MINUTE, version: 'test' },
    progress,
  });

interface Ending {
  readonly writes?: boolean;
  /** How often the mapping has to be corrected before. */
  readonly corrections?: number;
  /** Stopped, unless this error ends it. */
  readonly error?: Error;
}

/** A run that ends at a step, and a folder for its report. */
function endedAt(
  step: string,
  folderName: string,
  { writes = false, corrections = 0, error }: Ending = {},
): { readonly run: () => Promise<VerifyResult>; readonly out: string } {
  const stop = new AbortController();
  let left = corrections;
  const run = (): Promise<VerifyResult> =>
    verifyMapping(bridge.services, new Deeds(bridge.services), {
      ...{ organisation: name, writes, perMinute: PER_MINUTE, version: 'test', signal: stop.signal },
      progress: (words) => {
        if (words.includes(CORRECTED)) left -= 1;
        if (left > 0 || !words.includes(step) || stop.signal.aborted) return;
        if (error !== undefined) throw error;
        stop.abort();
      },
    });
  return { run, out: join(folder, folderName) };
}

/** Without the limit of a minute, of which other runs use a part. */
const placesIn = ({ findings }: Verification): readonly string[] =>
  findings
    .filter(({ kind }) => kind !== 'limit')
    .map(({ surface, kind, row, expected }) => `${surface} ${kind} ${row}: ${expected}`)
    .toSorted();

const foundIn = ({ verification }: VerifyResult): readonly string[] =>
  verification.findings
    .map(
      ({ surface, kind, row, found, edits }) =>
        `${surface} ${kind} ${row}: ${found ?? 'nothing'}${edits.length > 0 ? '' : ', open'}`,
    )
    .toSorted();

/** A limit as precisely as a loaded machine tells it. */
const inHundreds = (finding: string): string =>
  finding.replace(/(?<=perMinute: )\d+/, (found) => String(Math.round(Number(found) / 100) * 100));

/** A bridge with the patched copy of the mapping. */
async function patched({ patch, profilePatch }: VerifyResult): Promise<Services> {
  const { services } = bridge;
  const copy = join(folder, 'mappings');
  await cp(services.settings.mappings, copy, { recursive: true });
  const profilePath = join(folder, 'profile.yaml');
  await cp(services.settings.profilePath, profilePath);
  execFileSync('patch', ['-p1', '-s', '-d', copy], { input: patch });
  execFileSync('patch', ['-s', profilePath], { input: profilePatch });
  const text = await readFile(profilePath, 'utf8');
  const profile = loadProfile(profilePath, () => text);
  if (!('v2' in profile)) throw new Error(profile.join('; '));
  return {
    ...services,
    mapping: loadMapping(copy),
    settings: { ...services.settings, mappings: copy, profilePath, profile },
  };
}

async function consented(one: { readonly name: string; readonly accountKey: string }): Promise<void> {
  await bridge.add({ ...one, apiKey: apiKeys[0] ?? '', product: 'standard' });
  const { path } = await bridge.services.accounts.invite(one.name);
  await giveConsent({
    link: `${bridge.url}${path}`,
    person: users[0]?.name ?? '',
    organisation: one.name,
  });
  await eventually('it has consented', async () =>
    (await bridge.services.accounts.show(one.name))?.account.life.stage === 'consented' ? true : undefined,
  );
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-verify-test-'));
  const port = await freePort();
  const redirectUris = [`http://127.0.0.1:${port}/_causeway/callback`];
  sandbox = await RunningSandbox.start({ protocol: { limits: { perMinute: PER_MINUTE } }, redirectUris });
  await sandbox.seed([
    { id, name, accountKey, apiKeys, users, generate: { clients: 3, seed: 1 } },
    { ...small.seed, name: small.name, accountKey: small.accountKey, apiKeys, users },
  ]);
  const env = {
    ...{ CAUSEWAY_CUTOVER: 'manual', CAUSEWAY_CONSENT_PROOF: 'name' },
    ...{ CAUSEWAY_V2_BASE_URL: `${sandbox.url}/v2`, CAUSEWAY_DISPOSABLE_ORGANISATIONS: id },
  };
  bridge = await RunningBridge.start({
    port,
    sandbox: sandbox.url,
    profile: { limits: { perMinute: PER_MINUTE } },
    env,
  });
  await consented({ name, accountKey });
  await consented(small);
});

afterAll(async () => {
  await bridge.stop();
  await sandbox.close();
  await rm(folder, { recursive: true });
});

/**
 * The contract's cases of some families, answered by the altered V1 and by a bridge with the patched mapping before the
 * altered V3 or V2. Before V2 the loss report says what may differ.
 */
async function contractDifferences(
  { mapping, settings }: Services,
  behind: 'v3' | 'v2',
  tables: readonly Table[],
): Promise<readonly unknown[]> {
  const faults = alterations.map(([on, rule]) => ({ on, do: 'alter', rule, times: 1_000_000 }));
  const profile = parse(await readFile(settings.profilePath, 'utf8')) as Readonly<Record<string, object>>;
  const found: unknown[] = [];
  for (const table of tables) {
    const losses = new LossRecord(mapping, table);
    const direct = await openDirect(table, faults);
    const lane = await openBridge(table, { behind, identifiers: 'uuid' }, { faults, mapping, profile });
    for (const one of table.cases) {
      const [seen, expected] = [await lane.program.run(one), await direct.program.run(one)];
      const compared = behind === 'v2' ? losses.compare(one.says, seen, expected) : [{ seen, expected }];
      found.push(...compared.filter((pair) => !isDeepStrictEqual(pair.seen, pair.expected)));
    }
    await Promise.all([lane.close(), direct.close()]);
  }
  return found;
}

it('a folder that cannot take the report is refused before the first call', async () => {
  let runs = 0;
  const run = (): Promise<VerifyResult> => {
    runs += 1;
    return verified(bridge.services, false, 'nobody');
  };
  const written = (out: string): Promise<unknown> => writeVerification(run, out, 0);
  await expect(written(import.meta.dirname)).rejects.toThrow('is not empty; name a new or empty folder');
  await expect(written(import.meta.filename)).rejects.toThrow('cannot be written');
  expect(runs).toBe(0);
  await expect(written(join(folder, 'report'))).rejects.toThrow('no account is connected with');
});

it('a run says before its first call how many it makes, and leaves what it saw when it is stopped', async () => {
  const stop = new AbortController();
  const said: string[] = [];
  const out = join(folder, 'stopped');
  const run = (): Promise<VerifyResult> =>
    verifyMapping(bridge.services, new Deeds(bridge.services), {
      ...{ organisation: name, writes: false, perMinute: PER_MINUTE, version: 'test', signal: stop.signal },
      progress: (words) => {
        said.push(words);
        if (words.includes('V3 client.list')) stop.abort();
      },
    });
  const { words, json } = await writeVerification(run, out, 0);
  expect(said[0]).toMatch(
    /^about \d+ calls: \d+ of V1, \d+ of V3, \d+ of V2; with 6000 of V3 and V2 a minute/,
  );
  expect(said[1]).toMatch(/^0 of about \d+: V1 /);
  expect(said.at(-1)).toBe(
    'stopping after the call in progress; a second signal ends the run at once, without a report',
  );
  expect(words).toBe(`the report is incomplete: it was stopped; see ${out}/report.md`);
  expect(await readFile(join(out, 'report.md'), 'utf8')).toContain('**Incomplete: it was stopped.**');
  expect(JSON.parse(json)).toMatchObject({ incomplete: 'it was stopped', verified: {} });
  expect(await readFile(join(out, 'mappings.patch'), 'utf8')).toBe('');
});

it('a run that fails midway leaves what it saw, and names the error on the terminal only', async () => {
  const said: string[] = [];
  const { verification } = await verifyMapping(bridge.services, new Deeds(bridge.services), {
    ...{ organisation: name, writes: false, perMinute: PER_MINUTE, version: 'test' },
    progress: (words) => {
      if (words.includes('V3 client.list')) throw new Error('the database is away');
      said.push(words);
    },
  });
  expect(verification.incomplete).toBe('an error ended it');
  expect(verification.proofs.filter(({ surface, calls }) => surface === 'v1' && calls > 0)).not.toEqual([]);
  expect(said.at(-1)).toBe('the database is away');
});

it('a run that is stopped before the first answer says so', async () => {
  const { run, out } = endedAt('about', 'no-answer');
  await expect(writeVerification(run, out, 0)).rejects.toThrow(
    new Refusal('stopped before the service answered anything'),
  );
});

it('a similar key elsewhere is not mistaken for a missing one without a value', async () => {
  expect((await verified(bridge.services, false, small.name)).verification.findings).toEqual([]);
});

it('every change of the service is found, and with the patch of the report nothing differs any more', async () => {
  await limit(FEWER_PER_MINUTE);
  await alter([...alterations, ...beyondTheMapping]);
  const first = await verified(bridge.services, false, name, (words) => steps.push(words));
  expect(foundIn(first).map(inHundreds)).toEqual([
    'v1 error identifiers.yaml kinds.staff.error: Unknown staff member',
    'v1 name Client/PostCode: PostalCode',
    'v1 name CustomField/Boolean: BooleanValue',
    'v1 name Supplier/PostCode: PostalCode',
    'v2 address GET job-categories: GET categories',
    'v2 answer GET job-templates: the keys items, meta, open',
    'v2 error the words of a refusal: the keys error, explanation, errors, meta, open',
    'v2 missing Task/Description: nothing, open',
    'v2 name Client/Contacts/Position: role',
    'v2 name Client/Email: email',
    'v2 name Client/Phone: contactDetails.telephone',
    'v2 name Contact/Phone: telephone',
    'v2 name Contact/Position: role',
    'v2 name Invoice/ID: number',
    'v2 name Staff/Name: givenName',
    'v2 name Staff/Phone: telephone',
    'v2 name Supplier/Contacts/Phone: telephone',
    'v2 name Supplier/Contacts/Position: role',
    'v2 name Supplier/Phone: contactDetails.telephone',
    'v2 page-size profile v2.pageSize: 200',
    'v2 parameter profile v2.pageParameter: pageNumber',
    'v2 type Cost/UnitPrice: text, open',
    'v3 address GET template.api/list: GET template.api/lists',
    'v3 header profile limits.remainingHeader: x-minute-remaining',
    `v3 limit profile limits.perMinute: ${FEWER_PER_MINUTE}`,
    'v3 name Client/City: CityName',
    'v3 name Supplier/City: CityName',
    'v3 page-size profile v3.pageSizes.default: 200',
    'v3 parameter profile v3.sizeParameter: size',
  ]);
  expect(first.patch).toContain('verified: {');
  whole = first.verification;
  await alter(alterations);
  const services = await patched(first);
  const again = await verified(services);
  // What is left of a minute is known to a few calls only.
  expect(foundIn(again).filter((one) => !one.includes('perMinute'))).toEqual([]);
  const { evidence } = services.mapping.methods.find((method) => method.id === 'category.list') ?? {};
  expect(evidence).toMatchObject({ v2: 'verified', verified: { v2: first.verification.at.slice(0, 10) } });
  // A list in which names are looked up, and a search in another one.
  expect(first.patch).toMatch(/\+ +staff: .*called: \{ firstName: givenName \}/);
  expect(first.patch).toMatch(/\+ +find: \{ number: /);
  expect(first.patch).toMatch(/\+ +settle: .*entries: CustomField/);
  // What a write sends as before, a look-up of its outcome finds under the other name.
  expect(first.patch).toMatch(/\+ +settle: .*same: \{ PostCode: PostalCode, AccountManagerID: /);
  corrected = services;
});

it('the number of calls that a run expects grows with its rounds', () => {
  const rounds = steps.filter((words) => words.includes(CORRECTED)).length;
  expect(rounds).toBeGreaterThan(1);
  const counts = steps.flatMap((words) => {
    const [, calls, expected] = /^(\d+) of about (\d+): /.exec(words) ?? [];
    return expected === undefined ? [] : [[Number(calls), Number(expected)] as const];
  });
  expect(counts.length).toBeGreaterThan(100);
  expect(counts.filter(([calls, expected]) => calls > expected)).toEqual([]);
});

it.each([
  ['v3', [clients, suppliers]],
  ['v2', [clients, suppliers, invoices]],
] as const)(
  'with the patch, a bridge on the changed service replies as the changed V1 does, over %s',
  async (behind, tables) => {
    if (corrected === undefined) throw new Error('there is no patched mapping');
    expect(await contractDifferences(corrected, behind, tables)).toEqual([]);
  },
);

it('a write is tried in a disposable organisation only, and the report contains no typed text', async () => {
  await alter([]);
  await limit(PER_MINUTE);
  const { services } = bridge;
  const elsewhere = { ...services, settings: { ...services.settings, disposableOrganisations: [] } };
  await expect(verified(elsewhere, true)).rejects.toThrow(
    `add its id ${id} to CAUSEWAY_DISPOSABLE_ORGANISATIONS`,
  );
  const { verification, golden } = await verified(services, true);
  expect(verification.findings).toEqual([]);
  const proven = verification.proofs.filter(({ state }) => state === 'proven');
  for (const surface of ['v3', 'v2'])
    expect(proven.filter((one) => one.surface === surface).map(({ method }) => method)).toEqual(
      expect.arrayContaining([
        'client.add',
        'client.update',
        'client.delete',
        'job.add',
        'job.delete',
        'cost.update',
      ]),
    );
  const accepted = verification.proofs.filter(({ state }) => state === 'accepted');
  for (const surface of ['v3', 'v2'])
    expect(accepted.filter((one) => one.surface === surface).map(({ method }) => method)).toEqual(
      expect.arrayContaining(['job.task.update', 'job.cost.update', 'job.assign']),
    );
  for (const { method } of accepted) expect(verification.verified[method]).toBeUndefined();
  const untried = verification.proofs.find(({ method }) => method === 'cost.deleteall');
  expect(untried).toMatchObject({ state: 'untried' });
  const madeUp = verification.proofs.filter(({ method }) => method === 'customfield.client.put');
  expect(madeUp.filter(({ surface }) => surface !== 'v1').map(({ words }) => words)).toEqual([
    'it requires a value that cannot be made up',
    'it requires a value that cannot be made up',
  ]);
  const kept = JSON.stringify(golden) + JSON.stringify(verification);
  expect(kept).not.toContain('Causeway verify');
  expect(kept).not.toMatch(/@[a-z]+\.example/);
  expect(golden.find(({ path }) => path === 'v2/client.get.txt')?.text).toContain('"firstName": "text"');
});

it('an amount that V2 accepts and does not keep is a difference, like a text', async () => {
  await alter([
    [
      { surface: 'v2', operation: 'v2.costs.update' },
      { change: 'replace', pattern: '"unitPrice":[0-9.]+', with: '"unitPrice":99' },
    ],
  ]);
  await limit(PER_MINUTE);
  const { verification } = await verified(bridge.services, true);
  expect(verification.findings).toMatchObject([
    { kind: 'kept', surface: 'v2', row: 'cost.update UnitPrice', methods: ['cost.update'] },
  ]);
  expect(verification.verified['cost.update']).not.toHaveProperty('v2');
});

it('a value that a write kept only under its right name is corrected with that name', async () => {
  await alter([[{ surface: 'v2' }, { change: 'rename', name: 'phone', to: 'telephone' }]]);
  await limit(PER_MINUTE);
  const result = await verified(bridge.services, true);
  const { findings, proofs } = result.verification;
  expect([...new Set(findings.map(({ kind }) => kind))].filter((kind) => kind !== 'limit')).toEqual(['name']);
  expect(findings.filter(({ edits }) => edits.length === 0)).toEqual([]);
  const written = proofs.filter(
    ({ method, surface }) => surface === 'v2' && ['client.add', 'client.update'].includes(method),
  );
  expect(written.map(({ state }) => state)).toEqual(['proven', 'proven']);
});

it('a run with writes that is stopped names the records that it leaves', async () => {
  await alter([]);
  const { run, out } = endedAt('V3 job.update', 'left', { writes: true });
  const { json, summary } = await writeVerification(run, out, 0);
  const { left = [] } = JSON.parse(json) as Verification;
  expect(left).toContainEqual({ surface: 'v3', method: 'client.add' });
  expect(left).toContainEqual({ surface: 'v3', method: 'job.add' });
  expect(left.filter(({ surface }) => surface !== 'v3')).toEqual([]);
  const words = /Records that the run created may remain, .*1 of client.add on V3/;
  expect(summary).toMatch(words);
  expect(await readFile(join(out, 'report.md'), 'utf8')).toMatch(words);
});

const NONE_TRIED = 'No correction was tried, so the patch is empty';
const SOME_TRIED = 'Corrections were tried, but not to the end, so the patch is empty';
const away = new Error('the database is away');

it.each([
  ['stopped in its second round, before its first call', CORRECTED, NONE_TRIED, { corrections: 1 }],
  ['stopped in its second round, amid its calls', ': V2 supplier.get', SOME_TRIED, { corrections: 1 }],
  ['ended by an error in its second round', ': V2 supplier.get', SOME_TRIED, { corrections: 1, error: away }],
  ['stopped in its third round', ': V2 ', SOME_TRIED, { corrections: 2 }],
])('a run that is %s keeps the differences found until then', async (which, step, said, ending: Ending) => {
  await alter([...alterations, ...beyondTheMapping]);
  if (whole === undefined) throw new Error('there is no whole run');
  const { run, out } = endedAt(step, which.replaceAll(/\W+/g, '-'), ending);
  const { json } = await writeVerification(run, out, 0);
  const stopped = JSON.parse(json) as Verification;
  expect(stopped.incomplete).toBe(ending.error === undefined ? 'it was stopped' : 'an error ended it');
  expect(placesIn(stopped)).toEqual(placesIn(whole));
  expect(stopped.limits.map(({ what }) => what)).toEqual(whole.limits.map(({ what }) => what));
  const states = new Map(stopped.proofs.map(({ method, surface, state }) => [`${method} ${surface}`, state]));
  for (const { methods, surface } of stopped.findings.filter(({ kind }) => kind === 'name'))
    for (const method of methods)
      expect([method, surface, states.get(`${method} ${surface}`)]).toEqual([method, surface, 'differs']);
  expect(await readFile(join(out, 'report.md'), 'utf8')).toContain(said);
  expect(await readFile(join(out, 'mappings.patch'), 'utf8')).toBe('');
});
