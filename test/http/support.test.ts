import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { completeSteps, jobSteps, lose, type LostWrite } from '../support/writes.ts';
import { findingOf, type ConsentFinding } from '../../src/features/consent/findings.ts';
import {
  checkWords,
  fateWords,
  lossWords,
  originWords,
  outgoingWords,
  stageWords,
  stopWords,
} from '../../src/features/status/code-words.ts';
import type { RefusedCall } from '../../src/features/usage/call-log.ts';
import { HOUR, MINUTE } from '../../src/lib/time/clock.ts';
import { callRecord } from '../db/records.ts';
import { Office } from './api-harness.ts';
import { CONSOLE, openConsole } from './console-setting.ts';

const KEY = 'B0000000000000000000000000000777';

let office: Office;
beforeAll(async () => {
  office = await Office.open({});
});
afterAll(() => office.stop());

const names = async (path: string): Promise<readonly string[]> =>
  ((await office.call(path)).json.accounts as readonly { readonly name: string }[]).map(({ name }) => name);

describe('a caller of the support desk', () => {
  it('is found by key, address, contact and note, and the key is in no reply', async () => {
    const id = await office.addAccount('Kauri Timber', {
      accountKey: KEY,
      email: 'Aroha@kauri.example',
      contactName: 'Aroha Fern',
      notes: 'prefers Māori greetings',
    });
    for (const text of [KEY, 'aroha@KAURI', 'Aroha Fe', 'māori', 'kauri tim', id]) {
      const reply = await office.call('/find', { verb: 'POST', body: { text } });
      expect(reply.json).toMatchObject({
        by: text === KEY ? 'key' : 'words',
        accounts: [{ id, name: 'Kauri Timber' }],
      });
      expect(reply.text).not.toContain(KEY);
    }
    const nobody = await office.call('/find', { verb: 'POST', body: { text: KEY.replace('777', '778') } });
    expect(nobody.json).toMatchObject({ by: 'words', accounts: [] });
  });

  it('is found by the request id of a call, with what was lost in it', async () => {
    const id = await office.addAccount('Rata Works');
    const requestId = randomUUID();
    const call = {
      ...{
        accountId: id,
        requestId,
        at: office.clock.now(),
        verb: 'GET',
        method: 'client.get',
        source: 'v2' as const,
      },
      ...{ status: 403, failed: true, millis: 12, upstreamMillis: 9, losses: 'Client/DateOfBirth' },
      failure: 'notPermitted' as const,
    };
    const { calls } = office.bridge.services.store;
    calls.record(call);
    await calls.flush();
    const found = {
      account: { id },
      call: { requestId, method: 'client.get', losses: 'Client/DateOfBirth', failure: 'notPermitted' },
    };
    expect((await office.call(`/calls/${requestId}`)).json).toMatchObject(found);
    expect((await office.call(`/calls/${requestId.toUpperCase()}`)).json).toMatchObject(found);
    expect((await office.call('/find', { verb: 'POST', body: { text: requestId } })).json).toMatchObject({
      by: 'request',
      accounts: [{ id }],
    });
    expect((await office.call(`/calls/${randomUUID()}`)).status).toBe(404);
  });
});

describe('a write that got no answer', () => {
  const lost = async (write: LostWrite): Promise<string> => {
    const { services } = office.bridge;
    const id = await lose(services, write);
    const { calls } = services.store;
    calls.record({
      ...{ accountId: write.accountId, requestId: id, at: office.clock.now(), verb: 'POST' },
      ...{ method: 'client.add', source: 'bridge', status: 504, failed: true, millis: 9, upstreamMillis: 9 },
      failure: 'outcomeUnknown',
    });
    await calls.flush();
    return id;
  };

  it('is found by its request id with its outcome, and with what its customer must hear', async () => {
    const accountId = await office.addAccount('Totara Mill');
    const id = await lost({ accountId, settlement: 'done', made: '812' });
    const found = {
      write: 'settled: carried out, number 812',
      call: { advice: expect.stringContaining('with the number 812') as unknown },
    };
    expect((await office.call(`/calls/${id}`)).json).toMatchObject(found);
    expect((await office.call('/find', { verb: 'POST', body: { text: id } })).json).toMatchObject(found);
  });

  it('is found with what its steps say', async () => {
    const accountId = await office.addAccount('Rimu Mill');
    const complete = await lost({ accountId, settlement: 'not-done', steps: completeSteps });
    expect((await office.call(`/calls/${complete}`)).json).toMatchObject({
      write: 'settled: carried out, without its reply',
      call: { advice: expect.stringContaining('exactly the same request gets the reply') as unknown },
    });
    const unknown = await lost({ accountId, steps: jobSteps });
    expect((await office.call(`/calls/${unknown}`)).json).toMatchObject({
      write: 'outcome unknown',
      call: { advice: expect.stringContaining('whether the template was applied') as unknown },
    });
  });
});

describe('tags and groups', () => {
  it('are set, added and removed, each once and in order', async () => {
    const id = await office.addAccount('Tagged One', { tags: 'Wave-2, north;north' });
    const change = (body: unknown) => office.call(`/accounts/${id}`, { verb: 'PATCH', body });
    const tags = async () =>
      ((await office.call(`/accounts/${id}`)).json.details as { readonly tags: readonly string[] }).tags;
    expect(await tags()).toEqual(['north', 'wave-2']);
    await change({ addTags: 'big', removeTags: 'north' });
    expect(await tags()).toEqual(['big', 'wave-2']);
    expect((await change({ addTags: 'big' })).json).toMatchObject({ changed: [] });
    expect((await change({ tags: '<b>' })).status).toBe(422);
    await change({ tags: '' });
    expect(await tags()).toEqual([]);
  });

  it('filter every list alike, and a group is whatever its filters select at the time', async () => {
    const one = await office.addAccount('Group One', { tags: 'east', language: 'de' });
    // Accounts added in the same millisecond come in any order.
    office.clock.advance(1);
    const two = await office.addAccount('Group Two', { tags: 'east west' });
    expect(await names('/accounts?tag=east')).toEqual(['Group One', 'Group Two']);
    expect(await names('/accounts?tag=east&language=de')).toEqual(['Group One']);
    expect(await names('/accounts?tag=west,nowhere')).toEqual(['Group Two']);
    expect(await names('/accounts?tag=east&mail=no-address&lacks=usage')).toHaveLength(2);
    expect((await office.call('/accounts?mail=perhaps')).status).toBe(422);
    const body = { query: 'tag=east&stage=legacy' };
    expect((await office.call('/groups/East%20coast', { verb: 'PUT', body })).json).toMatchObject({
      name: 'East coast',
      query: 'stage=legacy&tag=east',
    });
    expect(await names('/accounts?group=East%20coast')).toEqual(['Group One', 'Group Two']);
    const done = await office.call('/actions/untag', {
      verb: 'POST',
      body: { accounts: [two, one], tags: 'west' },
    });
    expect(done.json).toMatchObject({ done: 1, left: 1 });
    await office.call(`/accounts/${one}`, { verb: 'PATCH', body: { removeTags: 'east' } });
    expect(await names('/accounts?group=East%20coast&search=group')).toEqual(['Group Two']);
    const csv = await office.call('/accounts.csv?group=East%20coast');
    expect(csv.headers.get('content-disposition')).toContain('accounts.csv');
    expect(csv.text.trim().split('\r\n')).toHaveLength(2);
    expect((await office.call('/groups/East%20coast', { verb: 'DELETE' })).status).toBe(200);
    expect((await office.call('/accounts?group=East%20coast')).status).toBe(404);
    for (const unknown of ['tagg=north', 'lacks=adress', 'sort=name'])
      expect(
        (await office.call('/groups/x', { verb: 'PUT', body: { query: `stage=legacy&${unknown}` } })).text,
      ).toContain(`there is no filter ${unknown}`);
    expect((await office.call('/groups/x', { verb: 'PUT', body: { query: '' } })).status).toBe(422);
  });
});

describe('the search of the console', () => {
  it('leads from what a caller quotes to the account or the call, with no key in a URL', async () => {
    const setting = await openConsole();
    const id = await setting.add('Kauri Timber', 'aroha@kauri.example');
    const { accounts, calls } = setting.services.store;
    const requestId = randomUUID();
    calls.record({
      ...{
        accountId: id,
        requestId,
        at: setting.clock.now(),
        verb: 'GET',
        method: 'job.get',
        source: 'v1' as const,
      },
      ...{ status: 200, failed: false, millis: 2_190, upstreamMillis: 26, waitedMillis: 2_150 },
    });
    const browser = await setting.signedIn('rea', 'read');
    const find = async (text: string) => (await browser.act('/find', [['text', text]])).headers.location;
    expect(await find(requestId)).toBe(`${CONSOLE}/calls/${requestId}`);
    const page = (await browser.get(`/calls/${requestId}`)).text.replaceAll('\u00a0', ' ');
    expect(page).toContain('Lost in translation</dt><dd>nothing');
    expect(page).toContain(
      '2,190 ms <span class="quiet">26 ms at the service, 2,150 ms waiting for its limit of calls a minute, 14 ms in the bridge',
    );
    const minute = (at: number): string => new Date(at).toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length);
    const upTo = async (at: number): Promise<string> =>
      (await browser.get(`/accounts/${id}?until=${minute(at)}`)).text;
    const listed = await upTo(setting.clock.now());
    expect(listed).toContain(requestId);
    expect(listed).toMatch(/14\sms<span class="quiet below">\+ 2,150\sms for the limit</);
    expect(await upTo(setting.clock.now() - MINUTE)).toContain('No calls recorded up to then.');
    expect((await browser.get(`/accounts/${id}?until=yesterday`)).text).toContain(requestId);
    // Its customer tells the time on a clock nine hours ahead.
    await setting.services.accounts.set(id, { zone: 'Asia/Tokyo' });
    expect(await upTo(setting.clock.now() + 9 * HOUR)).toContain('Ended (Asia/Tokyo)');
    expect(await upTo(setting.clock.now() + 9 * HOUR - MINUTE)).toContain('No calls recorded up to then.');
    expect(await find('AROHA@')).toBe(`${CONSOLE}/accounts/${id}`);
    const sealed = await accounts.sealedKeys(id);
    const key = setting.services.ring.open(sealed?.accountKey ?? '', id, 'account-key').reveal();
    expect(await find(key)).toBe(`${CONSOLE}/accounts/${id}?done=key`);
    expect(await find(`${key}x`)).toBe(`${CONSOLE}/find`);
    expect((await browser.get('/find')).text).toContain('Nothing found');
    expect(await find('nobody')).toBe(`${CONSOLE}/accounts?search=nobody`);
  });

  it('saves its filters as a group, adds tags to many, and sorts by a column', async () => {
    const setting = await openConsole();
    const ids = [await setting.add('Alder'), await setting.add('Birch'), await setting.add('Cedar')];
    const browser = await setting.signedIn('olga', 'operate');
    const two = ids.slice(0, 2).map((id): readonly [string, string] => ['account', id]);
    const preview = await browser.act('/preview', [['action', 'tag'], ['tags', 'wave-1'], ...two]);
    expect(preview.text).toContain('wave-1 added');
    await browser.act('/perform', [['action', 'tag'], ['tags', 'wave-1'], ...two]);
    const saved = await browser.act('/groups', [
      ['name', 'First wave'],
      ['filter', 'tag=wave-1'],
    ]);
    expect(saved.headers.location).toBe(`${CONSOLE}/accounts?group=First%20wave`);
    const shown = async (query: string) =>
      (await browser.get(`/accounts${query}`)).text.match(/(?<=Select )(Alder|Birch|Cedar)/g) ?? [];
    expect(await shown('?group=First+wave')).toEqual(['Alder', 'Birch']);
    expect(await shown('?tag=wave-1&sort=name&order=down')).toEqual(['Birch', 'Alder']);
    expect((await browser.get('/accounts?sort=name')).text).toContain('aria-sort="ascending"');
    await browser.act('/groups/remove', [['name', 'First wave']]);
    expect((await browser.get('/accounts?group=First+wave')).status).toBe(404);
  });
});

it('the page of an account whose V1 closed with the consent says that V3 serves it, and in which zone times are', async () => {
  const setting = await openConsole();
  const id = await setting.add('Rimu Joinery');
  const { accounts, usage } = setting.services.store;
  const at = setting.clock.now();
  const binding = { grantId: 'g', organisation: { id: 'o', name: 'O' } };
  const event = { at, kind: 'consented', actor: 'bridge', detail: '' };
  await accounts.change(id, () => ({ stage: 'consented', binding }), event);
  await setting.admin.accounts.set(id, { zone: 'Europe/Berlin' }, 'rea');
  const browser = await setting.signedIn('rea', 'read');
  const page = async (of = ''): Promise<string> => (await browser.get(`/accounts/${id}${of}`)).text;
  usage.calls.record(callRecord(id, { at, source: 'v1' }));
  expect(await page()).not.toContain('already serves it');
  usage.calls.record(callRecord(id, { at, source: 'v3' }));
  const early = await page();
  expect(early).toContain('V1 has refused its keys since the consent, so V3 already serves it.');
  expect(early).toContain('Times are in UTC, those of recent calls in the customer’s zone, Europe/Berlin.');
  expect(await page('/parity')).toContain('makes an automatic move wait');
  const { account } = await setting.services.accounts.issue({ name: 'Totara Turning' });
  await accounts.change(
    account.id,
    () => ({ stage: 'consented', binding: { grantId: 'h', organisation: { id: 'p', name: 'P' } } }),
    event,
  );
  usage.calls.record(callRecord(account.id, { at, source: 'v3' }));
  expect((await browser.get(`/accounts/${account.id}`)).text).not.toContain('already serves it');
  await accounts.change(id, () => ({ stage: 'migrated', binding }), { ...event, kind: 'migrated' });
  expect(await page()).not.toContain('already serves it');
  expect(await page('/parity')).toContain('It has moved: V3 serves it');
});

it('codes of a later version in the database are shown unchanged', async () => {
  const setting = await openConsole();
  const id = await setting.add('Rata Works');
  const requestId = randomUUID();
  const later = { why: 'later-reason', from: '192.0.2.7' } as unknown as RefusedCall;
  setting.services.store.usage.calls.record(
    callRecord(id, { ...{ requestId, at: setting.clock.now(), status: 401, failed: true }, refused: later }),
  );
  const browser = await setting.signedIn('rea', 'read');
  for (const path of [`/accounts/${id}`, `/calls/${requestId}`]) {
    const { status, text } = await browser.get(path);
    expect(status).toBe(200);
    expect(text).toContain('later reason');
    expect(text).not.toContain('undefined');
  }
  for (const name of [stageWords, lossWords, fateWords, stopWords, originWords, checkWords, outgoingWords])
    expect((name as (code: string) => string)('later-code')).toBe('later code');
  expect(findingOf('later-code' as ConsentFinding)).toEqual({ speaks: 'against', words: 'later code' });
});
