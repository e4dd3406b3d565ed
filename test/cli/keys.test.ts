import { describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { readSettings } from '../../src/app/settings/settings.ts';
import { openServices } from '../../src/app/wiring/services.ts';
import { DAY, HOUR, systemClock } from '../../src/lib/time/clock.ts';
import { silentLog } from '../../src/lib/log/log.ts';
import { jobSteps, lose, type LostWrite } from '../support/writes.ts';
import { CommandLine } from './harness.ts';

const key = (id: string, byte: number): string => `${id}:${Buffer.alloc(32, byte).toString('base64')}`;

async function commandLineWithAccount(): Promise<CommandLine> {
  const commandLine = new CommandLine({ CAUSEWAY_ENCRYPTION_KEYS: key('k1', 1) });
  const added = await commandLine.causeway(
    ['accounts', 'add', 'Harbour Lane', '--account-key', '-'],
    'KEY-CANARY',
  );
  expect(added.code).toBe(0);
  return commandLine;
}

/** Answers to these writes of the account were lost. */
async function losing(
  commandLine: CommandLine,
  ...lost: readonly Omit<LostWrite, 'accountId'>[]
): Promise<void> {
  const settings = readSettings({ env: commandLine.env });
  const services = await openServices(settings, { clock: systemClock, log: silentLog });
  const [account] = await services.store.accounts.list();
  for (const write of lost) await lose(services, { accountId: account?.id ?? '', ...write });
  await services.close();
}

const text = (at: number): string => new Date(at).toISOString().replace(/\.\d{3}Z$/, 'Z');

const statusOf = async (commandLine: CommandLine): Promise<unknown> =>
  JSON.parse((await commandLine.causeway(['keys', 'status', '--format', 'json'])).out);

describe('causeway keys', () => {
  it('moves an account from one key to the next, then removes the old one', async () => {
    using commandLine = await commandLineWithAccount();
    expect(await statusOf(commandLine)).toMatchObject([{ key: 'k1', role: 'seals', values: 1 }]);

    commandLine.env.CAUSEWAY_ENCRYPTION_KEYS = `${key('k2', 2)},${key('k1', 1)}`;
    expect(await statusOf(commandLine)).toMatchObject([
      { key: 'k2', role: 'seals', values: 0 },
      { key: 'k1', role: 'opens', values: 1, detail: 'needed: causeway keys rotate reseals its values' },
    ]);
    const rotated = await commandLine.causeway(['keys', 'rotate']);
    expect(rotated).toMatchObject({ code: 0, err: '' });
    expect(rotated.out).toMatch(/^account keys +1$/m);
    expect(rotated.out).not.toContain('CANARY');
    expect(await statusOf(commandLine)).toMatchObject([
      { key: 'k2', values: 1 },
      { key: 'k1', values: 0, detail: 'can be removed' },
    ]);

    commandLine.env.CAUSEWAY_ENCRYPTION_KEYS = key('k2', 2);
    const exported = await commandLine.causeway(['accounts', 'export', '--with-keys']);
    expect(exported.out).toContain('KEY-CANARY');
    // The same key again is the same account still.
    const again = await commandLine.causeway(['accounts', 'add', 'Twin', '--account-key', '-'], 'KEY-CANARY');
    expect(again.err).toContain('already exists');
  });

  it('says that calls of erased accounts go to V1 again once the old key is gone', async () => {
    using commandLine = await commandLineWithAccount();
    await commandLine.causeway(['accounts', 'close', 'Harbour Lane', '--yes']);
    await commandLine.causeway(['forget', 'Harbour Lane', '--yes']);
    commandLine.env.CAUSEWAY_ENCRYPTION_KEYS = `${key('k2', 2)},${key('k1', 1)}`;
    expect(await statusOf(commandLine)).toMatchObject([
      { key: 'k2' },
      { key: 'k1', detail: 'can be removed; calls of up to 1 erased account then go to V1 again' },
    ]);
  });

  it('says until when a repeat of an earlier write needs the old key', async () => {
    using commandLine = await commandLineWithAccount();
    const now = Date.now();
    await losing(
      commandLine,
      { at: now - HOUR, idempotency: ['order-4711'] },
      { at: now - 2 * HOUR, idempotency: ['order-4710'] },
    );
    commandLine.env.CAUSEWAY_ENCRYPTION_KEYS = `${key('k2', 2)},${key('k1', 1)}`;
    await commandLine.causeway(['keys', 'rotate']);
    expect(await statusOf(commandLine)).toMatchObject([
      { key: 'k2' },
      {
        values: 0,
        detail: `needed until ${text(now + 23 * HOUR)}: without it, a repeat of 2 writes with an Idempotency-Key is carried out again`,
      },
    ]);
    await losing(
      commandLine,
      { at: now - 3 * DAY, steps: jobSteps, settlement: 'not-done' },
      { at: now - 9 * DAY, steps: jobSteps },
    );
    expect(await statusOf(commandLine)).toMatchObject([
      { key: 'k2' },
      {
        detail: `needed until ${text(now + 27 * DAY)}, or until 1 write of unknown outcome is settled, if that is later: without it, a repeat of 2 writes with an Idempotency-Key and 2 unfinished writes is carried out again`,
      },
    ]);
  });

  it('counts the samples that V3 can be compared with by the old key alone', async () => {
    using commandLine = await commandLineWithAccount();
    const now = Date.now();
    const raw = new DatabaseSync(join(commandLine.folder, 'causeway.db'));
    raw.exec(
      `insert into samples (id, account_id, purpose, method, content_sealed, bytes, at, expires_at)
       values ('s', 'a', 'baseline', 'client.get', 'k2:x', 4, ${now - DAY}, ${now + DAY})`,
    );
    raw.close();
    commandLine.env.CAUSEWAY_ENCRYPTION_KEYS = `${key('k2', 2)},${key('k1', 1)}`;
    await commandLine.causeway(['keys', 'rotate']);
    expect(await statusOf(commandLine)).toMatchObject([
      { key: 'k2' },
      { detail: `may still be needed for 1 sample, the last until ${text(now + DAY)}` },
    ]);
  });

  it('counts the accepted differences that no comparison has found under the new key', async () => {
    using commandLine = await commandLineWithAccount();
    const raw = new DatabaseSync(join(commandLine.folder, 'causeway.db'));
    raw.exec(
      `insert into parity_acceptances (account_id, difference, signature, name, reason, at)
       values ('*', 'v3 client.get Name value', '${'o'.repeat(16)}~1', 'Kim', 'known', 1)`,
    );
    raw.close();
    commandLine.env.CAUSEWAY_ENCRYPTION_KEYS = `${key('k2', 2)},${key('k1', 1)}`;
    await commandLine.causeway(['keys', 'rotate']);
    expect(await statusOf(commandLine)).toMatchObject([
      { key: 'k2' },
      { detail: 'may still be needed for up to 1 accepted difference' },
    ]);
  });

  it('refuses to start without a key that is still in use, and changes nothing', async () => {
    using commandLine = await commandLineWithAccount();
    commandLine.env.CAUSEWAY_ENCRYPTION_KEYS = `${key('k2', 2)},${key('k1', 1)}`;
    await commandLine.causeway(['accounts', 'list']);
    commandLine.env.CAUSEWAY_ENCRYPTION_KEYS = key('k2', 2);
    const refused = await commandLine.causeway(['accounts', 'list']);
    expect(refused.code).not.toBe(0);
    expect(refused.err).toContain('encryption key k1');
    commandLine.env.CAUSEWAY_ENCRYPTION_KEYS = key('k1', 1);
    // The first key has changed before: with it alone nothing of the mark can be opened.
    expect((await commandLine.causeway(['accounts', 'list'])).err).toContain('encryption key k2');
    commandLine.env.CAUSEWAY_ENCRYPTION_KEYS = `${key('k1', 1)},${key('k2', 2)}`;
    expect((await commandLine.causeway(['accounts', 'list'])).out).toContain('Harbour Lane');
  });
});
