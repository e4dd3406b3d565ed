import { parseArgs } from 'node:util';

/** What `npm run demo` was asked for. */
export interface Wishes {
  /** Go on with the data of the last demo. */
  readonly keep: boolean;
  /** How many clients Harbour Lane Studio has in all. */
  readonly clients: number;
}

/** The demo was asked wrongly, or for its usage. Exit code 2, or 0 for the usage. */
export class Usage extends Error {
  readonly asked: boolean;

  constructor(words: string, asked: boolean) {
    super(words);
    this.name = 'Usage';
    this.asked = asked;
  }
}

const MOST_CLIENTS = 200_000;

const usage = `Usage: npm run demo -- [--keep] [--clients N]

  --keep        go on with the data of the last demo
  --clients N   seed Harbour Lane Studio with N clients in all (default: 3)

CAUSEWAY_DATABASE_URL chooses another database; CAUSEWAY_PORT, CAUSEWAY_METRICS_PORT, SANDBOX_PORT, MAILBOX_PORT and
MAILBOX_SMTP_PORT move the ports.`;

/** Throws `Usage`. */
export function readWishes(args: readonly string[]): Wishes {
  const { keep = false, clients = '3', help = false } = options(args);
  if (help) throw new Usage(usage, true);
  const count = /^\d{1,6}$/.test(clients) ? Number(clients) : -1;
  if (count < 0 || count > MOST_CLIENTS)
    throw new Usage(`--clients must be a whole number from 0 to ${MOST_CLIENTS}\n\n${usage}`, false);
  return { keep, clients: count };
}

function options(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        keep: { type: 'boolean' },
        clients: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    }).values;
  } catch (error) {
    throw new Usage(`${error instanceof Error ? error.message : ''}\n\n${usage}`, false);
  }
}
