import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readEnvironment } from '../../src/lib/environment-file.ts';
import { freePort } from '../../src/lib/free-port.ts';

const project = join(import.meta.dirname, '..', '..');

/** A demo in a folder and on ports of its own. */
export interface OwnDemo {
  readonly folder: string;
  readonly bridge: string;
  readonly metrics: string;
  readonly sandbox: string;
  readonly mailbox: string;
  readonly token: string;
  /** The settings its bridge was started with. */
  readonly settings: Readonly<Record<string, string>>;
  /** Ends its processes and removes the folder. */
  readonly stop: () => Promise<void>;
}

/** Starts a demo, and waits until it is ready. */
export async function startDemo(settings: Readonly<Record<string, string>> = {}): Promise<OwnDemo> {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-docs-'));
  const [bridge, metrics, sandbox, mailbox, smtp] = await Promise.all(Array.from({ length: 5 }, freePort));
  const demo = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', 'src/demo/main.ts'], {
    cwd: project,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      ...settings,
      CAUSEWAY_PORT: String(bridge),
      CAUSEWAY_METRICS_PORT: String(metrics),
      SANDBOX_PORT: String(sandbox),
      MAILBOX_PORT: String(mailbox),
      MAILBOX_SMTP_PORT: String(smtp),
      CAUSEWAY_DATABASE_URL: `sqlite:${join(folder, 'causeway.db')}`,
    },
  });
  const ended = once(demo, 'exit');
  const stop = async (): Promise<void> => {
    demo.kill('SIGINT');
    await ended;
    rmSync(folder, { recursive: true });
  };
  let said = '';
  for await (const piece of demo.stdout.iterator({ destroyOnReturn: false })) {
    said += String(piece);
    if (/^ready:/m.test(said)) break;
  }
  demo.stdout.resume();
  const token = /cwt_\S+/.exec(said)?.[0];
  if (token === undefined) {
    await stop();
    throw new Error(`the demo did not start:\n${said}`);
  }
  const at = (port: number | undefined): string => `http://127.0.0.1:${String(port)}`;
  return {
    folder,
    bridge: at(bridge),
    metrics: at(metrics),
    sandbox: at(sandbox),
    mailbox: at(mailbox),
    token,
    settings: readEnvironment(readFileSync(join(folder, 'causeway.env'), 'utf8')),
    stop,
  };
}
