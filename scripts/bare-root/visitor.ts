/**
 * Everything that happens to a bridge from outside while the pages of `docs/deploy` are followed: the service's
 * records, the customer's consent, the calls of legacy programs. Runs inside the root, beside the bridge.
 *
 *     visitor.ts seed            creates the organisations of the service
 *     visitor.ts consent LINK    follows an invitation as its customer
 *     visitor.ts moved           waits until a call is served through V3
 *     visitor.ts call            makes one call through V3
 *     visitor.ts load            calls until its standard input ends; then prints the results as JSON
 */
import { once } from 'node:events';
import { Control } from '../../test/support/control.ts';
import { API_KEY, countOf, LegacyProgram } from '../../test/support/legacy.ts';
import { giveConsent } from '../../src/replay/consent.ts';
import { eventually } from '../../test/support/clock.ts';
import { SteadyCallers } from '../chaos/steady-callers.ts';

const BRIDGE = 'https://bridge.example.com';
const PASSED_KEY = 'C0000000000000000000000000000002';
export const MOVED_KEY = 'C0000000000000000000000000000001';
const CLIENT = 1_000_000;
const PERSON = 'Ana Owner';
const ORGANISATION = 'Moved Studio';

const control = new Control('http://127.0.0.1:8090');

const organisation = (name: string, accountKey: string, user: string): object => ({
  name,
  accountKey,
  practice: false,
  apiKeys: [API_KEY],
  users: [{ name: user, email: `${accountKey.slice(-1)}@studio.example` }],
  clients: [{ number: CLIENT, name: 'Seeded' }],
});

async function list(accountKey: string): Promise<string> {
  const program = new LegacyProgram(BRIDGE, accountKey);
  try {
    const { status, text } = await program.get('client.api/list');
    if (status !== 200 || !text.includes('<Status>OK</Status>')) throw new Error(`${status}: ${text}`);
    return text;
  } finally {
    program.close();
  }
}

interface Asked {
  readonly path: string;
  readonly time: string;
}

/**
 * The answer of a call, if only V3 was asked meanwhile (before the move, replies of both are compared); both have the
 * same clock.
 */
async function calledThroughV3(): Promise<string | undefined> {
  const began = new Date().toISOString();
  const text = await list(MOVED_KEY);
  const asked = (await control.call('GET', 'requests?limit=100')) as readonly Asked[];
  const meanwhile = asked.filter(({ time }) => time >= began);
  // The bridge itself reads numbers from V1 at any time.
  const on = (root: string): boolean => meanwhile.some(({ path }) => path === `${root}client.api/list`);
  return on('/3.0/') && !on('/v1/') ? text : undefined;
}

async function load(): Promise<object> {
  const accounts = { accountKey: PASSED_KEY, client: CLIENT, moved: MOVED_KEY, movedEvery: 12 };
  const callers = new SteadyCallers({ url: BRIDGE, perSecond: 8, ...accounts });
  callers.start();
  console.log('calling');
  process.stdin.resume();
  await once(process.stdin, 'end');
  const { calls, writes, failed, names, made } = await callers.end();
  const text = await list(PASSED_KEY);
  const records = (name: string): number => countOf(text, `<Name>${name}</Name>`);
  return {
    calls,
    writes,
    failed,
    doubled: names.filter((name) => records(name) > 1).length,
    absent: made.filter((name) => records(name) === 0).length,
  };
}

const tasks: Readonly<Record<string, (argument: string) => Promise<unknown>>> = {
  seed: () =>
    eventually('the service', () =>
      control
        .call('POST', 'seed', {
          organisations: [
            organisation(ORGANISATION, MOVED_KEY, PERSON),
            organisation('Passed Through', PASSED_KEY, 'Bo Owner'),
          ],
        })
        .catch(() => undefined),
    ),
  consent: (link) => giveConsent({ link, person: PERSON, organisation: ORGANISATION }),
  moved: () => eventually('a call through V3', () => calledThroughV3().catch(() => undefined)),
  call: async () => {
    const text = await calledThroughV3();
    if (text === undefined)
      throw new Error(
        `not served through V3: ${JSON.stringify(await control.call('GET', 'requests?limit=10'))}`,
      );
    return text;
  },
  load,
};

const [name = '', argument = ''] = process.argv.slice(2);
const task = tasks[name];
if (task === undefined) throw new Error(`no such task: ${name}`);
console.log(JSON.stringify(await task(argument)));
