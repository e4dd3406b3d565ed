import { afterEach, describe, expect, it } from '@jest/globals';
import * as client from 'openid-client';
import { Playground } from './playground.ts';

/** A registered address without a query: the library sends back the address it was called at, without one. */
const CALLBACK = 'http://127.0.0.1:8080/callback';
const SECRET = 's3cret:+/ü';
const SCOPE = 'openid profile email service offline_access';

const methods = {
  client_secret_post: client.ClientSecretPost(SECRET),
  client_secret_basic: client.ClientSecretBasic(SECRET),
} as const;
type Method = keyof typeof methods;

let at: Playground | undefined;
afterEach(async () => {
  await at?.close();
  at = undefined;
});

/** The sandbox tells the time of this machine: an ordinary library judges tokens by its own clock. */
async function open(): Promise<Playground> {
  at = await Playground.open();
  await at.control('clock', { set: new Date().toISOString() });
  return at;
}

async function discover({ url }: Playground, method: Method): Promise<client.Configuration> {
  const configuration = await client.discovery(new URL(url), 'client-1', SECRET, methods[method], {
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked so that it stands out: plain http, on loopback only
    execute: [client.allowInsecureRequests],
  });
  // The service's own tokens are checked against its published keys too, not by the transport alone.
  client.enableNonRepudiationChecks(configuration);
  return configuration;
}

interface Asked {
  readonly address: URL;
  readonly checks: client.AuthorizationCodeGrantChecks;
}

async function ask(configuration: client.Configuration): Promise<Asked> {
  const verifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const nonce = client.randomNonce();
  const address = client.buildAuthorizationUrl(configuration, {
    redirect_uri: CALLBACK,
    scope: SCOPE,
    state,
    nonce,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    prompt: 'consent',
  });
  const checks = { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce };
  return { address, checks: { ...checks, idTokenExpected: true } };
}

/** The hidden fields of a page's form, as a browser would send them. */
function formOf(page: string): { readonly action: string; readonly fields: [string, string][] } {
  const action = /<form[^>]*action="([^"]+)"/.exec(page)?.[1];
  if (action === undefined) throw new Error('the page has no form');
  const fields = [...page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
    ([, name = '', value = '']): [string, string] => [unescaped(name), unescaped(value)],
  );
  return { action, fields };
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };
const unescaped = (text: string): string =>
  text.replaceAll(/&(#?\w+);/g, (all, name: string) => entities[name] ?? all);

/** Follows the address as the user's browser does: the page of users, that of organisations, and back. */
async function consent(sandbox: Playground, address: URL): Promise<URL> {
  const users = await sandbox.call(`${address.pathname}${address.search}`);
  const first = formOf(users.text);
  const organisations = await sandbox.form(first.action, [...first.fields, ['user', sandbox.user(0).id]]);
  const second = formOf(organisations.text);
  const answer = await sandbox.form(second.action, [
    ...second.fields,
    ['organisation', sandbox.one.id],
    ['decision', 'approve'],
  ]);
  return new URL(answer.headers.get('location') ?? '');
}

async function connect(sandbox: Playground, configuration: client.Configuration) {
  const { address, checks } = await ask(configuration);
  return client.authorizationCodeGrant(configuration, await consent(sandbox, address), checks);
}

/** The refresh token, which has to be there. */
function refreshOf({ refresh_token: token }: client.TokenEndpointResponse): string {
  if (token === undefined) throw new Error('there is no refresh token');
  return token;
}

async function expectRefused(call: Promise<unknown>, error: string): Promise<void> {
  await expect(call).rejects.toMatchObject({ error });
}

describe.each(Object.keys(methods) as Method[])('a standard OAuth client with %s', (method) => {
  it('finds the endpoints and its authentication method', async () => {
    const sandbox = await open();
    const metadata = (await discover(sandbox, method)).serverMetadata();
    expect(metadata.issuer).toBe(sandbox.url);
    expect(metadata.token_endpoint_auth_methods_supported).toContain(method);
    expect(metadata.revocation_endpoint_auth_methods_supported).toContain(method);
    expect(metadata.supportsPKCE()).toBe(true);
  });

  it('connects, and its token gives access to V3 and V2', async () => {
    const sandbox = await open();
    const configuration = await discover(sandbox, method);
    const tokens = await connect(sandbox, configuration);
    expect(tokens.token_type).toBe('bearer');
    expect(tokens.expiresIn()).toBeGreaterThan(1_700);
    expect(tokens.claims()).toMatchObject({
      iss: sandbox.url,
      aud: 'client-1',
      sub: sandbox.user(0).id,
      name: sandbox.user(0).name,
    });

    const organisation = new Headers({ 'account-id': sandbox.one.id });
    const call = (path: string) =>
      client.fetchProtectedResource(
        configuration,
        tokens.access_token,
        new URL(`${sandbox.url}${path}`),
        'GET',
        null,
        organisation,
      );
    const xml = await call('/3.0/client.api/list');
    expect(xml.status).toBe(200);
    expect(await xml.text()).toContain('First &amp; Co');
    const json = await call('/v2/clients');
    expect(json.status).toBe(200);
    expect(await json.json()).toMatchObject({ data: [{ name: 'First & Co' }] });
  });

  it('refreshes: the token rotates, and the old one works again within the grace period', async () => {
    const sandbox = await open();
    const configuration = await discover(sandbox, method);
    const tokens = await connect(sandbox, configuration);
    const first = refreshOf(tokens);
    const second = await client.refreshTokenGrant(configuration, first);
    expect(second.refresh_token).not.toBe(first);
    expect(second.access_token).not.toBe(tokens.access_token);
    expect(second.claims()?.sub).toBe(sandbox.user(0).id);
    expect((await sandbox.v3(second.access_token)).status).toBe(200);

    const again = await client.refreshTokenGrant(configuration, first);
    expect((await sandbox.v3(again.access_token)).status).toBe(200);

    await client.refreshTokenGrant(configuration, refreshOf(again));
    await expectRefused(client.refreshTokenGrant(configuration, first), 'invalid_grant');
  });

  it('revokes: the refresh token is invalid, and an unknown one is no error', async () => {
    const sandbox = await open();
    const configuration = await discover(sandbox, method);
    const token = refreshOf(await connect(sandbox, configuration));
    await client.tokenRevocation(configuration, token, { token_type_hint: 'refresh_token' });
    await expectRefused(client.refreshTokenGrant(configuration, token), 'invalid_grant');
    await client.tokenRevocation(configuration, 'nobody knows it');
  });

  it('gets standard errors if the code, the verifier or the secret is wrong', async () => {
    const sandbox = await open();
    const configuration = await discover(sandbox, method);
    const { address, checks } = await ask(configuration);
    const back = await consent(sandbox, address);
    const wrong = { ...checks, pkceCodeVerifier: client.randomPKCECodeVerifier() };
    await expectRefused(client.authorizationCodeGrant(configuration, back, wrong), 'invalid_grant');

    const unknownKey = new client.Configuration(
      configuration.serverMetadata(),
      'client-1',
      'wrong',
      method === 'client_secret_post' ? client.ClientSecretPost('no') : client.ClientSecretBasic('no'),
    );
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- as above
    client.allowInsecureRequests(unknownKey);
    for (const call of [
      () => client.refreshTokenGrant(unknownKey, 'any'),
      () => client.tokenRevocation(unknownKey, 'any'),
    ]) {
      const failure: unknown = await call().catch((error: unknown) => error);
      // A 401 with a challenge reaches the program as that; without one, as an OAuth error.
      if (method === 'client_secret_post') expect(failure).toMatchObject({ error: 'invalid_client' });
      else expect(failure).toBeInstanceOf(client.WWWAuthenticateChallengeError);
      expect(failure).toMatchObject({ status: 401 });
    }
  });

  it('gets an error if the user declines', async () => {
    const sandbox = await open();
    const configuration = await discover(sandbox, method);
    const { address, checks } = await ask(configuration);
    const answer = await sandbox.form('/identity/connect/consent', [
      ...address.searchParams,
      ['user', sandbox.user(0).id],
      ['decision', 'deny'],
    ]);
    const back = new URL(answer.headers.get('location') ?? '');
    await expectRefused(client.authorizationCodeGrant(configuration, back, checks), 'access_denied');
  });
});
