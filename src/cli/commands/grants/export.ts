/**
 * `causeway grants export` hands grants over to another program, whose operator reads them with `causeway
 * grants open`.
 *
 * The export checks that its file can be written before any grant ends. If writing fails nevertheless, the
 * same command creates the file again from the copies that the bridge keeps.
 */
import { Command } from 'commander';
import type { ExportedLine } from '../../../features/consent/grants/exporting.ts';
import { openSealed, UnusableKey } from '../../../lib/secret/recipient.ts';
import { counted } from '../../../lib/text/counted.ts';
import { Misuse, Refusal, type Terminal } from '../../../lib/log/terminal.ts';
import { isTaken, NewFile } from '../../../lib/new-file.ts';
import { AT_TERMINAL, type Tools } from '../../../app/tools/model.ts';
import { withFilters } from '../../filters-given.ts';
import { forceOption, loaded, saved } from '../../keys-given.ts';
import type { CliParts } from '../../parts.ts';
import { formatOption, print, type Format } from '../../records.ts';
import { chosen, type Choice } from '../../selection.ts';
import { withTools } from '../../work.ts';

interface ExportOptions extends Choice {
  readonly to: string;
  readonly output?: string;
  readonly yes: boolean;
  readonly format: Format;
}

const WARNING = `An exported grant ends here: no instance refreshes it again, and the calls of its account are refused
until its customer approves again. Anyone with the file and its key holds the connection.
`;

/** `causeway grants export`: exit code 1 if any account was skipped. */
export function exportGrants(parts: CliParts): Command {
  return withFilters(
    new Command('export')
      .description(
        'Hands grants over to another program, sealed for its public key; the bridge then no longer uses them',
      )
      .argument('[account...]', 'names or ids')
      .option('--all', 'every account that has a grant', false),
    'of those, only',
  )
    .requiredOption('--to <file>', 'public key to seal them for: PEM or JWK')
    .option('--output <file>', 'path of the sealed file; it must not exist yet')
    .option('--yes', 'export; without it, only shows what would happen', false)
    .addOption(formatOption())
    .addHelpText('after', `\n${WARNING}`)
    .action(async (idsOrNames: readonly string[], options: ExportOptions) => {
      const key = await loaded(options.to, parts.terminal);
      if (options.yes && options.output === undefined)
        throw new Misuse('--output must name the file to write');
      await withTools(parts, async (tools) => {
        const accounts = await chosen(tools, idsOrNames, options, ['migrated', 'consented', 'lost']);
        const ids = accounts.map(({ id }) => id);
        if (options.yes) await exported(parts.terminal, tools, { ids, key, options });
        else await previewed(parts.terminal, tools, { ids, options });
      });
    });
}

async function previewed(
  terminal: Terminal,
  { grantMoves }: Tools,
  { ids, options }: { readonly ids: readonly string[]; readonly options: ExportOptions },
): Promise<void> {
  const lines = await grantMoves.previewExport(ids);
  tell(lines, options.format, terminal);
  const wanted = lines.filter(({ outcome }) => outcome !== 'left').length;
  if (wanted === 0) throw new Refusal('none of them has a grant to export');
  terminal.err(WARNING);
  throw new Refusal(`nothing was changed: ${counted(wanted, 'grant')} would be exported; --yes does it`);
}

async function exported(
  terminal: Terminal,
  { grantMoves }: Tools,
  {
    ids,
    key,
    options,
  }: { readonly ids: readonly string[]; readonly key: string; readonly options: ExportOptions },
): Promise<void> {
  const output = options.output ?? '';
  const file = await begun(output);
  const {
    document,
    accounts,
    key: recipient,
  } = await grantMoves.export(ids, key, AT_TERMINAL).catch(async (error: unknown) => {
    await file.abandon();
    throw error;
  });
  tell(accounts, options.format, terminal);
  if (document === undefined) {
    await file.abandon();
    throw new Refusal('none of them has a grant to export, and no file was written');
  }
  await file.complete(`${document}\n`).catch(() => {
    throw new Refusal(
      `${output} could not be written. The grants have ended here: run the same command again, with another --output`,
    );
  });
  const left = accounts.filter(({ outcome }) => outcome === 'left').length;
  terminal.err(`${counted(accounts.length - left, 'grant')} in ${output}, sealed for the key ${recipient}\n`);
  if (left > 0) throw new Refusal(`${left} of ${accounts.length} were left as they are`);
}

async function begun(path: string): Promise<NewFile> {
  try {
    return await NewFile.begin(path);
  } catch (error) {
    throw new Refusal(
      isTaken(error)
        ? `${path} or ${path}.part exists already, and may be the only copy of an export: nothing was changed`
        : `${path} cannot be written: nothing was changed`,
    );
  }
}

function tell(lines: readonly ExportedLine[], format: Format, terminal: Terminal): void {
  const records = lines.map(({ account, outcome, words }) => ({ account, result: outcome, detail: words }));
  terminal.out(print(records, ['account', 'result', 'detail'], format, 'No account was chosen.'));
}

interface OpenOptions {
  readonly key: string;
  readonly output?: string;
  readonly force: boolean;
}

/** `causeway grants open`: needs neither settings nor a database. */
export function openExport({ terminal }: CliParts): Command {
  return new Command('open')
    .description(
      'Opens an exported file with the private key it was sealed for, and prints its tokens as JSON',
    )
    .argument('<file>', 'path of the file')
    .requiredOption('--key <file>', 'the private key: PEM or JWK, without a passphrase')
    .option('--output <file>', 'write to a file, readable by its owner only')
    .addOption(forceOption())
    .action(async (path: string, options: OpenOptions) => {
      const [sealed, key] = [await loaded(path, terminal), await loaded(options.key, terminal)];
      const text = await openSealed(sealed, key).catch((error: unknown) => {
        throw error instanceof UnusableKey ? new Refusal(error.message) : error;
      });
      const shown = `${JSON.stringify(JSON.parse(text), null, 2)}\n`;
      if (options.output === undefined) terminal.out(shown);
      else await saved(options.output, shown, terminal, options.force);
    });
}
