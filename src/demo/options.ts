import { parseArgs } from 'node:util';

/** Options of `npm run demo`. */
export interface DemoOptions {
  /** Continue with the data of the last demo. */
  readonly keep: boolean;
  /** Total number of clients of Harbour Lane Studio. */
  readonly clients: number;
  /**
   * Total number of accounts in a campaign that is half way through; undefined for the few accounts without a
   * campaign.
   */
  readonly accounts: number | undefined;
  /** The start page has buttons that move the clock of sandbox, mailbox and bridge. */
  readonly clock: boolean;
}

/** Wrong usage, or a request for help. Exit code 2, or 0 for help. */
export class Usage extends Error {
  readonly asked: boolean;

  constructor(words: string, asked: boolean) {
    super(words);
    this.name = 'Usage';
    this.asked = asked;
  }
}

const CLIENTS = { least: 0, most: 200_000 };
const ACCOUNTS = { least: 10, most: 2_000 };

const usage = `Usage: npm run demo -- [--keep] [--clients N] [--accounts N] [--clock]

  --keep        continue with the data of the last demo
  --clients N   seed Harbour Lane Studio with N clients in all (0 to 200,000; default: 3)
  --accounts N  seed a campaign that is halfway through, with N accounts in all (10 to 2,000)
  --clock       buttons on the start page let an hour, a day or three days pass

Environment:
  CAUSEWAY_DATABASE_URL   another database (default: sqlite:var/demo/causeway.db)
  CAUSEWAY_PORT           port of the bridge (default: 8080)
  CAUSEWAY_METRICS_PORT   port of its metrics (default: 9464)
  SANDBOX_PORT            port of the sandbox (default: 8090)
  MAILBOX_PORT            port of the mailbox page (default: 8025)
  MAILBOX_SMTP_PORT       port of its mail server (default: 1025)`;

/** Throws `Usage`. */
export function readOptions(args: readonly string[]): DemoOptions {
  const { keep = false, clients = '3', accounts, clock = false, help = false } = options(args);
  if (help) throw new Usage(usage, true);
  if (keep && accounts !== undefined)
    throw new Usage(
      `--keep continues with the accounts that are there: leave out one of the two\n\n${usage}`,
      false,
    );
  return {
    ...{ keep, clock },
    clients: countIn('--clients', clients, CLIENTS),
    accounts: accounts === undefined ? undefined : countIn('--accounts', accounts, ACCOUNTS),
  };
}

/** Throws `Usage`, also for more digits than the greatest count has. */
function countIn(option: string, given: string, { least, most }: typeof ACCOUNTS): number {
  const isCount = /^\d+$/.test(given) && given.length <= String(most).length;
  const count = isCount ? Number(given) : -1;
  if (count < least || count > most)
    throw new Usage(`${option} must be a whole number from ${least} to ${most}\n\n${usage}`, false);
  return count;
}

function options(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        keep: { type: 'boolean' },
        clients: { type: 'string' },
        accounts: { type: 'string' },
        clock: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    throw new Usage(`${error instanceof Error ? error.message : ''}\n\n${usage}`, false);
  }
}
