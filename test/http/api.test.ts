import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Validator } from '@seriousme/openapi-schema-validator';
import { accountColumnNames } from '../../src/features/accounts/import/columns.ts';
import { statusReportSchema } from '../../src/features/status/model.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import { operations } from '../../src/http/api/operations.ts';
import { plainJson } from '../../src/lib/text/plain-text.ts';
import { fetchStatusReport } from '../../src/app/tools/remote-report.ts';
import { statusOf } from '../../src/app/wiring/features/status.ts';
import { MINUTE } from '../../src/lib/time/clock.ts';
import { callRecord } from '../db/records.ts';
import { errorOf, Office, type Reply } from './api-harness.ts';

let office: Office;
beforeAll(async () => {
  office = await Office.open();
});
afterAll(() => office.stop());

const list = (reply: Reply, name: string) => reply.json[name] as readonly Readonly<Record<string, unknown>>[];

describe('the OpenAPI document', () => {
  it('is served to everyone and valid', async () => {
    expect(await new Validator().validate({ ...office.document.json })).toEqual({ valid: true });
  });

  it('describes every operation of the table, each by a name of its own', () => {
    const paths = office.document.json.paths as Record<string, Record<string, { operationId: string }>>;
    for (const { id, path, verb } of operations)
      expect(paths[path]?.[verb.toLowerCase()]?.operationId).toBe(id);
    expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
  });
});

describe('the status report in the API', () => {
  it('matches the output of the script exactly', async () => {
    await office.addAccount('Board One');
    const { text } = await office.call('/board');
    expect(text).toBe(`${plainJson(await statusOf(office.bridge.services).statusReport())}\n`);
  });

  it('matches what causeway status --url reads', async () => {
    const statusReport = await fetchStatusReport(office.bridge.url, new Secret(office.read), {});
    expect(statusReportSchema.parse(statusReport).accounts.some(({ name }) => name === 'Board One')).toBe(
      true,
    );
  });

  it('shows filtered accounts, in another order, with the totals of all', async () => {
    await office.addAccount('Zebra & <b>sons</b>');
    const all = statusReportSchema.parse((await office.call('/board')).json);
    const found = statusReportSchema.parse(
      (await office.call('/board?search=ZEBRA&sort=name&reverse=true')).json,
    );
    expect(found.accounts.map(({ name }) => name)).toEqual(['Zebra & <b>sons</b>']);
    expect(found.totals).toEqual(all.totals);
    expect((await office.call('/board?stage=migrated,lost')).json.accounts).toEqual([]);
  });

  it.each(['stage=nowhere', 'sort=luck', 'stuck=perhaps', 'colour=red', 'search=a&search=b'])(
    'refuses %s, and names the parameter',
    async (query) => {
      const reply = await office.call(`/board?${query}`);
      expect(reply.status).toBe(422);
      expect(errorOf(reply).code).toBe('unusable');
      expect(errorOf(reply).details).toHaveLength(1);
      expect(errorOf(reply).details[0]?.field).toMatch(/^query/);
    },
  );
});

describe('accounts in the API', () => {
  it('are listed page by page', async () => {
    for (const name of ['Page A', 'Page B', 'Page C']) await office.addAccount(name);
    const first = await office.call('/accounts?search=page&sort=name&limit=2');
    expect(list(first, 'accounts').map(({ name }) => name)).toEqual(['Page A', 'Page B']);
    expect(first.json.page).toEqual({ offset: 0, limit: 2, total: 3 });
    const second = await office.call('/accounts?search=page&sort=name&limit=2&offset=2');
    expect(list(second, 'accounts').map(({ name }) => name)).toEqual(['Page C']);
  });

  it('are found by id and by name, without a key', async () => {
    const accountKey = 'KEYOFSHOWN00000000000000000000001';
    const added = await office.call('/accounts', {
      verb: 'POST',
      body: {
        name: 'Shown & Söhne / GmbH',
        accountKey,
        apiKey: 'APIKEYOFSHOWN0000000000000000001',
        email: 'a@b.example',
      },
    });
    expect(added.status).toBe(201);
    expect(added.json.keys).toBeNull();
    const { id } = added.json.account as { id: string };
    const byId = await office.call(`/accounts/${id}`);
    const byName = await office.call(`/accounts/${encodeURIComponent('Shown & Söhne / GmbH')}`);
    expect(byName.json).toEqual(byId.json);
    expect(byId.json).toMatchObject({
      account: { id, stage: 'legacy', origin: 'added', organisation: null },
      statusReport: { id, stage: 'legacy' },
      details: { email: 'a@b.example', notes: null },
      timeline: [{ actor: 'operate test' }],
      grant: null,
      campaign: null,
    });
    expect(`${byId.text}${added.text}`).not.toContain('KEYOFSHOWN');
  });

  it('have the same data on their own page as in the status report', async () => {
    const { accounts } = statusReportSchema.parse((await office.call('/board')).json);
    expect(accounts.length).toBeGreaterThan(3);
    for (const line of accounts)
      expect((await office.call(`/accounts/${line.id}`)).json.statusReport).toEqual(line);
  });

  it('get keys if the customer never had any, shown once', async () => {
    const reply = await office.call('/accounts', { verb: 'POST', body: { name: 'Newcomer' } });
    expect(reply.json.keys).toEqual({
      apiKey: expect.stringMatching(/^[0-9A-F]{32}$/) as unknown,
      accountKey: expect.stringMatching(/^[0-9A-F]{32}$/) as unknown,
    });
    expect(reply.json.account).toMatchObject({ origin: 'issued' });
  });

  it('are changed, and the reply names what changed', async () => {
    const id = await office.addAccount('Changing', { notes: 'old' });
    const reply = await office.call(`/accounts/${id}`, {
      verb: 'PATCH',
      body: { name: 'Changed', email: 'me@example.com', notes: '' },
    });
    expect(reply.json.changed).toEqual(['name', 'e-mail', 'notes']);
    expect((await office.call(`/accounts/${id}`)).json).toMatchObject({
      account: { name: 'Changed' },
      details: { email: 'me@example.com', notes: null },
    });
  });

  it('take tags as text and as the list that replies contain, and warn of a language without texts', async () => {
    const id = await office.addAccount('Tagged', { tags: 'north, retail' });
    const tags = async (body: object) => {
      const { status, json } = await office.call(`/accounts/${id}`, { verb: 'PATCH', body });
      const { details } = (await office.call(`/accounts/${id}`)).json;
      return [status, json.warnings, (details as { tags: unknown }).tags];
    };
    expect(await tags({ tags: ['west', 'north'], language: 'ge' })).toEqual([
      200,
      ['there are no texts in ge: e-mails will be in en'],
      ['north', 'west'],
    ]);
    expect(await tags({ addTags: ['south'], removeTags: 'west' })).toEqual([200, [], ['north', 'south']]);
    expect((await tags({ tags: [] }))[2]).toEqual([]);
    expect((await tags({ tags: ['two words'] }))[0]).toBe(422);
  });

  it('are refused with a message: a key twice, a bad address, an unknown one, two of one name', async () => {
    const id = await office.addAccount('Twin');
    await office.addAccount('Twin');
    const twin = await office.call('/accounts', {
      verb: 'POST',
      body: { name: 'twin', accountKey: 'A'.repeat(32) },
    });
    expect([twin.status, errorOf(twin).message]).toEqual([
      409,
      expect.stringContaining('another account is already called twin'),
    ]);
    const accountKey = 'A9999999999999999999999999999999';
    await office.addAccount('First of key', { accountKey });
    const again = await office.call('/accounts', { verb: 'POST', body: { name: 'Second', accountKey } });
    expect([again.status, errorOf(again).code]).toEqual([409, 'conflict']);
    const renamed = async (body: object) => {
      const { status, text } = await office.call(`/accounts/${id}`, { verb: 'PATCH', body });
      return [status, text.includes('(sameName)')];
    };
    // It shares its present name already, so that is no new one.
    expect(await renamed({ name: 'Twin', notes: 'elder' })).toEqual([200, false]);
    expect(await renamed({ name: 'First of key ' })).toEqual([409, true]);
    expect(await renamed({ name: 'First of key', sameName: true })).toEqual([200, false]);
    expect(await renamed({ name: 'Twin', sameName: true })).toEqual([200, false]);
    const address = await office.call(`/accounts/${id}`, { verb: 'PATCH', body: { email: 'a@b, c@d' } });
    const message = 'the e-mail must be one plain address (name@example.com)';
    expect([address.status, errorOf(address).message]).toEqual([422, message]);
    expect(errorOf(address).details).toEqual([{ field: 'body.email', message }]);
    const several = await office.call('/accounts', {
      verb: 'POST',
      body: { name: 'Fields', tags: ['-'], zone: 'Mars' },
    });
    const nameless = await office.call('/accounts', { verb: 'POST', body: { name: '' } });
    expect([several, nameless].map((one) => errorOf(one).details.map(({ field }) => field))).toEqual([
      ['body.zone', 'body.tags'],
      ['body.name'],
    ]);
    expect((await office.call('/accounts/nobody')).status).toBe(404);
    expect((await office.call('/accounts/Twin')).status).toBe(409);
  });

  it('are imported line by line, and a dry run stores nothing', async () => {
    const accounts = [
      { name: 'Import A', accountKey: 'B0000000000000000000000000000001', email: '' },
      { name: 'Import B', accountKey: 'not a key' },
      { accountKey: 'B0000000000000000000000000000001', notes: 'twice' },
    ];
    const verdicts = ['new', 'faulty', 'faulty'];
    const dry = await office.call('/accounts/import', { verb: 'POST', body: { accounts, dryRun: true } });
    expect((await office.call('/accounts/Import%20A')).status).toBe(404);
    const real = await office.call('/accounts/import', { verb: 'POST', body: { accounts } });
    expect(list(real, 'lines').map(({ verdict }) => verdict)).toEqual(verdicts);
    expect(list(dry, 'lines')[0]?.verdict).toBe('new');
    expect((await office.call('/accounts/Import%20A')).status).toBe(200);
    expect(real.text).not.toContain('not a key');
  });

  it('are exported with all details and without keys', async () => {
    const reply = await office.call('/accounts/export', { token: office.read });
    const columns = accountColumnNames.filter((name) => name !== 'accountKey' && name !== 'apiKey');
    expect(Object.keys(list(reply, 'accounts')[0] ?? {}).sort()).toEqual([...columns].sort());
    expect(list(reply, 'accounts').map(({ name }) => name)).toContain('Changed');
    expect(reply.text).not.toMatch(/A0{20}/);
  });

  it('can be imported as they were exported', async () => {
    const { accounts } = (await office.call('/accounts/export')).json;
    const reply = await office.call('/accounts/import', { verb: 'POST', body: { accounts } });
    expect(reply.status).toBe(200);
    expect(new Set(list(reply, 'lines').map(({ verdict }) => verdict))).toEqual(new Set(['same']));
  });

  it('come as a file with every list', async () => {
    const id = await office.addAccount('Filed');
    await office.call('/waves/One', { verb: 'PUT', body: { most: 3 } });
    const linesOf = async (path: string) => {
      const { status, text } = await office.call(path, { token: office.read });
      return [status, ...text.replace('\ufeff', '').split('\r\n').slice(0, 2)];
    };
    expect(await linesOf('/waves.csv')).toEqual([
      200,
      'name,who,start,state,accounts,can_be_invited,invited,queued,not_invited,waiting,reason',
      // Which three come first, with an address or without, is nobody's promise.
      expect.stringMatching(/^One,at most 3,,planned,3,[0-3],0,0,[0-3],0,planned by /),
    ]);
    for (const [path, columns] of [
      ['/brownouts.csv', 'id,who,from'],
      ['/consents.csv', 'account,organisation,person'],
      ['/grants/imports.csv', 'account,state,detail'],
      ['/drift.csv', 'id,words,upstream'],
      [`/accounts/${id}/parity.csv`, 'key,api,method'],
      [`/accounts/${id}/messages.csv`, 'queued,kind,to'],
    ])
      expect(await linesOf(path ?? '')).toEqual([200, expect.stringContaining(`${columns ?? ''},`), '']);
  });

  it('get a link to pass on, which no other reply repeats', async () => {
    const id = await office.addAccount('Linked');
    const reply = await office.call(`/accounts/${id}/link`, { verb: 'POST' });
    const link = reply.json.link as string;
    expect(link).toMatch(/^http:\/\/127\.0\.0\.1:8080\/_causeway\/connect\/[\w-]{43}$/);
    const page = await fetch(link.replace('http://127.0.0.1:8080', office.bridge.url));
    expect(page.status).toBe(200);
    const secret = link.split('/').at(-1) ?? '';
    for (const path of [`/accounts/${id}`, '/audit', '/events?limit=1000'])
      expect((await office.call(path)).text).not.toContain(secret);
  });

  it('show their calls, and what is known of their numbers', async () => {
    const id = await office.addAccount('Caller');
    const at = office.clock.now();
    const { calls } = office.bridge.services.store;
    const times = { millis: 12.5, upstreamMillis: undefined, waitedMillis: 7.5 };
    const one = callRecord(id, { requestId: 'r1', at, ...times });
    calls.record(one);
    for (let n = 1; n < 60; n += 1) calls.record(callRecord(id, { at: at - n * MINUTE }));
    // Another process has them: they are in the database after the next flush, which closing the store makes.
    expect((await office.call(`/accounts/${id}/calls`)).json).toEqual({ calls: [], hours: [] });
    await calls.flush();
    const asked = async (query: string): Promise<readonly unknown[]> =>
      list(await office.call(`/accounts/${id}/calls?${query}`, { token: office.read }), 'calls');
    const iso = (time: number): string => new Date(time).toISOString();
    expect(await asked('')).toHaveLength(50);
    expect(await asked('limit=1000')).toHaveLength(60);
    expect(await asked(`from=${iso(at - 10 * MINUTE)}&to=${iso(at)}`)).toHaveLength(10);
    expect(await asked('request=r1')).toEqual([
      {
        ...{ requestId: 'r1', at: iso(at), verb: 'GET', method: 'client.list', source: 'v1', status: 200 },
        ...{ ...times, asked: null, failed: false, upstreamMillis: null, losses: null },
        ...{ failure: null, cause: null, advice: null, told: null, refused: null },
      },
    ]);
    expect((await office.call(`/accounts/${id}/calls?from=yesterday`)).status).toBe(422);
    const uuid = '11111111-2222-4333-8444-555555555555';
    const learned = await office.call(`/accounts/${id}/crosswalk`, {
      verb: 'POST',
      body: { pairs: [{ kind: 'client', number: 7, uuid }] },
    });
    expect(learned.json).toEqual({ added: 1, known: 0, conflicts: [] });
    const report = await office.call(`/accounts/${id}/crosswalk`);
    expect(list(report, 'kinds').find(({ kind }) => kind === 'client')).toMatchObject({ learned: 1 });
    const strange = await office.call(`/accounts/${id}/crosswalk`, {
      verb: 'POST',
      body: { pairs: [{ kind: 'dragon', number: 7, uuid }] },
    });
    expect([strange.status, errorOf(strange).code]).toEqual([422, 'unusable']);
  });
});
