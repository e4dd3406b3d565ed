import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { globSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, writeProfile } from '../support/bridge.ts';
import { Control } from '../support/control.ts';
import { RunningProcess } from '../support/process.ts';

/** The token protocol of the bridge with short waits; the service's own durations are what they are. */
export const quickProfile = {
  limits: { perMinute: 60_000 },
  // A second presentation has a sixth of both: enough for a busy machine to send it and hear the answer.
  durations: { lease: 12, refreshTimeout: 9, sweepEvery: 0.2 },
};

/** Where refreshes are counted none may be given up because the machine is slow. */
const demoProfile = { ...quickProfile, durations: { lease: 12, refreshTimeout: 10, sweepEvery: 0.2 } };

/** `npm run demo` in processes of its own: free ports, a folder of its own. */
export class RunningDemo {
  readonly bridge: string;
  readonly metrics: string;
  readonly mailbox: string;
  readonly control: Control;
  readonly process: RunningProcess;
  readonly folder: string;
  readonly #tools: string[] = [];

  private constructor(
    bridge: string,
    metrics: string,
    sandbox: string,
    mailbox: string,
    process: RunningProcess,
    folder: string,
  ) {
    this.bridge = bridge;
    this.metrics = metrics;
    this.mailbox = mailbox;
    this.control = new Control(sandbox);
    this.process = process;
    this.folder = folder;
  }

  /** `args` of `npm run demo`; `settings` beside those that every demo here has. */
  static async start(
    args: readonly string[] = [],
    settings: Readonly<Record<string, string>> = {},
  ): Promise<RunningDemo> {
    const folder = await mkdtemp(join(tmpdir(), 'causeway-demo-'));
    const ports: number[] = [];
    while (ports.length < 5) ports.push(await freePort());
    const [bridge = 0, metrics = 0, sandbox = 0, mailbox = 0, smtp = 0] = ports;
    const process = new RunningProcess('src/demo/main.ts', args, {
      ...settings,
      CAUSEWAY_PORT: String(bridge),
      CAUSEWAY_METRICS_PORT: String(metrics),
      SANDBOX_PORT: String(sandbox),
      MAILBOX_PORT: String(mailbox),
      MAILBOX_SMTP_PORT: String(smtp),
      CAUSEWAY_DATABASE_URL: `sqlite:${join(folder, 'causeway.db')}`,
      CAUSEWAY_UPSTREAM_PROFILE: await writeProfile(folder, demoProfile),
    });
    const demo = new RunningDemo(
      `http://127.0.0.1:${String(bridge)}`,
      `http://127.0.0.1:${String(metrics)}`,
      `http://127.0.0.1:${String(sandbox)}`,
      `http://127.0.0.1:${String(mailbox)}`,
      process,
      folder,
    );
    await process.says(/^ready/m);
    return demo;
  }

  /** `causeway …` as in a second terminal: nothing but the address of the database. */
  tool(...args: readonly string[]): RunningProcess {
    return new RunningProcess('src/cli/bin.js', args, {
      CAUSEWAY_DATABASE_URL: `sqlite:${join(this.folder, 'causeway.db')}`,
    });
  }

  /** What a command says; it must succeed. */
  async said(...args: readonly string[]): Promise<string> {
    const tool = this.tool(...args);
    const { code } = await tool.ended;
    this.#tools.push(tool.output);
    if (code !== 0) throw new Error(`causeway ${args.join(' ')} failed: ${tool.output}`);
    return tool.output;
  }

  /** All that bridge, sandbox and tools have said, but for the guide, which shows the demo's keys to a newcomer. */
  async outputs(): Promise<string> {
    const logs = globSync(join(this.folder, '*.log'));
    const texts = await Promise.all(logs.map((log) => readFile(log, 'utf8')));
    const metrics = await (await fetch(`${this.metrics}/metrics`)).text();
    return [...texts, ...this.#tools, metrics].join('\n');
  }

  /** The bytes of the bridge's database, the log of its writes included. */
  async database(): Promise<string> {
    const files = globSync(join(this.folder, 'causeway.db*'));
    return Buffer.concat(await Promise.all(files.map((file) => readFile(file)))).toString('latin1');
  }

  /** The encryption key, as the demo left it for the tools. */
  async encryptionKey(): Promise<string> {
    const settings = await readFile(join(this.folder, 'causeway.env'), 'utf8');
    return /^CAUSEWAY_ENCRYPTION_KEYS=\w+:(.+)$/m.exec(settings)?.[1] ?? '';
  }

  async end(): Promise<void> {
    this.process.signal('SIGTERM');
    await this.process.ended;
    await rm(this.folder, { recursive: true, force: true });
  }
}
