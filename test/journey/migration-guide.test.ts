import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../src/cli/run.ts';
import type { Terminal } from '../../src/lib/log/terminal.ts';
import { cliParts } from '../../src/cli/open-tools.ts';
import { giveConsent } from '../../src/replay/consent.ts';
import { linksOf } from '../../src/demo/mailbox/message.ts';
import { serveMailbox, type ServedMailbox } from '../../src/demo/mailbox/serve.ts';
import { consentRefusals } from '../../src/features/consent/model.ts';
import { newKeyLine } from '../../src/tokens/sealing/keyring.ts';
import { bridgeSettings, freePort, RunningBridge } from '../support/bridge.ts';
import { eventually } from '../support/clock.ts';
import { API_KEY } from '../support/legacy.ts';
import { RunningSandbox } from '../support/sandbox.ts';

const guide = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'campaign', 'migration.md'), 'utf8');

const blocks = (language: string): readonly string[] =>
  Array.from(guide.matchAll(new RegExp('```' + language + '\\n(.*?)```', 'gs')), ([, block = '']) => block);

/** The words of a command line as a shell would see them. */
const wordsOf = (line: string): readonly string[] =>
  Array.from(
    line.replace(/\s+#.*$/, '').matchAll(/"([^"]*)"|(\S+)/g),
    ([, quoted, plain]) => quoted ?? plain ?? '',
  );

/** Every command line of the guide, in its order, without `npx causeway`. */
const commands = blocks('sh')
  .flatMap((block) => block.split('\n'))
  .filter((line) => line.startsWith('npx causeway '))
  .map((line) => wordsOf(line).slice(2));

const OLD_MILL = 'Old Mill Engineering';
const ana = { name: 'Ana', email: 'ana@x.example', administrator: true, privilege: true };

let folder: string;
let env: Readonly<Record<string, string>>;
let mailbox: ServedMailbox;
let sandbox: RunningSandbox;
let bridge: RunningBridge;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-guide-'));
  const port = await freePort();
  mailbox = await serveMailbox({ port: 0, smtpPort: 0 });
  sandbox = await RunningSandbox.start({
    redirectUris: [`http://127.0.0.1:${String(port)}/_causeway/callback`],
  });
  await sandbox.seed(
    [OLD_MILL, 'Northgate Legal'].map((name, index) => ({
      name,
      accountKey: `A000000000000000000000000000000${String(index + 3)}`,
      apiKeys: [API_KEY],
      users: [ana],
      clients: [{ number: index + 1, name: `Client of ${name}` }],
    })),
  );
  const ours = {
    CAUSEWAY_DATABASE_URL: `sqlite:${join(folder, 'causeway.db')}`,
    CAUSEWAY_ENCRYPTION_KEYS: newKeyLine(),
    CAUSEWAY_SMTP_URL: mailbox.smtpUrl,
    CAUSEWAY_MAIL_FROM: 'Tidewater Software <connections@tidewater.example>',
    CAUSEWAY_CUTOVER: 'manual',
  };
  env = { ...bridgeSettings(port, sandbox.url), ...ours };
  bridge = await RunningBridge.start({ port, sandbox: sandbox.url, env: ours });
  writeFileSync(join(folder, 'customers.csv'), blocks('csv')[0] ?? '');
});

afterAll(async () => {
  await bridge.stop();
  await sandbox.close();
  await mailbox.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Told {
  readonly code: number;
  readonly out: string;
}

async function causeway(args: readonly string[]): Promise<Told> {
  let out = '';
  const say = (text: string): void => {
    out += text;
  };
  const terminal: Terminal = {
    out: say,
    err: say,
    read: async () => '',
    save: async (path, text) => {
      writeFileSync(join(folder, path), text);
    },
    load: async (path) => readFileSync(join(folder, path), 'utf8'),
  };
  return { code: await run(args, cliParts(terminal, env)), out };
}

/** What a reader of the guide waits for before he goes on; by the beginning of the command that needs it. */
const before: Readonly<Record<string, () => Promise<unknown>>> = {
  // A letter that lies in the mailbox has left; the bridge writes that down a moment later.
  [`remind ${OLD_MILL}`]: () =>
    eventually(`the letter to ${OLD_MILL} has left`, async () => {
      const { code } = await causeway(['remind', '--dry-run', OLD_MILL]);
      return code === 0 ? true : undefined;
    }),
  [`cutover ${OLD_MILL}`]: async () => {
    const { out } = await causeway(['accounts', 'show', OLD_MILL]);
    if (/^stage +(?:consented|migrated)/m.test(out)) return;
    const link = await linkFor('tama@oldmill.example');
    await giveConsent({ link, person: 'Ana', organisation: OLD_MILL });
  },
};

const linkFor = (address: string): Promise<string> =>
  eventually(`a mail to ${address}`, async () => {
    const mail = mailbox.inbox.messages.find(({ to }) => to.some((one) => one.address === address));
    return mail && linksOf(mail).find((link) => link.includes('/_causeway/connect/'));
  });

describe('the migration guide', () => {
  it('works as written, from the list of accounts to the cut-over', async () => {
    const said = new Map<string, string>();
    for (const args of commands) {
      const line = args.join(' ');
      for (const [beginning, ready] of Object.entries(before)) if (line.startsWith(beginning)) await ready();
      const { code, out } = await causeway(args);
      // Without `--yes` nothing is done, and a script is told so.
      const right = line === `cutover ${OLD_MILL}` ? 1 : 0;
      expect({ line, code, out: code === right ? '' : out }).toEqual({ line, code: right, out: '' });
      said.set(line, out);
    }
    expect(said.size).toBeGreaterThan(20);
    expect(said.get('accounts import customers.csv')).toContain(OLD_MILL);
    expect(said.get(`invite ${OLD_MILL}`)).toContain('invitation queued');
    expect(said.get('invite --all')).toContain('Northgate Legal');
    expect(said.get(`cutover ${OLD_MILL}`)).toContain('passed');
    expect(said.get('status')).toContain('Migrated');
    expect((await causeway(['status', '--fail-under', '100'])).code).toBe(1);
    expect(readFileSync(join(folder, 'accounts.csv'), 'utf8')).toContain('tama@oldmill.example');
  });

  it('names every reason, in the words of the status report', () => {
    const table = /<!-- refusals -->(.*)<!-- \/refusals -->/s.exec(guide)?.[1] ?? '';
    const rows = Array.from(table.matchAll(/^\| `(\w+)` +\| (.+?) +\|$/gm), ([, reason, words]) => [
      reason,
      words,
    ]);
    expect(Object.fromEntries(rows)).toEqual(consentRefusals);
  });
});
