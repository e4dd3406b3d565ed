import { afterEach, describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { get } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { FrontProxy, type Certificate, type ProxyName } from '../../scripts/chaos/front-proxy.ts';
import { Rolling } from '../../scripts/chaos/rolling.ts';
import { needs } from '../../scripts/testing/needs.ts';
import { freePort } from '../support/bridge.ts';
import { eventually } from '../support/clock.ts';
import { Sender, type Answered } from '../support/http.ts';
import { hasRedis, RunningRedis } from '../support/redis.ts';
import { hasPostgres } from './instances.ts';

const programs: Readonly<Record<ProxyName, string | undefined>> = {
  haproxy: process.env.CAUSEWAY_TEST_HAPROXY ?? needs.haproxy.find(),
  nginx: process.env.CAUSEWAY_TEST_NGINX ?? needs.nginx.find(),
};
const suiteOf = (name: ProxyName) => (programs[name] === undefined ? describe.skip : describe);

const closers: (() => Promise<unknown> | undefined)[] = [];

afterEach(async () => {
  const failed: unknown[] = [];
  for (const close of closers.splice(0).reverse())
    await close()?.catch((error: unknown) => failed.push(error));
  expect(failed).toEqual([]);
});

/** An instance that is ready, and what came to it. `behaviour`: what it does with a call. */
async function instance(
  behaviour: 'answer' | 'cut',
): Promise<{ readonly port: number; readonly seen: string[]; readonly heard: IncomingMessage[] }> {
  const seen: string[] = [];
  const heard: IncomingMessage[] = [];
  const server: Server = createServer((request, response) => {
    if (request.url?.startsWith('/_causeway/') === true) {
      response.end('{"status":"ok"}');
      return;
    }
    request.resume().on('end', () => {
      seen.push(request.method ?? '');
      heard.push(request);
      if (behaviour === 'cut') request.socket.destroy();
      else response.end('<Response><Status>OK</Status></Response>');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closers.push(
    () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  );
  return { port: (server.address() as AddressInfo).port, seen, heard };
}

async function behind(
  name: ProxyName,
  servers: readonly number[],
): Promise<(verb: string, body?: string) => Promise<Answered>> {
  const front = FrontProxy.start(name, programs[name] ?? '', await freePort(), servers);
  closers.push(() => front.stop());
  return callsTo(front);
}

/** Once it listens. */
async function callsTo(front: FrontProxy): Promise<(verb: string, body?: string) => Promise<Answered>> {
  const sender = new Sender(front.url);
  closers.push(async () => {
    sender.close();
  });
  await eventually('the proxy listens', () =>
    fetch(`${front.url}/_causeway/health/live`).then(
      () => true as const,
      () => undefined,
    ),
  );
  return (verb, body = '<Client/>') =>
    sender.send({ verb, target: '/client.api/x?apiKey=a', body: verb === 'GET' ? undefined : body });
}

const writes = ['POST', 'PUT', 'DELETE'];

suiteOf('haproxy')('HAProxy as deploy/haproxy configures it', () => {
  it('repeats nothing that was already sent', async () => {
    const both = [await instance('cut'), await instance('cut')];
    const call = await behind(
      'haproxy',
      both.map(({ port }) => port),
    );
    for (const verb of ['GET', ...writes]) {
      // On a connection that served a call before, it closes the caller's without a word.
      const status = await call(verb).then(
        (answer) => answer.status,
        () => 0,
      );
      expect([502, 0]).toContain(status);
      expect(both.flatMap(({ seen }) => seen).filter((one) => one === verb)).toHaveLength(1);
    }
  });

  it('sends whatever could not be delivered to another instance', async () => {
    const { port, seen } = await instance('answer');
    const call = await behind('haproxy', [await freePort(), port, await freePort()]);
    for (const verb of ['GET', ...writes, 'GET', ...writes]) expect((await call(verb)).status).toBe(200);
    expect(seen).toHaveLength(8);
  });
});

suiteOf('nginx')('nginx as deploy/nginx configures it', () => {
  it('repeats no write, and repeats a read on another instance', async () => {
    const both = [await instance('cut'), await instance('cut')];
    const ports = both.map(({ port }) => port);
    for (const verb of writes) {
      const call = await behind('nginx', ports);
      expect((await call(verb)).status).toBe(502);
      expect(both.flatMap(({ seen }) => seen).filter((one) => one === verb)).toHaveLength(1);
    }
    const call = await behind('nginx', ports);
    await call('GET');
    expect(both.flatMap(({ seen }) => seen).filter((one) => one === 'GET')).toHaveLength(2);
  });

  it('sends no call to a bridge that it is told of', async () => {
    const both = [await instance('answer'), await instance('answer')];
    const ports = both.map(({ port }) => port);
    const front = FrontProxy.start('nginx', programs.nginx ?? '', await freePort(), ports);
    closers.push(() => front.stop());
    const call = await callsTo(front);
    const forget = (): void => {
      for (const { seen } of both) seen.length = 0;
    };
    for (const [place, port] of ports.entries()) {
      forget();
      await front.without(port, async () => {
        for (const verb of ['GET', ...writes, 'GET', ...writes]) expect((await call(verb)).status).toBe(200);
      });
      expect(both.map(({ seen }) => seen.length)).toEqual(place === 0 ? [0, 8] : [8, 0]);
    }
    forget();
    for (const verb of [...writes, ...writes]) await call(verb);
    expect(both.filter(({ seen }) => seen.length > 0)).toHaveLength(2);
  });

  it('sends calls to both bridges if it is told of both', async () => {
    const both = [await instance('answer'), await instance('answer')];
    const ports = both.map(({ port }) => port);
    const [first = 0, second = 0] = ports;
    const front = FrontProxy.start('nginx', programs.nginx ?? '', await freePort(), ports);
    closers.push(() => front.stop());
    const call = await callsTo(front);
    await front.without(first, () =>
      front.without(second, async () => {
        for (const verb of [...writes, ...writes]) expect((await call(verb)).status).toBe(200);
      }),
    );
    expect(both.filter(({ seen }) => seen.length > 0)).toHaveLength(2);
  });

  it('sends a read that the other bridge cannot take to the one it is told of', async () => {
    const { port, seen } = await instance('answer');
    const front = FrontProxy.start('nginx', programs.nginx ?? '', await freePort(), [port, await freePort()]);
    closers.push(() => front.stop());
    const call = await callsTo(front);
    await front.without(port, async () => {
      for (const verb of writes) expect((await call(verb)).status).toBe(502);
      expect((await call('GET')).status).toBe(200);
    });
    expect(seen).toEqual(['GET']);
  });

  it('keeps calling the other bridge, after failures too, while it is told of one', async () => {
    const [told, other] = [await instance('answer'), await instance('cut')];
    const front = FrontProxy.start('nginx', programs.nginx ?? '', await freePort(), [told.port, other.port]);
    closers.push(() => front.stop());
    const call = await callsTo(front);
    await front.without(told.port, async () => {
      for (const verb of [...writes, ...writes]) await call(verb);
    });
    expect([told.seen, other.seen]).toEqual([[], [...writes, ...writes]]);
  });

  it('leaves the length of documents to the bridge, which takes 256 MB', async () => {
    const { port, seen } = await instance('answer');
    const call = await behind('nginx', [port, port]);
    expect((await call('POST', 'A'.repeat(40_000_000))).status).toBe(200);
    expect(seen).toEqual(['POST']);
  });
});

/** Made for the run: a key in the project would be somebody's secret. */
function selfSigned(): Certificate {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-tls-'));
  closers.push(async () => {
    rmSync(folder, { recursive: true });
  });
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  const subject = ['-subj', '/CN=bridge.example.com', '-addext', 'subjectAltName=DNS:bridge.example.com'];
  const request = 'req -x509 -newkey rsa:2048 -nodes -days 2'.split(' ');
  execFileSync('openssl', [...request, ...subject, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
  return { certificate, key };
}

/** Over TLS, as a legacy program that trusts this certificate alone. */
async function overTls(url: string, ca: string, path = '/client.api/list?apiKey=secret'): Promise<string> {
  const { hostname, port } = new URL(url);
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const options = {
    hostname,
    port,
    path,
    ca,
    servername: 'bridge.example.com',
  };
  get(options, (response) => {
    text(response).then(resolve, reject);
  }).once('error', reject);
  return promise;
}

describe.each(['haproxy', 'nginx'] as const)('TLS ended by %s', (name) => {
  const whereThere = programs[name] === undefined ? it.skip : it;
  whereThere(
    'is served with the certificate, the address of the caller goes along and no key or link is logged',
    async () => {
      const { port, heard } = await instance('answer');
      const tls = selfSigned();
      const front = FrontProxy.start(name, programs[name] ?? '', await freePort(), [port], { tls });
      closers.push(() => front.stop());
      const answer = await eventually('the proxy listens', () =>
        overTls(front.url, readFileSync(tls.certificate, 'utf8')).catch(() => undefined),
      );
      expect(answer).toContain('<Status>OK</Status>');
      expect(heard.at(-1)?.headers['x-forwarded-for']).toBe('127.0.0.1');
      // Each is written once its reply has been sent.
      const isLogged = (path: string) =>
        eventually(
          `${path} is logged`,
          async () => front.accessLog().includes(`GET ${path} 200`) || undefined,
        );
      await isLogged('/client.api/list');
      for (const page of [
        'connect',
        'connection',
        'choose',
        'unsubscribe',
        'documents',
        'status',
        'bounces',
      ]) {
        await overTls(
          front.url,
          readFileSync(tls.certificate, 'utf8'),
          `/_causeway/${page}/secret/secret?a=secret`,
        );
        await isLogged(`/_causeway/${page}/-`);
      }
      await overTls(front.url, readFileSync(tls.certificate, 'utf8'), '/_causeway/health/live');
      await isLogged('/_causeway/health/live');
      expect(front.accessLog()).not.toContain('secret');
    },
  );
});

describe.each(['haproxy', 'nginx'] as const)(
  'two bridges that are started anew one after the other',
  (name) => {
    const whereThere = hasPostgres && hasRedis && programs[name] !== undefined ? it : it.skip;
    const how = name === 'haproxy' ? '' : ', which is told of each before it stops and once it is ready,';
    whereThere(
      `fail no call behind ${name}${how} and create no record twice`,
      async () => {
        const redis = await RunningRedis.start();
        closers.push(() => redis.stop());
        const rolling = await Rolling.start(2, redis, '8');
        closers.push(() => rolling.end());
        const front = FrontProxy.start(name, programs[name] ?? '', await freePort(), rolling.ports);
        closers.push(() => front.stop());
        const callers = await rolling.callers(front.url, 10);
        callers.start();
        await rolling.restartAll(undefined, name === 'nginx' ? front : undefined);
        const counted = await callers.end();
        expect(counted.failed).toEqual([]);
        expect(counted.calls).toBeGreaterThan(20);
        expect(await rolling.judged(counted)).toEqual({ doubled: 0, absent: 0 });
      },
      600_000,
    );
  },
);
