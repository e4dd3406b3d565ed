import { createServer, request as httpRequest, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from '@jest/globals';
import express from 'express';
import { MINUTE } from '../../src/lib/time/clock.ts';
import { silentLog } from '../../src/lib/log/log.ts';
import { ApiEndpoint } from '../../src/http/api/api.ts';
import { Credentials } from '../../src/http/api/credentials.ts';
import { CallerAddresses } from '../../src/http/server/caller-address.ts';
import { SESSION_COOKIE } from '../../src/http/console/session/session-guard.ts';
import { Cookies } from '../../src/http/server/cookie.ts';
import { Throttle } from '../../src/http/server/throttle.ts';
import { EventStreams } from '../../src/http/server/event-streams.ts';
import { eventually } from '../support/clock.ts';
import { openConsole } from './console-setting.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function listening(port: number, headers: Record<string, string>): Promise<{ ended: boolean }> {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  httpRequest({ port, host: '127.0.0.1', path: '/events/stream', headers }, resolve)
    .on('error', reject)
    .end();
  const response = await promise;
  expect(response.statusCode).toBe(200);
  const state = { ended: false };
  response.resume().on('error', () => undefined);
  response.once('close', () => (state.ended = true));
  return state;
}

/** The API in front of the tokens of a real store, its stream as quick as a test needs it. */
async function openApi() {
  const { admin, clock } = await openConsole();
  const cookies = new Cookies('http://127.0.0.1');
  const credentials = new Credentials({
    tokens: admin.tokens,
    cookies,
    sessionCookie: SESSION_COOKIE,
    guessing: new Throttle({ clock }),
    callers: new CallerAddresses([]),
  });
  const stopping = (): boolean => false;
  const streams = new EventStreams({
    feed: admin,
    stopping,
    log: silentLog,
    pace: { recheck: 10 },
  });
  const app = express();
  app.use(
    new ApiEndpoint({ admin, credentials, streams, publicUrl: 'http://127.0.0.1', log: silentLog }).router(),
  );
  const server = createServer(app);
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return { admin, clock, cookies, port: (server.address() as AddressInfo).port };
}

it('a stream of events ends with its token: revoked, expired, or signed out', async () => {
  const { admin, clock, cookies, port } = await openApi();
  const bearer = async (name: string, expiresAt?: number): Promise<{ Authorization: string }> => {
    const { secret } = await admin.tokens.create(name, 'read', 'test', expiresAt);
    return { Authorization: `Bearer ${secret.reveal()}` };
  };
  const revoked = await listening(port, await bearer('revoked'));
  const expired = await listening(port, await bearer('expired', clock.now() + MINUTE));
  const stays = await listening(port, await bearer('stays'));
  const signedIn = await admin.tokens.signIn((await admin.tokens.create('out', 'read', 'test')).secret);
  if (signedIn === undefined) throw new Error('not signed in');
  const [cookie = ''] = cookies
    .write(SESSION_COOKIE, signedIn.cookie.reveal(), undefined, 'Strict')
    .split(';');
  const out = await listening(port, { Cookie: cookie });

  await admin.tokens.revoke('revoked', 'test');
  await eventually('the end of the revoked one', () => revoked.ended || undefined);
  expect([expired.ended, out.ended, stays.ended]).toEqual([false, false, false]);
  clock.advance(MINUTE);
  await eventually('the end of the expired one', () => expired.ended || undefined);
  await admin.tokens.signOut(signedIn.cookie);
  await eventually('the end of the session', () => out.ended || undefined);
  expect(stays.ended).toBe(false);
});
