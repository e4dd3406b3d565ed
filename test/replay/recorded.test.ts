import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { cpSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Deeds } from '../../src/app/tools/deeds.ts';
import { rehearsalsOf } from '../../src/app/wiring/features/rehearsal.ts';
import { recordingToolsOf, replayFolder } from '../../src/app/tools/recording.ts';
import type { Rehearsal } from '../../src/features/cutover/rehearsal/model.ts';
import { HOUR } from '../../src/lib/time/clock.ts';
import type { ExportOutcome } from '../../src/proof/rehearsal/order.ts';
import { ParityStage } from '../support/parity-stage.ts';
import { eventually } from '../support/clock.ts';
import { Sender, type Answered } from '../support/http.ts';

const NAME = 'Recorded Ltd';
const ADMIN = 'cwt_rehearsal-admin-token-of-this-test-alone-001';
const SECRET = 'Wilhelmina Vandersloot';
const project = join(import.meta.dirname, '..', '..');
const nobody = (): void => undefined;

let folder: string;
let stage: ParityStage;
let outcome: ExportOutcome;
let sender: Sender;

const ask = (verb: string, path: string): Promise<Answered> =>
  sender.send({
    verb,
    target: `/_causeway/api${path}`,
    headers: { Authorization: `Bearer ${ADMIN}`, 'Content-Type': 'application/json' },
    ...(verb === 'POST' && { body: '{}' }),
  });

const tools = () => recordingToolsOf(stage.bridge.services, new Deeds(stage.bridge.services));

/** A call with a body. */
const sent = (address: string, body: string, method = 'POST'): Promise<string> =>
  stage.legacy(NAME, address, { method, body });

/** Reads, and a record that is made, read, changed and read again. */
async function playProgram(): Promise<void> {
  await stage.legacy(NAME, 'client.api/list');
  const first = /<ID>(\d+)<\/ID>/.exec(await stage.legacy(NAME, 'client.api/list'))?.[1] ?? '';
  await stage.legacy(NAME, 'customfield.api/definition');
  await stage.legacy(NAME, `client.api/get/${first}/customfield`);
  await stage.legacy(NAME, 'client.api/search?query=Wilhelmina');
  const made = await sent(
    'client.api/add',
    '<Client><Name>New one</Name><Phone>1</Phone><DateOfBirth>1991-02-03</DateOfBirth></Client>',
  );
  const number = /<ID>(\d+)<\/ID>/.exec(made)?.[1] ?? '';
  await stage.legacy(NAME, `client.api/get/${number}`);
  await sent('client.api/update', `<Client><ID>${number}</ID><Name>${SECRET}</Name></Client>`, 'PUT');
  await stage.legacy(NAME, `client.api/get/${number}`);
}

describe('recorded calls', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'causeway-recorded-'));
    stage = await ParityStage.open(
      [NAME],
      () => ({
        customFieldDefinitions: [
          { name: 'Remarks', type: 'Text', use: ['Client'] },
          { name: 'Colour', type: 'Dropdown List', use: ['Client'], options: ['Teal', 'Umber'] },
          { name: 'Renewal', type: 'Date', use: ['Client'] },
        ],
        clients: [
          {
            name: SECRET,
            phone: '2',
            dateOfBirth: '1987-06-05',
            contacts: [{ name: 'Ben Example' }],
            customFields: [
              { name: 'Remarks', value: 'Wilhelmina pays late' },
              { name: 'Colour', value: 'Umber' },
              { name: 'Renewal', value: '2027-01-31' },
            ],
          },
        ],
      }),
      { CAUSEWAY_ADMIN_TOKEN: ADMIN },
    );
    sender = new Sender(stage.bridge.url);
    const account = await stage.account(NAME);
    await stage.legacy(NAME, 'staff.api/list');
    await tools().start(account, HOUR);
    await eventually('the bridge records', async () => {
      await stage.legacy(NAME, 'supplier.api/list');
      return (await tools().show(account)).samples > 0 ? true : undefined;
    });
    await playProgram();
    const { samples } = stage.bridge.services;
    await eventually('the calls are written', async () => {
      const kept = await samples.find(account.id, 'recorded');
      return kept.filter(({ method }) => method === 'client.get').length === 2 ? true : undefined;
    });
    await tools().stop(account);
    outcome = await tools().export(account, join(folder, 'golden'), nobody);
  }, 300_000);

  afterAll(async () => {
    sender.close();
    await stage[Symbol.asyncDispose]();
    rmSync(folder, { recursive: true, force: true });
  });

  it('become golden files, except those with free text in their address, and contain no name', () => {
    expect(outcome.leftOut).toEqual([
      { method: 'client.search', calls: 1, why: expect.stringMatching(/free text/) },
    ]);
    expect(outcome.differing).toEqual([]);
    const files = globSync('**/*', { cwd: join(folder, 'golden') }).filter((name) => name.includes('.'));
    expect(files).toContain('seed.json');
    for (const method of ['client/add', 'client/list', 'customfield/definition', 'customfield/client.get'])
      expect(files).toContainEqual(expect.stringContaining(method));
    const texts = files.map((name) => readFileSync(join(folder, 'golden', name), 'utf8')).join('\n');
    expect(texts).not.toMatch(/Wilhelmina|Vandersloot|New one|Umber|Teal|1991-02-03|1987-06-05|staff\.api/);
    // What the calls made is no part of the seed.
    expect(readFileSync(join(folder, 'golden', 'seed.json'), 'utf8').match(/"contacts"/g)).toHaveLength(1);
  });

  it('appear in the audit', async () => {
    const entries = await stage.bridge.services.store.audit.list({ limit: 20 });
    const actions = entries.map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(['samples.record', 'samples.export']));
  });

  it('are no longer written once the recording has ended', async () => {
    const account = await stage.account(NAME);
    const { samples, clock } = stage.bridge.services;
    const before = await samples.find(account.id, 'recorded');
    const late = before.slice(0, 1).map((one) => ({ ...one, at: clock.now() }));
    expect(await samples.put(account.id, late, () => 'late')).toBe(true);
    expect(await samples.find(account.id, 'recorded')).toEqual(before);
  });

  it('get the recorded replies, except for what an edited mapping changes', async () => {
    const edited = join(folder, 'mappings');
    cpSync(join(project, 'mappings'), edited, { recursive: true });
    const file = join(edited, 'client.yaml');
    const row = /^( {4}Website: +\{ v2: )contactDetails\.website( \})/m;
    expect(readFileSync(file, 'utf8')).toMatch(row);
    writeFileSync(file, readFileSync(file, 'utf8').replace(row, '$1contactDetails.phone$2'));
    const { files, played, findings } = await replayFolder(join(folder, 'golden'), edited, nobody);
    expect({ files, played }).toEqual({ files: outcome.exported, played: 2 * outcome.exported });
    expect(new Set(findings.map(({ way, what }) => `${what} on ${way}`))).toEqual(new Set(['reply on v2']));
    expect(findings.filter(({ words }) => !words.includes('Response/Client/Website'))).toEqual([]);
    expect(new Set(findings.map(({ method }) => method))).toContain('client.get');
  }, 300_000);

  it('are replayed in a rehearsal of the move, which changes nothing and only reads V1', async () => {
    // Written every half minute: until then its own calls change the account.
    const account = await eventually('its last call is stored', async () => {
      const one = await stage.account(NAME);
      return one.lastCallAt === undefined ? undefined : one;
    });
    const before = (await stage.sandbox.requests()).length;
    const address = `/accounts/${account.id}/rehearsal`;
    expect((await ask('GET', address)).text).toContain('"state": "none"');
    expect((await ask('GET', `${address}/report`)).status).toBe(404);
    expect((await ask('POST', address)).status).toBe(200);
    // One account at a time, whoever asks.
    const second = await ask('POST', address);
    expect([second.status, second.text]).toEqual([
      409,
      expect.stringContaining(`${NAME} is being rehearsed`),
    ]);
    const rehearsal = await eventually('it was rehearsed', async () => {
      const { state, report } = JSON.parse((await ask('GET', address)).text) as {
        readonly state: string;
        readonly report: Rehearsal | null;
      };
      expect(['running', 'done']).toContain(state);
      return report ?? undefined;
    });
    const asked = (await stage.sandbox.requests()).slice(before);
    expect(new Set(asked.map(({ method, path }) => `${method} ${path.split('/')[1] ?? ''}`))).toEqual(
      new Set(['GET v1']),
    );
    expect(await stage.account(NAME)).toEqual(account);
    expect(rehearsal.ways.map(({ way, differences }) => [way, differences])).toEqual([
      ['v3', []],
      ['v2', []],
    ]);
    const played = rehearsal.ways[0]?.methods.map(({ method }) => method);
    expect(played).toEqual(expect.arrayContaining(['client.add', 'client.get', 'client.update']));
    // Nothing that the real move would ask an operator to override: V1 exports every kind of number.
    expect(
      rehearsal.ways.flatMap(({ checks }) => checks.filter(({ result }) => result === 'failed')),
    ).toEqual([]);
    expect(rehearsal.verdict).toBe('ready');
    expect(rehearsal.faithful).toBe(rehearsal.calls);
    // It is in the baseline and in the recording.
    const search = { method: 'client.search', why: 'its address contains free text', calls: 1 };
    expect(rehearsal.unplayed).toContainEqual(search);
    const page = await ask('GET', `${address}/report`);
    expect(page.text).toContain('its calls on V2');
    expect(JSON.stringify(rehearsal)).not.toMatch(/Wilhelmina|Vandersloot/);
  }, 300_000);

  it('use new numbers for records V1 does not export if that override is rehearsed', async () => {
    const name = 'Without maps Ltd';
    const keys = { accountKey: 'B0000000000000000000000000000009', apiKey: 'A'.repeat(32) };
    const organisation = { name, accountKey: keys.accountKey, apiKeys: [keys.apiKey] };
    await stage.sandbox.control('POST', 'seed', { organisations: [organisation] });
    // No map at all: what V1 lists is learned from its lists, and the rest is not.
    const rule = { change: 'status', to: 404 };
    await stage.alter(name, { surface: 'v1', operation: 'uuid.maps', rule });
    await stage.bridge.add({ name, ...keys, product: 'standard' });
    const account = await stage.account(name);
    const report = await rehearsalsOf(stage.bridge.services).rehearse(account, 'test', true, nobody);
    expect(report.words).toMatch(
      /; checks: identifiers: .*; not learned: document, jobTask, .*comment \(V1 does not show it anywhere\)\./,
    );
    expect(report.words).not.toMatch(/client|note/);
    expect(report.missing).toContain('numbers of jobTask: V1 does not show it anywhere');
  }, 300_000);

  it('are never mixed with those of another export', async () => {
    const again = tools().export(await stage.account(NAME), join(folder, 'golden'), nobody);
    await expect(again).rejects.toThrow('is not empty');
  });
});
