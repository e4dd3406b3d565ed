import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  statusReport: statusReportOfMany,
  console: consoleOfMany,
  writes,
  'translate-one': translateOne,
  'translate-list': translateList,
  'translate-long': translateLong,
};

const args = process.argv.slice(2);
const wanted = args.filter((arg) => !arg.startsWith('--'));
const unknown = wanted.filter((name) => sections[name] === undefined);
if (unknown.length > 0) {
  console.error(`no section ${unknown.join(', ')}; there are ${Object.keys(sections).join(', ')}`);
  process.exit(2);
}

const quick = args.includes('--quick');
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
