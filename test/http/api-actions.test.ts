import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { request as httpRequest, type IncomingMessage } from 'node:http';
import { canariesOf } from '../../src/app/wiring/canaries.ts';
import { csvList } from '../../src/http/api/csv-list.ts';
import type { Flow } from '../../src/http/api/endpoint.ts';
import { DAY, HOUR, MINUTE } from '../../src/lib/time/clock.ts';
import { eventually } from '../support/clock.ts';
import { Receiver } from '../support/receiver.ts';
import { naughtyTexts } from '../support/naughty.ts';
import { errorOf, Office, type Reply } from './api-harness.ts';

let office: Office;
beforeAll(async () => {
  // No job runs by itself: one would try the deliveries while a test looks at them.
  office = await Office.open(
    {
      CAUSEWAY_EVENTS_URL: 'http://127.0.0.1:9/hook?token=of-the-receiver',
      CAUSEWAY_EVENTS_SECRET: 'a-secret-of-more-than-24-characters',
    },
    () => () => undefined,
  );
});
afterAll(() => office.stop());

const post = (path: string, body: unknown) => office.call(path, { verb: 'POST', body });
const accountsOf = ({ json }: Reply) => json.accounts as readonly Readonly<Record<string, unknown>>[];

describe('actions by the API', () => {
  it('take names, and refuse one that several accounts have', async () => {
    const id = await office.addAccount('By its name', { email: 'named@example.com' });
    const preview = await post('/actions/invite/preview', { accounts: ['By its name', id, 'by its name'] });
    expect(preview.json).toMatchObject({ will: 1, left: 1 });
    expect(accountsOf(preview)).toMatchObject([
      { accountId: id, outcome: 'will' },
      { accountId: 'by its name', reason: 'unknown' },
    ]);
    for (let n = 0; n < 2; n += 1) await office.addAccount('Twins');
    const refused = await post('/actions/tag', { accounts: [id, 'Twins'], tags: 'twin' });
    expect([refused.status, errorOf(refused).message]).toEqual([
      409,
      'several accounts are named Twins: use the id',
    ]);
    expect((await office.call(`/accounts/${id}`)).json).toMatchObject({ details: { tags: [] } });
    const done = await post('/actions/tag', { accounts: ['By its name'], tags: 'twin' });
    expect(done.json).toMatchObject({ done: 1, accounts: [{ accountId: id }] });
  });

  it('are refused with a parameter of another action', async () => {
    const account = await office.addAccount('Not reminded');
    const given = { accounts: [account], start: '2026-12-24T09:00', tags: '', acceptUnlearned: false };
    for (const address of ['/actions/remind', '/actions/remind/preview'])
      expect(await post(address, given)).toMatchObject({
        status: 422,
        json: { error: { code: 'unusable', details: [{ field: 'body.start' }] } },
      });
  });

  it('refuse to override a check that nobody can override, and name those that can be', async () => {
    const accounts = [await office.addAccount('Not overridden')];
    for (const name of ['token', 'identifiers', 'everything']) {
      const refused = await post('/actions/cutover', { accounts, despite: ['samples', name] });
      expect([refused.status, errorOf(refused).code]).toEqual([422, 'unusable']);
      expect(refused.json).toMatchObject({
        error: {
          details: [
            {
              field: 'body.despite.1',
              message: expect.stringMatching(/"readers"\|"v2"\|"api-key"\|"samples"\|"parity"$/) as unknown,
            },
          ],
        },
      });
    }
    expect((await post('/actions/close', { accounts, despite: ['samples'] })).status).toBe(422);
  });

  it('are previewed, performed, and recorded account by account', async () => {
    const written = await office.addAccount('With address', { email: 'office@example.com' });
    const mute = await office.addAccount('Without address');
    const accounts = [written, mute, 'nobody', written];
    const preview = await post('/actions/invite/preview', { accounts });
    expect(preview.json).toMatchObject({ action: 'invite', will: 1, left: 2 });
    expect(accountsOf(preview)).toMatchObject([
      { accountId: written, outcome: 'will', words: 'an invitation to office@example.com would be sent' },
      { accountId: mute, outcome: 'left', reason: 'noAddress' },
      { accountId: 'nobody', name: null, outcome: 'left', reason: 'unknown' },
    ]);
    expect((await office.call(`/accounts/${written}`)).json).toMatchObject({ messages: [], campaign: null });

    const done = await post('/actions/invite', { accounts });
    expect(done.json).toMatchObject({ action: 'invite', done: 1, left: 2, failed: 0 });
    const page = await office.call(`/accounts/${written}`);
    expect(page.json).toMatchObject({
      messages: [{ kind: 'invitation', to: 'office@example.com' }],
      campaign: { state: 'running', cause: 'invited' },
      timeline: expect.arrayContaining([
        expect.objectContaining({ kind: 'invited', actor: 'operate test' }),
      ]) as unknown,
    });
    const { json } = await office.call('/audit?limit=4');
    const file = await office.call('/audit.csv', { token: office.read });
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="audit.csv"');
    expect(file.text.split('\r\n')[1]).toMatch(/^\d+,[\dTZ:.-]+,operate test,invite,/);
    expect(json.rows).toMatchObject([
      {
        who: 'operate test',
        action: 'invite',
        accountIds: ['nobody'],
        detail: 'left: there is no such account',
      },
      { accountIds: [mute] },
      { accountIds: [written], detail: 'done: an invitation to office@example.com was queued' },
      { accountIds: [written, mute, 'nobody'], detail: 'requested for 3 accounts' },
    ]);
  });

  it('skip the accounts of a filter that a wave will invite', async () => {
    const waved = { email: 'wave@example.com', tags: 'waved' };
    const accounts = [await office.addAccount('In a wave', waved), await office.addAccount('Apart', waved)];
    const [inWave] = accounts;
    const body = { query: 'search=in a wave' };
    expect((await office.call('/waves/Apart', { verb: 'PUT', body })).status).toBeLessThan(300);
    const chosen = { accounts, chosenBy: 'tag=waved' };
    const preview = await post('/actions/invite/preview', chosen);
    expect(preview.json).toMatchObject({ will: 1, left: 1, leftBy: [{ reason: 'inWave', accounts: 1 }] });
    expect((await post('/actions/invite', chosen)).json).toMatchObject({ done: 1, left: 1 });
    const meant = await post('/actions/invite/preview', { accounts: [inWave] });
    expect(accountsOf(meant)[0]).toMatchObject({
      outcome: 'will',
      caution: expect.stringMatching(
        /^it is in a wave; this invites it separately; not ready to be invited: /,
      ),
    });
    const unknown = await post('/actions/invite', { accounts, chosenBy: 'group=nobody' });
    expect(errorOf(unknown)).toMatchObject({ code: 'unknown' });
    const audited = async () => (await office.call('/audit?limit=1')).json.rows;
    const before = await audited();
    for (const chosenBy of ['reasn=declined', 'reason=declind', 'group=nobody'])
      expect((await post('/actions/invite', { accounts, chosenBy })).status).toBeGreaterThanOrEqual(400);
    expect(await audited()).toEqual(before);
    await office.call('/waves/Apart', { verb: 'DELETE' });
  });

  it('include remind, withdraw and close', async () => {
    const id = await office.addAccount('On and on', { email: 'next@example.com' });
    const outcome = async (action: string) =>
      accountsOf(await post(`/actions/${action}`, { accounts: [id] }))[0];
    expect(await outcome('remind')).toMatchObject({ outcome: 'left', reason: 'notInvited' });
    expect(await outcome('invite')).toMatchObject({ outcome: 'done' });
    expect(await outcome('invite')).toMatchObject({ outcome: 'left' });
    expect(await outcome('withdraw')).toMatchObject({ outcome: 'done' });
    expect(await outcome('withdraw')).toMatchObject({ outcome: 'left', reason: 'nothing' });
    const preview = await post('/actions/close/preview', { accounts: [id] });
    expect(accountsOf(preview)[0]).toMatchObject({
      outcome: 'will',
      caution: 'this cannot be undone; calls of its programs are refused from then on',
    });
    expect(await outcome('close')).toMatchObject({ outcome: 'done' });
    expect(await outcome('close')).toMatchObject({ outcome: 'left', reason: 'closed' });
    expect(await outcome('invite')).toMatchObject({ outcome: 'left', reason: 'closed' });
    expect(await outcome('cutover')).toMatchObject({ outcome: 'left', reason: 'notConsented' });
  });

  it('are limited in size, and there are no others', async () => {
    const many = Array.from({ length: 21 }, (_, index) => `id-${index}`);
    const cutover = await post('/actions/cutover', { accounts: many });
    expect([cutover.status, errorOf(cutover).code]).toEqual([422, 'too-many']);
    expect((await post('/actions/invite', { accounts: [] })).status).toBe(422);
    expect((await post('/actions/erase', { accounts: ['x'] })).status).toBe(404);
  });
});

describe('previews of e-mails in the API', () => {
  it('refuses more than 20 test messages in an hour with 429, and says when the next can be sent', async () => {
    const id = await office.addAccount('Tested');
    const send = () =>
      office.call(`/accounts/${id}/letters/invitation/test`, {
        verb: 'POST',
        body: { to: 'me@example.com' },
      });
    // No mail server answers here, but the attempts count.
    for (let n = 0; n < 20; n += 1) expect((await send()).status).toBe(503);
    office.clock.advance(10 * MINUTE);
    const refused = await send();
    expect([refused.status, errorOf(refused).code, refused.headers.get('retry-after')]).toEqual([
      429,
      'throttled',
      '3000',
    ]);
    office.clock.advance(50 * MINUTE);
    expect((await send()).status).toBe(503);
  });

  it('show them as they would be written, with links that lead nowhere', async () => {
    const id = await office.addAccount('Letter <script>alert(1)</script>', { language: 'de' });
    const reply = await office.call(`/accounts/${id}/letters/invitation`);
    expect(reply.json).toMatchObject({ kind: 'invitation', language: 'de', to: null });
    expect(reply.json.html).not.toContain('<script>alert');
    expect(reply.json.text).toContain('/_causeway/connect/preview');
    const english = await office.call(`/accounts/${id}/letters/reminder?language=en`);
    expect(english.json).toMatchObject({ kind: 'reminder', language: 'en' });
    expect((await office.call(`/accounts/${id}/letters/love`)).status).toBe(404);
    const { json } = await office.call('/letters');
    expect((json.texts as readonly { language: string }[]).map(({ language }) => language)).toContain('de');
  });
});

describe('routes and mappings in the API', () => {
  it('are set for one account and reset', async () => {
    const id = await office.addAccount('Routed');
    const put = (body: unknown) => office.call('/routes/client.list', { verb: 'PUT', body });
    const look = (body: unknown) =>
      office.call('/routes/client.list/preview', { verb: 'POST', token: office.read, body });
    const all = (await look({ account: 'all', route: 'v2' })).json;
    expect(all).toMatchObject({ method: 'client.list', from: 'v3', to: 'v2', now: 0, own: 0 });
    expect(all.losses).not.toEqual([]);
    expect((await put({ account: id, route: 'v2' })).status).toBe(200);
    expect((await look({ account: 'all', route: 'v2' })).json.own).toBe(1);
    expect((await look({ account: id, route: 'default' })).json).toMatchObject({
      from: 'v2',
      to: 'v3',
      later: 1,
      losses: [],
    });
    expect((await look({ account: 'nobody', route: 'v2' })).status).toBe(404);
    expect((await office.call(`/accounts/${id}`)).json.routes).toMatchObject([
      { method: 'client.list', account: id, route: 'v2', by: 'operate test' },
    ]);
    expect((await put({ account: id, route: 'default' })).json).toEqual({ losses: [] });
    expect((await office.call(`/accounts/${id}`)).json.routes).toEqual([]);
    expect((await put({ account: 'nobody', route: 'v2' })).status).toBe(404);
    expect((await put({ account: id, route: 'v9' })).status).toBe(422);
    const write = (body: object) => office.call('/routes/client.contact.update', { verb: 'PUT', body });
    const assumed = await write({ account: id, route: 'v2' });
    expect([assumed.status, assumed.text]).toEqual([409, expect.stringContaining('write on an assumption')]);
    expect((await write({ account: id, route: 'v2', acceptAssumed: true })).status).toBe(200);
    const list = await office.call('/routes');
    expect(list.json.methods).toContainEqual(
      expect.objectContaining({
        id: 'client.contact.update',
        isWrite: true,
        evidence: expect.objectContaining({ v3: 'specified', v2: 'assumed' }) as unknown,
      }),
    );
    const none = (list.json.methods as readonly { id: string; v2: string }[]).find(({ v2 }) => v2 === 'none');
    const refused = await office.call(`/routes/${none?.id ?? ''}`, {
      verb: 'PUT',
      body: { account: 'all', route: 'v2' },
    });
    expect([refused.status, errorOf(refused).code]).toEqual([422, 'unusable']);
  });

  it('list those tried on one account with their counts, and count those that an operator ends', async () => {
    const id = await office.addAccount('Tried');
    const { bridge, clock } = office;
    const until = clock.now() + 60_000;
    await canariesOf(bridge.services).begin(id, ['client.get'], 'v2', until, 'test');
    const list = await office.call('/routes', { token: office.read });
    expect(list.json.canaries).toEqual([
      {
        ...{ account: id, methods: ['client.get'], route: 'v2', state: 'running', reason: null },
        ...{ begunAt: new Date(clock.now()).toISOString(), until: new Date(until).toISOString() },
        ...{ calls: 0, failed: 0, lost: 0 },
      },
    ]);
    await office.call('/routes/client.get', { verb: 'PUT', body: { account: id, route: 'default' } });
    const metrics = await (await fetch(bridge.metrics)).text();
    expect(metrics).toContain('causeway_route_trials_ended_total{outcome="ended"} 1');
  });

  it('can be tried on a sample', async () => {
    const json = JSON.stringify({ data: [] });
    const reply = await post('/mappings/client.list/try', { json });
    expect(reply.json.reply).toContain('<Status>OK</Status>');
    expect(reply.json.requests).not.toEqual([]);
    const bad = await post('/mappings/client.list/try', { json: 'no json' });
    expect([bad.status, errorOf(bad).message]).toEqual([422, 'the sample is not JSON']);
    expect((await post('/mappings/dragon.list/try', { json })).status).toBe(422);
  });
});

describe('health in the API', () => {
  it('counts what this process has served, and names no account', async () => {
    const accountKey = 'C0000000000000000000000000000001';
    const id = await office.addAccount('Served', { accountKey });
    const call = await fetch(`${office.bridge.url}/client.api/list?apiKey=K&accountKey=${accountKey}`);
    expect(call.status).toBe(503);
    await call.arrayBuffer();
    const { calls } = (
      await eventually('the call is recorded', async () => {
        const reply = await office.call(`/accounts/${id}/calls`);
        return (reply.json.calls as readonly unknown[]).length > 0 ? reply : undefined;
      })
    ).json;
    expect(calls).toMatchObject([{ method: 'client.list', status: 503, failed: true }]);
    const health = await office.call('/health');
    expect(health.json).toMatchObject({
      configured: { v1: true, v2: false, v3: true, mail: true, events: true },
      budget: { waiting: 0 },
      sources: [{ calls: 1, failed: 1, lastAnswerAt: null }],
      outbox: { messages: { queued: expect.any(Number) as unknown } },
    });
    expect(`${JSON.stringify(calls)}${health.text}`).not.toContain('C000000');
    expect(health.text).not.toContain('of-the-receiver');
  });
});

describe('webhook deliveries in the API', () => {
  it('continue after an id, which 1.0.0-rc.1 reads too, unless the entry is deleted within the hour', async () => {
    const { deliveries } = office.bridge.services.store;
    const now = office.clock.now();
    const aged = (id: string, createdAt: number) => ({
      ...{ id, type: 'account.lost' as const, accountId: 'a', payload: '{}', createdAt },
    });
    const ids = ['evt_old1', 'evt_old2', 'evt_young'];
    const created = [now - 30 * DAY - 1, now - 30 * DAY, now - 30 * DAY + HOUR] as const;
    await deliveries.add(
      ids.map((id, index) => aged(id, created[index] ?? now)),
      0,
      'evt',
    );
    for (const id of ids) await deliveries.delivered(id, 'answered 204', now);
    const page = async (before: string) => (await office.call(`/deliveries?limit=1${before}`)).json;
    const first = await page('');
    expect(first).toMatchObject({ deliveries: [{ id: 'evt_young' }], next: 'evt_young' });
    const second = await page('&before=evt_young');
    expect(second).toMatchObject({ deliveries: [{ id: 'evt_old2' }] });
    const next = String(second.next);
    expect(next).toMatch(/^~/);
    await deliveries.forget(now - 30 * DAY + 1);
    await deliveries.add([aged('evt_old1', now - 30 * DAY - 1)], 0, 'evt');
    expect(await page(`&before=${next}`)).toMatchObject({ deliveries: [{ id: 'evt_old1' }] });
    await deliveries.forget(now + 1);
  });

  it('are listed page by page, and all failed ones can be sent again', async () => {
    const { deliveries } = office.bridge.services.store;
    const createdAt = office.clock.now();
    const made = ['evt_1', 'evt_2', 'evt_3'].map((id) => ({
      id,
      type: 'account.lost' as const,
      accountId: 'a',
      payload: '{"id":"x"}',
      createdAt,
    }));
    await deliveries.add(made, 0, 'evt');
    for (const { id } of made)
      await deliveries.failed({ id, attempts: 0 }, undefined, 'answered 500', createdAt);
    const first = await office.call('/deliveries?state=given-up&limit=2');
    expect(first.json).toMatchObject({
      deliveries: [{ id: 'evt_3', state: 'given-up', nextAt: null, note: 'answered 500' }, { id: 'evt_2' }],
      next: 'evt_2',
    });
    const sorted = await office.call('/deliveries?state=given-up&limit=2&sort=type&reverse=true');
    expect(sorted.json).toMatchObject({ next: expect.stringMatching(/^~/) });
    const position = String(sorted.json.next);
    for (const query of ['before=evt_2', `sort=type&reverse=true&before=${position}`]) {
      const second = await office.call(`/deliveries?state=given-up&limit=2&${query}`);
      expect(second.json).toMatchObject({ deliveries: [{ id: 'evt_1' }], next: null });
    }
    for (const query of ['before=evt_9', 'before=~x', `before=${position}`, `sort=state&before=${position}`])
      expect(await office.call(`/deliveries?${query}`)).toMatchObject({
        status: 422,
        json: { error: { code: 'unusable', details: [{ field: 'query.before' }] } },
      });
    await deliveries.add(
      [
        {
          ...{ id: 'slack_1', type: 'account.lost', accountId: 'a', createdAt },
          payload: '{"account":{"name":"=1+1"}}',
        },
      ],
      0,
      'evt',
    );
    const file = await office.call('/deliveries.csv?state=waiting', { token: office.read });
    expect(file.headers.get('content-disposition')).toBe('attachment; filename="events.csv"');
    const [head, line] = file.text.split('\r\n');
    expect(head).toBe('id,channel,type,account_id,account,created_at,attempts,state,next_at,note');
    const at = new Date(createdAt).toISOString();
    expect(line).toBe(`slack_1,slack,account.lost,a,'=1+1,${at},0,waiting,${at},`);
    expect(file.text).not.toContain('given-up');
    const { text: all } = await office.call('/deliveries.csv');
    for (const { id } of made) expect(all).toContain(`\r\n${id},events,account.lost,a,a,`);
    await deliveries.delivered('slack_1', 'answered 204', createdAt);
    expect((await office.call('/deliveries/evt_1')).json).toMatchObject({
      body: '{"id":"x"}',
      story: [{ outcome: 'failed', note: 'answered 500' }],
    });
    expect((await office.call('/deliveries/evt_9')).status).toBe(404);
    const again = await office.call('/deliveries/redeliver', { verb: 'POST' });
    expect(again.json).toEqual({ sent: 3 });
    expect((await office.call('/deliveries?state=given-up')).json).toEqual({ deliveries: [], next: null });
    const { json: log } = await office.call('/audit?limit=1');
    expect(log.rows).toMatchObject([{ action: 'deliveries.again', detail: '3 that were given up' }]);
  });
});

describe('a list as CSV', () => {
  const columns = { n: (row: number) => row };
  const numbers = Array.from({ length: 1_000 }, (_, index) => index);
  const textOf = async ({ pieces }: Flow): Promise<string> => {
    let text = '';
    for await (const piece of pieces) text += piece;
    return text;
  };

  it('has every row once, however many there are', async () => {
    const read = (limit: number, last = -1) => Promise.resolve(numbers.slice(last + 1, last + 1 + limit));
    expect(await textOf(csvList({ file: 'n.csv', columns, read }))).toBe(
      `\ufeffn\r\n${numbers.map((n) => `${n}\r\n`).join('')}`,
    );
  });
});

describe('outgoing events', () => {
  it('are sent by themselves, and the API shows that they arrived', async () => {
    const receiver = await Receiver.open();
    const told = await Office.open({
      CAUSEWAY_EVENTS_URL: `${receiver.url}/hook`,
      CAUSEWAY_EVENTS_SECRET: 'a-secret-of-more-than-24-characters',
    });
    try {
      const id = await told.addAccount('Told', { email: 'told@example.com' });
      await told.call('/actions/invite', { verb: 'POST', body: { accounts: [id] } });
      const arrived = await eventually('the event arrives', () => receiver.arrived[0]);
      expect(JSON.parse(arrived.body)).toMatchObject({
        type: 'account.invited',
        account: { id, name: 'Told', product: 'standard' },
        data: { by: 'operate test' },
      });
      expect(arrived.body).not.toContain('told@example.com');
      await eventually('it is known to have arrived', async () => {
        const { json } = await told.call('/deliveries?state=delivered');
        return (json.deliveries as readonly unknown[]).length === 1 ? true : undefined;
      });
      const event = JSON.parse(arrived.body) as { readonly id: string };
      const again = await told.call(`/deliveries/${event.id}/redeliver`, { verb: 'POST' });
      expect(again.json.delivery).toMatchObject({ id: event.id });
      const story = await eventually('it has arrived twice', async () => {
        const { json } = await told.call(`/deliveries/${event.id}`);
        return (json.story as readonly unknown[]).length === 2 ? json : undefined;
      });
      expect(story).toMatchObject({
        state: 'delivered',
        nextAt: null,
        body: arrived.body,
        story: [
          { outcome: 'delivered', note: 'answered 204' },
          { outcome: 'delivered', note: 'answered 204' },
        ],
      });
      expect((await told.call('/deliveries/evt_9/redeliver', { verb: 'POST' })).status).toBe(404);
      const none = await told.call('/deliveries/redeliver', { verb: 'POST' });
      expect(none.json).toEqual({ sent: 0 });
      const { json: log } = await told.call('/audit?limit=1');
      expect(log.rows).toMatchObject([
        { action: 'deliveries.again', accountIds: [id], detail: `account.invited ${event.id}` },
      ]);
    } finally {
      await told.stop();
      await receiver.close();
    }
  });
});

describe('the event feed in the API', () => {
  it('continues from the last position', async () => {
    const first = await office.call('/events?limit=3');
    const events = first.json.events as readonly { seq: number }[];
    expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3]);
    const rest = await office.call(`/events?since=${String(first.json.next)}&limit=1000`);
    expect((rest.json.events as readonly { seq: number }[])[0]?.seq).toBe(4);
    const end = await office.call(`/events?since=${String(rest.json.next)}`);
    expect(end.json).toEqual({ events: [], next: rest.json.next });
    const last = Number(end.json.next);
    // A script whose variable is not set yet.
    expect((await office.call('/events?since=&limit=')).json).toEqual((await office.call('/events')).json);
    const beyond = await office.call(`/events?since=${last + 1}`);
    expect(beyond.status).toBe(409);
    expect(beyond.text).toContain(`there is no entry ${last + 1}: the last is ${last}`);
    const steps = await office.call('/events?transitions=true&limit=1000');
    expect((steps.json.events as readonly { to: unknown }[]).every(({ to }) => to !== null)).toBe(true);
  });
});

/** Reads a stream as it comes. */
class Ear {
  text = '';
  ended = false;
  readonly #response: IncomingMessage;

  private constructor(response: IncomingMessage) {
    this.#response = response;
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => (this.text += chunk));
    response.on('close', () => (this.ended = true));
  }

  static async open(token: string, headers: Record<string, string> = {}): Promise<Ear> {
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    httpRequest(
      `${office.bridge.url}/_causeway/api/events/stream`,
      { headers: { Authorization: `Bearer ${token}`, ...headers } },
      resolve,
    )
      .once('error', reject)
      .end();
    const response = await promise;
    expect([response.statusCode, response.headers['content-type']]).toEqual([
      200,
      'text/event-stream; charset=utf-8',
    ]);
    return new Ear(response);
  }

  /** Those that have come whole. */
  get lines(): readonly string[] {
    return this.text.split('\n').slice(0, -1);
  }

  heard(text: string): Promise<true> {
    return eventually(`the stream says ${text}`, () => (this.text.includes(text) ? true : undefined));
  }

  close(): void {
    this.#response.destroy();
  }
}

describe('the live feed', () => {
  it('sends every event to everyone, hostile names in one line each', async () => {
    const ears = [await Ear.open(office.read), await Ear.open(office.operate)];
    const id = await office.addAccount('Live');
    for (const name of naughtyTexts)
      await office.call(`/accounts/${id}`, { verb: 'PATCH', body: { notes: name } });
    const { next } = (await office.call('/events?limit=1000')).json;
    for (const ear of ears) {
      await ear.heard(`"accountId":"${id}"`);
      await ear.heard('event: account');
      await ear.heard(`id: ${String(next)}\n`);
      for (const line of ear.lines)
        expect(line).toMatch(/^(retry: \d+|id: \d+|event: (hello|account)|data: \{.*\}|: beat|)$/);
      ear.close();
    }
  });

  it('continues after the last line that was received', async () => {
    const { json } = await office.call('/events?limit=1');
    const ear = await Ear.open(office.read, { 'Last-Event-ID': String(json.next) });
    await ear.heard('id: 2\n');
    expect(ear.text).not.toMatch(/event: account\ndata: [^\n]*"seq":1,/);
    ear.close();
  });

  it('is refused without a token or with a wrong number', async () => {
    expect((await office.call('/events/stream', { token: '' })).status).toBe(401);
    expect((await office.call('/events/stream', { headers: { 'Last-Event-ID': 'x' } })).status).toBe(422);
    expect(await office.call('/events/stream?since=999999999')).toMatchObject({
      status: 409,
      json: {
        error: {
          code: 'conflict',
          message: expect.stringMatching(/^there is no entry 999999999: the last is \d+;/),
        },
      },
    });
  });

  it('answers HEAD at once, however often it is asked', async () => {
    const headers = { Authorization: `Bearer ${office.read}` };
    for (let time = 0; time < 12; time += 1)
      expect(
        await fetch(`${office.bridge.url}/_causeway/api/events/stream`, { method: 'HEAD', headers }),
      ).toMatchObject({ status: 200 });
  });
});
