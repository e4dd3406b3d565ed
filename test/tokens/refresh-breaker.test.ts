import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from '@jest/globals';
import { Breaker } from '../../src/lib/circuit-breaker.ts';
import type { RefreshVerdict } from '../../src/upstream/model.ts';
import { openStore } from '../../src/app/store.ts';
import { sealPair } from '../../src/tokens/grant-row.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import { Sweeper } from '../../src/tokens/refresh/sweeper.ts';
import { sqlOf } from '../support/sql.ts';
import { bench, renewal, ScriptedAuthority, unanswered, type Bench } from './harness.ts';
import { MemoryGrants } from '../support/memory-grants.ts';
import { HandClock, until } from '../support/clock.ts';
import { HandTimers } from '../support/hand-timers.ts';
import { answer, badServer, silence } from '../upstream/server.ts';
import { HttpAuthority } from '../../src/upstream/authorisation-server/client.ts';
import { MINUTE } from '../../src/lib/time/clock.ts';
import { onlyClient } from '../support/applications.ts';

const GRANTS = 20;
const refusedClient: RefreshVerdict = { verdict: 'unanswered', cause: 'invalid_client', everybody: true };

interface Yard extends Bench {
  readonly repository: MemoryGrants;
  readonly breaker: Breaker;
  /** One sweep a second. */
  live(seconds: number): Promise<void>;
}

const second = 1_000;
const rules = {
  failures: 4,
  window: 180 * second,
  pause: 5 * second,
  longestPause: 60 * second,
  longestRetryAfter: 120 * second,
  probe: 270 * second,
};

/** Twenty grants whose renewal is due, and a breaker in front of the server. */
async function yard(): Promise<Yard> {
  const clock = new HandClock();
  const repository = new MemoryGrants(clock);
  const set = await bench(repository, clock);
  const { ring, log, profile } = set;
  for (let n = 0; n < GRANTS; n += 1) {
    const id = `g${n}`;
    const pair = {
      generation: 1,
      accessToken: new Secret('at-1'),
      accessExpiresAt: clock.now(),
      refreshToken: new Secret('rt-1'),
    };
    const consenter = { userId: 'u', name: undefined, email: undefined };
    await repository.create({ id, consenter, scope: '', tokens: sealPair(ring, id, pair), now: clock.now() });
  }
  const breaker = new Breaker({ rules, clock, random: () => 1 });
  const vault = set.vault({ applications: onlyClient({ authority: set.authority, breaker }) });
  const sweeper = new Sweeper({ repository, vault, clock, profile, log, concurrency: 1 });
  clock.advance(31 * 24 * 60 * MINUTE);
  const live = async (seconds: number): Promise<void> => {
    for (let n = 0; n < seconds; n += 1) {
      await sweeper.sweep();
      clock.advance(second);
    }
  };
  return { ...set, repository, breaker, live };
}

const statesOf = async ({ repository }: Yard): Promise<readonly string[]> =>
  (await repository.list()).filter(({ id }) => id !== 'g').map(({ state }) => state);

describe('an authorisation server in trouble', () => {
  it('that refuses the client is called for one grant, then probed now and then, and no grant is lost', async () => {
    const at = await yard();
    at.authority.answering = () => refusedClient;
    await at.live(60);
    // 0 s, then after 5, 10, 20 s and so on.
    expect(at.authority.presented.length).toBeLessThanOrEqual(5);
    expect(at.breaker.view).toMatchObject({ state: 'open', reason: 'invalid_client' });
    const touched = (await at.repository.list()).filter(({ state }) => state === 'unresolved');
    expect(touched.length).toBeLessThanOrEqual(at.authority.presented.length);
    at.authority.answering = (token) => renewal(Number(token.slice(3)) + 1, at.clock.now());
    await at.live(120);
    expect(new Set(await statesOf(at))).toEqual(new Set(['held']));
    expect(at.lost).toEqual([]);
  });

  it('that refuses one application still refreshes the tokens of another', async () => {
    const { ring, vault, authority, clock, repository } = await yard();
    const payroll = new ScriptedAuthority(clock, () => refusedClient);
    const consenter = { userId: 'u', name: undefined, email: undefined };
    const pair = {
      generation: 1,
      accessToken: new Secret('at-1'),
      accessExpiresAt: clock.now(),
      refreshToken: new Secret('rt-1'),
    };
    for (const id of ['p0', 'p1']) {
      const tokens = sealPair(ring, id, pair);
      await repository.create({ id, application: 'payroll', consenter, scope: '', tokens, now: clock.now() });
    }
    const breaker = (): Breaker => new Breaker({ rules, clock, random: () => 1 });
    const breakers = { default: breaker(), payroll: breaker() };
    const both = vault({
      applications: new Map([
        ['default', { authority, breaker: breakers.default }],
        ['payroll', { authority: payroll, breaker: breakers.payroll }],
      ]),
    });
    await both.drive('p0');
    await expect(both.keepAlive('p1', clock.now() + 1)).resolves.toBe('later');
    await expect(both.keepAlive('g0', clock.now() + 1)).resolves.toBe('held');
    expect([breakers.payroll.view.state, breakers.default.view.state]).toEqual(['open', 'closed']);
    expect(payroll.presented).toHaveLength(1);
    expect(Object.fromEntries(both.verdicts)).toEqual({ 'payroll unanswered': 1, 'default renewed': 1 });
    // An application that is not there is nobody's to stand in for.
    const without = vault({ applications: new Map([['default', { authority }]]) });
    await expect(without.renewAfter('p0', 1)).rejects.toMatchObject({ code: 'applicationMissing' });
    expect(await repository.find('p0')).toMatchObject({ state: 'held', application: 'payroll' });
  });

  it('that does not answer is left alone after four grants, and all are refreshed when it is back', async () => {
    const at = await yard();
    at.authority.answering = () => unanswered;
    await at.live(60);
    expect(at.authority.presented.length).toBeLessThan(12);
    at.authority.answering = (token) => renewal(Number(token.slice(3)) + 1, at.clock.now());
    await at.live(120);
    expect(new Set(await statesOf(at))).toEqual(new Set(['held']));
  });

  it('that says when to come back is left alone until then', async () => {
    const at = await yard();
    at.authority.answering = () => ({
      ...unanswered,
      cause: 'status 429',
      everybody: true,
      retryAfter: 90_000,
    });
    await at.live(90);
    expect(at.authority.presented).toHaveLength(1);
    await at.live(10);
    expect(at.authority.presented).toHaveLength(2);
  });

  it('is sent every token in turn if there is no circuit breaker', async () => {
    const at = await yard();
    const { profile, log, clock, repository } = at;
    at.authority.answering = () => refusedClient;
    await new Sweeper({ repository, vault: at.vault(), clock, profile, log }).sweep();
    expect(at.authority.presented.length).toBeGreaterThanOrEqual(GRANTS);
  });

  it('is not suspected if the bridge has no connection free, and no token counts as presented', async () => {
    const { breaker, vault, repository, clock, profile } = await yard();
    const server = await badServer(silence);
    const timers = new HandTimers();
    const authority = new HttpAuthority({
      ...{ authUrl: server.origin, connectionsUrl: undefined, clientId: 'c', profile, clock },
      ...{ clientSecrets: [new Secret('s')], limits: { size: 2, waitMs: 2_000 }, timer: timers.timer },
    });
    const busy = vault({ applications: onlyClient({ authority, breaker }) });
    const renewals = Array.from({ length: GRANTS }, (_, n) => busy.keepAlive(`g${n}`, clock.now()));
    await until('one that is sent', () => server.seen.length === 1 && timers.pending === GRANTS - 1);
    timers.advanceNow(2_000);
    await until('the others to give up', () => timers.pending === 0);
    server.behave(answer(JSON.stringify({ access_token: 'at', refresh_token: 'rt', token_type: 'Bearer' })));
    for (const socket of server.sockets) socket.destroy();
    expect(new Set(await Promise.all(renewals))).toEqual(new Set(['later']));
    expect(breaker.isClosed).toBe(true);
    const states = (await repository.list()).filter(({ id }) => id !== 'g').map(({ state }) => state);
    expect(states.filter((state) => state === 'unresolved')).toHaveLength(1);
    expect(await busy.keepAlive('g19', clock.now())).toBe('held');
    expect(server.seen).toHaveLength(2);
    await server.close();
  });

  it('is not suspected if it is the deployment that is in doubt', async () => {
    const { breaker, vault, authority, repository, clock } = await yard();
    const why = { why: 'copied' };
    const doubted = vault({
      applications: onlyClient({ authority, breaker }),
      guard: { mayPresent: async () => true, doubt: why },
    });
    for (let n = 0; n < GRANTS; n += 1) await doubted.keepAlive(`g${n}`, clock.now());
    expect((await repository.find('g0'))?.state).toBe('unresolved');
    expect(authority.presented).toEqual([]);
    expect(breaker.isClosed).toBe(true);
  });
});

describe('calls that wait for a server that does not answer', () => {
  it('retry within their share of requests, and leave the rest to the sweeper', async () => {
    const clock = new HandClock();
    const set = await bench(new MemoryGrants(clock), clock);
    set.authority.answering = () => unanswered;
    const vault = set.vault({ patienceMs: 3_600_000 });
    clock.advance(31 * MINUTE);
    for (let call = 0; call < 5; call += 1) await vault.accessToken('g').catch(() => undefined);
    const byCalls = set.authority.presented.length;
    expect(byCalls).toBeLessThanOrEqual(21);
    clock.advance(2 * MINUTE);
    await vault.drive('g');
    expect(set.authority.presented).toHaveLength(byCalls + 1);
  });
});

describe('a database that accepts no more writes', () => {
  const folders: string[] = [];
  afterEach(async () => {
    for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
  });

  it('lets no refresh be sent: writing the intent is the probe', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'causeway-full-'));
    folders.push(folder);
    const url = `sqlite:${join(folder, 'store.db')}`;
    const store = await openStore(url);
    const clock = new HandClock();
    const set = await bench(store.grants, clock);
    clock.advance(31 * MINUTE);
    // What SQLite says of a full disk, by the only means that holds for a process that may write anywhere.
    await sqlOf(
      url,
      `create trigger full before update on grants begin select raise(fail, 'database or disk is full'); end`,
    );
    await expect(set.vault().accessToken('g')).rejects.toMatchObject({ code: 'upstreamUnavailable' });
    expect(set.authority.presented).toEqual([]);
    await sqlOf(url, 'drop trigger full');
    expect((await set.vault().accessToken('g')).generation).toBe(2);
    await store.close();
  });
});
