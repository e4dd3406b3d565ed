import { expect, it } from '@jest/globals';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { CommandLine, oauth } from './harness.ts';

it.each([
  'accounts list',
  'accounts show Mill',
  'grants list',
  'migrate --plan',
  'route list',
  'status',
  'usage Mill',
  'writes list',
])('--json is short for --format json: causeway %s', async (command) => {
  using commandLine = new CommandLine(oauth);
  const words = command.split(' ');
  await commandLine.causeway(['accounts', 'add', 'Mill', '--account-key', '-'], 'A'.repeat(32));
  const short = await commandLine.causeway([...words, '--json']);
  expect(short).toMatchObject({ code: 0, err: '' });
  const { out } = await commandLine.causeway([...words, '--format', 'json']);
  expect(Object.keys(JSON.parse(short.out) as object)).toEqual(Object.keys(JSON.parse(out) as object));
});

it("a table has the console's words for states, and other formats have the codes", async () => {
  using commandLine = new CommandLine(oauth);
  await commandLine.causeway(['accounts', 'add', 'Mill', '--account-key', '-'], 'A'.repeat(32));
  {
    using file = new DatabaseSync(join(commandLine.folder, 'causeway.db'));
    const id = '(select id from accounts)';
    file.exec(`
      insert into waves values ('One', 1, '', null, null, 24, 5, 5, 'sent', 0, '');
      insert into deliveries (id, account_id, type, payload, created_at, state, next_at, attempts, note)
        values ('evt_1', ${id}, 'account.invited', '{}', 0, 'given-up', 0, 9, '');
      insert into grant_imports values ('i', ${id}, 'x', 'waiting', null, null, '[]', 'ada', 0, 0);
      insert into route_canaries (account_id, methods, route, before, calls_before, failed_before, begun_at, until, calls, failed, lost, outcome)
        values (${id}, '["client.list"]', 'v2', '{}', 0, 0, 0, 1, 0, 0, 0, 'returned');
    `);
  }
  for (const [words, command, code] of [
    ['  out  ', ['waves', 'list'], 'sent'],
    ['  waits for you  ', ['grants', 'imports'], 'waiting'],
    ['  taken back', ['route', 'canaries'], 'returned'],
    ['  given up  ', ['deliveries', 'list'], 'given-up'],
  ] as const) {
    const table = (await commandLine.causeway(command)).out;
    expect(table).toContain(words);
    expect(table).not.toContain(code);
    const rows = JSON.parse((await commandLine.causeway([...command, '--format', 'json'])).out) as object[];
    expect(rows).toMatchObject([{ state: code }]);
  }
});
