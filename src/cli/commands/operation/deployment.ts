import { Command } from 'commander';
import {
  ACKNOWLEDGE,
  doubtOf,
  mayLackNumbers,
  type DeploymentDoubt,
  type DeploymentView,
  type Doubt,
} from '../../../tokens/deployment/deployment.ts';
import { counted } from '../../../lib/text/counted.ts';
import { commandGroup } from '../../command.ts';
import type { CliParts } from '../../parts.ts';
import { formatOption, moment, print, type Format } from '../../records.ts';
import { Refusal } from '../../../lib/log/terminal.ts';
import { withTools } from '../../work.ts';

/**
 * `causeway deployment`: shows and resolves the doubt whether this is the database whose tokens may be
 * refreshed (docs/decisions/tokens/0009-copies-and-failovers.md).
 */
export function deployment(parts: CliParts): Command {
  return commandGroup(
    'deployment',
    'Which bridge this database belongs to, and whether it may renew tokens',
    show(parts),
    acknowledge(parts),
  );
}

const columns = ['deployment', 'state', 'why', 'withheld', 'lastInUse', 'file', 'fileLastInUse'];

function show(parts: CliParts): Command {
  return new Command('show')
    .description('Shows whether tokens are renewed and, if not, why')
    .addOption(formatOption())
    .action(async ({ format }: { readonly format: Format }) => {
      const view = await withTools(parts, (tools) => tools.deployment.look());
      parts.terminal.out(print([record(view)], columns, format, ''));
      const doubt = doubtOf(view);
      if (doubt !== undefined) parts.terminal.err(`${consequences(doubt)}\n`);
      else if (view.withheld > 0) parts.terminal.err(`${lacking(view.withheld)}\n`);
    });
}

function record(view: DeploymentView) {
  const { id, epoch, outside } = view;
  const doubt = doubtOf(view);
  return {
    deployment: id,
    state: doubt === undefined ? 'sure' : 'in doubt',
    why: doubt?.why,
    withheld: view.withheld,
    lastInUse: moment(epoch),
    file: 'path' in outside ? outside.path : undefined,
    fileLastInUse: outside.state === 'there' ? moment(outside.epoch) : undefined,
  };
}

const consequences = ({ why, words }: DeploymentDoubt): string =>
  why === 'vanished'
    ? `In doubt: ${words}.\nMeanwhile, calls of accounts it does not know are refused (503), because those that had moved would go to V1.\nPut the database back in its place, or name the right one, if you can. If it is gone for good: import the accounts,\nthen ${ACKNOWLEDGE} --yes`
    : `In doubt: ${words}.\nMeanwhile, no token is renewed, because the service treats a token that two bridges present as stolen, and\nends every connection behind it. Are you sure that no other bridge works with these accounts, and that none will be\nstarted again with another copy of this database?${laterMoves(why)} Then: ${ACKNOWLEDGE} --yes`;

/** States of the database after which accounts have moved or been closed, unless nothing happened since. */
const isEarlier: ReadonlySet<string> = new Set(['backup', 'restored', 'older']);

/** A dump of PostgreSQL that was put back looks like a copy, or like a database without its file. */
function laterMoves(why: Doubt): string {
  if (!mayLackNumbers(why)) return '';
  const question =
    'the accounts closed that moved or were closed after this state of the database? V1 serves them again otherwise.';
  return isEarlier.has(why)
    ? `\nAre ${question}${revokedLater(why)}`
    : `\nIf an earlier state was put back, such as a dump: are ${question}${revokedLater(why)}`;
}

/** `causeway restore` carries them over only if it can read the database that it replaces. */
const revokedLater = (why: Doubt): string =>
  `\n${why === 'restored' ? 'Unless causeway restore said that they stay so: are' : 'Are'} the tokens for console and API revoked again, and the people blocked, that were since? They are let in otherwise.`;

const lacking = (grants: number): string =>
  `${counted(grants, 'consent')} withheld: the database lacks what a running instance had seen of ${grants === 1 ? 'it' : 'them'}, as after a\nfailover to a lagging standby. What it holds was presented already, so the service may treat it as stolen. To\npresent it anyway: ${ACKNOWLEDGE} --yes`;

/** A bridge whose mark cannot be written is in doubt for that alone, which no other process can see. */
const unlessUnwritable = ({ outside }: DeploymentView): string =>
  'path' in outside
    ? `. There is nothing to acknowledge.\nOnly a bridge that cannot write ${outside.path} may still hold back tokens; it renews them once it can`
    : '';

function acknowledge(parts: CliParts): Command {
  return new Command('acknowledge')
    .description(
      'Declares that no other bridge uses the tokens of this database, so that this one renews them again',
    )
    .option('--yes', 'confirm; without it, only shows what is in doubt', false)
    .action((options: { readonly yes: boolean }) =>
      withTools(parts, async ({ deployment: repository }) => {
        const view = await repository.look();
        const doubt = doubtOf(view);
        if (doubt === undefined && view.withheld === 0) {
          parts.terminal.err(`Nothing is in doubt: tokens are renewed${unlessUnwritable(view)}\n`);
          return;
        }
        if (!options.yes) {
          parts.terminal.err(`${doubt === undefined ? lacking(view.withheld) : consequences(doubt)}\n`);
          throw new Refusal('nothing was changed; --yes does it');
        }
        await repository.acknowledge();
        parts.terminal.err(
          'Acknowledged: this is the deployment that works with this database. Running bridges renew tokens again within\n' +
            'seconds. Where tokens were renewed elsewhere since, the service refuses them: those accounts become lost, and\n' +
            'their customers are asked to consent again: causeway status --stage lost\n',
        );
      }),
    );
}
