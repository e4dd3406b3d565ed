import type { Row } from './row.ts';
import type { ServerProcess } from './server-process.ts';

export interface Bench {
  /** For databases, logs and configurations; removed afterwards. */
  readonly folder: string;
  readonly quick: boolean;
  readonly runs: number;
  /** Accounts that call in turn in measurements of many accounts. */
  readonly accounts: number;
  /** Collects the figures for `--json`. */
  readonly note: (rows: readonly Row[]) => void;
}

/** Measures one thing and returns the result as Markdown. */
export type Section = (bench: Bench) => Promise<string>;

/** Runs with servers and always stops them, the last one first. */
export async function withServers<T>(
  run: (keep: <S extends ServerProcess | undefined>(server: Promise<S>) => Promise<S>) => Promise<T>,
): Promise<T> {
  const servers: ServerProcess[] = [];
  try {
    return await run(async (starting) => {
      const server = await starting;
      if (server !== undefined) servers.push(server);
      return server;
    });
  } finally {
    for (const server of servers.reverse()) await server.stop();
  }
}
