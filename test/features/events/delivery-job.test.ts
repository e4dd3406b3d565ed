import { afterEach, describe, expect, it } from '@jest/globals';
import { createHmac, randomUUID } from 'node:crypto';
import {
  consent,
  lose,
  migrate,
  type AccountEvent,
  type Stage,
} from '../../../src/features/accounts/account.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../src/lib/time/clock.ts';
import { grantEvents } from '../../../src/features/consent/grants/model.ts';
import { consentEvents } from '../../../src/features/consent/model.ts';
import { forgetOld, type Delivery } from '../../../src/features/events/delivery.ts';
import type { Log } from '../../../src/lib/log/log.ts';
import { Secret } from '../../../src/lib/secret/secret.ts';
import { DeliveryJob, retryPauses } from '../../../src/features/events/delivery-job.ts';
import type { Store } from '../../../src/app/store.ts';
import { openMemoryStore } from '../../support/store.ts';
import { alertOf, usualAlerts } from '../../../src/features/events/alert.ts';
import type { Channel } from '../../../src/features/events/channel.ts';
import { outgoing } from '../../../src/features/events/outgoing-event.ts';
import { HttpEventSender } from '../../../src/features/events/event-sender.ts';
import { eventually, HandClock } from '../../support/clock.ts';
import { Receiver } from '../../support/receiver.ts';

const SECRET = 'a-secret-of-more-than-24-characters';
const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
});

interface Post {
  readonly store: Store;
  readonly clock: HandClock;
  readonly receiver: Receiver;
  readonly lines: string[];
  readonly job: () => Promise<void>;
  /** The job of a bridge whose only receiver is the chat. */
  readonly chatJob: () => Promise<void>;
  readonly line: (id: string, kind: string, step?: (life: Stage) => Stage, detail?: string) => Promise<void>;
  readonly account: (name?: string) => Promise<string>;
}

const CONSOLE = 'https://bridge.example/_causeway/console';

const chatOf = (receiver: Receiver, clock: HandClock): Channel => ({
  name: 'slack',
  write: (event, account) =>
    alertOf('slack', event, account, { kinds: new Set(usualAlerts), console: CONSOLE }, clock.now()),
  sender: new HttpEventSender({
    url: new Secret(`${receiver.url}/services/of-slack`),
    secret: undefined,
    patience: HOUR,
  }),
});

async function openPost({ patience = MINUTE, past = false, chat = false } = {}): Promise<Post> {
  const store = await openMemoryStore();
  const receiver = await Receiver.open();
  open.push(store, receiver);
  const clock = new HandClock();
  const lines: string[] = [];
  const write: Log['info'] = (event, fields) => {
    lines.push(JSON.stringify({ event, ...fields }));
  };
  const parts = {
    history: store.history,
    deliveries: store.deliveries,
    accounts: store.accounts,
    clock,
    log: { info: write, warn: write, error: write },
  };
  const deliveries = new DeliveryJob({
    ...parts,
    channels: [
      {
        name: 'evt',
        write: outgoing,
        sender: new HttpEventSender({
          url: new Secret(`${receiver.url}/hooks?token=of-the-receiver`),
          secret: new Secret(SECRET),
          patience,
        }),
      },
      ...(chat ? [chatOf(receiver, clock)] : []),
    ],
  });
  const post: Post = {
    store,
    clock,
    receiver,
    lines,
    job: async () => {
      await deliveries.run();
      await forgetOld(store.deliveries, clock.now(), parts.log); // a job of its own in the bridge
    },
    chatJob: () => new DeliveryJob({ ...parts, channels: [chatOf(receiver, clock)] }).run(),
    async line(id, kind, step, detail = 'words') {
      const event: AccountEvent = { at: clock.now(), kind, actor: 'anna', detail };
      if (step === undefined) await store.accounts.note(id, event);
      else await store.accounts.change(id, step, event);
    },
    async account(name = 'Harbour Lane') {
      const id = randomUUID();
      await store.accounts.add({
        id,
        name,
        product: 'standard',
        application: 'default',
        origin: 'added',
        accountKeyIndex: id,
        accountKeySealed: 'sealed',
        now: clock.now(),
        actor: 'anna',
      });
      return id;
    },
  };
  if (past) await post.line(await post.account(), 'invited');
  await deliveries.run();
  return post;
}

async function bound(store: Store): Promise<(life: Stage) => Stage> {
  const grant = await store.grants.create({
    id: randomUUID(),
    consenter: { userId: 'u', name: undefined, email: undefined },
    scope: 'offline_access',
    tokens: { generation: 1, accessToken: 'a', accessExpiresAt: 0, refreshToken: 'r' },
    now: 0,
  });
  return (life) => consent(life, { grantId: grant.id, organisation: { id: 'org', name: 'Org' } });
}

/** Every pair a receiver would see, in order. */
const typesOf = ({ receiver }: Post) =>
  receiver.arrived.map(({ body }) => (JSON.parse(body) as { type: string }).type);
const stateOf = async ({ store }: Post): Promise<Delivery> => {
  const [delivery] = await store.deliveries.list({ limit: 1 });
  if (delivery === undefined) throw new Error('there is no delivery');
  return delivery;
};

/** The outcome of each attempt as the log has it, in order. */
const outcomesOf = ({ lines }: Post): readonly (string | undefined)[] =>
  lines.map((line) => (JSON.parse(line) as { outcome?: string }).outcome);

describe('outgoing events', () => {
  it('report each step of an account, and nothing else', async () => {
    const post = await openPost();
    const id = await post.account();
    const connect = await bound(post.store);
    const steps: readonly (readonly [string, ((life: Stage) => Stage) | undefined, string?])[] = [
      ['changed', undefined],
      ['invited', undefined],
      [consentEvents.refused, undefined, 'noPrivilege'],
      [consentEvents.asked, undefined, 'severalOrganisations'],
      [consentEvents.connected, connect],
      ['cutover.waiting', undefined],
      ['migrated', migrate],
      ['lost', (life) => lose(life, 'expired'), 'the grant was lost: expired'],
      [consentEvents.connected, connect],
      [grantEvents.exported, (life) => lose(life, 'exported'), 'exported to the key SHA256:abc'],
    ];
    for (const [kind, step, detail] of steps) {
      await post.line(id, kind, step, detail);
      post.clock.advance(1_000);
      await post.job();
    }
    expect(typesOf(post)).toEqual([
      'account.invited',
      'account.refused',
      'account.consented',
      'account.migrated',
      'account.lost',
      'account.recovered',
      'account.exported',
    ]);
    const [, refused, , migrated, lost, , exported] = post.receiver.arrived.map(
      ({ body }) => JSON.parse(body) as Record<string, unknown>,
    );
    expect(refused).toMatchObject({ data: { reason: 'noPrivilege' }, account: { id, name: 'Harbour Lane' } });
    expect(migrated).toMatchObject({ data: { by: 'anna', organisation: { id: 'org', name: 'Org' } } });
    expect(lost).toMatchObject({ data: { reason: 'expired' } });
    expect(exported).toMatchObject({ data: { by: 'anna', recipient: 'SHA256:abc' } });
  });

  it('start with what happens after they were configured', async () => {
    const post = await openPost({ past: true });
    expect(await post.store.history.latest()).toBeGreaterThan(1);
    await post.job();
    expect(typesOf(post)).toEqual([]);
    await post.line(await post.account(), 'invited');
    await post.job();
    await post.job();
    expect(typesOf(post)).toEqual(['account.invited']);
  });

  it('continue where they stopped if the receiver was removed while another stayed', async () => {
    const post = await openPost({ chat: true });
    const id = await post.account();
    await post.line(id, 'invited');
    await post.chatJob();
    await post.line(id, 'consentRefused', undefined, 'noPrivilege');
    await post.chatJob();
    await post.job();
    const signed = post.receiver.arrived.filter(({ url }) => url.startsWith('/hooks'));
    expect(signed.map(({ body }) => (JSON.parse(body) as { readonly type: string }).type)).toEqual([
      'account.invited',
      'account.refused',
    ]);
    expect(post.receiver.arrived.length - signed.length).toBe(1);
  });

  it('are sent, and tried again, although they are older than those that are deleted', async () => {
    const post = await openPost({ chat: true });
    const id = await post.account();
    const count = 7; // more than are sent at once
    for (let i = 0; i < count; i += 1) await post.line(id, 'invited');
    post.clock.advance(31 * DAY);
    post.receiver.answer = (response) => response.writeHead(503).end();
    await post.job();
    expect((await post.store.deliveries.counts()).waiting).toBe(count);
    post.receiver.answer = (response) => response.writeHead(200).end();
    post.clock.advance(MINUTE);
    await post.job();
    expect(new Set(post.receiver.arrived.map(({ body }) => body)).size).toBe(count);
  });

  it('are signed over time and body, and never reveal address or secret', async () => {
    const post = await openPost();
    await post.line(await post.account('Ünï\u202e <b>'), 'invited');
    await post.job();
    const [{ headers, body, url }] = post.receiver.arrived as [(typeof post.receiver.arrived)[number]];
    const [, seconds = '', mac = ''] =
      /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['causeway-signature'])) ?? [];
    expect(Number(seconds)).toBe(Math.floor(post.clock.now() / 1_000));
    expect(mac).toBe(createHmac('sha256', SECRET).update(`${seconds}.${body}`).digest('hex'));
    const event = JSON.parse(body) as Record<string, unknown>;
    expect(Object.keys(event)).toEqual(['id', 'type', 'at', 'account', 'data']);
    expect(headers['causeway-event-id']).toBe(event.id);
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
    expect(url).toBe('/hooks?token=of-the-receiver');
    const seen = `${post.lines.join()}${JSON.stringify(await stateOf(post))}`;
    expect(seen).not.toContain('of-the-receiver');
    expect(seen).not.toContain(SECRET);
  });

  it('are sent again with the same id and body, and a new signature, after a 500', async () => {
    const post = await openPost();
    const answers = [500, 200];
    post.receiver.answer = (response) => response.writeHead(answers.shift() ?? 500).end('no');
    await post.line(await post.account(), 'invited');
    await post.job();
    expect(await stateOf(post)).toMatchObject({ state: 'waiting', attempts: 1, note: 'answered 500' });
    await post.job();
    expect(post.receiver.arrived).toHaveLength(1);
    post.clock.advance(MINUTE);
    await post.job();
    const [first, second] = post.receiver.arrived;
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['causeway-event-id']).toBe(first?.headers['causeway-event-id']);
    expect(second?.headers['causeway-signature']).not.toBe(first?.headers['causeway-signature']);
    expect(await stateOf(post)).toMatchObject({ state: 'delivered', attempts: 2, note: 'answered 200' });
    post.clock.advance(DAY);
    await post.job();
    expect(post.receiver.arrived).toHaveLength(2);
  });

  it('do not wait for a clock that was set back', async () => {
    const post = await openPost();
    post.receiver.answer = (response) => response.writeHead(503).end();
    post.clock.advance(30 * DAY);
    await post.line(await post.account(), 'invited');
    await post.job();
    post.clock.advance(-30 * DAY);
    await post.job();
    expect(post.receiver.arrived).toHaveLength(2);
    await post.job();
    expect(post.receiver.arrived).toHaveLength(2);
  });

  it('wait the whole schedule although the clock of another instance is a little behind', async () => {
    const post = await openPost();
    post.receiver.answer = (response) => response.writeHead(503).end();
    await post.line(await post.account(), 'invited');
    for (const [tries] of retryPauses.entries()) {
      await post.job();
      expect(post.receiver.arrived).toHaveLength(tries + 1);
      post.clock.advance(-5 * SECOND);
      await post.job();
      expect(post.receiver.arrived).toHaveLength(tries + 1);
      post.clock.advance(5 * SECOND + (retryPauses[tries] ?? 0));
    }
  });

  it('are abandoned after the published schedule, and sent again on request', async () => {
    const post = await openPost();
    post.receiver.answer = (response) => response.writeHead(503).end();
    await post.line(await post.account(), 'invited');
    await post.job();
    for (const pause of retryPauses) {
      post.clock.advance(pause - 1);
      await post.job();
      const before = post.receiver.arrived.length;
      post.clock.advance(1);
      await post.job();
      expect(post.receiver.arrived).toHaveLength(before + 1);
    }
    expect(await stateOf(post)).toMatchObject({ state: 'given-up', attempts: 7, note: 'answered 503' });
    expect(outcomesOf(post)).toEqual([...Array<string>(6).fill('failed'), 'given up']);
    post.clock.advance(2 * DAY);
    await post.job();
    expect(post.receiver.arrived).toHaveLength(7);
    post.receiver.answer = (response) => response.writeHead(200).end();
    const { id } = await stateOf(post);
    expect(await post.store.deliveries.again(id, post.clock.now())).toMatchObject({ attempts: 0 });
    await post.job();
    expect(await stateOf(post)).toMatchObject({ state: 'delivered', attempts: 1 });
  });

  it('are sent again on request although their last attempt fails only then', async () => {
    const post = await openPost();
    await post.line(await post.account(), 'invited');
    await post.job();
    const { deliveries } = post.store;
    const { id } = await stateOf(post);
    await deliveries.again(id, post.clock.now());
    const [taken] = await deliveries.take(post.clock.now(), MINUTE, 1);
    if (taken === undefined) throw new Error('it was not due');
    await deliveries.again(id, post.clock.now());
    await deliveries.failed(taken, undefined, 'answered 500', post.clock.now());
    expect(await stateOf(post)).toMatchObject({ state: 'waiting', attempts: 0 });
    await post.job();
    expect(typesOf(post)).toEqual(['account.invited', 'account.invited']);
  });

  it('are logged as failed, not as given up, if they are resent during their last attempt', async () => {
    const post = await openPost();
    post.receiver.answer = (response) => response.writeHead(503).end();
    await post.line(await post.account(), 'invited');
    await post.job();
    const { id } = await stateOf(post);
    for (const pause of retryPauses.slice(0, -1)) {
      post.clock.advance(pause);
      await post.job();
    }
    post.receiver.answer = (response) => {
      void post.store.deliveries.again(id, post.clock.now()).then(() => response.writeHead(503).end());
    };
    post.clock.advance(retryPauses.at(-1) ?? 0);
    await post.job();
    expect(await stateOf(post)).toMatchObject({ state: 'waiting', attempts: 0 });
    expect(outcomesOf(post)).toEqual(Array<string>(7).fill('failed'));
    post.receiver.answer = (response) => response.writeHead(200).end();
    await post.job();
    expect(outcomesOf(post).at(-1)).toBe('delivered');
  });

  it('follow no redirect', async () => {
    const elsewhere = await Receiver.open();
    open.push(elsewhere);
    const post = await openPost();
    post.receiver.answer = (response) => response.writeHead(307, { Location: elsewhere.url }).end();
    await post.line(await post.account(), 'invited');
    await post.job();
    expect(elsewhere.arrived).toEqual([]);
    expect(await stateOf(post)).toMatchObject({
      state: 'waiting',
      note: 'answered 307: redirects are not followed',
    });
  });

  it('are not delayed by a receiver that never answers', async () => {
    const post = await openPost({ patience: 150 });
    post.receiver.answer = () => undefined;
    await post.line(await post.account(), 'invited');
    await post.job();
    expect(await stateOf(post)).toMatchObject({ state: 'waiting', note: 'no answer in time' });
  });

  it('are not held up by another receiver that never answers', async () => {
    const post = await openPost({ chat: true });
    const id = await post.account();
    const silent: { destroy(): unknown }[] = [];
    post.receiver.answer = (response, { url }) =>
      url.startsWith('/services') ? silent.push(response) : response.writeHead(204).end();
    for (let n = 0; n < 6; n += 1) {
      await post.line(id, 'consentRefused', undefined, 'noPrivilege');
      post.clock.advance(1);
    }
    const run = post.job();
    await eventually('all six signed events arrive', () =>
      post.receiver.arrived.filter(({ url }) => url.startsWith('/hooks')).length === 6 ? true : undefined,
    );
    for (const response of silent) response.destroy();
    await run;
  });

  it('do not read what a receiver sends after its status', async () => {
    const post = await openPost({ patience: HOUR });
    post.receiver.answer = (response) => {
      response.writeHead(200);
      response.write('and never an end');
    };
    await post.line(await post.account(), 'invited');
    await post.job();
    expect(await stateOf(post)).toMatchObject({ state: 'delivered' });
  });

  it('are tried again if the connection is cut or refused', async () => {
    const post = await openPost();
    post.receiver.answer = (response) => response.destroy();
    await post.line(await post.account(), 'invited');
    await post.job();
    expect(await stateOf(post)).toMatchObject({ state: 'waiting', note: 'the connection was cut' });
    await post.receiver.close();
    open.splice(open.indexOf(post.receiver), 1);
    post.clock.advance(MINUTE);
    await post.job();
    expect(await stateOf(post)).toMatchObject({
      state: 'waiting',
      attempts: 2,
      note: 'nothing is listening there',
      nextAt: post.clock.now() + 5 * MINUTE,
    });
  });

  it('are created once by two processes, and those of a dead one are due again', async () => {
    const post = await openPost();
    await post.line(await post.account(), 'invited');
    const other = new DeliveryJob({
      history: post.store.history,
      deliveries: post.store.deliveries,
      accounts: post.store.accounts,
      channels: [{ name: 'evt', write: outgoing, sender: { send: () => new Promise(() => undefined) } }],
      clock: post.clock,
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    });
    void other.run();
    await eventually('the other process has taken it', async () =>
      (await post.store.deliveries.list({ limit: 1 }))[0]?.attempts === 1 ? true : undefined,
    );
    await post.job();
    expect(post.receiver.arrived).toEqual([]);
    post.clock.advance(3 * MINUTE);
    await post.job();
    expect(post.receiver.arrived).toHaveLength(1);
    expect(await post.store.deliveries.list({ limit: 10 })).toHaveLength(1);
  });

  it('become chat messages of the wanted kinds, each retried separately', async () => {
    const post = await openPost({ chat: true });
    const id = await post.account('Harbour <!channel> Lane');
    post.receiver.answer = (response, { url }) =>
      response.writeHead(url.startsWith('/services') ? 429 : 204).end();
    await post.line(id, 'invited');
    await post.line(id, 'consentRefused', undefined, 'noPrivilege');
    await post.job();
    expect(post.receiver.arrived.map(({ url }) => url.slice(0, 6)).toSorted()).toEqual([
      '/hooks',
      '/hooks',
      '/servi',
    ]);
    post.receiver.answer = (response) => response.writeHead(200).end('ok');
    post.clock.advance(2 * MINUTE);
    await post.job();
    const last = post.receiver.arrived.at(-1);
    expect(last?.url).toBe('/services/of-slack');
    expect(Object.keys(last?.headers ?? {}).filter((name) => name.startsWith('causeway'))).toEqual([]);
    expect(JSON.parse(last?.body ?? '')).toMatchObject({
      text: expect.stringMatching(/^Harbour &lt;!channel&gt; Lane: somebody tried to approve/),
      blocks: [
        { text: { type: 'plain_text' } },
        { elements: [{ url: `${CONSOLE}/accounts/${id}`, type: 'button' }] },
      ],
    });
    expect(await post.store.deliveries.counts()).toMatchObject({ delivered: 3, waiting: 0 });
    post.clock.advance(2 * DAY);
    expect(post.lines.join()).not.toContain('of-slack');
  });

  it('are deleted a month after they ended', async () => {
    const post = await openPost();
    await post.line(await post.account(), 'invited');
    await post.job();
    post.clock.advance(31 * DAY + HOUR);
    await post.job();
    expect(await post.store.deliveries.list({ limit: 10 })).toEqual([]);
  });
});
