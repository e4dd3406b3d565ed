import { describe, expect, it } from '@jest/globals';
import type { Request, Response } from 'express';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Session } from '../../src/features/admin/token.ts';
import type { Visit } from '../../src/http/console/session-guard.ts';
import { Live } from '../../src/http/console/live.ts';
import { TokenStreams } from '../../src/http/server/token-streams.ts';
import { eventually } from '../support/clock.ts';
import { KeptLog } from './harness.ts';

const session: Session = {
  token: {
    id: 't',
    name: 'ada',
    scope: 'read',
    createdAt: 0,
    lastUsedAt: undefined,
    revokedAt: undefined,
    expiresAt: undefined,
  },
  csrf: 'c',
  createdAt: 0,
  seenAt: 0,
};

/** A page whose connection takes nothing: no byte ever leaves, and nothing that was ended ever closes. */
function visit(tokenId = 't'): {
  readonly visit: Visit;
  readonly response: ServerResponse;
  readonly errors: unknown[];
} {
  const request = new IncomingMessage(new Socket()) as Request;
  const response = new ServerResponse(request);
  const errors: unknown[] = [];
  response.on('error', (error) => errors.push(error));
  const query = new URLSearchParams();
  const own = { ...session, token: { ...session.token, id: tokenId } };
  return { visit: { request, response: response as Response, session: own, query }, response, errors };
}

function live(more: { readonly busy?: boolean } = {}, streams = new TokenStreams()) {
  const ended = new Set<Request>();
  let [latest, looks] = [0, 0];
  const feed = new Live({
    admin: {
      latestEvent: async () => {
        looks += 1;
        return more.busy === true ? (latest += 1) : latest;
      },
      events: async () => [],
    },
    session: async (request) => (ended.has(request) ? undefined : session),
    streams,
    stopping: () => false,
    log: new KeptLog(),
    every: 2,
    beat: 10,
  });
  return {
    feed,
    looks: () => looks,
    /** Nobody else's: who listens on goes on being told. */
    revoke: ({ request }: Visit) => {
      ended.add(request);
    },
  };
}

describe('a page that listens', () => {
  it('is dismissed when its session ends, however much there is to tell', async () => {
    const { feed, revoke } = live({ busy: true });
    const { visit: page, response } = visit();
    feed.listen(page);
    expect(feed.listeners).toBe(1);
    revoke(page);
    await eventually('the end', async () => (response.writableEnded ? true : undefined));
    expect(feed.listeners).toBe(0);
  });

  it('is told nothing behind the end, though it never reads', async () => {
    const { feed, looks, revoke } = live({ busy: true });
    const [gone, other] = [visit(), visit()];
    feed.listen(gone.visit);
    revoke(gone.visit);
    await eventually('the end', async () => (gone.response.writableEnded ? true : undefined));
    feed.listen(other.visit);
    const seen = looks();
    await eventually('more to tell', async () => (looks() > seen + 3 ? true : undefined));
    expect([...gone.errors, ...other.errors]).toEqual([]);
  });

  it('that left while its session was looked up takes nobody’s place', () => {
    const { feed } = live();
    const { visit: page, response } = visit();
    response.destroy();
    feed.listen(page);
    expect(feed.listeners).toBe(0);
  });

  it('has nine others of the same token beside it at most, and leaves room for other tokens', () => {
    const { feed } = live();
    const listen = (tokenId: string): number => {
      const { visit: page, response } = visit(tokenId);
      feed.listen(page);
      return response.statusCode;
    };
    expect(Array.from({ length: 10 }, () => listen('one'))).toEqual(Array(10).fill(200));
    expect(listen('one')).toBe(503);
    expect(listen('other')).toBe(200);
    expect(feed.listeners).toBe(11);
  });

  it('counts with the programs that listen with the same token, and no longer when it has closed', () => {
    const streams = new TokenStreams(2);
    const { feed } = live({}, streams);
    const [program, first, second, third] = [visit(), visit(), visit(), visit()];
    expect(streams.enter('t', program.response)).toBe(true);
    feed.listen(first.visit);
    feed.listen(second.visit);
    program.response.emit('close');
    feed.listen(third.visit);
    expect([first, second, third].map(({ response }) => response.statusCode)).toEqual([200, 503, 200]);
  });
});
