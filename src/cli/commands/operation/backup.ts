import { Command } from 'commander';
import type { BackupReport } from '../../../features/backup/archive.ts';
import type { CliParts } from '../../parts.ts';
import { formatOption, moment, print, type Format } from '../../records.ts';

interface BackupOptions {
  readonly force: boolean;
  readonly format: Format;
}

const columns = ['file', 'bytes', 'accounts', 'grants', 'schema', 'deployment', 'at', 'keys'];

/**
 * `causeway backup`: makes a verified copy of the database, also while the bridge runs, without the
 * encryption keys.
 */
export function backup(parts: CliParts): Command {
  return new Command('backup')
    .description('Copies the whole database to a verified file while the bridge runs')
    .argument('<file>', 'file to write, readable by its owner only')
    .option('--force', 'replace an existing file', false)
    .addOption(formatOption())
    .action(async (file: string, { force, format }: BackupOptions) => {
      const archive = await parts.openArchive();
      const made = await archive.backup(file, { force, now: parts.now() });
      parts.terminal.out(print([record(made)], columns, format, ''));
      parts.terminal.err(notes(made));
    });
}

const record = ({ file, bytes, accounts, grants, schema, deployment, at, keyIds }: BackupReport) => ({
  file,
  bytes,
  accounts,
  grants,
  schema,
  deployment,
  at: moment(at),
  keys: keyIds.join(' '),
});

function notes({ keyIds }: BackupReport): string {
  const keys =
    keyIds.length === 0
      ? 'The encryption keys are not in it.'
      : `The encryption keys are not in it: to open it you need ${keyIds.join(' and ')} of CAUSEWAY_ENCRYPTION_KEYS. Keep them elsewhere.`;
  return `The copy was checked and is complete. ${keys}\nTokens renewed from now on are not in it either, so it becomes less useful by the hour (docs/operate/backup.md).\n`;
}
