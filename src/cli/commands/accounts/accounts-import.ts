import { Command } from 'commander';
import { counted } from '../../../lib/text/counted.ts';
import { readImportFile, UnusableFile } from '../../../features/accounts/import/file.ts';
import type { ImportLine, LineVerdict } from '../../../features/accounts/import/import.ts';
import { faultyFile, faultyLines } from '../../../features/accounts/import/faulty.ts';
import { forceOption, loaded, refuseExisting, saved } from '../../keys-given.ts';
import type { CliParts } from '../../parts.ts';
import { formatOption, print, type Format, type Records } from '../../records.ts';
import { Refusal, type Terminal } from '../../../lib/log/terminal.ts';
import { withTools } from '../../work.ts';

interface ImportOptions {
  readonly faulty?: string;
  readonly force: boolean;
  readonly dryRun: boolean;
  readonly format: Format;
}

/** In characters; a list of a hundred thousand accounts is smaller. */
const LONGEST_FILE = 50_000_000;
const MOST_LINES = 200_000;
/** Faulty lines printed; further ones are only counted. */
const MOST_TOLD = 1_000;

const afterword = `
The first line names the columns: name, account key, API key, product, application, organisation, organisation id,
contact name, e-mail, language, time zone, phone, tags, notes, id, stage. The account key is required (or the id, for
known accounts); the other columns are optional. An empty cell keeps the stored value. A new account whose stage is
closed is added as closed; other stages are ignored. UTF-8, with commas, semicolons or tabs. Faulty lines are
reported with their number; the others are imported.`;

/**
 * `causeway accounts import`: imports each valid line and reports each faulty one by number; exit code 1 if
 * any is faulty. The same file can be imported again.
 */
export function importAccounts(parts: CliParts): Command {
  const { terminal } = parts;
  return new Command('import')
    .description('Imports accounts from a CSV file: adds new ones and updates known ones')
    .argument('<file>', 'path of the file; - reads standard input')
    .option('--dry-run', 'only say what would happen', false)
    .option(
      '--faulty <file>',
      'write the faulty lines, with their faults, to a file readable by its owner only',
    )
    .addOption(forceOption())
    .addOption(formatOption())
    .addHelpText('after', afterword)
    .action(async (path: string, { dryRun, format, faulty, force }: ImportOptions) => {
      if (faulty !== undefined && !force) await refuseExisting(faulty);
      const lines = await linesOf(
        path === '-' ? await terminal.read() : await loaded(path, terminal),
        terminal,
      );
      await withTools(parts, async (tools) => {
        const verdicts = await tools.importAccounts(lines, dryRun);
        const file = faulty === undefined ? undefined : faultyFile(lines, verdicts);
        if (faulty !== undefined && file !== undefined) await saved(faulty, file, terminal, force);
        tell(verdicts, { dryRun, format, unmailed: unmailedIn(lines, verdicts) }, terminal);
      });
    });
}

async function linesOf(text: string, terminal: Terminal): Promise<readonly ImportLine[]> {
  if (text.length > LONGEST_FILE)
    throw new Refusal(`the file has more than ${LONGEST_FILE} characters; split it`);
  try {
    const { lines, unknown } = await readImportFile(text, MOST_LINES);
    if (unknown.length > 0)
      terminal.err(`unknown columns were ignored: ${unknown.map((one) => JSON.stringify(one)).join(', ')}\n`);
    return lines;
  } catch (error) {
    throw error instanceof UnusableFile ? new Refusal(error.message) : error;
  }
}

/** The number of new accounts without an e-mail address. */
function unmailedIn(lines: readonly ImportLine[], verdicts: readonly LineVerdict[]): number {
  const added = new Set(verdicts.flatMap(({ line, verdict }) => (verdict === 'new' ? [line] : [])));
  return lines.filter(({ line, cells }) => added.has(line) && cells.email === undefined).length;
}

function tellUnmailed(count: number, terminal: Terminal): void {
  if (count > 0)
    terminal.err(`${counted(count, 'new account')} without an e-mail address: nothing can be sent there\n`);
}

function tellWarnings(verdicts: readonly LineVerdict[], terminal: Terminal): void {
  const warned = verdicts.flatMap((one) =>
    one.verdict === 'faulty' || one.warnings.length === 0 ? [] : [one],
  );
  for (const { line, warnings } of warned.slice(0, MOST_TOLD))
    terminal.err(`line ${line}: check: ${warnings.join('; ')}\n`);
  if (warned.length > MOST_TOLD) terminal.err(`and ${warned.length - MOST_TOLD} more lines to check\n`);
}

function tell(
  verdicts: readonly LineVerdict[],
  { dryRun, format, unmailed }: Pick<ImportOptions, 'dryRun' | 'format'> & { readonly unmailed: number },
  terminal: Terminal,
): void {
  const faulty = verdicts.filter((one) => one.verdict === 'faulty');
  const unimported = faultyLines(verdicts);
  const having = (verdict: LineVerdict['verdict']): number =>
    verdicts.filter((one) => one.verdict === verdict).length;
  terminal.out(
    print(recordsOf(verdicts, format), ['line', 'account', 'result', 'detail'], format, nothingIn(verdicts)),
  );
  for (const { line, faults } of faulty.slice(0, MOST_TOLD))
    terminal.err(`line ${line}: ${faults.join('; ')}\n`);
  if (faulty.length > MOST_TOLD) terminal.err(`and ${faulty.length - MOST_TOLD} more lines\n`);
  tellWarnings(verdicts, terminal);
  const [news, changes] = dryRun ? ['would be new', 'would be changed'] : ['new', 'changed'];
  terminal.err(
    `${having('new')} ${news}, ${having('changed')} ${changes}, ${having('same')} unchanged, ${unimported} faulty\n`,
  );
  tellUnmailed(unmailed, terminal);
  if (faulty.length > 0)
    throw new Refusal(
      `${counted(unimported, 'line')} ${dryRun ? 'would not be' : unimported === 1 ? 'was not' : 'were not'} imported`,
    );
}

const nothingIn = ({ length }: readonly LineVerdict[]): string =>
  length === 0
    ? 'There is nothing to import: the file has no line below the names of the columns.'
    : 'No account is new or changed.';

/** A table shows only the lines that change something; the other formats have every line. */
const recordsOf = (verdicts: readonly LineVerdict[], format: Format): Records =>
  verdicts
    .filter(({ verdict }) => format !== 'table' || verdict === 'new' || verdict === 'changed')
    .map((one) => ({
      line: one.line,
      account: one.verdict === 'faulty' ? undefined : one.name,
      result: one.verdict,
      detail: detailOf(one),
    }));

function detailOf(verdict: LineVerdict): string | undefined {
  if (verdict.verdict === 'faulty') return verdict.faults.join('; ');
  const fields = verdict.verdict === 'changed' ? [changeWords(verdict)] : [];
  const all = [...fields, ...verdict.warnings];
  return all.length === 0 ? undefined : all.join('; ');
}

/** `language: en → de, API key`. */
const changeWords = ({ fields, changes }: Extract<LineVerdict, { verdict: 'changed' }>): string =>
  fields
    .map((field) => {
      const change = changes.find((one) => one.field === field);
      return change === undefined ? field : `${field}: ${change.from ?? '–'} → ${change.to ?? '–'}`;
    })
    .join(', ');
