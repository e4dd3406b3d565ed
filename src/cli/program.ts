import { Command, Help, Option } from 'commander';
import { audit } from './commands/support/audit.ts';
import { calls } from './commands/support/calls.ts';
import { deliveries } from './commands/support/deliveries.ts';
import { events } from './commands/support/events.ts';
import { accounts } from './commands/accounts/accounts.ts';
import { backup } from './commands/operation/backup.ts';
import { consents } from './commands/campaign/consents.ts';
import { campaign } from './commands/campaign/campaign.ts';
import { config } from './commands/operation/config.ts';
import { client } from './commands/operation/client.ts';
import { crosswalk } from './commands/crosswalk.ts';
import { cutover } from './commands/campaign/cutover.ts';
import { deployment } from './commands/operation/deployment.ts';
import { doctor } from './commands/operation/doctor.ts';
import { forecast } from './commands/forecast.ts';
import { find } from './commands/support/find.ts';
import { forget } from './commands/forget.ts';
import { groups } from './commands/groups.ts';
import { grants } from './commands/grants/grants.ts';
import { invite } from './commands/campaign/invite.ts';
import { keys } from './commands/operation/keys.ts';
import { mappings } from './commands/mappings.ts';
import { migrate } from './commands/operation/migrate.ts';
import { texts } from './commands/campaign/texts.ts';
import { remind } from './commands/campaign/remind.ts';
import { report } from './commands/campaign/report.ts';
import { restore } from './commands/operation/restore.ts';
import { route } from './commands/route.ts';
import { start } from './commands/operation/start.ts';
import { status } from './commands/campaign/status.ts';
import { tokens } from './commands/tokens.ts';
import { record, replay } from './commands/record.ts';
import { rehearse } from './commands/rehearse.ts';
import { parity } from './commands/parity.ts';
import { verify } from './commands/operation/verify.ts';
import { drift } from './commands/operation/drift.ts';
import { watch } from './commands/watch.ts';
import { samples } from './commands/samples.ts';
import { usage } from './commands/usage.ts';
import { brownouts } from './commands/campaign/brownouts.ts';
import { waves } from './commands/campaign/waves.ts';
import { withdraw } from './commands/campaign/withdraw.ts';
import { writes } from './commands/support/writes.ts';
import type { CliParts } from './parts.ts';
import { jsonText } from './records.ts';

const afterword = `
Settings come from the environment (CAUSEWAY_…) and the file CAUSEWAY_CONFIG names; without any, those of the demo in
this folder are used. Exit codes: 0 done, 1 failed, 2 wrong usage or configuration.`;

/** In the order of the help. */
const commands: readonly ((parts: CliParts) => Command)[] = [
  start,
  accounts,
  find,
  calls,
  events,
  groups,
  invite,
  remind,
  withdraw,
  campaign,
  waves,
  brownouts,
  consents,
  texts,
  status,
  report,
  grants,
  crosswalk,
  cutover,
  forget,
  route,
  parity,
  watch,
  drift,
  samples,
  rehearse,
  record,
  replay,
  usage,
  forecast,
  client,
  writes,
  deliveries,
  audit,
  tokens,
  keys,
  migrate,
  backup,
  restore,
  deployment,
  config,
  mappings,
  verify,
  doctor,
];

/** The whole command line, ready to parse. `args`: those that it will parse. */
export function program(parts: CliParts, args: readonly string[] = []): Command {
  const { version } = parts;
  const root = new Command('causeway')
    .description('The operator’s tool of Causeway: accounts, invitations, grants and identifiers')
    .version(
      args.includes('--json') ? jsonText({ version }).trimEnd() : version,
      '--version',
      'output the version number; with --json as JSON',
    )
    .addHelpText('after', afterword);
  for (const make of commands) root.addCommand(make(parts));
  return settle(root, parts);
}

/**
 * Every command at every level throws an error instead of ending the process, and shows help after a usage
 * error.
 */
function settle(command: Command, parts: CliParts): Command {
  const { terminal } = parts;
  command
    .helpCommand(false)
    // What follows the name of a subcommand is its own: --json of `parity accept`, not of `parity`.
    .enablePositionalOptions()
    .exitOverride()
    .configureHelp({ optionDescription: described })
    .showHelpAfterError(`(${nameOf(command)} --help shows how)`)
    .configureOutput({
      writeOut: (text) => {
        terminal.out(text);
      },
      writeErr: (text) => {
        terminal.err(text);
      },
      outputError: (text, write) => {
        write(text.startsWith(ONE_LACKING) ? lackingOf(command) : text);
      },
    });
  if (hasJson(command))
    command.addOption(new Option('--json', 'the same as --format json').implies({ format: 'json' }));
  command.commands.forEach((one) => settle(one, parts));
  return command;
}

/** Whether one of its formats is JSON, and no option of its own prints that. */
const hasJson = ({ options }: Command): boolean =>
  options.some(({ long, argChoices }) => long === '--format' && argChoices?.includes('json')) &&
  !options.some(({ long }) => long === '--json');

/** Commander names only the first of them. */
const ONE_LACKING = 'error: required option';

function lackingOf(command: Command): string {
  const lacking = command.options.filter(
    (option) => option.mandatory && command.getOptionValue(option.attributeName()) === undefined,
  );
  const flags = lacking.map(({ flags: one }) => `'${one}'`);
  return `${ONE_LACKING}${flags.length === 1 ? '' : 's'} ${flags.join(', ')} not specified\n`;
}

/** Hides the default of a switch, because switches are obviously off by default. */
const described = (option: Option): string =>
  new Help().optionDescription(option).replace(/ \(default: false\)$/, '');

const nameOf = (command: Command): string =>
  command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
