import { request as httpRequest } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { OracleEntry } from '../../src/sandbox/oauth/tokens/oracle.ts';
import type { LoggedRequest } from '../../src/sandbox/http/request-log.ts';
import { Playground, tokensOf, type Tokens } from './playground.ts';
import { until } from '../support/clock.ts';

let at: Playground;
let tokens: Tokens;

beforeEach(async () => {
  at = await Playground.open();
  tokens = await at.connect();
});

afterEach(async () => {
  await at.close();
});

const add = (name: string) => ({ method: 'POST', body: `<Client><Name>${name}</Name></Client>` });

async function names(): Promise<readonly string[]> {
  const { text } = await at.call('/v1/client.api/list?apiKey=any&accountKey=A1');
  return Array.from(text.matchAll(/<Client><ID>\d+<\/ID><Name>(.*?)<\/Name>/g), ([, name = '']) => name);
}

async function generations(): Promise<OracleEntry['generations']> {
  const [entry] = (await at.control('oracle')) as OracleEntry[];
  return entry?.generations ?? [];
}

async function lastRequest(): Promise<LoggedRequest | undefined> {
  return ((await at.control('requests')) as LoggedRequest[]).at(-1);
}

/** What a client got before its connection ended; `whole` when the answer was complete. */
async function rawGet(path: string, headers: Record<string, string>) {
  return new Promise<{ status: number | undefined; announced: number; body: string; whole: boolean }>(
    (resolve, reject) => {
      const call = httpRequest({ host: '127.0.0.1', port: at.port, path, headers }, (answer) => {
        const chunks: Buffer[] = [];
        const end = (): void => {
          resolve({
            status: answer.statusCode,
            announced: Number(answer.headers['content-length']),
            body: Buffer.concat(chunks).toString(),
            whole: answer.complete,
          });
        };
        answer
          .on('data', (chunk: Buffer) => chunks.push(chunk))
          .on('error', end)
          .on('end', end);
      });
      call.on('error', reject).end();
    },
  );
}

describe('latency', () => {
  it('delays the reply until its time has passed on the sandbox’s clock', async () => {
    await at.control('faults', { on: { surface: 'v3' }, do: 'latency', ms: 90_000 });
    let done = false;
    const slow = at.v3(tokens.access, at.one.id, '/3.0/client.api/add', add('Slow')).then((answer) => {
      done = true;
      return answer;
    });
    await until('the fault is played', async () => (await lastRequest())?.fault === 'latency');
    await at.advance(89);
    expect(await names()).toEqual(['First &amp; Co']);
    expect(done).toBe(false);
    await at.advance(1);
    expect((await slow).text).toContain('<Name>Slow</Name>');
  });

  it('happens even if the client has left', async () => {
    await at.control('faults', { on: { surface: 'v3' }, do: 'latency', ms: 90_000 });
    const leaving = new AbortController();
    const slow = at.call('/3.0/client.api/add', {
      ...add('Left alone'),
      headers: { authorization: `Bearer ${tokens.access}`, 'account-id': at.one.id },
      signal: leaving.signal,
    });
    await until('the fault is played', async () => (await lastRequest())?.fault === 'latency');
    leaving.abort();
    await expect(slow).rejects.toThrow();
    await at.advance(90);
    await until('it is there', async () => (await names()).includes('Left alone'));
  });
});

describe('status', () => {
  it("replaces the service's reply, with Retry-After, in the gateway’s JSON", async () => {
    await at.control('faults', { on: { surface: 'v3' }, do: 'status', status: 503, retryAfter: 7 });
    const answer = await at.v3(tokens.access, at.one.id, '/3.0/client.api/add', add('Nobody'));
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('7');
    expect(answer.json).toMatchObject({ Status: 503, Title: 'Service Unavailable' });
    expect(await names()).not.toContain('Nobody');
  });

  it('can be HTML, even with 200', async () => {
    await at.control('faults', { on: { surface: 'v1' }, do: 'status', status: 200, body: 'html' });
    const answer = await at.call('/v1/client.api/list?apiKey=any&accountKey=A1');
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  });

  it('on the token address leaves the token unused', async () => {
    await at.control('faults', { on: { surface: 'token' }, do: 'status', status: 500 });
    const answer = await at.refresh(tokens.refresh);
    expect([answer.status, answer.json.error]).toEqual([500, 'temporarily_unavailable']);
    expect(await generations()).toHaveLength(1);
    expect((await generations())[0]?.usedAt).toBeNull();
    expect((await at.refresh(tokens.refresh)).status).toBe(200);
  });

  it('after the execution hides what was done', async () => {
    await at.control('faults', { on: { surface: 'token' }, do: 'status', status: 502, when: 'after' });
    expect((await at.refresh(tokens.refresh)).status).toBe(502);
    expect(await generations()).toHaveLength(2);
  });
});

describe('reset-before', () => {
  it('closes the connection and does nothing', async () => {
    await at.control('faults', { on: { surface: 'token' }, do: 'reset-before' });
    await expect(at.refresh(tokens.refresh)).rejects.toThrow();
    expect((await generations())[0]?.state).toBe('current');
    expect(await lastRequest()).toMatchObject({ fault: 'reset-before', status: null, accountId: at.one.id });
  });
});

describe('reset-after', () => {
  it('refreshes, and the answer is lost', async () => {
    await at.control('faults', { on: { surface: 'token', operation: 'refresh' }, do: 'reset-after' });
    await expect(at.refresh(tokens.refresh)).rejects.toThrow();
    expect((await generations()).map(({ state }) => state)).toEqual(['superseded', 'current']);
    expect(await lastRequest()).toMatchObject({ fault: 'reset-after', status: 200, generation: 1 });
    expect((await at.refresh(tokens.refresh)).status).toBe(200);
  });

  it('writes a record, and the answer is lost', async () => {
    await at.control('faults', { on: { surface: 'v3', operation: 'client.add' }, do: 'reset-after' });
    await expect(at.v3(tokens.access, at.one.id, '/3.0/client.api/add', add('Lost'))).rejects.toThrow();
    expect(await names()).toEqual(['First &amp; Co', 'Lost']);
  });
});

describe('cut', () => {
  it('sends the headers and half of the body', async () => {
    const headers = { authorization: `Bearer ${tokens.access}`, 'account-id': at.one.id };
    const whole = await at.v3(tokens.access, at.one.id, '/3.0/customfield.api/definition');
    await at.control('faults', { on: { surface: 'v3' }, do: 'cut' });
    const half = await rawGet('/3.0/customfield.api/definition', headers);
    expect(half.whole).toBe(false);
    expect(half.status).toBe(200);
    const { length } = Buffer.from(whole.text);
    expect(half.body).toBe(
      Buffer.from(whole.text)
        .subarray(0, Math.floor(length / 2))
        .toString(),
    );
  });

  it('of a refresh happens after the refresh', async () => {
    await at.control('faults', { on: { surface: 'token' }, do: 'cut' });
    await expect(at.refresh(tokens.refresh)).rejects.toThrow();
    expect(await generations()).toHaveLength(2);
  });

  it('leaves a chunked list unfinished', async () => {
    const clients = Array.from({ length: 400 }, (_, index) => ({ name: `Client ${String(index)}` }));
    const organisations = [{ name: 'Long', accountKey: 'LONG', clients }];
    await at.control('seed', { organisations });
    await at.control('faults', { on: { surface: 'v1' }, do: 'cut' });
    const half = await rawGet('/v1/client.api/list?apiKey=a&accountKey=LONG', {});
    expect(half.whole).toBe(false);
    expect(half.body).toContain('<Response');
    expect(half.body).not.toContain('</Response>');
  });
});

describe('late', () => {
  it('closes the connection at once and performs the refresh when its time has come', async () => {
    await at.control('faults', { on: { surface: 'token' }, do: 'late', ms: 180_000 });
    await expect(at.refresh(tokens.refresh)).rejects.toThrow();
    expect(await generations()).toHaveLength(1);
    await at.advance(179);
    expect(await generations()).toHaveLength(1);
    await at.advance(1);
    await until('the refresh is carried out', async () => (await generations()).length === 2);
    await until('the request is answered', async () => (await lastRequest())?.status === 200);
    expect(await lastRequest()).toMatchObject({ fault: 'late', handledAt: '2026-03-02T10:03:00.000Z' });
  });

  it('invalidates a successor that was stored meanwhile, if only the latest counts', async () => {
    await at.control('settings', { protocol: { successor: 'latest' } });
    await at.control('faults', { on: { surface: 'token' }, do: 'late', ms: 180_000 });
    await expect(at.refresh(tokens.refresh)).rejects.toThrow();
    const stored = tokensOf(await at.refresh(tokens.refresh));
    await at.advance(180);
    await until('the refresh is carried out', async () => (await generations()).length === 3);
    expect((await at.refresh(stored.refresh)).json.error).toBe('invalid_grant');
    expect((await at.refresh(tokens.refresh)).status).toBe(200);
  });

  it('performs a write with its body', async () => {
    await at.control('faults', { on: { surface: 'v3' }, do: 'late', ms: 1_000 });
    await expect(at.v3(tokens.access, at.one.id, '/3.0/client.api/add', add('Ĺate'))).rejects.toThrow();
    expect(await names()).not.toContain('Ĺate');
    await at.advance(1);
    await until('it is there', async () => (await names()).includes('Ĺate'));
  });
});

describe('revoke', () => {
  it('ends the family on the service’s initiative', async () => {
    await at.control('faults', { on: { surface: 'token' }, do: 'revoke' });
    expect((await at.refresh(tokens.refresh)).json.error).toBe('invalid_grant');
    const [entry] = (await at.control('oracle')) as OracleEntry[];
    expect(entry?.revoked).toEqual({ at: '2026-03-02T10:00:00.000Z', by: 'fault' });
    expect(entry?.generations[0]?.state).toBe('revoked');
  });

  it('includes the access tokens', async () => {
    await at.control('faults', { on: { surface: 'v3' }, do: 'revoke' });
    expect((await at.v3(tokens.access)).status).toBe(401);
  });
});

describe('a plan of faults', () => {
  it('applies only to what it names', async () => {
    const operation = 'client.list';
    await at.control('faults', { on: { surface: 'v3', operation }, do: 'status', status: 500, times: 100 });
    expect((await at.v3(tokens.access, at.one.id, '/3.0/customfield.api/definition')).status).toBe(200);
    expect((await at.v3(tokens.access, at.one.id, '/3.0/client.api/list/?detailed=true')).status).toBe(500);
    expect((await at.call('/v1/client.api/list?apiKey=any&accountKey=A1')).status).toBe(200);
    expect((await at.refresh(tokens.refresh)).status).toBe(200);
  });

  it('applies to one organisation only', async () => {
    const accountId = at.two.id;
    await at.control('faults', { on: { surface: 'v1', accountId }, do: 'status', status: 500, times: 9 });
    expect((await at.call('/v1/client.api/list?apiKey=any&accountKey=A1')).status).toBe(200);
    expect((await at.call('/v1/client.api/list?apiKey=K2&accountKey=A2')).status).toBe(500);
    const both = await at.connect([at.one.id, at.two.id]);
    await at.control('faults', { on: { surface: 'token', accountId }, do: 'status', status: 500 });
    expect((await at.refresh(tokens.refresh)).status).toBe(200);
    expect((await at.refresh(both.refresh)).status).toBe(500);
  });

  it('applies once by default, and counts', async () => {
    const planned = await at.control('faults', {
      id: 'mine',
      on: { surface: 'v3' },
      do: 'status',
      status: 500,
    });
    expect(planned).toMatchObject({ id: 'mine', times: 1, left: 1, struck: 0 });
    expect((await at.v3(tokens.access)).status).toBe(500);
    expect((await at.v3(tokens.access)).status).toBe(200);
    expect(await at.control('faults')).toMatchObject([{ id: 'mine', left: 0, struck: 1 }]);
  });

  it('applies with its probability', async () => {
    await at.close();
    const chances = [0.9, 0.1, 0.2, 0.19];
    at = await Playground.open({ random: () => chances.shift() ?? 1 });
    const { access } = await at.connect();
    await at.control('faults', {
      on: { surface: 'v3' },
      do: 'status',
      status: 500,
      probability: 0.2,
      times: 10,
    });
    const statuses: number[] = [];
    for (let call = 0; call < 5; call += 1) statuses.push((await at.v3(access)).status);
    expect(statuses).toEqual([200, 500, 200, 500, 200]);
  });

  it('can be removed, one or all', async () => {
    await at.control('faults', { id: 'a', on: { surface: 'v3' }, do: 'status', status: 500 });
    await at.control('faults', { id: 'b', on: { surface: 'v3' }, do: 'status', status: 501 });
    await at.control('faults/a', undefined, 'DELETE');
    expect((await at.v3(tokens.access)).status).toBe(501);
    await at.control('faults', { id: 'c', on: { surface: 'v3' }, do: 'status', status: 502 });
    await at.control('faults', undefined, 'DELETE');
    expect((await at.v3(tokens.access)).status).toBe(200);
    expect((await at.call('/_sandbox/faults/c', { method: 'DELETE' })).status).toBe(404);
  });

  it('is refused with the faulty fields, and nothing is planned', async () => {
    const wrong = [
      [{ do: 'latency', on: { surface: 'v3' } }, 'ms'],
      [{ do: 'status', on: { surface: 'v3' } }, 'status'],
      [{ do: 'explode', on: { surface: 'v3' } }, 'do'],
      [{ do: 'cut', on: { surface: 'v9' } }, 'on.surface'],
      [{ do: 'cut', on: { surface: 'v1' }, times: 0 }, 'times'],
      [{ do: 'cut', on: { surface: 'v1' }, probability: 1.5 }, 'probability'],
    ] as const;
    for (const [fault, field] of wrong) {
      const answer = await at.call('/_sandbox/faults', { method: 'POST', body: JSON.stringify(fault) });
      expect(answer.status).toBe(400);
      expect(answer.json).toMatchObject({ error: { details: [{ field }] } });
    }
    expect(await at.control('faults')).toEqual([]);
  });
});
