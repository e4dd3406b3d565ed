import { describe, expect, it } from '@jest/globals';
import { readSettings } from '../../src/app/settings/settings.ts';
import { openServices } from '../../src/app/wiring/services.ts';
import { cliParts } from '../../src/cli/open-tools.ts';
import { run } from '../../src/cli/run.ts';
import type { Check } from '../../src/features/cutover/checks.ts';
import { silentLog } from '../../src/lib/log/log.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { approve } from '../support/awaiting.ts';
import { deliveredMapping } from '../support/mapping.ts';
import { CommandLine, oauth } from './harness.ts';

const names = ['Fern', 'Moor'] as const;
const passed: Check = { name: 'parity', result: 'passed', detail: '' };
const failed: Check = { name: 'parity', result: 'failed', detail: '1 difference to be accepted' };

/** Two accounts whose customers have consented. */
async function consented(): Promise<CommandLine> {
  const commandLine = new CommandLine(oauth);
  for (const name of names)
    await commandLine.causeway(['accounts', 'add', name, '--account-key', `K-${name}`, '--api-key', 'A1']);
  const services = await openServices(readSettings({ env: commandLine.env }), {
    ...{ clock: systemClock, log: silentLog, mapping: deliveredMapping() },
  });
  for (const name of names)
    await approve(services, (await services.store.accounts.find(name))?.id ?? '', {
      organisation: { id: `org-${name}`, name: `${name} Ltd` },
    });
  await services.close();
  for (const name of names) await commandLine.causeway(['consents', 'confirm', name, '--yes']);
  return commandLine;
}

/** What the command says without `--yes` if the checks have these results. */
async function preview(checksOf: Readonly<Record<string, Check>>, args: readonly string[]): Promise<string> {
  using commandLine = await consented();
  let said = '';
  const terminal = {
    ...{ out: () => undefined, read: async () => '', save: async () => undefined, load: async () => '' },
    err: (text: string) => {
      said += text;
    },
  };
  const parts = cliParts(terminal, commandLine.env, { mapping: deliveredMapping() });
  const openTools: typeof parts.openTools = async () => ({
    ...(await parts.openTools()),
    cutoverChecks: async ({ name }) => [checksOf[name] ?? passed],
  });
  expect(await run(['cutover', ...names, ...args], { ...parts, openTools })).toBe(1);
  return said;
}

describe('causeway cutover without --yes', () => {
  it('names what would be overridden', async () => {
    expect(await preview({ Fern: failed }, ['--despite', 'parity'])).toBe(
      'causeway: nothing was changed. Failures of these checks would be overridden: parity. ' +
        'There is no way back to V1 for Fern, Moor; --yes does it\n',
    );
  });

  it('names the accounts that would stay, because parity is required or a failed check is not overridden', async () => {
    const required = { ...failed, isFinal: true };
    expect(await preview({ Fern: required, Moor: required }, ['--despite', 'parity'])).toBe(
      'causeway: nothing was changed. ' +
        names
          .map(
            (name) =>
              `${name} would not move: 1 difference to be accepted; CAUSEWAY_PARITY is required, so nobody can override it`,
          )
          .join('. ') +
        '; --yes checks again\n',
    );
    expect(await preview({ Fern: failed }, [])).toBe(
      'causeway: nothing was changed. Fern would not move: 1 difference to be accepted. ' +
        'There is no way back to V1 for Moor; --yes does it\n',
    );
  });
});
