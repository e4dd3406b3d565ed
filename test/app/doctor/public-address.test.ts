import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer, request as ask, type RequestListener } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { publicChecks } from '../../../src/app/doctor/public-address.ts';
import type { Finding } from '../../../src/app/doctor/model.ts';
import { freePort, RunningBridge } from '../../support/bridge.ts';
import { CLIENT_ID, CLIENT_SECRET, RunningSandbox } from '../../support/sandbox.ts';
import { Authority, serveHttps } from './https-server.ts';
import { found, rows } from './setting.ts';

const HALF_A_YEAR = 'max-age=15724800';

const answering =
  (headers: Readonly<Record<string, string>>): RequestListener =>
  (_request, response) => {
    response.writeHead(400, headers).end();
  };
/** A proxy that speaks TLS and passes every header on. */
const toPort =
  (port: number): RequestListener =>
  ({ url, method, headers }, response) => {
    ask({ port, host: '127.0.0.1', path: url, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(response);
    }).end();
  };
const good = answering({ 'X-Causeway-Source': 'bridge', 'Strict-Transport-Security': HALF_A_YEAR });

let authority: Authority;
beforeAll(() => {
  authority = new Authority();
});
afterAll(() => {
  authority[Symbol.dispose]();
});

const oauth = (sandbox: string, publicUrl: string): Readonly<Record<string, string>> => ({
  CAUSEWAY_PUBLIC_URL: publicUrl,
  CAUSEWAY_V3_BASE_URL: `${sandbox}/3.0`,
  CAUSEWAY_AUTH_URL: sandbox,
  CAUSEWAY_CONNECTIONS_URL: `${sandbox}/connections`,
  CAUSEWAY_CLIENT_ID: CLIENT_ID,
  CAUSEWAY_CLIENT_SECRET: CLIENT_SECRET,
});

const withoutOauth = (sandbox: string, publicUrl: string): Readonly<Record<string, string>> => ({
  ...Object.fromEntries(Object.keys(oauth(sandbox, publicUrl)).map((name) => [name, ''])),
  CAUSEWAY_PUBLIC_URL: publicUrl,
});

async function overTls(
  listener: RequestListener,
  { name = 'localhost', days = 25, trusted = true } = {},
): Promise<readonly Finding[]> {
  await using server = await serveHttps(authority.issue(name, days), listener);
  const ca = trusted ? authority.certificate : undefined;
  return await found(publicChecks, oauth('http://127.0.0.1:9', server.url), { ca });
}

describe('the check of the public address over TLS', () => {
  it('passes if the bridge answers with a certificate and HSTS', async () => {
    const findings = await overTls(good);
    expect(rows(findings, 'redirect address https')).toEqual([
      'ok: the bridge answers through its public name',
    ]);
    expect(rows(findings, 'certificate')).toEqual([
      expect.stringMatching(/^ok: ends in 2[45] days .*TLSv1\.3$/),
    ]);
    expect(rows(findings, 'HSTS')).toEqual(['ok: browsers remember https for 182 days']);
  });

  it.each([
    ['ends soon', { days: 15 }, /^warning: ends in 1[45] days/],
    ['is about to end', { days: 3 }, /^failed: ends in [23] days/],
    ['is for another name', { name: 'other.test' }, /^failed: .*ERR_TLS_CERT_ALTNAME_INVALID/],
    ['is of an unknown authority', { trusted: false }, /^failed: the certificate is not accepted/],
  ])('reports a certificate that %s', async (_, change, words) => {
    expect(rows(await overTls(good, change), 'certificate')).toEqual([expect.stringMatching(words)]);
  });

  it.each([
    ['is missing', {}, /^warning: .* is missing$/],
    ['is short', { 'Strict-Transport-Security': 'max-age=86400' }, /^warning: .* for 1 days only$/],
  ])('reports HSTS that %s', async (_, headers, words) => {
    expect(rows(await overTls(answering(headers)), 'HSTS')).toEqual([expect.stringMatching(words)]);
  });

  it.each([
    ['with V3 and the OAuth application', oauth],
    ['without V3 and the OAuth application', withoutOauth],
  ])('passes for a real bridge behind a proxy, %s', async (_, env) => {
    const port = await freePort();
    await using proxy = await serveHttps(authority.issue('localhost', 25), toPort(port));
    const sandbox = await RunningSandbox.start({ redirectUris: [] });
    const settings = env(sandbox.url, proxy.url);
    const bridge = await RunningBridge.start({ port, sandbox: sandbox.url, env: settings });
    try {
      const findings = await found(publicChecks, settings, { ca: authority.certificate });
      expect(rows(findings, 'HSTS')).toEqual(['ok: browsers remember https for 365 days']);
      expect(rows(findings, 'redirect address https')).toHaveLength(env === oauth ? 1 : 0);
    } finally {
      await bridge.stop();
      await sandbox.close();
    }
  });

  it('does not look for HSTS at an address for programs only', async () => {
    await using server = await serveHttps(authority.issue('localhost', 25), answering({}));
    const env = { CAUSEWAY_LEGACY_URL: server.url, CAUSEWAY_LEGACY_PORT: String(await freePort()) };
    const findings = await found(publicChecks, env, { ca: authority.certificate });
    expect(rows(findings, 'certificate')).toHaveLength(1);
    expect(rows(findings, 'HSTS')).toEqual([]);
  });

  it('reports an answer that is not from the bridge', async () => {
    expect(rows(await overTls(answering({})), 'redirect address https')).toEqual([
      'failed: something other than the bridge answers (400)',
    ]);
  });

  it('reports a missing answer', async () => {
    const url = `https://localhost:${await freePort()}`;
    const findings = await found(publicChecks, oauth('http://127.0.0.1:9', url));
    expect(rows(findings, `redirect address ${url}`)).toEqual(['failed: does not answer: ECONNREFUSED']);
    expect(rows(findings, 'certificate')).toEqual(['failed: TLS fails: ECONNREFUSED']);
    expect(rows(findings, 'HSTS')).toEqual(['unknown: it could not be asked: ECONNREFUSED']);
  });

  it('says so if the address cannot be seen from outside', async () => {
    const findings = await found(publicChecks, { CAUSEWAY_PUBLIC_URL: 'https://bridge.test' }, {});
    expect(rows(findings, 'https://bridge.test from outside')).toEqual([
      'unknown: only a machine outside your network can tell',
    ]);
  });
});

describe('the check of the redirect address', () => {
  const publicUrl = 'https://bridge.test';
  const callback = `${publicUrl}/_causeway/callback`;

  async function registered(
    redirectUris: readonly string[],
    env: Readonly<Record<string, string>> = {},
  ): Promise<readonly string[]> {
    const sandbox = await RunningSandbox.start({ redirectUris });
    try {
      return rows(
        await found(publicChecks, { ...oauth(sandbox.url, publicUrl), ...env }),
        'redirect address is registered',
      );
    } finally {
      await sandbox.close();
    }
  }

  it('passes if the authorisation server accepts it', async () => {
    expect(await registered([callback])).toEqual(['ok: the authorisation server accepts it']);
  });

  it('reports an address that is not registered', async () => {
    expect(await registered([`${publicUrl}/elsewhere`])).toEqual([
      'failed: the authorisation server refuses it (400)',
    ]);
  });

  it('counts an address as registered if the server redirects to it, even with an error', async () => {
    expect(await registered([callback], { CAUSEWAY_SCOPE: 'made-up' })).toEqual([
      'warning: registered, but the authorisation server answers invalid_scope',
    ]);
  });

  it.each([
    ['cannot be judged if every address is answered alike', 200, /^unknown: .* gives the same answer/],
    ['cannot be asked for while the server is in trouble', 503, /^failed: .* answers 503$/],
  ])('%s', async (_, status, words) => {
    const server = createServer((_request, response) => {
      response.writeHead(status).end();
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const findings = await found(publicChecks, oauth(url, publicUrl));
    server.closeAllConnections();
    server.close();
    expect(rows(findings, 'redirect address is registered')).toEqual([expect.stringMatching(words)]);
  });

  it('reports an authorisation server that does not answer', async () => {
    const url = `http://127.0.0.1:${await freePort()}`;
    expect(rows(await found(publicChecks, oauth(url, publicUrl)), 'redirect address is registered')).toEqual([
      'failed: the authorisation server does not answer: ECONNREFUSED',
    ]);
  });

  it('works against a real bridge, whose loopback address is not public', async () => {
    const port = await freePort();
    const own = `http://127.0.0.1:${port}`;
    const sandbox = await RunningSandbox.start({ redirectUris: [`${own}/_causeway/callback`] });
    const bridge = await RunningBridge.start({ port, sandbox: sandbox.url });
    try {
      const findings = await found(publicChecks, oauth(sandbox.url, own));
      expect(rows(findings, `redirect address ${own}`)).toEqual([
        'ok: the bridge answers through its public name',
      ]);
      expect(rows(findings, 'public address')).toEqual(['failed: only this machine can reach it']);
    } finally {
      await bridge.stop();
      await sandbox.close();
    }
  });
});
