import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { compose } from '../../src/app/compose.ts';
import { readSettings } from '../../src/app/settings/settings.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { LineLog } from '../../src/lib/log/line-log.ts';
import { newKeyLine } from '../../src/tokens/sealing/keyring.ts';
import type { OperatorAnswer, OperatorAsks } from './event-loop-operator-caller.ts';
import { TurnProbe } from './turn-probe.ts';

/**
 * How long an operator delays all other callers: the largest lists, selections and pages of console and API, of a
 * bridge with 10,000 accounts on SQLite. The operator's browser runs in a thread of its own; measured like
 * `event-loop.ts`.
 *
 * node scripts/chaos/event-loop-operator.ts [--only WORD]
 */

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } });

const LINES = 10_000;
const MIB = 1_048_576;
const TOKEN = randomBytes(32).toString('hex');

const folder = await mkdtemp(join(tmpdir(), 'causeway-loop-'));
const settings = readSettings({
  env: {
    CAUSEWAY_PORT: '0',
    CAUSEWAY_METRICS_PORT: '0',
    CAUSEWAY_PUBLIC_URL: 'http://127.0.0.1:8080',
    CAUSEWAY_DATABASE_URL: `sqlite:${join(folder, 'store.db')}`,
    CAUSEWAY_ENCRYPTION_KEYS: newKeyLine(),
    CAUSEWAY_ADMIN_TOKEN: TOKEN,
    CAUSEWAY_SMTP_URL: 'smtp://127.0.0.1:1',
    CAUSEWAY_MAIL_FROM: 'bridge@example.org',
    ...Object.fromEntries(
      ['V1_BASE', 'V3_BASE', 'AUTH', 'CONNECTIONS'].map((name) => [
        `CAUSEWAY_${name}_URL`,
        'http://127.0.0.1:1',
      ]),
    ),
    CAUSEWAY_CLIENT_ID: 'loop',
    CAUSEWAY_CLIENT_SECRET: 'loop',
  },
});
const stream = new Writable({
  write: (_chunk, _encoding, done) => {
    done();
  },
});
const application = await compose(settings, { clock: systemClock, log: new LineLog({ stream }) });
const { port } = await application.start();
const browser = new Worker(new URL('./event-loop-operator-caller.ts', import.meta.url), {
  workerData: { port, token: TOKEN },
});
const said = <T>(): Promise<T> =>
  new Promise((resolve, reject) => {
    browser.removeAllListeners('error').once('message', resolve).once('error', reject);
  });
await said();

async function ask(asks: OperatorAsks): Promise<OperatorAnswer> {
  browser.postMessage(asks);
  return said<OperatorAnswer>();
}

/** Takes the better of two rounds after a first one, unless the request can be made only once. */
async function measure(name: string, asks: OperatorAsks, rounds = 3): Promise<void> {
  if (!name.includes(values.only)) return;
  const seen = [];
  for (let round = 0; round < rounds; round += 1) {
    const probe = new TurnProbe();
    const answer = await ask(asks);
    seen.push({ ...probe.stop(), ...answer });
  }
  const best = seen.slice(rounds > 1 ? 1 : 0).reduce((a, b) => (a.longest < b.longest ? a : b));
  const { status, bytes, longest, total, turns } = best;
  console.log([name, status, bytes, longest.toFixed(1), total.toFixed(0), turns].join(' | '));
}

const header = 'name,account key,API key,e-mail,contact name,notes\n';
const line = (at: number, notes: string): string =>
  `${at < 1_000 ? 'Invited' : 'Account'} ${at},KEY-${at},API-${at},person${at}@example.org,Person ${at},${notes}\n`;
const list = (notes: (at: number) => string): string =>
  header + Array.from({ length: LINES }, (_, at) => line(at, notes(at))).join('');
const short = list(() => '');
/** Just under 8 MiB of incompressible text. */
const long = list(() => randomBytes(540).toString('base64url'));
const quoted = header + `"${'""\n'.repeat(2 * MIB)}"`;

const importing = '/console/accounts/import';
console.log('what | status | bytes of the reply | longest step, ms | processor time, ms | turns');
await measure('preview of a list of 10,000 new accounts', { path: importing, file: short });
await measure('preview of the same of 8 MiB', { path: importing, file: long });
await measure('preview of a list of one cell of 6 MiB', { path: importing, file: quoted });
await measure('preview of 8 MiB of empty lines', {
  path: importing,
  file: header + '\n'.repeat(8 * MIB - 1_000),
});
await measure('preview of 8 MiB of separators', {
  path: importing,
  file: header + ','.repeat(8 * MIB - 1_000),
});
await measure('preview of 8 MiB of no UTF-8', {
  path: importing,
  file: header + 'é'.repeat(4 * MIB - 1_000),
});
await ask({ path: importing, file: long });
await measure('taking 10,000 accounts of 8 MiB', { path: `${importing}/take`, confirm: true }, 1);
await ask({ path: importing, file: list((at) => `changed ${at}`) });
await measure('taking 10,000 changes', { path: `${importing}/take`, confirm: true }, 1);
await measure('preview of what is there already', { path: importing, file: long });
const cells = (notes: string) => (_: unknown, at: number) => ({
  name: `Account ${at}`,
  accountKey: `KEY-${at}`,
  notes,
});
const sent = (notes: string) =>
  JSON.stringify({ accounts: Array.from({ length: LINES }, cells(notes)), dryRun: true });
await measure('API: a list of 10,000 accounts', { path: '/api/accounts/import', json: sent('') });
await measure('API: the same of 8 MiB', { path: '/api/accounts/import', json: sent('x'.repeat(760)) });
await measure('API: 8 MiB of brackets', { path: '/api/accounts/import', json: '[]'.repeat(4 * MIB - 10) });
const pairs = Array.from({ length: 50_000 }, (_, at) => ({
  kind: 'client',
  number: at + 1,
  uuid: randomUUID(),
}));
await measure('API: 50,000 pairs of numbers', {
  path: '/api/accounts/Account%209999/crosswalk',
  json: JSON.stringify({ pairs }),
});
await measure('overview', { path: '/console' });
await measure('accounts by name', { path: '/console/accounts?sort=name&order=down' });
await measure('accounts found', { path: '/console/accounts?search=account' });
await measure('API: status report', { path: '/api/board' });
await measure('API: accounts exported', { path: '/api/accounts/export' });
await measure('preview of an invitation of all', {
  path: '/console/preview',
  form: [
    ['action', 'invite'],
    ['all', 'yes'],
    ['filter', ''],
  ],
});
await measure('preview of 1,000 invitations', {
  path: '/console/preview',
  form: [
    ['action', 'invite'],
    ['all', 'yes'],
    ['filter', 'search=Invited'],
  ],
});
await measure('1,000 invitations', { path: '/console/perform', confirm: true }, 1);
await measure('audit', { path: '/console/audit' });

await browser.terminate();
await application.stop();
await rm(folder, { recursive: true, force: true });
