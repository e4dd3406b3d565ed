import { describe, expect, it } from '@jest/globals';
import { CommandLine, oauth } from './harness.ts';

const MILL = 'Old Mill';
const PAIRS = 'kind,number,uuid\nclient,7,00000000-0000-4000-8000-000000000007\n';

/** A command line that knows one account, with its folder for files. */
async function withAccount(settings: Readonly<Record<string, string>> = {}): Promise<CommandLine> {
  const commandLine = new CommandLine({ ...oauth, ...settings });
  const { code } = await commandLine.causeway(
    ['accounts', 'add', MILL, '--account-key', '-'],
    'A'.repeat(32),
  );
  expect(code).toBe(0);
  return commandLine;
}

const without: readonly (readonly string[])[] = [
  ['accounts', 'list'],
  ['accounts', 'show', MILL],
  ['accounts', 'set', MILL, '--email', 'office@example.com'],
  ['accounts', 'export'],
  ['accounts', 'close', MILL, '--yes'],
  ['invite', MILL, '--link'],
  ['consents', 'list'],
  ['status'],
  ['grants', 'list'],
  ['crosswalk', 'export', MILL],
  ['forget', MILL, '--snapshot', '--yes'],
  ['forget', MILL, '--calls', '--yes'],
  ['route', 'canaries'],
  ['writes', 'list'],
  ['tokens', 'create', 'kim'],
  ['tokens', 'list'],
  ['keys', 'generate'],
  ['keys', 'status'],
  ['keys', 'rotate'],
  ['migrate', '--plan'],
  ['deployment', 'show'],
  ['deployment', 'acknowledge'],
  ['config', 'check'],
];

const once: readonly (readonly string[])[] = [
  ['route', 'list'],
  ['route', 'set', 'client.get', 'v2'],
  ['route', 'set', '*', 'v2', '--accept-assumed'],
];

describe('a command that does not need the mapping', () => {
  it.each(without.map((words) => [words]))('does not compile it: causeway %j', async (words) => {
    using commandLine = await withAccount();
    expect(await commandLine.causeway(words)).toMatchObject({ code: 0 });
    expect(commandLine.compiled).toBe(0);
  });

  it('knows the kinds of records without it', async () => {
    using commandLine = await withAccount();
    expect(await commandLine.causeway(['crosswalk', 'import', MILL, '-'], PAIRS)).toMatchObject({ code: 0 });
    expect(commandLine.compiled).toBe(0);
  });

  it('works although the mapping has a fault', async () => {
    using commandLine = await withAccount({ CAUSEWAY_ROUTES: 'no.method=v2' });
    expect((await commandLine.causeway(['accounts', 'list'])).code).toBe(0);
    const { code, err } = await commandLine.causeway(['route', 'list']);
    expect([code, err]).toEqual([1, expect.stringContaining('there is no method no.method')]);
    expect((await commandLine.causeway(['doctor'])).out).toMatch(
      /mappings +failed +.*there is no method no.method/,
    );
  });
});

describe('a command that needs the mapping', () => {
  it.each(once.map((words) => [words]))('compiles it once: causeway %j', async (words) => {
    using commandLine = await withAccount({ CAUSEWAY_V2_BASE_URL: 'http://127.0.0.1:9/v2' });
    expect(await commandLine.causeway(words, PAIRS)).toMatchObject({ code: 0 });
    expect(commandLine.compiled).toBe(1);
  });
});
