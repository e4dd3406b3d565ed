import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createServer, type Server } from 'node:http';
import Provider from 'oidc-provider';
import type { Page } from 'playwright-core';
import { freePort, RunningBridge } from '../support/bridge.ts';
import { axe, picture, RealBrowser, serious, sticksOut, windows } from '../support/browser.ts';
import { chromiumPath } from '../support/chromium-path.ts';

const people: Readonly<Record<string, object>> = {
  ada: { name: 'Ada Lovelace', email: 'ada@example.com', email_verified: true, roles: ['bridge-admins'] },
  bob: { name: 'Bob Reader', email: 'bob@example.com', email_verified: true, roles: ['staff'] },
};

let browser: RealBrowser;
let bridge: RunningBridge;
let provider: Server;
let page: Page;
const at = (path: string): string => `${bridge.url}/_causeway/console${path}`;

/** A provider by others: it checks PKCE, secret and redirect address as the specifications want it. */
async function startProvider(port: number, bridgeAt: string): Promise<Server> {
  const issuer = `http://127.0.0.1:${port}`;
  const oidc = new Provider(issuer, {
    clients: [
      {
        client_id: 'console',
        client_secret: 'secret of the console',
        redirect_uris: [`${bridgeAt}/_causeway/console/sign-in/callback`],
        post_logout_redirect_uris: [`${bridgeAt}/_causeway/console/sign-in`],
        response_types: ['code'],
        grant_types: ['authorization_code'],
      },
    ],
    claims: { openid: ['sub'], profile: ['name', 'roles'], email: ['email', 'email_verified'] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: true }, rpInitiatedLogout: { enabled: true } },
    findAccount: (_: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, ...people[id] }),
    }),
  });
  const server = createServer(oidc.callback());
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  return server;
}

async function inspect(name: string): Promise<void> {
  for (const colours of ['light', 'dark'] as const)
    for (const window of ['desk', 'phone'] as const) {
      await page.emulateMedia({ colorScheme: colours });
      await page.setViewportSize(windows[window].viewport);
      expect({ name, window, found: serious(await axe(page)) }).toEqual({ name, window, found: [] });
      expect({ name, window, sticksOut: await sticksOut(page) }).toEqual({ name, window, sticksOut: false });
      await picture(page, `sign-in-${name}-${window}-${colours}`);
    }
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(windows.desk.viewport);
}

/** On the provider's own pages. */
async function signInAs(person: string): Promise<void> {
  await page.getByPlaceholder('Enter any login').fill(person);
  await page.getByPlaceholder('and password').fill('any');
  await page.getByRole('button', { name: 'Sign-in' }).click();
  await page.getByRole('button', { name: 'Continue' }).click();
}

// `npm test` says how to get a Chromium where there is none.
(chromiumPath() === undefined ? describe.skip : describe)(
  'sign-in with an OpenID provider in a browser',
  () => {
    beforeAll(async () => {
      const [port, providerPort] = [await freePort(), await freePort()];
      provider = await startProvider(providerPort, `http://127.0.0.1:${port}`);
      bridge = await RunningBridge.start({
        port,
        sandbox: 'http://127.0.0.1:9',
        env: {
          CAUSEWAY_OPENID_ISSUER: `http://127.0.0.1:${providerPort}`,
          CAUSEWAY_OPENID_CLIENT_ID: 'console',
          CAUSEWAY_OPENID_CLIENT_SECRET: 'secret of the console',
          CAUSEWAY_OPENID_ROLES: 'admin=bridge-admins,read=support',
        },
      });
      browser = await RealBrowser.start();
      page = await (await browser.person()).newPage();
    });

    afterAll(async () => {
      await browser[Symbol.asyncDispose]();
      await bridge.stop();
      provider.closeAllConnections();
      await new Promise((resolve) => provider.close(resolve));
    });

    it('leads to the requested page, names the person in the audit, and ends at both sides', async () => {
      await page.goto(at('/audit'));
      await inspect('page');
      await page.getByRole('link', { name: /^Sign in with 127/ }).click();
      await signInAs('ada');
      await page.getByRole('heading', { name: 'Audit' }).waitFor();
      await page.getByRole('cell', { name: /signed in, administer; ada at http/ }).waitFor();
      await page.getByRole('link', { name: 'Tokens' }).click();
      await page.getByText('person, OpenID Connect').waitFor();
      await inspect('people');
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByText('You are signed out of this console').waitFor();
      await inspect('left');
      await page.getByRole('link', { name: /^Sign out of 127/ }).click();
      await page.getByRole('button', { name: 'Yes, sign me out' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    });

    it('says clearly that a person without a role has no access', async () => {
      await page.goto(at('/sign-in/openid'));
      await signInAs('bob');
      await page.getByRole('heading', { name: 'You have no access to this console' }).waitFor();
      await inspect('no-access');
      await page.goto(at('/tokens'));
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    });
  },
);
