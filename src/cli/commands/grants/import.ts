/**
 * `causeway grants import` and the commands that follow it: the bridge takes over the refresh tokens of an
 * integrator's own script.
 *
 * A token is never an argument, because it would appear in the list of processes and in the shell's history.
 * It comes from a file or standard input, and no output quotes it.
 */
import { stat } from 'node:fs/promises';
import { Command } from 'commander';
import type { ImportedLine } from '../../../features/admin/upkeep/grants.ts';
import {
  readTokenFile,
  UnusableTokenFile,
  type TokenLine,
} from '../../../features/consent/grants/import-file.ts';
import { importColumns } from '../../../features/consent/grants/model.ts';
import { counted } from '../../../lib/text/counted.ts';
import { Refusal, type Terminal } from '../../../lib/log/terminal.ts';
import { AT_TERMINAL } from '../../../app/tools/model.ts';
import { importStateWords } from '../../../features/status/code-words.ts';
import { listCommand, listed } from '../../command.ts';
import { loaded } from '../../keys-given.ts';
import type { CliParts } from '../../parts.ts';
import { formatOption, print, type Format } from '../../records.ts';
import { withTools } from '../../work.ts';

interface ImportOptions {
  readonly dryRun: boolean;
  readonly replace: boolean;
  readonly yes: boolean;
  readonly format: Format;
}

/** Lines printed for people; further ones are only counted. */
const MOST_TOLD = 1_000;

const WARNING = `Presenting a refresh token ends the script's own: every refresh returns a new one, and the old one dies.
Stop the script first. From then on only this bridge holds the connection.
`;

const afterword = `
CSV with the columns account (name or id), refresh token and optionally organisation (id or name), or JSON: a list of
{"account", "refreshToken", "organisation"}. ${WARNING}`;

/**
 * `causeway grants import`: stores, presents and proves each token. Exit code 1 if any account is not
 * connected.
 */
export function importGrants(parts: CliParts): Command {
  const { terminal } = parts;
  return new Command('import')
    .description('Imports refresh tokens of your own script from a CSV or JSON file')
    .argument('<file>', 'path of the file; - reads standard input')
    .option('--dry-run', 'only say what would happen; no token is used and nothing is written', false)
    .option('--replace', 'also for accounts that already have a valid grant', false)
    .option('--yes', 'confirm that the script is stopped, and use the tokens', false)
    .addOption(formatOption())
    .addHelpText('after', afterword)
    .action(async (path: string, options: ImportOptions) => {
      if (path !== '-') await warnOfMode(path, terminal);
      const lines = await linesOf(path === '-' ? await terminal.read() : await loaded(path, terminal));
      await withTools(parts, async ({ grantMoves }) => {
        const preview = await grantMoves.preview(lines, options.replace);
        const wanted = preview.filter(({ outcome }) => outcome === 'will').length;
        if (options.dryRun || !options.yes) {
          tell(preview, options.format, terminal);
          endPreview(preview, wanted, options, terminal);
          return;
        }
        if (wanted > 0) terminal.err(WARNING);
        const done = await grantMoves.import(lines, options.replace, AT_TERMINAL);
        tell(done, options.format, terminal);
        endImport(done, terminal);
      });
    });
}

/** Throws `Refusal` without `--yes`; nothing has been done. */
function endPreview(
  preview: readonly ImportedLine[],
  wanted: number,
  { dryRun }: ImportOptions,
  terminal: Terminal,
): void {
  const left = preview.length - wanted;
  terminal.err(`${counted(wanted, 'token')} would be presented, ${left} left alone\n`);
  if (!dryRun && wanted > 0) {
    terminal.err(WARNING);
    throw new Refusal('nothing was presented or changed: --yes does it');
  }
  if (left > 0) throw new Refusal(`${counted(left, 'line')} would not be imported`);
}

/** Throws `Refusal` if any account is not connected. */
function endImport(done: readonly ImportedLine[], terminal: Terminal): void {
  const having = (...outcomes: readonly ImportedLine['outcome'][]): number =>
    done.filter(({ outcome }) => outcomes.includes(outcome)).length;
  terminal.err(
    `${having('granted')} connected, ${having('importing')} still in progress, ${having('waiting')} waiting for you, ${having('refused')} refused, ${having('left', 'faulty', 'failed')} left alone\n`,
  );
  if (having('waiting') > 0)
    terminal.err('causeway grants imports shows what waits; causeway grants choose or discard decides\n');
  const open = done.length - having('granted');
  if (open > 0) throw new Refusal(`${counted(open, 'account')} ${open === 1 ? 'is' : 'are'} not connected`);
}

function tell(lines: readonly ImportedLine[], format: Format, terminal: Terminal): void {
  const shown = format === 'table' ? lines.slice(0, MOST_TOLD) : lines;
  const records = shown.map(({ line, account, outcome, words }) => ({
    line,
    account,
    result: outcome,
    detail: words,
  }));
  terminal.out(print(records, ['line', 'account', 'result', 'detail'], format, 'The file has no tokens.'));
  if (shown.length < lines.length) terminal.err(`and ${lines.length - shown.length} more lines\n`);
}

/** Warns of a readable file: its readers can use the tokens until they are presented. */
async function warnOfMode(path: string, terminal: Terminal): Promise<void> {
  const mode = await stat(path).then(
    (found) => (found.isFile() ? found.mode : 0),
    () => 0,
  );
  if ((mode & 0o077) !== 0)
    terminal.err(
      `${path} can be read by users other than its owner: run chmod 600 on it, and delete it afterwards\n`,
    );
}

async function linesOf(text: string): Promise<readonly TokenLine[]> {
  try {
    return await readTokenFile(text);
  } catch (error) {
    throw error instanceof UnusableTokenFile ? new Refusal(error.message) : error;
  }
}

/** `causeway grants imports`: the outcome of each imported token. */
export const imports = (parts: CliParts): Command =>
  listCommand(parts, {
    name: 'imports',
    what: 'Lists imported tokens and the outcome of each; no token is ever shown',
    nothing: 'No token was imported: causeway grants import takes them over from a script.',
    ...listed(importColumns, ({ grantMoves }) => grantMoves.imports(), {
      ...importColumns,
      state: ({ state }) => importStateWords(state),
    }),
  });

/** `causeway grants choose`: the operator's decision in place of the proof. */
export function choose(parts: CliParts): Command {
  return new Command('choose')
    .description('Connects an account to the organisation its imported token is for')
    .argument('<account>', 'name or id')
    .argument('<organisation>', 'id of the organisation, as causeway grants imports shows it')
    .action(async (idOrName: string, organisationId: string) => {
      const { account } = await withTools(parts, ({ grantMoves }) =>
        grantMoves.choose(idOrName, organisationId, AT_TERMINAL),
      );
      parts.terminal.out(`${account} is connected\n`);
    });
}

/** `causeway grants discard`: revokes the new pair of tokens. */
export function discard(parts: CliParts): Command {
  return new Command('discard')
    .description('Discards an imported token and revokes it at the service; this cannot be undone')
    .argument('<account>', 'name or id')
    .option('--yes', 'discard it; without it, nothing is done', false)
    .action(async (idOrName: string, { yes }: { readonly yes: boolean }) => {
      if (!yes) throw new Refusal('nothing was done: --yes revokes the imported token of that account');
      const { account } = await withTools(parts, ({ grantMoves }) =>
        grantMoves.discard(idOrName, AT_TERMINAL),
      );
      parts.terminal.out(`The imported token of ${account} was discarded\n`);
    });
}

/** `causeway grants resume`: continues imports, as a running bridge does every half minute. */
export function resume(parts: CliParts): Command {
  return new Command('resume')
    .description('Continues interrupted imports; a running bridge does this by itself')
    .addOption(formatOption())
    .action(async ({ format }: { readonly format: Format }) => {
      const done = await withTools(parts, ({ grantMoves }) => grantMoves.resume());
      const records = done.map(({ account, outcome, words }) => ({
        account,
        result: outcome,
        detail: words,
      }));
      parts.terminal.out(print(records, ['account', 'result', 'detail'], format, 'No import is unfinished.'));
    });
}
