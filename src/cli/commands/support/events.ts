/** `causeway events`: the events of all accounts, in order. */
import { Command, InvalidArgumentError } from 'commander';
import type { FeedEvent } from '../../../features/accounts/history.ts';
import { limitOf } from '../../paged-list.ts';
import type { CliParts } from '../../parts.ts';
import { formatOption, moment, print, type Format } from '../../records.ts';
import { withTools } from '../../work.ts';

interface EventOptions {
  readonly since: number;
  readonly limit: number;
  readonly transitions: boolean;
  readonly format: Format;
}

function seqOf(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new InvalidArgumentError('It must be the number of an entry.');
  return Number(text);
}

/** Builds `causeway events`. */
export const events = (parts: CliParts): Command =>
  new Command('events')
    .description('Lists what has happened to all accounts, in order, starting after a given entry')
    .option('--since <number>', 'number of the last entry already read', seqOf, 0)
    .option('--limit <number>', 'at most this many', limitOf, 100)
    .option('--transitions', 'only changes of stage', false)
    .addOption(formatOption())
    .action(async ({ since, limit, transitions, format }: EventOptions) => {
      const { found, names } = await withTools(parts, async (tools) => ({
        found: await tools.events(since, limit, transitions),
        names: new Map((await tools.accounts.list()).map(({ id, name }) => [id, name])),
      }));
      const columns =
        format === 'table'
          ? ['seq', 'at', 'account', 'kind', 'actor', 'to', 'detail']
          : ['seq', 'at', 'account', 'kind', 'actor', 'from', 'to', 'detail', 'id'];
      const records = found.map((event) => recordOf(event, names.get(event.accountId)));
      parts.terminal.out(print(records, columns, format, 'Nothing has happened since.', parts.terminal));
      if (found.length === limit)
        parts.terminal.err(`There may be more: --since ${found.at(-1)?.seq ?? since}\n`);
    });

const recordOf = ({ seq, at, kind, actor, detail, transition, accountId }: FeedEvent, name?: string) => ({
  seq,
  at: moment(at),
  account: name ?? accountId,
  kind,
  actor,
  from: transition?.from,
  to: transition?.to,
  detail,
  id: accountId,
});
