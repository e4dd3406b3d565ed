import { mkdtempSync, rmSync } from 'node:fs';
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
import { writes } from './writes.ts';
import type { Bench, Section } from './bench.ts';

/**
 * `npm run bench`: what the bridge costs, beside peers that do less. Each server is a process of its own; figures are
 * medians with quartiles over rounds in turn. `--quick`: three short rounds. Further arguments: names of sections.
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
};

const usage = `npm run bench -- [--quick] [section ...]
  --quick   three short rounds instead of nine
  sections  ${Object.keys(sections).join(', ')}; all of them when none is named`;

const { wanted, quick, help } = asked();
if (help) {
  console.log(usage);
  process.exit(0);
}
const folder = mkdtempSync(join(tmpdir(), 'causeway-bench-'));
const bench: Bench = { folder, quick, runs: quick ? 3 : 9 };
console.log(`Node ${process.version}, ${bench.runs} rounds${quick ? ' (quick)' : ''}\n`);
try {
  for (const [name, section] of Object.entries(sections)) {
    if (wanted.length > 0 && !wanted.includes(name)) continue;
    console.log(`${await section(bench)}\n`);
  }
} finally {
  rmSync(folder, { recursive: true });
}

/** What the command line asks for; ends the process with 2 where it asks for what there is not. */
function asked(): { readonly wanted: readonly string[]; readonly quick: boolean; readonly help: boolean } {
  const flag = { type: 'boolean', default: false } as const;
  try {
    const { values, positionals } = parseArgs({
      options: { quick: flag, help: flag },
      allowPositionals: true,
    });
    const unknown = positionals.filter((name) => sections[name] === undefined);
    if (unknown.length > 0) throw new Error(`no section ${unknown.join(', ')}`);
    return { wanted: positionals, ...values };
  } catch (error) {
    console.error(`${wordsOf(error)}\n\n${usage}`);
    process.exit(2);
  }
}
