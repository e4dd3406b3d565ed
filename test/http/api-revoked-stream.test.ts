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
import { EventStreams, type StreamPace } from '../../src/http/server/event-streams.ts';
import { eventually } from '../support/clock.ts';
import { openConsole } from './console-setting.ts';

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

async function listening(port: number, headers: Record<string, string>) {
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  httpRequest({ port, host: '127.0.0.1', path: '/events/stream', headers }, resolve)
    .on('error', reject)
    .end();
  const response = await promise;
  expect(response.statusCode).toBe(200);
  const state = { ended: false, text: '' };
  response.setEncoding('utf8').on('error', () => undefined);
  response.on('data', (chunk: string) => (state.text += chunk));
  response.once('close', () => (state.ended = true));
  return state;
}

/** The API in front of the tokens of a real store, its stream as quick as a test needs it. */
async function openApi(pace: Partial<StreamPace>) {
  const own = await openConsole();
  const { admin, clock } = own;
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
    tokens: admin.tokens,
    pace,
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
  /** The header of a session that a token opened. */
  const signIn = async (name: string) => {
    const signedIn = await admin.tokens.signIn((await admin.tokens.create(name, 'read', 'test')).secret);
    if (signedIn === undefined) throw new Error('not signed in');
    const { cookie } = signedIn;
    const [header = ''] = cookies.write(SESSION_COOKIE, cookie.reveal(), undefined, 'Strict').split(';');
    return { cookie, headers: { Cookie: header } };
  };
  const bearer = async (name: string, expiresAt?: number): Promise<{ Authorization: string }> => {
    const { secret } = await admin.tokens.create(name, 'read', 'test', expiresAt);
    return { Authorization: `Bearer ${secret.reveal()}` };
  };
  const add = (name: string): Promise<string> => own.add(name);
  return { admin, clock, add, bearer, signIn, port: (server.address() as AddressInfo).port };
}

it('a stream of events ends with its token: revoked, expired, or signed out', async () => {
  const { admin, clock, bearer, signIn, port } = await openApi({ recheck: 10 });
  const revoked = await listening(port, await bearer('revoked'));
  const expired = await listening(port, await bearer('expired', clock.now() + MINUTE));
  const stays = await listening(port, await bearer('stays'));
  const { cookie, headers } = await signIn('out');
  const out = await listening(port, headers);

  await admin.tokens.revoke('revoked', 'test');
  await eventually('the end of the revoked one', () => revoked.ended || undefined);
  expect([expired.ended, out.ended, stays.ended]).toEqual([false, false, false]);
  clock.advance(MINUTE);
  await eventually('the end of the expired one', () => expired.ended || undefined);
  await admin.tokens.signOut(cookie);
  await eventually('the end of the session', () => out.ended || undefined);
  expect(stays.ended).toBe(false);
});

it('a stream gets no event that happened after its token was revoked, expired or signed out', async () => {
  const { admin, clock, add, bearer, signIn, port } = await openApi({ look: 10, recheck: 10 * MINUTE });
  const stays = await listening(port, await bearer('stays'));
  const page = await listening(port, (await signIn('page')).headers);
  const revoked = await listening(port, await bearer('revoked'));
  const expired = await listening(port, await bearer('expired', clock.now() + MINUTE));
  const { cookie, headers } = await signIn('out');
  const out = await listening(port, headers);
  const gone = [revoked, expired, out];
  await add('Before Studio');
  await eventually(
    'all hear of an account',
    () => [stays, page, ...gone].every(({ text }) => text.includes('Before Studio')) || undefined,
  );

  await admin.tokens.revoke('revoked', 'test');
  clock.advance(MINUTE);
  await admin.tokens.signOut(cookie);
  await add('After Studio');
  await eventually(
    'those who may still listen hear of another',
    () => [stays, page].every(({ text }) => text.includes('After Studio')) || undefined,
  );
  await eventually('the end of the others', () => gone.every(({ ended }) => ended) || undefined);
  expect(gone.filter(({ text }) => text.includes('After Studio'))).toEqual([]);
  expect([stays.ended, page.ended]).toEqual([false, false]);
});
