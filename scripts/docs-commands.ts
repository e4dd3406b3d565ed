/**
 * `node scripts/docs-commands.ts [PAGE…]`: runs the commands of the documentation, page by page, on a demo of its own
 * in an empty folder. `scripts/docs/shell-blocks.ts` selects the blocks, `docs-commands/pages.ts` defines replacements
 * and expectations. Exits with 1 if one failed. `PAGE`: only these.
 */
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../src/lib/free-port.ts';
import { commandsOf, faultOf, replaced, run, shapeOf, shownAfter } from './docs-commands/block.ts';
import { commonReplacements, placeOf, postgresEnvironment, type Ports } from './docs-commands/demo-place.ts';
import { pageRuns, type PageRun } from './docs-commands/pages.ts';
import { startDemo, type OwnDemo } from './docs/own-demo.ts';
import { needs, provide } from './testing/needs.ts';
import { startPostgres } from './testing/private-postgres.ts';
import { ON_A_DEMO, rowOf, shellBlocksOf } from './docs/shell-blocks.ts';

const project = join(import.meta.dirname, '..');

/** Runs the blocks of a page, beside a PostgreSQL server if it needs one; returns the failures with their output. */
async function runPage(demo: OwnDemo, pageRun: PageRun): Promise<readonly string[]> {
  if (pageRun.postgresql === undefined) return await runBlocks(demo, pageRun);
  const binaries = provide(needs.postgres);
  if (binaries === undefined) throw new Error(`${pageRun.page} needs PostgreSQL, which could not be had`);
  const server = await startPostgres(binaries);
  try {
    return await runBlocks(demo, pageRun, postgresEnvironment(server.url, binaries));
  } finally {
    await server.stop();
  }
}

async function runBlocks(
  demo: OwnDemo,
  pageRun: PageRun,
  environment: Readonly<Record<string, string>> = {},
): Promise<readonly string[]> {
  const { page, before = [], expected = [], shown = [] } = pageRun;
  const folder = join(demo.folder, page.replaceAll('/', '-'));
  const backups = join(folder, 'backups');
  mkdirSync(backups, { recursive: true });
  const replacements = [
    ...(pageRun.replaced ?? []),
    ...commonReplacements(demo),
    ['/backups/', `${backups}/`],
  ] as const;
  const ports: Ports = { bridge: await freePort(), metrics: await freePort() };
  const place = placeOf(demo, folder, pageRun.elsewhere && ports, environment);
  const text = readFileSync(join(project, page), 'utf8');
  const blocks = shellBlocksOf(page, text).filter((block) => rowOf(block)?.ranBy === ON_A_DEMO);
  const failures: string[] = [];
  const judge = async (where: string, commands: readonly string[], line?: string): Promise<void> => {
    const outcomes = await run(
      commands.map((command) => replaced(command, replacements)),
      place,
    );
    for (const [n, outcome] of outcomes.entries()) {
      const fault =
        faultOf(outcome, expected) ??
        (n === 0 && line !== undefined && !shapeOf(line).test(outcome.output)
          ? `prints nothing like the page: ${line}`
          : undefined);
      if (fault !== undefined) failures.push(`${where}: ${outcome.command}\n  ${fault}\n${outcome.output}`);
    }
  };
  if (before.length > 0) await judge(`${page}, before`, before);
  for (const block of blocks) {
    const line = shown.some((holds) => block.text.includes(holds))
      ? shownAfter(text, block.line + block.text.split('\n').length)
      : undefined;
    await judge(
      `${page}:${block.line}`,
      commandsOf(block.text),
      line === undefined ? line : replaced(line, replacements),
    );
  }
  console.log(`${page}: ${blocks.length} run${failures.length === 0 ? '' : `, ${failures.length} FAILED`}`);
  return failures;
}

const only = process.argv.slice(2);
const demo = await startDemo({ CAUSEWAY_EMBED_ORIGINS: 'https://app.example.com' });
const failures: string[] = [];
try {
  for (const pageRun of pageRuns)
    if (only.length === 0 || only.includes(pageRun.page)) failures.push(...(await runPage(demo, pageRun)));
} finally {
  await demo.stop();
}
for (const failure of failures) console.error(`\n${failure}`);
process.exitCode = failures.length === 0 ? 0 : 1;
