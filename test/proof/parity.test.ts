import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { giveConsent } from '../../src/replay/consent.ts';
import { ADMINISTRATOR, users } from '../../src/demo/seed/users.ts';
import { parityOf } from '../../src/app/wiring/features/parity.ts';
import type { Account } from '../../src/features/accounts/account.ts';
import { freePort, RunningBridge } from '../support/bridge.ts';
import { eventually } from '../support/clock.ts';
import { RunningSandbox } from '../support/sandbox.ts';

const API_KEY = '0123456789ABCDEF0123456789ABCDEF';
const names = ['Alike', 'Differs', 'Silent', 'Unknown'] as const;
type Name = (typeof names)[number];
const keyOf = (name: Name): string => `B${String(names.indexOf(name)).padStart(31, '0')}`;

const client = (n: number) => ({
  ...{ number: 1000 + n, name: `Client ${n}`, email: `c${n}@example.com` },
  contacts: [{ number: 2000 + n, name: `Contact ${n}` }],
});

let sandbox: RunningSandbox;
let bridge: RunningBridge;

async function legacy(name: Name, address: string): Promise<string> {
  const mark = address.includes('?') ? '&' : '?';
  const answer = await fetch(`${bridge.url}/${address}${mark}apiKey=${API_KEY}&accountKey=${keyOf(name)}`);
  return answer.text();
}

async function consent(name: Name): Promise<void> {
  const { path } = await bridge.services.accounts.invite(name);
  await giveConsent({ link: `${bridge.url}${path}`, person: ADMINISTRATOR, organisation: name });
}

async function accountOf(name: Name): Promise<Account> {
  const view = await bridge.services.accounts.show(name);
  if (view === undefined) throw new Error(`there is no ${name}`);
  return view.account;
}

const stageOf = async (name: Name): Promise<string> => (await accountOf(name)).life.stage;

async function idOf(name: Name): Promise<string> {
  const organisations = (await sandbox.control('GET', 'organisations')) as readonly {
    readonly id: string;
    readonly name: string;
  }[];
  return organisations.find((one) => one.name === name)?.id ?? '';
}

beforeAll(async () => {
  const port = await freePort();
  sandbox = await RunningSandbox.start({ redirectUris: [`http://127.0.0.1:${port}/_causeway/callback`] });
  await sandbox.seed(
    names.map((name) => ({
      ...{ name, accountKey: keyOf(name), apiKeys: [API_KEY], users },
      clients: Array.from({ length: 5 }, (_, n) => client(n)),
    })),
  );
  bridge = await RunningBridge.start({ port, sandbox: sandbox.url });
  for (const name of names)
    await bridge.add({ name, accountKey: keyOf(name), apiKey: API_KEY, product: 'standard' });
});

afterAll(async () => {
  await bridge.stop();
  await sandbox.close();
});

it('an account with equal reads on V3 and V1 moves by itself, and the comparison says how many', async () => {
  for (const address of [
    'client.api/list?detailed=true',
    'client.api/get/1000',
    'staff.api/list',
    'job.api/current',
  ])
    expect(await legacy('Alike', address)).toContain('<Status>OK</Status>');
  await consent('Alike');
  await eventually('it is migrated', async () =>
    (await stageOf('Alike')) === 'migrated' ? true : undefined,
  );
  const report = await parityOf(bridge.services).report(await accountOf('Alike'));
  expect(report).toMatchObject({ verdict: 'alike', words: '4 of 4 reads alike', groups: [] });
});

it('an account that differs waits for an operator, who accepts each difference by name until it changes', async () => {
  for (const address of ['client.api/list', 'client.api/get/1001']) await legacy('Differs', address);
  const accountId = await idOf('Differs');
  const alter = (rule: object) =>
    sandbox.control('POST', 'faults', {
      ...{
        id: 'f',
        on: { surface: 'v3', operation: 'client.get', accountId },
        do: 'alter',
        rule,
        times: 1_000_000,
      },
    });
  await alter({ change: 'value', element: 'Name', at: 0, to: 'Someone else' });
  await consent('Differs');
  await eventually('it was compared', async () => {
    const { comparison } = await parityOf(bridge.services).report(await accountOf('Differs'));
    return comparison;
  });
  expect(await stageOf('Differs')).toBe('consented');
  const parity = parityOf(bridge.services);
  const report = await parity.compare(await accountOf('Differs'));
  expect(report).toMatchObject({ verdict: 'different', comparison: { reads: 2, alike: 1, live: 2 } });
  expect(report.groups.map(({ method, cause, path }) => [method, cause, path])).toEqual([
    ['client.get', 'value', 'Response/Client/Name'],
  ]);
  expect(JSON.stringify(report)).not.toContain('Someone');
  const [group] = report.groups;
  const given = { keys: [group?.key ?? ''], forAll: false, name: 'Kim', reason: 'the customer renames it' };
  expect(await parity.accept(await accountOf('Differs'), given)).toBe(1);
  expect(await parity.report(await accountOf('Differs'))).toMatchObject({ verdict: 'accepted' });
  await alter({ change: 'value', element: 'Name', at: 0, to: 'A third' });
  const later = await parity.compare(await accountOf('Differs'));
  expect(later).toMatchObject({ verdict: 'different', groups: [{ isVoid: true }] });
  // Whoever stops keeping samples makes no difference go away.
  await bridge.services.samples.erase((await accountOf('Differs')).id);
  const unseen = await parity.compare(await accountOf('Differs'));
  expect(unseen).toMatchObject({ verdict: 'different', comparison: { reads: 2, live: 0 } });
  const neverSampled = expect.stringMatching(
    /^used 1 time, last on \d{4}-\d\d-\d\d, never compared: no sample$/,
  ) as unknown;
  expect(unseen.groups).toMatchObject([
    { ...later.groups[0], lastSeen: later.comparison?.at },
    { key: 'client.get not-compared', example: neverSampled },
    { key: 'client.list not-compared', example: neverSampled },
  ]);
  expect(await parity.judge(await accountOf('Differs'), 'moving')).toMatchObject({ result: 'failed' });
});

it('an account that V1 no longer serves is compared with earlier replies of V1', async () => {
  await legacy('Silent', 'client.api/get/1002');
  await sandbox.control('POST', `organisations/${await idOf('Silent')}`, { v1AfterConsent: 'refuses' });
  await consent('Silent');
  const parity = parityOf(bridge.services);
  const report = await eventually('it was compared', async () => {
    const one = await parity.report(await accountOf('Silent'));
    return one.comparison === undefined ? undefined : one;
  });
  expect(report).toMatchObject({ verdict: 'alike', comparison: { baseline: 1, live: 0 } });
});

it('an account without samples is not provable, which is shown and does not block the move', async () => {
  await consent('Unknown');
  await eventually('it is migrated', async () =>
    (await stageOf('Unknown')) === 'migrated' ? true : undefined,
  );
  const report = await parityOf(bridge.services).report(await accountOf('Unknown'));
  expect(report).toMatchObject({
    verdict: 'not-provable',
    words: 'not provable: no read by its programs was known then',
  });
});
