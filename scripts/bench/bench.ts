import type { Row } from './row.ts';
import type { ServerProcess } from './server-process.ts';

export interface Bench {
  /** For databases, logs and configurations; gone afterwards. */
  readonly folder: string;
  readonly quick: boolean;
  readonly runs: number;
  /** Accounts that call in turn where many are measured. */
  readonly accounts: number;
  /** Takes the figures for `--json`. */
  readonly note: (rows: readonly Row[]) => void;
}

/** Measures one thing and answers it as text in Markdown. */
export type Section = (bench: Bench) => Promise<string>;

/** Runs with servers and stops them, the last one first, whatever happens. */
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
