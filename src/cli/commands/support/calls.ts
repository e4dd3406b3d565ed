/** `causeway calls`: the calls of an account's programs in the last seven days, and the outcome of each. */
import { Command, InvalidArgumentError } from 'commander';
import { callColumns, shownCallColumns } from '../../../features/usage/call-log.ts';
import { limitOf } from '../../paged-list.ts';
import type { CliParts } from '../../parts.ts';
import { formatOption, printRows, type Format } from '../../records.ts';
import { findAccount, withTools } from '../../work.ts';

interface CallOptions {
  readonly from?: number;
  readonly to?: number;
  readonly failed: boolean;
  readonly limit: number;
  readonly format: Format;
}

function timeOf(text: string): number {
  const at = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?Z)?$/.test(text) ? Date.parse(text) : NaN;
  if (Number.isNaN(at)) throw new InvalidArgumentError('It must be a time in UTC like 2026-11-30T09:00Z.');
  return at;
}

/** Builds `causeway calls`. */
export const calls = (parts: CliParts): Command =>
  new Command('calls')
    .description(
      'Lists the calls of an account, newest first; causeway find shows a single call by its request id',
    )
    .argument('<account>', 'name or id')
    .option('--from <time>', 'only calls that ended at or after this time, in UTC: 2026-11-30T09:00Z', timeOf)
    .option('--to <time>', 'only calls that ended before this time', timeOf)
    .option('--failed', 'only calls that failed', false)
    .option('--limit <number>', 'at most this many', limitOf, 100)
    .addOption(formatOption())
    .action(async (idOrName: string, { from, to, failed, limit, format }: CallOptions) => {
      const recent = await withTools(parts, async (tools) => {
        const { id } = await findAccount(tools.accounts, idOrName);
        return tools.calls(id, { from, to, failed, limit });
      });
      const nothing = 'There is no such call in the last seven days.';
      const columns = format === 'table' ? shownCallColumns : callColumns;
      parts.terminal.out(printRows(columns, recent, format, nothing));
    });
