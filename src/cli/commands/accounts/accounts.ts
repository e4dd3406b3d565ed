/**
 * `causeway accounts`: the list of accounts; the commands on one or more of them have files of their own
 * (`accounts-*.ts`).
 *
 * `list` prints one record per account with the details that are still missing, and no key or token. It only
 * reads, and works while the bridge is running.
 */
import { Command } from 'commander';
import type { Account } from '../../../features/accounts/account.ts';
import { NO_DETAILS, type AccountDetails } from '../../../features/accounts/details.ts';
import { placeholderName } from '../../../features/accounts/accounts.ts';
import { commandGroup } from '../../command.ts';
import type { CliParts } from '../../parts.ts';
import { formatOption, moment, print, type Format, type Records } from '../../records.ts';
import { filterGiven, withFilters, type FilterOptions } from '../../filters-given.ts';
import { isNarrowed } from '../../../features/status/report/view.ts';
import { checkValues, ofGroup } from '../../selection.ts';
import { withTools } from '../../work.ts';
import { add } from './accounts-add.ts';
import { disconnect } from './accounts-disconnect.ts';
import { exportAccounts } from './accounts-export.ts';
import { importAccounts } from './accounts-import.ts';
import { close, set } from './accounts-set.ts';
import { show } from './accounts-show.ts';
import { statusToken } from './accounts-status-token.ts';
import { notices, tag, untag } from './accounts-tag.ts';
import { stageLabel } from './status-facts.ts';

/** Builds `causeway accounts` with its subcommands. */
export function accounts(parts: CliParts): Command {
  return commandGroup(
    'accounts',
    'The accounts the bridge serves',
    add(parts),
    importAccounts(parts),
    list(parts),
    show(parts),
    set(parts),
    tag(parts),
    untag(parts),
    notices(parts),
    statusToken(parts),
    disconnect(parts),
    close(parts),
    exportAccounts(parts),
  );
}

const listColumns = [
  'name',
  'stage',
  'since',
  'product',
  'application',
  'origin',
  'organisation',
  'lastCall',
  'email',
  'tags',
  'toComplete',
  'id',
];

interface ListOptions extends FilterOptions {
  readonly format: Format;
  readonly incomplete: boolean;
}

function list(parts: CliParts): Command {
  return withFilters(
    new Command('list').description('All accounts with their stages, and what is still unknown about them'),
    'only',
  )
    .option('--incomplete', 'only accounts with missing details; causeway accounts set adds them', false)
    .addOption(formatOption())
    .action(async ({ format, incomplete, ...group }: ListOptions) => {
      const records = await withTools(parts, async (tools) => {
        await checkValues(tools, group);
        const details = await tools.accounts.allDetails();
        return (await ofGroup(tools, group)).map((account) =>
          listRecord(account, details.get(account.id) ?? NO_DETAILS, format),
        );
      });
      parts.terminal.out(
        print(
          incomplete ? records.filter(({ toComplete }) => toComplete !== undefined) : records,
          listColumns,
          format,
          incomplete
            ? 'No account has missing details.'
            : group.group !== undefined || isNarrowed(filterGiven(group))
              ? 'There is no such account.'
              : 'There is no account yet: causeway accounts add adds one.',
          {
            screen: parts.terminal.screen,
            first: ['name', 'stage', 'lastCall', 'tags', 'toComplete', 'email'],
          },
        ),
      );
    });
}

const listRecord = (account: Account, details: AccountDetails, format: Format): Records[number] => ({
  name: account.name,
  stage: format === 'table' ? stageLabel(account) : account.life.stage,
  since: moment(account.stageSince),
  product: account.product,
  application: account.application,
  origin: account.origin,
  organisation: 'binding' in account.life ? account.life.binding.organisation.name : undefined,
  lastCall: moment(account.lastCallAt),
  email: details.email,
  tags: details.tags,
  toComplete: missing(account, details),
  id: account.id,
});

/** Lists the missing details that an invitation needs; a closed account needs none. */
function missing({ id, name, life }: Account, { email }: AccountDetails): string | undefined {
  if (life.stage === 'closed') return undefined;
  const fields = [
    ...(name === placeholderName(id) ? ['name'] : []),
    ...(email === undefined ? ['e-mail'] : []),
  ];
  return fields.length === 0 ? undefined : fields.join(', ');
}
