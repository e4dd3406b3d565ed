import { Command } from 'commander';
import type { Account } from '../../../features/accounts/account.ts';
import type { Grant } from '../../../tokens/grant.ts';
import { AdminRefusal } from '../../../features/admin/refusal.ts';
import { grantStateWords } from '../../../features/status/code-words.ts';
import { commandGroup, listCommand } from '../../command.ts';
import type { CliParts } from '../../parts.ts';
import { moment, type Records } from '../../records.ts';
import { Refusal } from '../../../lib/log/terminal.ts';
import type { Tools } from '../../../app/tools/model.ts';
import { findAccount, withTools } from '../../work.ts';
import { exportGrants, openExport } from './export.ts';
import { choose, discard, importGrants, imports, resume } from './import.ts';

/**
 * `causeway grants`: the consents with the state of their tokens, never the tokens; `refresh` refreshes those
 * of one account now, `import` takes over a script's tokens, `export` hands tokens over to another program.
 */
export function grants(parts: CliParts): Command {
  return commandGroup(
    'grants',
    'Customers’ consents and their tokens',
    list(parts),
    refresh(parts),
    importGrants(parts),
    imports(parts),
    choose(parts),
    discard(parts),
    resume(parts),
    exportGrants(parts),
    openExport(parts),
  );
}

const columns = [
  ...['accounts', 'application', 'state', 'source', 'detail', 'user'],
  ...['generation', 'renewed', 'accessUntil', 'id'],
];

const list = (parts: CliParts): Command =>
  listCommand(parts, {
    what: 'All grants; no token is ever shown',
    columns,
    nothing: 'There is no grant yet: causeway invite makes a link.',
    async load({ grants: repository, accounts, grantMoves }, format) {
      const all = await repository.list();
      const imported = new Set((await grantMoves.imports()).map(({ id }) => id));
      return Promise.all(
        all.map(async (grant) => ({
          ...record(grant, await accounts.byGrant(grant.id), imported.has(grant.id)),
          ...(format === 'table' && { state: stateWords(grant) }),
        })),
      );
    },
  });

const record = (grant: Grant, accounts: readonly Account[], imported: boolean): Records[number] => ({
  accounts: accounts.length === 0 ? 'none yet' : accounts.map(({ name }) => name).join('; '),
  application: grant.application,
  state: grant.state === 'lost' && grant.reason === 'exported' ? 'exported' : grant.state,
  source: imported ? 'imported' : 'approved',
  detail: detailOf(grant),
  user: grant.consenter.email ?? grant.consenter.name ?? grant.consenter.userId,
  generation: grant.state === 'lost' ? undefined : grant.tokens.generation,
  renewed: moment(grant.renewedAt),
  accessUntil: grant.state === 'lost' ? undefined : moment(grant.tokens.accessExpiresAt || undefined),
  id: grant.id,
});

const stateWords = (grant: Grant): string =>
  grantStateWords(grant.state, grant.state === 'lost' ? grant.reason : undefined);

function detailOf(grant: Grant): string {
  switch (grant.state) {
    case 'held':
      return grant.confirmAt === undefined ? '' : `confirmation due at ${moment(grant.confirmAt) ?? ''}`;
    case 'unresolved':
      return `no answer since ${moment(grant.since) ?? ''}, ${grant.presentations} tries`;
    case 'lost':
      return `${grant.reason} at ${moment(grant.at) ?? ''}`;
  }
}

function refresh(parts: CliParts): Command {
  return new Command('refresh')
    .description('Renews the tokens of an account now')
    .argument('<account>', 'name or id')
    .action(async (idOrName: string) => {
      const account = await withTools(parts, async (tools) => {
        const found = await findAccount(tools.accounts, idOrName);
        await renew(tools, found);
        return found;
      });
      parts.terminal.out(`The tokens of ${account.name} were renewed\n`);
    });
}

async function renew(tools: Tools, account: Account): Promise<void> {
  if (!('binding' in account.life))
    throw new Refusal(`${account.name} has no grant: its stage is ${account.life.stage}`);
  try {
    await tools.refresh(account);
  } catch (error) {
    if (error instanceof AdminRefusal)
      throw new Refusal(`the tokens of ${account.name} were not renewed: ${error.message}`);
    throw error;
  }
}
