/** `causeway calls`: the calls of an account's programs in the last seven days, and the outcome of each. */
import { Command, InvalidArgumentError } from 'commander';
import { instantIn, isLocal } from '../../../lib/time/local.ts';
import { callColumns, shownCallColumns } from '../../../features/usage/call-log.ts';
import { limitOf } from '../../paged-list.ts';
import type { CliParts } from '../../parts.ts';
import { formatOption, printRows, type Format } from '../../records.ts';
import { findAccount, withTools } from '../../work.ts';

interface CallOptions {
  readonly from?: GivenTime;
  readonly to?: GivenTime;
  readonly failed: boolean;
  readonly limit: number;
  readonly format: Format;
}

/** A time as it was given. */
interface GivenTime {
  /** On the customer's clock. */
  readonly isLocal: boolean;
  /** In milliseconds since the epoch, if the customer's clock is in the zone. */
  readonly in: (zone: string) => number;
}

const FORM = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2})(:\d{2}(?:\.\d+)?)?(Z|[+-]\d{2}:\d{2})?)?$/;

function timeOf(text: string): GivenTime {
  const [, day = '', minute = '00:00', seconds = '', offset] = FORM.exec(text) ?? [];
  const local = `${day}T${minute}`;
  const at = Date.parse(`${local}${seconds}${offset ?? 'Z'}`);
  if (!isLocal(local) || Number.isNaN(at))
    throw new InvalidArgumentError(
      'It must be a time like 2026-11-30T09:00 on the customer’s clock, or with an offset: 2026-11-30T09:00Z, 2026-11-30T09:00+13:00.',
    );
  if (offset !== undefined) return { isLocal: false, in: () => at };
  return { isLocal: true, in: (zone) => instantIn(zone, local) + at - Date.parse(`${local}Z`) };
}

const UNKNOWN = ', because the customer’s time zone is not known';

/** Builds `causeway calls`. */
export const calls = (parts: CliParts): Command =>
  new Command('calls')
    .description(
      'Lists the calls of an account, newest first; causeway find shows a single call by its request id',
    )
    .argument('<account>', 'name or id')
    .option(
      '--from <time>',
      'only calls that ended at or after this time: 2026-11-30T09:00 in the customer’s time zone, or with an offset, as in 2026-11-30T09:00Z',
      timeOf,
    )
    .option('--to <time>', 'only calls that ended before this time', timeOf)
    .option('--failed', 'only calls that failed', false)
    .option('--limit <number>', 'at most this many', limitOf, 100)
    .addOption(formatOption())
    .action(async (idOrName: string, { from, to, failed, limit, format }: CallOptions) => {
      const recent = await withTools(parts, async (tools) => {
        const { id } = await findAccount(tools.accounts, idOrName);
        const { zone } = await tools.accounts.details(id);
        const used = zone ?? tools.sending.hours.zone;
        if (from?.isLocal === true || to?.isLocal === true)
          parts.terminal.err(
            `--from and --to without an offset: in ${used}${zone === undefined ? UNKNOWN : ''}\n`,
          );
        return tools.calls(id, { from: from?.in(used), to: to?.in(used), failed, limit });
      });
      const nothing = 'There is no such call in the last seven days.';
      const columns = format === 'table' ? shownCallColumns : callColumns;
      parts.terminal.out(printRows(columns, recent, format, nothing, parts.terminal));
    });
