import { Command } from 'commander';
import type { Tools } from '../../app/tools/model.ts';
import type { Account } from '../../features/accounts/account.ts';
import { counted } from '../../lib/text/counted.ts';
import { Refusal, type Terminal } from '../../lib/log/terminal.ts';
import { plainText } from '../../lib/text/plain-text.ts';
import type { CliParts } from '../parts.ts';
import { jsonOption, jsonText } from '../records.ts';
import { findAccount, withTools } from '../work.ts';

/** Data that can be erased from an account that stays open. */
const kinds = {
  snapshot: ['data that only V1 had, kept because of CAUSEWAY_SNAPSHOT', 'record'],
  samples: ['samples of replies: baseline, recorded calls, captures for support', 'sample'],
  calls: ['its calls of the last seven days', 'call'],
  usage: ['the methods and elements used by its programs, and the programs’ names', 'name'],
  lists: ['the lists that CAUSEWAY_REPLICA_HOURS keeps', 'list'],
} as const;
type Kind = keyof typeof kinds;

const erased: Readonly<Record<Kind, (tools: Tools, account: Account) => Promise<number>>> = {
  snapshot: (tools, account) => tools.forgetSnapshot(account),
  samples: (tools, account) => tools.samples.forget(account),
  calls: (tools, account) => tools.forgetCalls(account),
  usage: (tools, account) => tools.forgetUsage(account),
  lists: (tools, account) => tools.forgetLists(account),
};

/**
 * `causeway forget`: erases a closed account completely, or the data of an open account that serving it does
 * not need.
 */
export function forget(parts: CliParts): Command {
  const command = new Command('forget')
    .description(
      'Permanently erases a closed account and everything about it; with options, erases only the data they name, for any account',
    )
    .argument('<account>', 'name or id');
  for (const [kind, [what]] of Object.entries(kinds)) command.option(`--${kind}`, what);
  return command
    .option('--yes', 'confirm; nothing can be recovered')
    .addOption(jsonOption('account', 'forgotten (the number of each kind)'))
    .action(async (idOrName: string, given: Partial<Record<Kind | 'yes' | 'json', boolean>>) => {
      const wanted = (Object.keys(kinds) as Kind[]).filter((kind) => given[kind] === true);
      await withTools(parts, async (tools) => {
        const account = await findAccount(tools.accounts, idOrName);
        if (given.yes !== true) throw new Refusal(`nothing was changed. ${whatWouldGo(account, wanted)}`);
        const { terminal } = parts;
        const forgotten =
          wanted.length === 0
            ? { everything: await wholeAccount(terminal, tools, account) }
            : await onlyThese(terminal, tools, account, wanted);
        if (given.json === true) terminal.out(jsonText({ account: account.name, forgotten }));
      });
    });
}

function whatWouldGo(account: Account, wanted: readonly Kind[]): string {
  const name = plainText(account.name);
  if (wanted.length === 0 && account.life.stage !== 'closed')
    return `${name} is not closed, and --yes erases only closed accounts: close it first (causeway accounts close)`;
  const what =
    wanted.length === 0
      ? 'the account and everything about it'
      : wanted.map((kind) => kinds[kind][0]).join('; ');
  return `--yes erases for ${name}: ${what}. What is erased cannot be recovered`;
}

/** Returns how many there were of each kind. */
async function onlyThese(
  terminal: Terminal,
  tools: Tools,
  account: Account,
  wanted: readonly Kind[],
): Promise<Partial<Record<Kind, number>>> {
  const forgotten: Partial<Record<Kind, number>> = {};
  for (const kind of wanted) {
    const count = await erased[kind](tools, account);
    terminal.err(`${counted(count, kinds[kind][1])} forgotten\n`);
    forgotten[kind] = count;
  }
  return forgotten;
}

/** Returns the number of rows. Throws `Refusal`. */
async function wholeAccount(terminal: Terminal, tools: Tools, account: Account): Promise<number> {
  const forgetting = await tools.forgetAccount(account);
  const name = plainText(account.name);
  if (forgetting.outcome === 'refused') throw new Refusal(`${name} is not forgotten: ${forgetting.words}`);
  terminal.err(
    `${name} forgotten: ${counted(forgetting.rows, 'row')}; calls with its account key stay refused until an account with this key is added again\n`,
  );
  if (!forgetting.isRebuilt)
    terminal.err(
      'SQLite may have left copies of its rows in the database file, which was not rebuilt: it is too large, or there was no room. A backup of it has no copies (docs/secure/personal-data.md)\n',
    );
  return forgetting.rows;
}
