import { describe, expect, it } from '@jest/globals';
import { readSettings } from '../../src/app/settings/settings.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { silentLog } from '../../src/lib/log/log.ts';
import { openServices } from '../../src/app/wiring/services.ts';
import { approve } from '../support/awaiting.ts';
import { deliveredMapping } from '../support/mapping.ts';
import { CommandLine, oauth } from './harness.ts';

/** Two accounts whose consents wait. */
async function waiting(): Promise<CommandLine> {
  const commandLine = new CommandLine(oauth);
  for (const name of ['Fern', 'Moor'])
    await commandLine.causeway(['accounts', 'add', name, '--account-key', `K-${name}`, '--api-key', 'A1']);
  const services = await openServices(readSettings({ env: commandLine.env }), {
    clock: systemClock,
    log: silentLog,
    mapping: deliveredMapping(),
  });
  for (const name of ['Fern', 'Moor'])
    await approve(services, (await services.store.accounts.find(name))?.id ?? '', {
      organisation: { id: `org-${name}`, name: `${name} Ltd` },
      email: 'ana@x.example',
      findings: ['name', 'nothingToCompare'],
    });
  await services.close();
  return commandLine;
}

const stageOf = async (commandLine: CommandLine, name: string): Promise<unknown> =>
  (
    JSON.parse((await commandLine.causeway(['accounts', 'show', name, '--format', 'json'])).out) as {
      stage: string;
    }
  ).stage;

describe('causeway consents', () => {
  it('lists what waits, with the evidence for and against it', async () => {
    using commandLine = await waiting();
    const { code, out } = await commandLine.causeway(['consents', 'list', '--format', 'json']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject([
      {
        account: 'Fern',
        id: expect.stringMatching(/^[-0-9a-f]{36}$/) as unknown,
        organisation: 'Fern Ltd',
        person: 'Ana Whitcombe',
        email: 'ana@x.example',
        for: 'the names match',
        against: 'V1 showed no client to compare',
        organisationId: 'org-Fern',
      },
      { account: 'Moor' },
    ]);
    expect((await commandLine.causeway(['status'])).out).toContain('Awaiting confirmation 2');
    expect((await commandLine.causeway(['accounts', 'show', 'Fern'])).out).toContain(
      'Fern Ltd (org-Fern), not confirmed',
    );
  });

  it('says what would happen, and does it only with --yes', async () => {
    using commandLine = await waiting();
    const shown = await commandLine.causeway(['consents', 'confirm', 'Fern']);
    expect(shown.code).toBe(1);
    expect(shown.out).toContain('Fern Ltd, approved by Ana Whitcombe (ana@x.example)');
    expect(shown.err).toContain('--yes does it');
    expect(await stageOf(commandLine, 'Fern')).toBe('awaiting-operator');
    const done = await commandLine.causeway(['consents', 'confirm', 'Fern', '--yes']);
    expect(done).toMatchObject({ code: 0, err: '1 confirmed, 0 left as they are\n' });
    expect(await stageOf(commandLine, 'Fern')).toBe('consented');
    expect(await stageOf(commandLine, 'Moor')).toBe('awaiting-operator');
  });

  it('leaves those whose organisation is another account’s by its name to who names them', async () => {
    using commandLine = await waiting();
    await commandLine.causeway(['accounts', 'add', 'Moor Ltd', '--account-key', 'K-3', '--api-key', 'A1']);
    const shown = await commandLine.causeway(['consents', 'confirm', 'Moor']);
    expect(shown.out).toMatch(/against it: by its name it is the organisation of the account Moor Ltd \(/);
    const all = await commandLine.causeway(['consents', 'confirm', '--all', '--yes']);
    expect(all.err).toMatch(
      /^left: Moor \([-0-9a-f]+\): by its name .*; to confirm it, name it\n1 confirmed, 1 left/,
    );
    expect(await stageOf(commandLine, 'Moor')).toBe('awaiting-operator');
    const rest = await commandLine.causeway(['consents', 'confirm', '--all', '--yes']);
    expect(rest).toMatchObject({ code: 0, out: 'No other consent waits for you.\n' });
    expect(await commandLine.causeway(['consents', 'confirm', 'Moor', '--yes'])).toMatchObject({ code: 0 });
  });

  it('leaves out only accounts that were chosen', async () => {
    using commandLine = await waiting();
    await commandLine.causeway(['accounts', 'add', 'Moor Ltd', '--account-key', 'K-3', '--api-key', 'A1']);
    const done = await commandLine.causeway(['consents', 'confirm', '--search', 'Fern', '--yes']);
    expect(done).toMatchObject({ code: 0, err: '1 confirmed, 0 left as they are\n' });
  });

  it('warns that nobody was notified if no mail server is configured', async () => {
    using commandLine = await waiting();
    await commandLine.causeway(['consents', 'confirm', 'Fern', '--yes']);
    expect((await commandLine.causeway(['accounts', 'show', 'Fern'])).out).toContain(
      'the contact was not told who approved: no mail server is configured (CAUSEWAY_SMTP_URL)',
    );
  });

  it('refuses all waiting consents, and fails for a named account with none', async () => {
    using commandLine = await waiting();
    const all = await commandLine.causeway(['consents', 'refuse', '--all', '--yes']);
    expect(all).toMatchObject({ code: 0, err: '2 refused, 0 left as they are\n' });
    for (const name of ['Fern', 'Moor']) expect(await stageOf(commandLine, name)).toBe('legacy');
    const before = await commandLine.causeway(['consents', 'refuse', 'Fern']);
    expect(before.code).toBe(1);
    expect(before.err).toContain('--yes would change nothing');
    expect(before.err).not.toContain('would be refused');
    const again = await commandLine.causeway(['consents', 'refuse', 'Fern', '--yes']);
    expect(again.code).toBe(1);
    expect(again.out).toContain('none of its consents waits for you');
    expect((await commandLine.causeway(['consents', 'list'])).out).toBe('No consent waits for you.\n');
    expect((await commandLine.causeway(['consents', 'confirm'])).code).toBe(2);
  });
});
