import { describe, expect, it } from '@jest/globals';
import type { LookupAddress } from 'node:dns';
import { HostLookup, type HostLookupParts } from '../../src/lib/net/host-lookup.ts';
import { HOUR, SECOND } from '../../src/lib/time/clock.ts';
import { HttpAuthority } from '../../src/upstream/authorisation-server/client.ts';
import { Transport } from '../../src/upstream/transport/transport.ts';
import { badServer } from '../upstream/server.ts';
import { HandClock } from '../support/clock.ts';
import { testProfile } from '../support/profile.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import { HandTimers } from '../support/hand-timers.ts';

type Found = Parameters<NonNullable<HostLookupParts['resolve']>>[2];

const ONE = [{ address: '192.0.2.1', family: 4 }];
const OTHER = [{ address: '192.0.2.2', family: 4 }];

/** A resolver that answers when it is told to. */
function hosts() {
  const timers = new HandTimers();
  const asked: { readonly host: string; readonly found: Found }[] = [];
  const { lookup } = new HostLookup({
    resolve: (host, _, found) => asked.push({ host, found }),
    timer: timers.timer,
    now: () => timers.clock.now(),
  });
  const answers: string[] = [];
  return {
    ...{ timers, asked, answers },
    find: (host: string): void => {
      lookup(host, { all: true }, (error, found) => {
        const addresses = (found as LookupAddress[]).map(({ address }) => address).join();
        answers.push(`${host} ${error?.code ?? addresses}`);
      });
    },
    resolved: (addresses: LookupAddress[]): void => {
      asked.shift()?.found(null, addresses);
    },
    failed: (code: string): void => {
      asked.shift()?.found(Object.assign(new Error('failed'), { code }), []);
    },
  };
}

describe('the name of a host', () => {
  it('is resolved once at a time, for all connections that wait', () => {
    const { find, asked, resolved, answers } = hosts();
    for (let connection = 0; connection < 3; connection += 1) find('v3.example');
    find('v1.example');
    expect(asked.map(({ host }) => host)).toEqual(['v3.example', 'v1.example']);
    resolved(ONE);
    expect(answers).toEqual(Array(3).fill('v3.example 192.0.2.1'));
    find('v3.example');
    expect(asked.map(({ host }) => host)).toEqual(['v1.example', 'v3.example']);
  });

  it('has its last addresses while the name server does not answer, after a second in all', async () => {
    const { find, resolved, asked, timers, answers } = hosts();
    find('v3.example');
    resolved(ONE);
    find('v3.example');
    await timers.advance(SECOND - 1);
    expect(answers).toHaveLength(1);
    await timers.advance(1);
    expect(answers).toHaveLength(2);
    find('v3.example');
    await timers.advance(0);
    expect(answers).toEqual(Array(3).fill('v3.example 192.0.2.1'));
    expect(asked).toHaveLength(1);
    resolved(OTHER);
    find('v3.example');
    resolved(OTHER);
    expect(answers.slice(3)).toEqual(['v3.example 192.0.2.2']);
  });

  it.each([
    ['has its last addresses if it cannot be resolved at the moment', 'EAI_AGAIN', 0, '192.0.2.1'],
    ['has no addresses that are more than an hour old', 'EAI_AGAIN', HOUR + 1, 'EAI_AGAIN'],
    ['has no addresses once it does not exist', 'ENOTFOUND', 0, 'ENOTFOUND'],
  ])('%s', async (_, code, later, expected) => {
    const { find, resolved, failed, timers, answers } = hosts();
    find('v3.example');
    resolved(ONE);
    await timers.advance(later);
    find('v3.example');
    failed(code);
    expect(answers.slice(1)).toEqual([`v3.example ${expected}`]);
  });

  it('that does not resolve fails every connection that waits', () => {
    const { find, failed, answers } = hosts();
    find('v3.example');
    find('v3.example');
    failed('EAI_AGAIN');
    expect(answers).toEqual(Array(2).fill('v3.example EAI_AGAIN'));
  });
});

describe('an upstream whose name server stops answering', () => {
  it('is reached at its last address, over new connections', async () => {
    const server = await badServer((_, response) => {
      response.writeHead(200, { connection: 'close' }).end('<ok/>');
    });
    let asked = 0;
    const { lookup } = new HostLookup({
      resolve(_host, _options, found) {
        asked += 1;
        if (asked === 1) setImmediate(found, null, [{ address: '127.0.0.1', family: 4 }]);
      },
      timer: (_, callback) => {
        setImmediate(callback);
        return () => undefined;
      },
    });
    const transport = new Transport({ answerMs: 60_000, stallMs: 60_000, lookup });
    const read = async (): Promise<number> => {
      const origin = server.origin.replace('127.0.0.1', 'v3.example');
      const shipment = { origin, path: '/', verb: 'GET', headers: {}, body: undefined } as const;
      const { status, body } = await transport.exchange({
        ...shipment,
        signal: new AbortController().signal,
      });
      for await (const piece of body) if (piece.length === 0) break;
      return status;
    };
    for (let call = 0; call < 3; call += 1) expect(await read()).toBe(200);
    expect(asked).toBe(2);
    await transport.close(0);
    await server.close();
  });

  it('still renews tokens at the authorisation server', async () => {
    const server = await badServer((_, response) => {
      const pair = { access_token: 'AT2', refresh_token: 'RT2', expires_in: 1_800, token_type: 'Bearer' };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(pair));
    });
    const asked: string[] = [];
    const authority = new HttpAuthority({
      authUrl: server.origin.replace('127.0.0.1', 'login.example'),
      connectionsUrl: undefined,
      ...{ clientId: 'client-1', clientSecrets: [new Secret('SECRET1')] },
      ...{ profile: testProfile(), clock: new HandClock() },
      lookup(host, _options, found) {
        asked.push(host);
        setImmediate(found, null, [{ address: '127.0.0.1', family: 4 }]);
      },
    });
    expect(await authority.refresh(new Secret('RT1'))).toMatchObject({ verdict: 'renewed' });
    expect(asked).toEqual(['login.example']);
    await server.close();
  });
});
