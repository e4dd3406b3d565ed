import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { wordsOf } from '../../src/lib/log/log.ts';
import { statusReportOfMany } from './status-report.ts';
import { consoleOfMany } from './console.ts';
import { manyAccounts } from './many-accounts.ts';
import { latency } from './latency.ts';
import { longList } from './long-list.ts';
import { lookUps } from './look-ups.ts';
import { smallReply } from './small-reply.ts';
import { start } from './start.ts';
import { translateList, translateLong } from './translate-list.ts';
import { translateOne } from './translate-one.ts';
import { commit, machine, type Report, type Row } from './row.ts';
import { traces } from './traces.ts';
import { postgres, redis, workers } from './workers.ts';
import { writes } from './writes.ts';
import type { Bench, Section } from './bench.ts';

/**
 * `npm run bench`: the cost of the bridge, beside peers that do less. Each server is a process of its own; figures are
 * medians with quartiles over alternating rounds. `--quick`: three short rounds; `--json`: also writes figures for
 * programs such as `charts.ts`. Further arguments: names of sections.
 */
const sections: Readonly<Record<string, Section>> = {
  small: smallReply,
  list: longList,
  latency,
  lookup: lookUps,
  start,
  accounts: manyAccounts,
  'status-report': statusReportOfMany,
  console: consoleOfMany,
  writes,
  'translate-one': translateOne,
  'translate-list': translateList,
  'translate-long': translateLong,
  traces,
  workers,
  postgres,
  redis,
};

const usage = `npm run bench -- [--quick] [--rounds N] [--accounts N] [--json FILE] [section ...]
  --quick       three short rounds instead of nine
  --rounds N    so many rounds
  --accounts N  so many accounts that call in turn, where many are measured; 500
  --json FILE   writes the figures as JSON, too
  sections      ${Object.keys(sections).join(', ')}; all of them when none is named`;

const { wanted, quick, help, json, rounds, accounts } = asked();
if (help) {
  console.log(usage);
  process.exit(0);
}
const folder = mkdtempSync(join(tmpdir(), 'causeway-bench-'));
const rows: Row[] = [];
const runs = rounds ?? (quick ? 3 : 9);
const bench: Bench = { folder, quick, runs, accounts, note: (more) => rows.push(...more) };
console.log(`Node ${process.version}, ${bench.runs} rounds${quick ? ' (quick)' : ''}\n`);
try {
  for (const [name, section] of Object.entries(sections)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    console.log(`${await section(bench)}\n`);
    // After each section, so that an interrupted run keeps its results.
    const report: Report = { machine: machine(), commit: commit(), rows };
    if (json !== undefined) writeFileSync(json, `${JSON.stringify(report, undefined, 2)}\n`);
  }
} finally {
  rmSync(folder, { recursive: true });
}

interface Wanted {
  readonly wanted: readonly string[];
  readonly quick: boolean;
  readonly help: boolean;
  readonly json?: string | undefined;
  readonly rounds: number | undefined;
  readonly accounts: number;
}

/** The options of the command line; exits with 2 if they are invalid. */
function asked(): Wanted {
  const flag = { type: 'boolean', default: false } as const;
  const text = { type: 'string' } as const;
  try {
    const { values, positionals } = parseArgs({
      options: { quick: flag, help: flag, json: text, rounds: text, accounts: text },
      allowPositionals: true,
    });
    const unknown = positionals.filter((name) => sections[name] === undefined);
    if (unknown.length > 0) throw new Error(`no section ${unknown.join(', ')}`);
    const rounds = values.rounds === undefined ? undefined : positive('--rounds', values.rounds);
    const accounts = positive('--accounts', values.accounts ?? '500');
    // A file that cannot be written is reported now, not after the first section.
    if (values.json !== undefined) appendFileSync(values.json, '');
    return { wanted: positionals, ...values, rounds, accounts };
  } catch (error) {
    console.error(`${wordsOf(error)}\n\n${usage}`);
    process.exit(2);
  }
}

function positive(name: string, text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new Error(`${name} takes a number from 1, not ${text}`);
  return Number(text);
}
