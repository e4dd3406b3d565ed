import { Command, Help, type Option } from 'commander';
import { accounts } from './commands/accounts.ts';
import { backup } from './commands/backup.ts';
import { consents } from './commands/consents.ts';
import { config } from './commands/config.ts';
import { crosswalk } from './commands/crosswalk.ts';
import { cutover } from './commands/cutover.ts';
import { deployment } from './commands/deployment.ts';
import { doctor } from './commands/doctor.ts';
import { grants } from './commands/grants.ts';
import { invite } from './commands/invite.ts';
import { keys } from './commands/keys.ts';
import { mappings } from './commands/mappings.ts';
import { remind } from './commands/remind.ts';
import { restore } from './commands/restore.ts';
import { route } from './commands/route.ts';
import { start } from './commands/start.ts';
import { status } from './commands/status.ts';
import { tokens } from './commands/tokens.ts';
import { withdraw } from './commands/withdraw.ts';
import { writes } from './commands/writes.ts';
import type { CliParts } from './parts.ts';

const afterword = `
Settings come from the environment (CAUSEWAY_…) and the file CAUSEWAY_CONFIG names; beside a running demo none are
needed. Exit codes: 0 done, 1 failed, 2 asked wrongly or configured wrongly.`;

/** The whole command line, ready to parse. */
export function program(parts: CliParts): Command {
  const root = new Command('causeway')
    .description('The operator’s tool of Causeway: accounts, invitations, grants and identifiers')
    .version(parts.version, '--version')
    .addHelpText('after', afterword);
  for (const make of [
    start,
    accounts,
    invite,
    remind,
    withdraw,
    consents,
    status,
    grants,
    crosswalk,
    cutover,
    route,
    writes,
    tokens,
    keys,
    backup,
    restore,
    deployment,
    config,
    mappings,
    doctor,
  ])
    root.addCommand(make(parts));
  return settle(root, parts);
}

/** Every command, however deep: ends by an error instead of ending the process, and shows what was wrong with it. */
function settle(command: Command, parts: CliParts): Command {
  const { terminal } = parts;
  command
    .helpCommand(false)
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
    });
  command.commands.forEach((one) => settle(one, parts));
  return command;
}

/** That a switch is off until it is given goes without saying. */
const described = (option: Option): string =>
  new Help().optionDescription(option).replace(/ \(default: false\)$/, '');

const nameOf = (command: Command): string =>
  command.parent === null ? command.name() : `${nameOf(command.parent)} ${command.name()}`;
