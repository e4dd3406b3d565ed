import { describe, expect, it } from '@jest/globals';
import type { Request, Response } from 'express';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { Access, Session } from '../../src/features/admin/tokens/token.ts';
import type { Visit } from '../../src/http/console/session/session-guard.ts';
import { listenToEvents } from '../../src/http/api/stream.ts';
import { listen as listenToPage } from '../../src/http/console/live.ts';
import { EventStreams } from '../../src/http/server/event-streams.ts';
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
    subject: undefined,
  },
  csrf: 'c',
  createdAt: 0,
  seenAt: 0,
  endsAt: undefined,
};

/** A page whose connection takes nothing: no byte ever leaves, and nothing that was ended ever closes. */
function visit(tokenId = 't'): {
  readonly visit: Visit;
  readonly response: ServerResponse;
  readonly errors: unknown[];
} {
  const request = Object.assign(new IncomingMessage(new Socket()), { originalUrl: '/' }) as Request;
  const response = new ServerResponse(request);
  const errors: unknown[] = [];
  response.on('error', (error) => errors.push(error));
  const query = new URLSearchParams();
  const own = { ...session, token: { ...session.token, id: tokenId } };
  return { visit: { request, response: response as Response, session: own, query }, response, errors };
}

function live(more: { readonly busy?: boolean } = {}) {
  const accesses = new Map<Request, Access>();
  const ended = new Set<Access | undefined>();
  let [latest, looks] = [0, 0];
  const streams = new EventStreams({
    feed: {
      latestEvent: async () => {
        looks += 1;
        return more.busy === true ? (latest += 1) : latest;
      },
      events: async () => [],
    },
    tokens: { stillGood: async (all) => new Set(all.filter((access) => !ended.has(access))) },
    stopping: () => false,
    log: new KeptLog(),
    pace: { look: 2, heartbeat: 10, recheck: 10 },
  });
  return {
    streams,
    listen: (page: Visit) => {
      const access = { tokenId: page.session.token.id };
      accesses.set(page.request, access);
      listenToPage(streams, page, access);
    },
    looks: () => looks,
    /** Nobody else's: who listens on goes on being told. */
    revoke: ({ request }: Visit) => {
      ended.add(accesses.get(request));
    },
  };
}

describe('a console page with live updates', () => {
  it('is disconnected when its session ends, however much there is to send', async () => {
    const { streams, listen, revoke } = live({ busy: true });
    const { visit: page, response } = visit();
    listen(page);
    expect(streams.size).toBe(1);
    revoke(page);
    await eventually('the end', async () => (response.writableEnded ? true : undefined));
    expect(streams.size).toBe(0);
  });

  it('gets nothing after the end, even if it never reads', async () => {
    const { listen, looks, revoke } = live({ busy: true });
    const [gone, other] = [visit(), visit()];
    listen(gone.visit);
    revoke(gone.visit);
    await eventually('the end', async () => (gone.response.writableEnded ? true : undefined));
    listen(other.visit);
    const seen = looks();
    await eventually('more to tell', async () => (looks() > seen + 3 ? true : undefined));
    expect([...gone.errors, ...other.errors]).toEqual([]);
  });

  it('that left while its session was looked up takes no place', () => {
    const { streams, listen } = live();
    const { visit: page, response } = visit();
    response.destroy();
    listen(page);
    expect(streams.size).toBe(0);
  });

  it('shares its token with at most nine others, and leaves room for other tokens', () => {
    const { streams, listen } = live();
    const open = (tokenId: string): number => {
      const { visit: page, response } = visit(tokenId);
      listen(page);
      return response.statusCode;
    };
    expect(Array.from({ length: 10 }, () => open('one'))).toEqual(Array(10).fill(200));
    expect(open('one')).toBe(503);
    expect(open('other')).toBe(200);
    expect(streams.size).toBe(11);
  });

  it('counts with the programs that use the same token, and no longer once it has closed', () => {
    const { streams, listen } = live();
    const program = visit();
    listenToEvents(streams, program.visit, 0, { tokenId: 't' });
    const pages = Array.from({ length: 11 }, visit);
    for (const page of pages.slice(0, 10)) listen(page.visit);
    program.response.emit('close');
    for (const page of pages.slice(10)) listen(page.visit);
    expect(pages.map(({ response }) => response.statusCode)).toEqual([
      ...new Array<number>(9).fill(200),
      503,
      200,
    ]);
  });
});
