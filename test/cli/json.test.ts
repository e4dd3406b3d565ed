import { expect, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readSettings } from '../../src/app/settings/settings.ts';
import { openServices } from '../../src/app/wiring/services.ts';
import { silentLog } from '../../src/lib/log/log.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { lose } from '../support/writes.ts';
import { CommandLine, oauth, type Told } from './harness.ts';

/** Scripts outside this repository rely on `--json` of these. */
const relied = [
  'start',
  'writes list',
  'writes show',
  'writes settle',
  'verify',
  'rehearse',
  'parity',
  'parity accept',
  'usage',
  'forecast',
  'record',
  'record export',
  'replay',
  'forget',
  'grants import',
  'grants export',
  'migrate',
  'doctor',
  'client',
  'route set',
] as const;

it.each(relied)('a command on which scripts rely has the option --json: causeway %s', async (command) => {
  using commandLine = new CommandLine(oauth);
  const { out } = await commandLine.causeway([...command.split(' '), '--help']);
  expect(out).toMatch(/^ {2}--json {2,}\S/m);
});

/** `Mill` is an account with a write of unknown outcome, and `Quay` a closed one. */
async function scene(): Promise<CommandLine & { readonly write: string }> {
  const commandLine = new CommandLine(oauth);
  for (const name of ['Mill', 'Quay'])
    await commandLine.causeway(
      ['accounts', 'add', name, '--account-key', '-', '--api-key', 'A1'],
      `K-${name}`,
    );
  await commandLine.causeway(['accounts', 'close', 'Quay', '--yes']);
  const services = await openServices(readSettings({ env: commandLine.env }), {
    clock: systemClock,
    log: silentLog,
  });
  const mill = await services.store.accounts.find('Mill');
  const write = await lose(services, { accountId: mill?.id ?? '', values: { Name: 'Mill House' } });
  await services.close();
  return Object.assign(commandLine, { write });
}

const accept = 'parity accept Mill --all --name Ann --reason agreed';

/** The one JSON value on standard output. */
const valueOf = ({ out }: Told): unknown => JSON.parse(out);

const given = (words: string, write: string): readonly string[] =>
  words.split(' ').map((word) => (word === 'WRITE' ? write : word));

it.each([
  ['--version', { version: expect.stringMatching(/^\d/) }],
  ['writes list', [expect.objectContaining({ account: 'Mill', state: 'unknown' })]],
  ['writes show WRITE', expect.arrayContaining([{ field: 'account', value: 'Mill' }])],
  ['usage Mill', []],
  ['forecast Mill', null],
  ['record Mill', { account: 'Mill', state: 'none', since: null, until: null, calls: 0, bytes: 0 }],
  [accept, { account: 'Mill', accepted: 0 }],
  ['migrate --plan', []],
  ['forget Mill --calls --lists --yes', { account: 'Mill', forgotten: { calls: 0, lists: 0 } }],
  ['forget Quay --yes', { account: 'Quay', forgotten: { everything: expect.any(Number) } }],
  [
    'route set client.get v2 --account Mill',
    { methods: ['client.get'], account: 'Mill', route: 'v2', until: null },
  ],
  [
    'route set client.get default --yes',
    { methods: ['client.get'], account: 'all', route: 'default', until: null },
  ],
])('the standard output is one JSON value with --json: causeway %s', async (words, record) => {
  using commandLine = await scene();
  const told = await commandLine.causeway([...given(words, commandLine.write), '--json']);
  expect(told.code).toBe(0);
  expect(valueOf(told)).toEqual(record);
});

it('causeway writes settle --json prints the write, before and after it is settled', async () => {
  using commandLine = await scene();
  const settle = ['writes', 'settle', commandLine.write, '--not-done', '--json'];
  const shown = await commandLine.causeway(settle);
  const record = {
    ...{ id: commandLine.write, account: 'Mill', method: 'client.add', route: 'v3', made: null },
    at: expect.stringMatching(/Z$/),
  };
  expect(shown).toMatchObject({ code: 1, err: expect.stringContaining('--yes does it') });
  expect(valueOf(shown)).toEqual({ ...record, state: 'unknown', settlement: null, settledBy: null });
  const settled = await commandLine.causeway([...settle, '--yes']);
  expect(settled).toMatchObject({ code: 0, err: expect.stringContaining('client.add of Mill is ') });
  expect(valueOf(settled)).toEqual({
    ...{ ...record, state: 'settled', settlement: 'not-done' },
    settledBy: expect.any(String),
  });
});

it('causeway record --json says since when and until when calls are recorded', async () => {
  using commandLine = await scene();
  const time = expect.stringMatching(/Z$/);
  const record = async (...options: readonly string[]): Promise<unknown> =>
    valueOf(await commandLine.causeway(['record', 'Mill', ...options, '--json']));
  const running = { account: 'Mill', state: 'running', since: time, until: time, calls: 0, bytes: 0 };
  expect(await record('--for', '1h')).toEqual(running);
  expect(await record('--stop')).toEqual({ ...running, state: 'ended' });
});

it('causeway client --json says what is in the folder', async () => {
  using commandLine = await scene();
  const output = join(commandLine.folder, 'client');
  const client = ['client', '--all-methods', '--language', 'php', '--output', output];
  expect(valueOf(await commandLine.causeway([...client, '--json']))).toEqual({
    ...{ account: null, language: 'php', folder: output },
    ...{ methods: expect.any(Number), unknown: [], cases: 0, leftOut: [] },
  });
});

it.each([
  'verify --organisation Mill',
  'rehearse Mill',
  'parity Mill',
  'parity accept Mill --difference x --name Ann --reason agreed',
  'replay FOLDER',
  'record export Mill --to FOLDER',
  'writes settle no-such-write --not-done',
  'forget Mill',
  'client Mill --language php --output FOLDER',
  'route set client.add v2',
])('a refusal is not on standard output, which is empty or JSON with --json: causeway %s', async (words) => {
  using commandLine = await scene();
  const folder = join(commandLine.folder, randomBytes(4).toString('hex'));
  const told = await commandLine.causeway([
    ...words.split(' ').map((word) => (word === 'FOLDER' ? folder : word)),
    '--json',
  ]);
  expect(told).toMatchObject({ code: 1, err: expect.stringContaining('causeway: ') });
  if (told.out !== '') expect(valueOf(told)).toEqual(expect.anything());
});

it('an option after the name of a subcommand is that of the subcommand', async () => {
  using commandLine = await scene();
  const told = await commandLine.causeway([...accept.split(' '), '--stored']);
  expect(told).toMatchObject({ code: 2, err: expect.stringContaining("unknown option '--stored'") });
});
