import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { driftOf } from '../../src/app/wiring/upstream/drift.ts';
import { driftSentence } from '../../src/features/usage/drift/words.ts';
import { MINUTE, SECOND } from '../../src/lib/time/clock.ts';
import { EVERY_ACCOUNT } from '../../src/mapping/routes/routes.ts';
import { ADMINISTRATOR, users } from '../../src/demo/seed/users.ts';
import { freePort, RunningBridge } from '../support/bridge.ts';
import { AheadClock, until } from '../support/clock.ts';
import { RunningSandbox } from '../support/sandbox.ts';

const API_KEY = '0123456789ABCDEF0123456789ABCDEF';
const ADMIN = 'cwt_drift-admin-token-of-this-test-alone-0000001';
const names = ['Old Mill', 'Harbour Lane', 'Northgate', 'Still As It Was'];
const keyOf = (name: string): string => `B${String(names.indexOf(name)).padStart(31, '0')}`;
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
    names.map((name) => ({ name, accountKey: keyOf(name), apiKeys: [API_KEY], users, clients })),
  );
  bridge = await RunningBridge.start({
    ...{
      port,
      sandbox: sandbox.url,
      clock,
      profile: { limits: { perMinute: 1_000_000 }, v3: { standsInForV2: false } },
    },
    env: { CAUSEWAY_V2_BASE_URL: `${sandbox.url}/v2`, CAUSEWAY_ADMIN_TOKEN: ADMIN },
  });
  for (const name of names) {
    await bridge.add({ name, accountKey: keyOf(name), apiKey: API_KEY, product: 'standard' });
    await bridge.migrate(name, ADMINISTRATOR);
  }
  await bridge.services.store.routes.set(['client.list'], EVERY_ACCOUNT, 'v2', 'test');
});
afterAll(async () => {
  await bridge.stop();
  await sandbox.close();
});

/** Lists of every account, until they are learned: what comes after the last of them is another minute's. */
async function ask(times: number): Promise<void> {
  const { store } = bridge.services;
  const answers = async (): Promise<number> => {
    const forms = await store.usage.drift.forms('v2', ['client.list'], 100);
    return forms
      .filter(({ operation }) => operation.startsWith('clients?'))
      .reduce((sum, { learned }) => sum + learned.answers, 0);
  };
  const before = await answers();
  for (let n = 0; n < times; n += 1)
    for (const name of names) {
      const keys = `apiKey=${API_KEY}&accountKey=${keyOf(name)}`;
      expect(await (await fetch(`${bridge.url}/client.api/list?${keys}`)).text()).toContain('Client 4');
      clock.advance(SECOND); // so many answers are read in a second, and no more
    }
  await until('what was answered is learned', async () => {
    clock.advance(MINUTE);
    await fetch(`${bridge.url}/client.api/list?apiKey=${API_KEY}&accountKey=${keyOf('Still As It Was')}`);
    return (await answers()) >= before + times * names.length;
  });
}

async function alter(name: string, rule: object): Promise<void> {
  const organisations = (await sandbox.control('GET', 'organisations')) as readonly {
    readonly id: string;
    readonly name: string;
  }[];
  const accountId = organisations.find((one) => one.name === name)?.id ?? '';
  const on = { surface: 'v2', operation: 'v2.clients.list', accountId };
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

it('V2 alters one key for three accounts: the alarm says so in a sentence, names the rows, and ends by acknowledgement; for one account there is none', async () => {
  await ask(6);
  for (const name of names.slice(0, 3))
    await alter(name, {
      change: 'replace',
      pattern: '("updatedAt":"[^".]*?)(?:\\.\\d+)?(Z?")',
      with: '$1.123$2',
    });
  await alter('Old Mill', { change: 'rename', name: 'email', to: 'mailbox' });
  await ask(4);
  await driftOf(bridge.services).run();
  const [alarm, ...others] = await bridge.services.store.usage.drift.alarms();
  expect(others).toEqual([]);
  if (alarm === undefined) throw new Error('there is no alarm');
  expect(driftSentence(alarm, alarm.since)).toMatch(
    /^V2 sends `updatedAt` with milliseconds since \d\d:\d\d, 3 accounts; rows concerned: client\.list \(selection\)$/,
  );
  const { changes } = await api('/drift');
  expect(changes).toEqual([
    expect.objectContaining({
      ...{ upstream: 'v2', change: 'type', area: 'clients', name: 'updatedAt', state: 'open', accounts: 3 },
      effect: 'The formats of (selection) read it all the same.',
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
