import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';
import type { Tools } from '../../src/app/tools/model.ts';
import { readSettings } from '../../src/app/settings/settings.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import { newKeyLine } from '../../src/tokens/sealing/keyring.ts';
import { openTools } from '../../src/app/tools/tools.ts';
import { bridgeSettings, freePort } from '../support/bridge.ts';
import { eventually } from '../support/clock.ts';
import { RunningProcess } from '../support/process.ts';

/** A mail server that keeps what it takes; while it is told to, it takes the content and does not say so. */
class SlowServer {
  readonly taken: string[] = [];
  isSilent = false;
  /** Contents that came whole and were not answered. */
  unanswered = 0;
  readonly #server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _session, done) => {
      void text(stream).then((mail) => {
        this.taken.push(/^To: .*?([^\s<]+@[^\s>]+)/m.exec(mail)?.[1] ?? mail);
        if (this.isSilent) this.unanswered += 1;
        else done();
      });
    },
  });

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server.server, 'listening');
    return `smtp://127.0.0.1:${String((this.#server.server.address() as AddressInfo).port)}`;
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.#server.close(resolve);
    });
  }
}

let folder: string;
let server: SlowServer;
let settings: Readonly<Record<string, string>>;
let bridge: RunningProcess | undefined;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'causeway-mail-killed-'));
  server = new SlowServer();
  settings = {
    // Nobody is asked anything of the service here.
    ...bridgeSettings(await freePort(), 'http://127.0.0.1:9'),
    CAUSEWAY_V1_BASE_URL: '',
    CAUSEWAY_DATABASE_URL: `sqlite:${join(folder, 'causeway.db')}`,
    CAUSEWAY_ENCRYPTION_KEYS: newKeyLine(),
    CAUSEWAY_SMTP_URL: await server.start(),
    CAUSEWAY_MAIL_FROM: 'bridge@tidewater.example',
  };
});

afterEach(async () => {
  await bridge?.kill();
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

async function rise(): Promise<void> {
  bridge = new RunningProcess('src/main.ts', [], settings);
  await bridge.says(/"ready"/);
}

async function withTools<T>(work: (tools: Tools) => Promise<T>): Promise<T> {
  const tools = await openTools(readSettings({ env: { ...settings } }));
  try {
    return await work(tools);
  } finally {
    await tools.close();
  }
}

const invite = (name: string): Promise<unknown> =>
  withTools(async (tools) => {
    const account = await tools.addAccount({
      name,
      accountKey: new Secret(name),
      details: { email: `${name}@customer.example` },
    });
    return tools.messages.invite(account, false);
  });

const states = (): Promise<Readonly<Record<string, string>>> =>
  withTools(async (tools) => {
    const found: Record<string, string> = {};
    for (const account of await tools.accounts.list()) {
      const { messages } = (await tools.messages.facts(account)) ?? { messages: [] };
      found[account.name] = messages.map(({ fate }) => fate.state).join(' ');
    }
    return found;
  });

/** Minutes pass: the claim of the dead process ends. It is timed by the database's clock, which nobody can put forward. */
function claimsEnd(): void {
  const database = new DatabaseSync(join(folder, 'causeway.db'));
  try {
    database.exec("update outbox set lease_until = 1 where state = 'sending'");
  } finally {
    database.close();
  }
}

describe('a bridge that is killed while it sends an e-mail', () => {
  it('marks it unknown, never sends it again by itself, and sends all the others once', async () => {
    server.isSilent = true;
    await rise();
    await invite('struck');
    await eventually('the content is with the mail server', () => (server.unanswered > 0 ? true : undefined));
    await bridge?.kill();
    expect(await states()).toEqual({ struck: 'sending' });
    await invite('waiting');

    server.isSilent = false;
    await rise();
    await invite('later');
    await eventually('the others have left', () => (server.taken.length === 3 ? true : undefined));
    // The claim still stands: whoever made it might be alive.
    expect((await states()).struck).toBe('sending');
    claimsEnd();
    await eventually('what became of it is told', async () =>
      (await states()).struck === 'unknown' ? true : undefined,
    );
    await invite('last');
    await eventually('the last one has left', () =>
      server.taken.includes('last@customer.example') ? true : undefined,
    );

    expect([...server.taken].sort()).toEqual(
      ['last', 'later', 'struck', 'waiting'].map((name) => `${name}@customer.example`),
    );
    await eventually('all is written down', async () =>
      Object.values(await states()).includes('sending') ? undefined : true,
    );
    expect(await states()).toEqual({ struck: 'unknown', waiting: 'sent', later: 'sent', last: 'sent' });
    const timeline = await withTools(async ({ accounts }) => {
      const struck = (await accounts.list()).find(({ name }) => name === 'struck');
      return accounts.timeline(struck?.id ?? '');
    });
    expect(timeline.map(({ kind }) => kind)).toContain('mail.unknown');
  });
});
