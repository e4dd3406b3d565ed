import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { driftOf } from '../../src/app/wiring/upstream/drift.ts';
import { driftSentence } from '../../src/features/usage/drift/words.ts';
import { MINUTE, SECOND } from '../../src/lib/time/clock.ts';
import { EVERY_ACCOUNT } from '../../src/mapping/routes/routes.ts';
import { ADMINISTRATOR, users } from '../../src/demo/seed/users.ts';
import { newKeyLine } from '../../src/tokens/sealing/keyring.ts';
import { CommandLine } from '../cli/harness.ts';
import { freePort, RunningBridge } from '../support/bridge.ts';
import { axe, picture, RealBrowser, sticksOut } from '../support/browser.ts';
import { chromiumPath } from '../support/chromium-path.ts';
import { AheadClock, eventually, until } from '../support/clock.ts';
import { RunningSandbox } from '../support/sandbox.ts';

const API_KEY = '0123456789ABCDEF0123456789ABCDEF';
const ADMIN = 'cwt_drift-admin-token-of-this-test-alone-0000001';
const names = ['Old Mill', 'Harbour Lane', 'Northgate', 'Still As It Was'];
/** They stay on V1. */
const legacy = ['Quiet Corner', 'Long Reach', 'Upper Yard'];
const everybody = [...names, ...legacy];
const keyOf = (name: string): string => `B${String(everybody.indexOf(name)).padStart(31, '0')}`;
const KEYS = newKeyLine();
const clients = [1, 2, 3, 4].map((n) => ({
  number: 1000 + n,
  name: `Client ${n}`,
  email: `c${n}@example.com`,
}));

let sandbox: RunningSandbox;
let bridge: RunningBridge;
const clock = new AheadClock();
let faults = 0;

beforeAll(async () => {
  const port = await freePort();
  sandbox = await RunningSandbox.start({
    ...{ clock, protocol: { limits: { perMinute: null } } },
    redirectUris: [`http://127.0.0.1:${port}/_causeway/callback`],
  });
  await sandbox.seed(
    everybody.map((name) => ({ name, accountKey: keyOf(name), apiKeys: [API_KEY], users, clients })),
  );
  bridge = await RunningBridge.start({
    ...{
      port,
      sandbox: sandbox.url,
      clock,
      profile: { limits: { perMinute: 1_000_000 }, v3: { standsInForV2: false } },
    },
    env: {
      CAUSEWAY_V2_BASE_URL: `${sandbox.url}/v2`,
      CAUSEWAY_ADMIN_TOKEN: ADMIN,
      CAUSEWAY_ENCRYPTION_KEYS: KEYS,
    },
  });
  for (const name of everybody)
    await bridge.add({ name, accountKey: keyOf(name), apiKey: API_KEY, product: 'standard' });
  for (const name of names) await bridge.migrate(name, ADMINISTRATOR);
  await bridge.services.store.routes.set(['client.list'], EVERY_ACCOUNT, 'v2', 'test');
});
afterAll(async () => {
  await bridge.stop();
  await sandbox.close();
});

/** Lists of some accounts, until as many of each are learned: what comes after the last of them is another minute's. */
async function ask(upstream: 'v1' | 'v2', some: readonly string[], times: number): Promise<void> {
  const { store, accounts } = bridge.services;
  const ids = await Promise.all(some.map(async (name) => (await accounts.show(name))?.account.id ?? ''));
  const list = async (): Promise<void> => {
    for (const name of some) {
      const address = `client.api/list?apiKey=${API_KEY}&accountKey=${keyOf(name)}`;
      expect(await (await fetch(`${bridge.url}/${address}`)).text()).toContain('Client 4');
      clock.advance(SECOND); // so many answers are read in a second, and no more
    }
  };
  const answers = async (): Promise<readonly number[]> => {
    const forms = await store.usage.drift.forms(upstream, ['client.list'], 100);
    const lists = forms.filter(({ operation }) => upstream === 'v1' || operation.startsWith('clients?'));
    return ids.map((id) =>
      lists.filter((one) => one.accountId === id).reduce((sum, { learned }) => sum + learned.answers, 0),
    );
  };
  const before = await answers();
  for (let n = 0; n < times; n += 1) await list();
  await until('what was answered is learned', async () => {
    clock.advance(MINUTE);
    await list();
    return (await answers()).every((now, at) => now >= (before[at] ?? 0) + times);
  });
}

/** Looks at what was learned until there are so many open alarms; on a busy machine that takes some more answers. */
async function alarmed(upstream: 'v1' | 'v2', some: readonly string[], many: number) {
  const { drift } = bridge.services.store.usage;
  return eventually('it is an alarm', async () => {
    await driftOf(bridge.services).run();
    const open = (await drift.alarms()).filter(({ state }) => state === 'open');
    if (open.length >= many) return open;
    await ask(upstream, some, 1);
    return undefined;
  });
}

const ofV2 = { surface: 'v2', operation: 'v2.clients.list' };

async function alter(
  name: string,
  rule: object,
  { surface, operation }: { readonly surface: string; readonly operation: string } = ofV2,
): Promise<void> {
  const organisations = (await sandbox.control('GET', 'organisations')) as readonly {
    readonly id: string;
    readonly name: string;
  }[];
  const accountId = organisations.find((one) => one.name === name)?.id ?? '';
  const on = { surface, operation, accountId };
  await sandbox.control('POST', 'faults', {
    id: `alter-${(faults += 1)}`,
    on,
    do: 'alter',
    rule,
    times: 1_000_000,
  });
}

const api = async (
  path: string,
  body?: object,
): Promise<{ readonly changes: readonly Record<string, unknown>[] }> => {
  const answer = await fetch(`${bridge.url}/_causeway/api${path}`, {
    ...(body && { method: 'POST', body: JSON.stringify(body) }),
    headers: { Authorization: `Bearer ${ADMIN}`, 'Content-Type': 'application/json' },
  });
  return (await answer.json()) as never;
};

it('a key that V2 changes for three accounts raises an alarm with its rows, for one account none', async () => {
  await ask('v2', names, 6);
  for (const name of names.slice(0, 3))
    await alter(name, {
      change: 'replace',
      pattern: '("updatedAt":"[^".]*?)(?:\\.\\d+)?(Z?")',
      with: '$1.123$2',
    });
  await alter('Old Mill', { change: 'rename', name: 'email', to: 'mailbox' });
  await ask('v2', names, 4);
  const [alarm, ...others] = await alarmed('v2', names, 1);
  expect(others).toEqual([]);
  if (alarm === undefined) throw new Error('there is no alarm');
  expect(driftSentence(alarm, alarm.since)).toMatch(
    /^V2 sends `updatedAt` with milliseconds since \d\d:\d\d, 3 accounts; rows concerned: client\.list \(selection\)$/,
  );
  const { changes } = await api('/drift');
  expect(changes).toEqual([
    expect.objectContaining({
      ...{ upstream: 'v2', change: 'type', area: 'clients', name: 'updatedAt', state: 'open', accounts: 3 },
      effect: 'The formats of (selection) can read it.',
    }),
  ]);
  expect(changes[0]?.shownTo).toEqual(
    expect.arrayContaining(names.slice(0, 3).map((name) => expect.objectContaining({ name }))),
  );
  const ended = await api(`/drift/${alarm.id}/acknowledgement`, { name: 'Anna', reason: 'announced' });
  expect(ended.changes).toEqual([
    expect.objectContaining({ state: 'acknowledged', acknowledged: { by: 'Anna', reason: 'announced' } }),
  ]);
  expect(
    JSON.stringify(await bridge.services.store.usage.drift.forms('v2', ['client.list'], 100)),
  ).not.toMatch(/Client 4|example\.com/);
});

it('elements that V1 adds for three accounts are acknowledged by command and in a browser', async () => {
  const ofV1 = { surface: 'v1', operation: 'client.list' };
  await ask('v1', legacy, 6);
  for (const name of legacy)
    for (const element of ['Mailbox', 'Rank'])
      await alter(name, { change: 'add', element: 'Email', name: element, to: 'text' }, ofV1);
  await ask('v1', legacy, 4);
  const open = await alarmed('v1', legacy, 2);
  expect(
    open.map(({ upstream, kind, name, accounts }) => [upstream, kind, name, accounts]).toSorted(),
  ).toEqual([
    ['v1', 'appeared', 'Client/Mailbox', 3],
    ['v1', 'appeared', 'Client/Rank', 3],
  ]);
  const rank = open.find(({ name }) => name === 'Client/Rank')?.id ?? '';
  using line = new CommandLine({
    ...{ CAUSEWAY_DATABASE_URL: bridge.services.settings.database.reveal(), CAUSEWAY_ENCRYPTION_KEYS: KEYS },
  });
  const listed = await line.causeway(['drift']);
  expect(listed).toMatchObject({ code: 0, err: '' });
  expect(listed.out).toMatch(/V1 sends `Client\/Rank`, which is new since .*, 3 accounts/);
  for (const name of legacy) expect(listed.out).toContain(name);
  const alone = await line.causeway(['drift', '--acknowledge', rank]);
  expect(alone).toMatchObject({ code: 2, err: expect.stringContaining('go together') });
  const given = ['--name', 'Kim', '--reason', 'announced'];
  const done = await line.causeway(['drift', '--acknowledge', rank, ...given]);
  expect(done.out).not.toContain('Rank');
  expect((await line.causeway(['drift', '--all'])).out).toMatch(/acknowledged by Kim, .*: announced/);
  if (chromiumPath() !== undefined) await acknowledgeInBrowser();
});

/** The change that is still open. */
async function acknowledgeInBrowser(): Promise<void> {
  await using browser = await RealBrowser.start();
  const page = await browser.page({ window: 'desk', colours: 'dark' });
  await page.goto(`${bridge.url}/_causeway/console/routes/drift`);
  await page.getByLabel('Token').fill(ADMIN);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'V1 sends Client/Mailbox' }).waitFor();
  await page.getByRole('link', { name: legacy[0] ?? '' }).waitFor();
  await inspect(page, 'open');
  await page.getByLabel('Reason').fill(' ');
  await page.getByLabel('Your name').fill('Kim <K>');
  await page.getByRole('button', { name: 'Acknowledge' }).click();
  await page.getByRole('alert').getByText('say why').waitFor();
  expect(await page.getByLabel('Your name').inputValue()).toBe('Kim <K>');
  await page.getByLabel('Reason').fill('announced for <November>');
  await page.getByRole('button', { name: 'Acknowledge' }).click();
  await page.getByRole('status').getByText('Change acknowledged').waitFor();
  await page.getByRole('heading', { name: 'Nothing has changed' }).waitFor();
  await page.getByRole('cell', { name: /announced for <November>/ }).waitFor();
  await inspect(page, 'over');
}

/** At three widths; a picture of each. */
async function inspect(page: Page, name: string): Promise<void> {
  for (const width of [1400, 768, 390]) {
    await page.setViewportSize({ width, height: 900 });
    expect({ name, width, found: await axe(page) }).toEqual({ name, width, found: [] });
    expect({ name, width, sticksOut: await sticksOut(page) }).toEqual({ name, width, sticksOut: false });
    await picture(page, `drift-${name}-${width}`);
  }
}
