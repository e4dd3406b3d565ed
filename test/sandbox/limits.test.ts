import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { LoggedRequest } from '../../src/sandbox/http/request-log.ts';
import { Playground, tokensOf, type Answer } from './playground.ts';
import { until } from '../support/clock.ts';

let at: Playground;
let access: string;

beforeEach(async () => {
  at = await Playground.open();
  ({ access } = await at.connect([at.one.id, at.two.id]));
});

afterEach(async () => {
  await at.close();
});

async function calls(count: number, organisation = at.one.id, path?: string): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  for (let call = 0; call < count; call += 1) answers.push(await at.v3(access, organisation, path));
  return answers;
}

const statuses = (answers: readonly Answer[]) => [...new Set(answers.map(({ status }) => status))];

describe('a limit of 60 requests in a rolling minute', () => {
  it('refuses the 61st until the first has left the window', async () => {
    expect(statuses(await calls(30))).toEqual([200]);
    await at.advance(20);
    expect(statuses(await calls(30))).toEqual([200]);
    const [refused] = await calls(1);
    expect(refused?.status).toBe(429);
    expect(refused?.headers.get('retry-after')).toBe('40');
    expect(refused?.headers.get('x-rate-limit-problem')).toBe('minute');
    expect(refused?.headers.get('x-minlimit-remaining')).toBe('0');
    expect(refused?.json).toMatchObject({ Title: 'Too Many Requests', Status: 429 });
    await at.advance(39.5);
    const [still] = await calls(1);
    expect(still?.status).toBe(429);
    expect(still?.headers.get('retry-after')).toBe('1');
    await at.advance(0.5);
    // Those of the first 20 seconds have left, those after it have not: the window rolls.
    expect(statuses(await calls(30))).toEqual([200]);
    expect(statuses(await calls(1))).toEqual([429]);
  });

  it('does not count refused requests', async () => {
    await calls(60);
    expect(statuses(await calls(20))).toEqual([429]);
    await at.advance(60);
    expect(statuses(await calls(60))).toEqual([200]);
  });

  it('is stated in header fields', async () => {
    const [first, second] = await calls(2);
    expect(first?.headers.get('x-minlimit-remaining')).toBe('59');
    expect(second?.headers.get('x-minlimit-remaining')).toBe('58');
    expect(second?.headers.get('x-daylimit-remaining')).toBe('4998');
    expect(second?.headers.get('x-appminlimit-remaining')).toBe('9998');
  });

  it('counts V2 and V3 together', async () => {
    expect(statuses(await calls(30, at.one.id, '/v2/nothing'))).toEqual([404]);
    await calls(30);
    const [refused] = await calls(1, at.one.id, '/v2/nothing');
    expect(refused?.status).toBe(429);
    expect(refused?.json).toMatchObject({ error: { code: 'rate_limited' } });
  });

  it('counts each organisation and application separately', async () => {
    await calls(60);
    expect(statuses(await calls(1))).toEqual([429]);
    expect(statuses(await calls(1, at.two.id, '/v2/clients'))).toEqual([200]);
    const changes = { client_id: 'client-2', redirect_uri: 'https://other.example/cb' };
    const code = await at.code([at.one.id], changes);
    const other = tokensOf(await at.exchange(code, { ...changes, client_secret: 'hush' }));
    expect((await at.v3(other.access)).status).toBe(200);
  });

  it('applies to simultaneous requests', async () => {
    const answers = await Promise.all(Array.from({ length: 80 }, () => at.v3(access)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(60);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20);
  });

  it('does not count unauthenticated calls', async () => {
    for (let call = 0; call < 70; call += 1) await at.v3('nonsense');
    expect(statuses(await calls(60))).toEqual([200]);
  });

  it('can be scaled and switched off', async () => {
    await at.control('settings', { protocol: { limits: { perMinute: 2, windowSeconds: 5 } } });
    expect((await calls(3)).map(({ status }) => status)).toEqual([200, 200, 429]);
    await at.advance(5);
    expect(statuses(await calls(2))).toEqual([200]);
    await at.control('settings', { protocol: { limits: { perMinute: null } } });
    expect(statuses(await calls(70))).toEqual([200]);
  });
});

describe('a limit that is off by default', () => {
  it('refuses too many calls in a day, and states the seconds until the next UTC day', async () => {
    await at.control('settings', { protocol: { limits: { perDay: 2 } } });
    const answers = await calls(3);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
    expect(answers[2]?.headers.get('x-rate-limit-problem')).toBe('day');
    expect(answers[2]?.headers.get('retry-after')).toBe(String(14 * 3600));
  });

  it('refuses more than a number of simultaneous calls', async () => {
    await at.control('settings', { protocol: { limits: { concurrent: 5, perMinute: null } } });
    for (let call = 0; call < 5; call += 1) expect((await at.v3(access)).status).toBe(200);
    // Five that are being answered: their bodies are not here yet.
    const ends: (() => void)[] = [];
    const open = Array.from({ length: 5 }, () => slowAdd(ends));
    // Looked up where nothing counts: a call that asks would take the place of one of them.
    await until('five are being answered', async () => (await beingAnswered()) === 5);
    const refused = await at.v3(access);
    expect(refused.headers.get('x-rate-limit-problem')).toBe('concurrent');
    for (const end of ends) end();
    expect((await Promise.all(open)).every((status) => status === 200)).toBe(true);
    expect((await at.v3(access)).status).toBe(200);
  });
});

async function beingAnswered(): Promise<number> {
  const lines = (await at.control('requests')) as readonly LoggedRequest[];
  return lines.filter(
    ({ path, accountId, status }) => path.endsWith('/add') && accountId !== null && status === null,
  ).length;
}

/** A call whose body comes to its end when told to. */
async function slowAdd(ends: (() => void)[]): Promise<number> {
  const { request } = await import('node:http');
  return new Promise((resolve, reject) => {
    const call = request(
      {
        host: '127.0.0.1',
        port: at.port,
        path: '/3.0/client.api/add',
        method: 'POST',
        headers: { authorization: `Bearer ${access}`, 'account-id': at.one.id },
      },
      (answer) => {
        answer.resume().on('end', () => {
          resolve(answer.statusCode ?? 0);
        });
      },
    );
    call.on('error', reject);
    call.write('<Client><Name>');
    ends.push(() => call.end('Slow</Name></Client>'));
  });
}
