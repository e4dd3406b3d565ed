import { describe, expect, it } from '@jest/globals';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { newKeyLine } from '../../src/tokens/sealing/keyring.ts';
import { sqlOf } from '../support/sql.ts';
import { CommandLine } from './harness.ts';

async function withAccount(
  commandLine: CommandLine,
  name = 'Harbour Lane Studio',
  key = 'KEY-CANARY-1',
): Promise<void> {
  const { code } = await commandLine.causeway(['accounts', 'add', name, '--account-key', '-'], key);
  expect(code).toBe(0);
}

const namesIn = async (commandLine: CommandLine): Promise<readonly string[]> => {
  const { out } = await commandLine.causeway(['accounts', 'list', '--format', 'json']);
  return (JSON.parse(out) as readonly { readonly name: string }[]).map(({ name }) => name);
};

describe('causeway backup', () => {
  it.each([
    [['backup']],
    [['restore']],
    [['deployment']],
    [['deployment', 'show']],
    [['deployment', 'acknowledge']],
  ])('%j explains itself', async (words) => {
    using commandLine = new CommandLine();
    const { code, out } = await commandLine.causeway([...words, '--help']);
    expect(code).toBe(0);
    expect(out).toContain(`Usage: ${['causeway', ...words].join(' ')}`);
  });

  it.each([[['backup']], [['restore']], [['backup', 'a', 'b']], [['deployment', 'forget']]])(
    '%j is refused as bad usage',
    async (words) => {
      using commandLine = new CommandLine();
      expect((await commandLine.causeway(words)).code).toBe(2);
    },
  );

  it('says what the copy contains and what it does not', async () => {
    using commandLine = new CommandLine();
    await withAccount(commandLine);
    const file = join(commandLine.folder, 'copy');
    const { code, out, err } = await commandLine.causeway(['backup', file, '--format', 'json']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual([expect.objectContaining({ file, accounts: 1, grants: 0, keys: 'k1' })]);
    expect(err).toContain('The encryption keys are not in it: to open it you need k1');
    expect(readFileSync(file).toString('latin1')).not.toContain('KEY-CANARY-1');
    expect(await commandLine.causeway(['backup', file])).toMatchObject({ code: 1, out: '' });
    expect((await commandLine.causeway(['backup', file, '--force'])).code).toBe(0);
  });

  it('creates no database if there is none', async () => {
    using commandLine = new CommandLine();
    const { code, err } = await commandLine.causeway(['backup', join(commandLine.folder, 'copy')]);
    expect(code).toBe(1);
    expect(err).toContain('there is no database');
    expect(readdirSync(commandLine.folder)).toEqual([]);
  });
});

describe('causeway restore', () => {
  it('changes nothing before it is confirmed', async () => {
    using commandLine = new CommandLine();
    await withAccount(commandLine);
    const file = join(commandLine.folder, 'copy');
    await commandLine.causeway(['backup', file]);
    await withAccount(commandLine, 'Later Ltd', 'KEY-CANARY-2');
    const shown = await commandLine.causeway(['restore', file]);
    expect(shown.code).toBe(1);
    expect(shown.out).toContain('1 account, 0 grants');
    expect(shown.out).toContain('added since and will be gone: 1 (Later');
    expect(shown.err).toContain('--yes');
    expect(await namesIn(commandLine)).toHaveLength(2);

    const done = await commandLine.causeway(['restore', file, '--yes']);
    expect(done.code).toBe(0);
    expect(done.err).toContain('causeway deployment acknowledge');
    expect(await namesIn(commandLine)).toEqual(['Harbour Lane Studio']);
    expect(readdirSync(commandLine.folder).filter((name) => name.includes('.replaced-'))).toHaveLength(1);
  });

  it('names the accounts that were erased since, and counts the addresses that get e-mail again', async () => {
    using commandLine = new CommandLine();
    await withAccount(commandLine);
    await withAccount(commandLine, 'Erased Ltd', 'KEY-CANARY-2');
    const file = join(commandLine.folder, 'copy');
    await commandLine.causeway(['backup', file]);
    await commandLine.causeway(['accounts', 'close', 'Erased Ltd', '--yes']);
    await commandLine.causeway(['forget', 'Erased Ltd', '--yes']);
    const raw = new DatabaseSync(join(commandLine.folder, 'causeway.db'));
    raw.exec("insert into suppressions (address, reason, at, detail) values ('a@b.example', 'asked', 1, '')");
    raw.close();
    const { out } = await commandLine.causeway(['restore', file]);
    expect(out).toContain('erased since and will be back (close and forget them again): 1 (Erased Ltd)\n');
    expect(out).toContain('unsubscribed since, and still get none: 1\n');
  });

  it('lists what was revoked and stopped since, and which of it stays so', async () => {
    using commandLine = new CommandLine();
    await withAccount(commandLine);
    await commandLine.causeway(['tokens', 'create', 'nightly', '--scope', 'administer']);
    const raw = new DatabaseSync(join(commandLine.folder, 'causeway.db'));
    const [past, ahead] = [1, 4_000_000_000_000];
    for (const [id, to] of Object.entries({ over: past, planned: ahead }))
      raw.exec(
        `insert into brownouts (id, query, from_at, to_at, planned_at, who) values ('${id}', '', 0, ${to}, 0, '')`,
      );
    const file = join(commandLine.folder, 'copy');
    await commandLine.causeway(['backup', file]);
    await commandLine.causeway(['tokens', 'revoke', 'nightly']);
    raw.exec('update brownouts set stopped_at = 1');
    raw.close();
    const { out } = await commandLine.causeway(['restore', file, '--yes']);
    expect(out).toContain('API that were revoked since, and stay revoked: 1 (nightly)\n');
    expect(out).toContain('People who were blocked since, and stay blocked: none\n');
    expect(out).toContain(
      'will take place (causeway brownouts stop, before you start the bridge): 1 (planned, 1970-01-01T00:00:00Z to 2096-10-02T07:06:40Z)\n',
    );
    expect((await commandLine.causeway(['tokens', 'list'])).out).toMatch(/nightly.*revoked/);
  });

  it('names the people who are no longer blocked, because 1.0.0-rc.1 made the backup', async () => {
    using commandLine = new CommandLine();
    await withAccount(commandLine);
    const file = join(commandLine.folder, 'copy');
    await commandLine.causeway(['tokens', 'create', 'Ada', '--scope', 'read']);
    await commandLine.causeway(['backup', file]);
    await commandLine.causeway(['tokens', 'revoke', 'Ada']);
    await sqlOf(
      `sqlite:${file}`,
      'delete from console_tokens; alter table console_tokens drop column subject',
    );
    await sqlOf(
      `sqlite:${join(commandLine.folder, 'causeway.db')}`,
      "update console_tokens set subject = 'Ada'",
    );
    expect((await commandLine.causeway(['restore', file])).out).toContain(
      'can sign in again, because 1.0.0-rc.1 made the backup (take the role away at the OpenID provider): 1 (Ada)\n',
    );
  });

  it('warns of accounts that moved since if the database is lost', async () => {
    using commandLine = new CommandLine();
    await withAccount(commandLine);
    const file = join(commandLine.folder, 'copy');
    await commandLine.causeway(['backup', file]);
    commandLine.env.CAUSEWAY_DATABASE_URL = `sqlite:${join(commandLine.folder, 'new.db')}`;
    const { out } = await commandLine.causeway(['restore', file]);
    expect(out).toContain(
      'They would write to V1 again: before you start the bridge, leave out CAUSEWAY_V1_BASE_URL',
    );
    expect(out).toContain('Tokens for console and API that were revoked since');
  });

  it('is refused with other keys, and for a file that is not a backup', async () => {
    using commandLine = new CommandLine();
    await withAccount(commandLine);
    const file = join(commandLine.folder, 'copy');
    await commandLine.causeway(['backup', file]);
    commandLine.env.CAUSEWAY_ENCRYPTION_KEYS = newKeyLine('other');
    const other = await commandLine.causeway(['restore', file, '--yes']);
    expect(other).toMatchObject({ code: 1, out: '' });
    expect(other.err).toContain('needs the encryption key k1');
    writeFileSync(file, 'no backup');
    expect((await commandLine.causeway(['restore', file, '--yes'])).code).toBe(1);
    expect(existsSync(join(commandLine.folder, 'causeway.db'))).toBe(true);
  });
});

describe('causeway deployment', () => {
  it('shows a doubt, ends it on request, and records who did', async () => {
    using commandLine = new CommandLine();
    await withAccount(commandLine);
    const file = join(commandLine.folder, 'copy');
    await commandLine.causeway(['backup', file]);
    expect((await commandLine.causeway(['deployment', 'show'])).err).toBe('');
    await commandLine.causeway(['restore', file, '--yes']);
    const shown = await commandLine.causeway(['deployment', 'show', '--format', 'json']);
    expect(JSON.parse(shown.out)).toEqual([expect.objectContaining({ state: 'in doubt', why: 'restored' })]);
    expect(shown.err).toContain('a backup was restored at');
    expect((await commandLine.causeway(['status'])).err).toContain(
      'no token is renewed: a backup was restored',
    );

    const asked = await commandLine.causeway(['deployment', 'acknowledge']);
    expect(asked.code).toBe(1);
    expect(asked.err).toContain('--yes');
    // Nothing is carried over from a database that cannot be read.
    expect(asked.err).toContain(
      'Unless causeway restore said that they stay so: are the tokens for console and API revoked again, and the people blocked',
    );
    const done = await commandLine.causeway(['deployment', 'acknowledge', '--yes']);
    expect(done.code).toBe(0);
    expect(done.err).toContain('Acknowledged');
    const after = await commandLine.causeway(['deployment', 'show', '--format', 'json']);
    expect(JSON.parse(after.out)).toEqual([expect.objectContaining({ state: 'sure' })]);
    expect((await commandLine.causeway(['deployment', 'acknowledge', '--yes'])).err).toContain(
      'Nothing is in doubt: tokens are renewed. There is nothing to acknowledge.\nOnly a bridge that cannot write ',
    );
    expect((await commandLine.causeway(['status'])).err).not.toContain('no token');
  });

  it('warns of accounts that moved since where a dump may have been put back', async () => {
    using commandLine = new CommandLine();
    await withAccount(commandLine);
    const raw = new DatabaseSync(join(commandLine.folder, 'causeway.db'));
    raw.exec("update deployment set place = 'another'");
    raw.close();
    const { err } = await commandLine.causeway(['deployment', 'acknowledge']);
    expect(err).toContain('In doubt: ');
    expect(err).toContain('are the accounts closed that moved or were closed after this state');
    expect(err).toContain('Are the tokens for console and API revoked again');
  });

  it('keeps its file in the configured place', async () => {
    using commandLine = new CommandLine();
    const mark = join(commandLine.folder, 'elsewhere.deployment');
    commandLine.env.CAUSEWAY_DEPLOYMENT_FILE = mark;
    await withAccount(commandLine);
    await commandLine.causeway(['backup', join(commandLine.folder, 'copy')]);
    await commandLine.causeway(['restore', join(commandLine.folder, 'copy'), '--yes']);
    await commandLine.causeway(['deployment', 'acknowledge', '--yes']);
    expect(JSON.parse(readFileSync(mark, 'utf8'))).toHaveProperty('deployment');
    expect(existsSync(join(commandLine.folder, 'causeway.db.deployment'))).toBe(false);
  });

  it('says why it cannot acknowledge if the file cannot be written', async () => {
    using commandLine = new CommandLine({ CAUSEWAY_DEPLOYMENT_FILE: '/nowhere/at/all' });
    await withAccount(commandLine);
    await commandLine.causeway(['backup', join(commandLine.folder, 'copy')]);
    await commandLine.causeway(['restore', join(commandLine.folder, 'copy'), '--yes']);
    const { code, err } = await commandLine.causeway(['deployment', 'acknowledge', '--yes']);
    expect(code).toBe(1);
    expect(err).toContain('/nowhere/at/all cannot be written: ENOENT');
  });
});
