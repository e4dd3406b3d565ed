import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../src/cli/run.ts';
import type { Terminal } from '../../src/lib/log/terminal.ts';
import { cliParts } from '../../src/cli/open-tools.ts';
import { onDemand } from '../../src/mapping/compile/on-demand.ts';
import { deliveredMapping } from '../support/mapping.ts';

export interface Told {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A folder with a database of its own, and the command line on it. */
export class CommandLine implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), 'causeway-cli-'));
  readonly env: NodeJS.ProcessEnv;
  /** How often the commands so far have needed the mapping compiled. */
  compiled = 0;

  constructor(settings: Readonly<Record<string, string>> = {}) {
    this.env = {
      CAUSEWAY_DATABASE_URL: `sqlite:${join(this.folder, 'causeway.db')}`,
      CAUSEWAY_ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 5).toString('base64')}`,
      ...settings,
    };
  }

  async causeway(args: readonly string[], input = ''): Promise<Told> {
    let [out, err] = ['', ''];
    const terminal: Terminal = {
      out: (text) => {
        out += text;
      },
      err: (text) => {
        err += text;
      },
      read: async () => input,
      save: async (path, text, how) => {
        writeFileSync(path, text, { flag: how?.keepsFile === true ? 'wx' : 'w' });
      },
      load: async (path) => readFileSync(path, 'utf8'),
    };
    const mapping = onDemand(() => {
      this.compiled += 1;
      return deliveredMapping();
    });
    const code = await run(args, cliParts(terminal, this.env, { mapping }));
    return { code, out, err };
  }

  file(name: string, text: string): string {
    const path = join(this.folder, name);
    writeFileSync(path, text);
    return path;
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

export const oauth = {
  CAUSEWAY_V3_BASE_URL: 'http://127.0.0.1:9/3.0',
  CAUSEWAY_AUTH_URL: 'http://127.0.0.1:9',
  CAUSEWAY_CONNECTIONS_URL: 'http://127.0.0.1:9/connections',
  CAUSEWAY_CLIENT_ID: 'client',
  CAUSEWAY_CLIENT_SECRET: 'secret-canary',
  CAUSEWAY_PUBLIC_URL: 'https://causeway.example.com',
};
