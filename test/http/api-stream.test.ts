import { afterEach, describe, expect, it } from '@jest/globals';
import express from 'express';
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FeedEvent } from '../../src/features/accounts/history.ts';
import { silentLog } from '../../src/lib/log/log.ts';
import { ApiRefusal } from '../../src/http/api/refusal.ts';
import { refusals } from '../../src/http/server/refusals.ts';
import { listenToEvents } from '../../src/http/api/stream.ts';
import { EventStreams, type EventStreamOptions, lastSeen } from '../../src/http/server/event-streams.ts';
import { eventually, until } from '../support/clock.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

const event = (seq: number, detail = 'words'): FeedEvent => ({
  ...{ seq, accountId: 'a', at: 0, kind: 'note', actor: 'x', detail, transition: undefined },
});

/** A feed that grows when told, and a stream of it behind a real server. */
async function openStream(change: Partial<EventStreamOptions> = {}) {
  const lines: FeedEvent[] = [];
  const state = { may: true, stopping: false, asked: 0, checks: 0, broken: false };
  const stream = new EventStreams({
    feed: {
      latestEvent: async () => {
        state.asked += 1;
        if (state.broken) throw new Error('the database is away');
        return lines.length;
      },
      events: async (seq, limit) => lines.slice(seq, seq + limit),
    },
    tokens: {
      stillGood: async (all) => {
        state.checks += 1;
        return new Set(state.may ? all : []);
      },
    },
    stopping: () => state.stopping,
    log: silentLog,
    ...change,
    pace: { look: 10, heartbeat: 60_000, recheck: 60_000, longest: 60_000, ...change.pace },
  });
  const app = express();
  app.get('/', async (request, response) => {
    try {
      const latest = (await change.feed?.latestEvent()) ?? lines.length;
      listenToEvents(stream, { request, response }, latest, {
        tokenId: String(request.headers['x-token'] ?? ''),
      });
    } catch (error) {
      response.status(error instanceof ApiRefusal ? refusals[error.code].status : 500).end();
    }
  });
  const server = createServer(app);
  // As the bridge's server has it: a connection whose other side closes stays open.
  Object.assign(server, { httpAllowHalfOpen: true });
  servers.push(server);
  const { promise, resolve } = Promise.withResolvers<undefined>();
  server.listen({ port: 0, host: '127.0.0.1' }, () => {
    resolve(undefined);
  });
  await promise;
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const happen = (detail = 'words'): void => {
    lines.push(event(lines.length + 1, detail));
  };
  return { stream, state, happen, listen: (seen?: string, token = '') => listen(url, seen, token) };
}

async function listen(url: string, seen: string | undefined, token: string) {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const headers = { 'X-Token': token, ...(seen !== undefined && { 'Last-Event-ID': seen }) };
  httpRequest(url, { headers }, resolve).once('error', reject).end();
  const response = await promise;
  const ear = {
    status: response.statusCode,
    text: '',
    ended: false,
    close: () => response.destroy(),
    response,
  };
  response.setEncoding('utf8');
  response.on('data', (chunk: string) => (ear.text += chunk));
  response.on('error', () => undefined);
  response.on('close', () => (ear.ended = true));
  return ear;
}

describe('the stream of events', () => {
  it('begins at the latest event if `since` is empty, as if it were absent', () => {
    const seen = (query: string, header?: string) => lastSeen(header, new URLSearchParams(query));
    expect([seen('since='), seen(''), seen('since=', '')]).toEqual([undefined, undefined, undefined]);
    expect([seen('since=4'), seen('since=4', '5'), seen('since=', '5')]).toEqual(['4', '5', '5']);
  });

  it('sends each listener every line once, however late it comes', async () => {
    const { happen, listen: open } = await openStream();
    happen('before');
    const first = await open();
    happen('one');
    await until('the first hears', () => first.text.includes('"one"'));
    const second = await open('0');
    happen('two');
    await until('both hear', () => [first, second].every(({ text }) => text.includes('"two"')));
    expect(first.text).not.toContain('before');
    expect([...second.text.matchAll(/^id: (\d+)\nevent: account/gm)].map(([, seq]) => seq)).toEqual([
      '1',
      '2',
      '3',
    ]);
    expect(first.text.match(/"one"/g)).toHaveLength(1);
  });

  it('delays nobody for listeners that are far behind', async () => {
    const latest = 10_000_000;
    const { listen: open } = await openStream({
      feed: {
        latestEvent: async () => latest,
        events: async (after, limit) => Array.from({ length: limit }, (_, place) => event(after + 1 + place)),
      },
    });
    const far = [await open('0'), await open('5000000')];
    const near = await open(String(latest - 1));
    await until('the one in front hears', () => near.text.includes(`id: ${latest}\n`));
    await until('those behind hear', () =>
      [1, 5_000_001].every((seq, place) => far[place]?.text.includes(`id: ${seq}\n`)),
    );
  });

  it('accepts no more listeners than its limit, and forgets those who leave', async () => {
    const { stream, listen: open } = await openStream({ most: 2 });
    const [one] = [await open(), await open()];
    expect((await open()).status).toBe(503);
    one.close();
    await until('it is forgotten', () => stream.size === 1);
    expect((await open()).status).toBe(200);
  });

  it('accepts ten listeners with one token', async () => {
    const { stream, listen: open } = await openStream();
    const ears = [];
    for (let n = 0; n < 10; n += 1) ears.push(await open(undefined, 'one'));
    expect(ears.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect((await open(undefined, 'one')).status).toBe(429);
    expect((await open(undefined, 'other')).status).toBe(200);
    ears[3]?.close();
    await until('it is forgotten', () => stream.size === 10);
    expect((await open(undefined, 'one')).status).toBe(200);
  });

  it('ends for a listener whose access has ended', async () => {
    const { state, listen: open } = await openStream({ pace: { recheck: 20 } });
    const ear = await open();
    state.may = false;
    await until('the stream ends', () => ear.ended);
  });

  it('checks the access of all listeners at once before it writes to them', async () => {
    const { state, happen, listen: open } = await openStream();
    const ears = [await open(undefined, 'one'), await open(undefined, 'two'), await open(undefined, 'three')];
    happen();
    await until('all hear', () => ears.every(({ text }) => text.includes('"words"')));
    expect(state.checks).toBe(1);
    state.may = false;
    happen('secret');
    await until('the streams end', () => ears.every(({ ended }) => ended));
    expect(ears.filter(({ text }) => text.includes('secret'))).toEqual([]);
    expect(state.checks).toBe(2);
  });

  it('ends for all when the bridge stops, and starts for none', async () => {
    const { state, stream, listen: open } = await openStream();
    const ears = [await open(), await open()];
    state.stopping = true;
    await until('the streams end', () => ears.every(({ ended }) => ended));
    expect(stream.size).toBe(0);
    expect((await open()).status).toBe(503);
  });

  it('sends a sign of life, and ends after its time', async () => {
    const { listen: open } = await openStream({ pace: { heartbeat: 15, longest: 200 } });
    const ear = await open();
    await until('it beats', () => ear.text.includes(': beat\n\n'));
    await until('it ends', () => ear.ended);
  });

  it('continues after the store was down', async () => {
    const { state, happen, listen: open } = await openStream();
    const ear = await open();
    const asked = state.asked;
    state.broken = true;
    happen('meanwhile');
    await until('it was asked in vain', () => state.asked > asked + 2);
    state.broken = false;
    await until('it is told', () => ear.text.includes('meanwhile'));
  });

  it('resumes when a listener comes after all had left', async () => {
    const { state, stream, listen: open } = await openStream();
    (await open()).close();
    await until('nobody listens', () => stream.size === 0);
    const asked = state.asked;
    const again = await open();
    await until('it looks again', () => state.asked > asked + 2);
    expect(again.ended).toBe(false);
  });

  it('drops a listener that does not read', async () => {
    const { stream, happen, listen: open } = await openStream();
    const deaf = await open();
    deaf.response.pause();
    const long = 'x'.repeat(100_000);
    await eventually('it is let go', () => {
      for (let line = 0; line < 20; line += 1) happen(long);
      return stream.size === 0 ? true : undefined;
    });
  });
});
