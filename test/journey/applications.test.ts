import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openServices } from '../../src/app/wiring/services.ts';
import { giveConsent } from '../../src/replay/consent.ts';
import { UnusableAccount } from '../../src/features/accounts/unusable-account.ts';
import { MINUTE, systemClock } from '../../src/lib/time/clock.ts';
import { silentLog } from '../../src/lib/log/log.ts';
import type { SeededOrganisation } from '../../src/sandbox/identity/seed.ts';
import { API_KEY, LegacyProgram } from '../support/legacy.ts';
import { freePort, RunningBridge } from '../support/bridge.ts';
import { eventually } from '../support/clock.ts';
import { deliveredMapping } from '../support/mapping.ts';
import { CLIENT_ID, RunningSandbox } from '../support/sandbox.ts';

const ana = { name: 'Ana', email: 'ana@x.example', administrator: true, privilege: true };
const MILL = 'Old Mill Engineering';
const BOOKINGS = 'Old Mill, bookings';
const PAYROLL = 'Old Mill, payroll';
const KEY = 'C0000000000000000000000000000001';

const payroll = { id: 'payroll-client', first: 'payroll-secret-one-41aa', second: 'payroll-secret-two-9b07' };

/** Two products of one integrator, each its own OAuth application, and one customer who uses both. */
let sandbox: RunningSandbox;
let bridge: RunningBridge;
let folder: string;
let organisation: SeededOrganisation;
let programs: Readonly<Record<'bookings' | 'payroll', LegacyProgram>>;

const registered = (...secrets: string[]) => ({
  id: payroll.id,
  name: 'Payroll',
  secrets,
  redirectUris: [`${bridge.url}/_causeway/callback/payroll`],
  practice: true,
});

/** The payroll application at the service, from now on with these secrets. */
const register = (...secrets: string[]): Promise<unknown> =>
  sandbox.control('POST', 'settings', { applications: [registered(...secrets)] });

const accountOf = async (name: string) => {
  const view = await bridge.services.accounts.show(name);
  if (view?.grant === undefined) throw new Error(`${name} is not connected`);
  return { ...view.account, grantId: view.grant.id, grantState: view.grant.state };
};

/** One presentation of the account's refresh token: `held`, or `later` without an answer. */
const renew = async (name: string): Promise<string | undefined> => {
  const { grantId } = await accountOf(name);
  return bridge.services.oauth?.vault.keepAlive(grantId, Date.now() + MINUTE);
};

/** Client ID and status of every request for tokens since the log was emptied. */
const refreshes = async (): Promise<readonly string[]> => {
  const seen = (await sandbox.requests()) as readonly {
    readonly path: string;
    readonly status: number | null;
    readonly clientId?: string | null;
  }[];
  return seen
    .filter(({ path }) => path === '/connect/token')
    .map(({ clientId, status }) => `${clientId ?? 'nobody'} ${String(status)}`);
};

beforeAll(async () => {
  const port = await freePort();
  folder = await mkdtemp(join(tmpdir(), 'causeway-applications-'));
  const [file, secret] = [join(folder, 'applications.yaml'), join(folder, 'secret')];
  await writeFile(secret, `${payroll.first},${payroll.second}\n`);
  await writeFile(
    file,
    `payroll:\n  client.id: ${payroll.id}\n  client.secret.file: ${secret}\n  brand.name: Mill Payroll\n`,
  );
  sandbox = await RunningSandbox.start({ redirectUris: [`http://127.0.0.1:${port}/_causeway/callback`] });
  bridge = await RunningBridge.start({
    port,
    sandbox: sandbox.url,
    profile: { limits: { perMinute: 20 } },
    env: { CAUSEWAY_APPLICATIONS_FILE: file, CAUSEWAY_WAIT_SECONDS: '0', CAUSEWAY_PARITY: 'off' },
  });
  const [seeded] = await sandbox.seed([
    {
      name: MILL,
      accountKey: KEY,
      apiKeys: [API_KEY],
      practice: false,
      users: [ana],
      clients: [{ number: 1_001, name: 'Bell & Sons' }],
    },
  ]);
  if (seeded === undefined) throw new Error('nothing was seeded');
  organisation = seeded;
  await register(payroll.first);
  await bridge.add({ name: BOOKINGS, accountKey: KEY, apiKey: API_KEY, product: 'standard' });
  const { accounts } = bridge.services;
  const { keys } = await accounts.issue({
    name: PAYROLL,
    application: 'payroll',
    details: { organisationId: organisation.id },
  });
  programs = {
    bookings: new LegacyProgram(bridge.url, KEY),
    payroll: new LegacyProgram(bridge.url, keys.accountKey.reveal(), keys.apiKey.reveal()),
  };
});

afterAll(async () => {
  for (const program of Object.values(programs)) program.close();
  await bridge.stop();
  await sandbox.close();
  await rm(folder, { recursive: true, force: true });
});

/** The customer consents to what this account asks for, and it moves. */
async function move(name: string): Promise<void> {
  const { path } = await bridge.services.accounts.invite(name);
  await giveConsent({ link: `${bridge.url}${path}`, person: ana.name, organisation: MILL });
  await eventually(`${name} is migrated`, async () =>
    (await accountOf(name)).life.stage === 'migrated' ? true : undefined,
  );
}

/** A customer's browser that has pressed the button: its cookies, and where it was sent. */
async function left(name: string): Promise<{ readonly cookie: string; readonly to: URL }> {
  const { path } = await bridge.services.accounts.invite(name);
  const answer = await fetch(`${bridge.url}${path}`, { method: 'POST', redirect: 'manual' });
  const cookie = answer.headers
    .getSetCookie()
    .map((line) => line.split(';')[0])
    .join('; ');
  return { cookie, to: new URL(answer.headers.get('location') ?? '') };
}

/** A code that the service has really issued, to the application that sent the browser there. */
async function codeOf({ to }: { readonly to: URL }): Promise<string> {
  const body = new URLSearchParams(to.searchParams);
  body.set('user', organisation.users[0]?.id ?? '');
  body.set('organisation', organisation.id);
  body.set('decision', 'approve');
  const approved = await fetch(`${sandbox.url}/identity/connect/consent`, {
    method: 'POST',
    body,
    redirect: 'manual',
  });
  return new URL(approved.headers.get('location') ?? '').searchParams.get('code') ?? '';
}

describe('two OAuth applications on one bridge', () => {
  it('refuse a code of one with the state of the other, at whichever callback', async () => {
    const [mine, foreign] = [await left(PAYROLL), await codeOf(await left(BOOKINGS))];
    expect(mine.to.searchParams.get('client_id')).toBe(payroll.id);
    expect(mine.to.searchParams.get('redirect_uri')).toBe(`${bridge.url}/_causeway/callback/payroll`);
    const arrive = async (path: string, { cookie, to }: typeof mine, code: string) => {
      const query = new URLSearchParams({ code, state: to.searchParams.get('state') ?? '' });
      const answer = await fetch(`${bridge.url}${path}?${query.toString()}`, {
        headers: { cookie },
        redirect: 'manual',
      });
      expect([303, 302]).toContain(answer.status);
    };
    // At the redirect address of the other application, and at the right one, where the service refuses the code.
    await arrive('/_causeway/callback', mine, foreign);
    await arrive('/_causeway/callback/payroll', await left(PAYROLL), foreign);
    const { timeline, account } = (await bridge.services.accounts.show(PAYROLL)) ?? {};
    expect(timeline?.filter(({ kind }) => kind === 'consentRefused').map(({ detail }) => detail)).toEqual([
      'stateUnknown',
      'exchangeFailed',
    ]);
    expect(account?.life.stage).toBe('legacy');
  });

  it('each connect an organisation, under the name of the product that asks', async () => {
    const { path } = await bridge.services.accounts.invite(PAYROLL);
    expect(await (await fetch(`${bridge.url}${path}`)).text()).toContain('Mill Payroll');
    await move(BOOKINGS);
    await move(PAYROLL);
    const [bookings, payrolls] = [await accountOf(BOOKINGS), await accountOf(PAYROLL)];
    expect(payrolls.life).toMatchObject({ binding: { organisation: { name: MILL } } });
    expect(bookings.life).toMatchObject({ binding: { organisation: { name: MILL } } });
    expect(payrolls.grantId).not.toBe(bookings.grantId);
    for (const program of Object.values(programs))
      expect((await program.get('client.api/list')).status).toBe(200);
  });

  it('keep an account with the application that got its consent', async () => {
    const { id } = await accountOf(PAYROLL);
    await expect(bridge.services.accounts.set(id, { application: 'default' })).rejects.toThrow(
      UnusableAccount,
    );
    await expect(bridge.services.accounts.set(id, { application: 'nobody' })).rejects.toThrow(
      'the application must be default or payroll',
    );
    expect((await accountOf(PAYROLL)).application).toBe('payroll');
  });

  it('have separate rate limits', async () => {
    const statuses: number[] = [];
    for (let calls = 0; calls <= 20; calls += 1)
      statuses.push((await programs.bookings.get('client.api/list')).status);
    expect(statuses.at(-1)).toBe(429);
    expect((await programs.payroll.get('client.api/list')).status).toBe(200);
    const metrics = await (await fetch(bridge.metrics)).text();
    expect(metrics).toContain('causeway_budget_keys{application="payroll"} 1');
    expect(metrics).toContain('causeway_budget_keys{application="default"} 1');
  });

  it('refresh with their own credentials, and with the next secret when the first is withdrawn', async () => {
    await register(payroll.second);
    expect([await renew(PAYROLL), await renew(BOOKINGS)]).toEqual(['held', 'held']);
    // Who shows a wrong secret is nobody.
    expect((await refreshes()).slice(-3)).toEqual(['nobody 401', `${payroll.id} 200`, `${CLIENT_ID} 200`]);
    expect(await bridge.services.store.grants.list()).toMatchObject([
      { application: 'default', state: 'held' },
      { application: 'payroll', state: 'held' },
    ]);
  });

  it('are separate: if all secrets of one are refused, only its accounts are affected', async () => {
    await register('nobody-told-the-bridge');
    expect([await renew(PAYROLL), await renew(BOOKINGS)]).toEqual(['later', 'held']);
    expect((await accountOf(PAYROLL)).grantState).toBe('unresolved');
    expect((await accountOf(BOOKINGS)).grantState).toBe('held');
    await register(payroll.second);
    await eventually('the grant is renewed when the secret is right again', async () => {
      await bridge.services.oauth?.vault.drive((await accountOf(PAYROLL)).grantId);
      return (await accountOf(PAYROLL)).grantState === 'held' ? true : undefined;
    });
    const metrics = await (await fetch(bridge.metrics)).text();
    expect(metrics).toContain('causeway_breaker_open{breaker="authority",application="default"} 0');
  });

  it('must both be configured: a bridge with accounts of a removed one does not start', async () => {
    const { settings } = bridge.services;
    const { oauth } = settings;
    if (oauth === undefined) throw new Error('V3 is not configured');
    const without = { ...settings, oauth: { ...oauth, applications: [oauth.applications[0]] as const } };
    const parts = {
      clock: systemClock,
      log: silentLog,
      mapping: deliveredMapping(settings.profile.v3.identifiers),
    };
    await expect(openServices(without, { ...parts, serves: true })).rejects.toThrow(
      'the application payroll is not there, but 1 of its 1 accounts are connected by it',
    );
    // A command still works, and neither a call nor a refresh is carried out under another name.
    const command = await openServices(without, parts);
    const { grantId } = await accountOf(PAYROLL);
    await expect(command.oauth?.vault.renewAfter(grantId, 1_000)).rejects.toMatchObject({
      code: 'applicationMissing',
    });
    await command.close();
  });
});
