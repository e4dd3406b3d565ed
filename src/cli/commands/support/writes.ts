/**
 * `causeway writes`: lists and shows calls that create, change or delete, and settles those whose outcome is
 * unknown.
 *
 * By default `list` shows the writes that an operator has to settle. `show` also prints the values that were
 * sent, which are personal data, and what to do. `settle` is final, so without `--yes` it only shows what it
 * would do. The rules are those of the ledger (docs/decisions/calls/0012-write-ledger.md).
 */
import { Command, Option } from 'commander';
import type { Finding, ListedWrite, ShownWrite } from '../../../features/admin/writes.ts';
import { writeFilters, writeOrders, type WriteFilter } from '../../../features/writes/model.ts';
import { stepWords } from '../../../features/writes/steps.ts';
import { callerWords } from '../../../features/writes/words.ts';
import { Misuse, Refusal } from '../../../lib/log/terminal.ts';
import { commandGroup } from '../../command.ts';
import { sayMore, withPages, type PageOptions } from '../../paged-list.ts';
import type { CliParts } from '../../parts.ts';
import { formatOption, jsonText, moment, print, type Format, type Records } from '../../records.ts';
import { findAccount, withTools } from '../../work.ts';

/** Builds `causeway writes` with its subcommands. */
export function writes(parts: CliParts): Command {
  const what = 'Calls that create, change or delete, and those with an unknown outcome';
  return commandGroup('writes', what, list(parts), show(parts), settle(parts));
}

const command = (name: string, what: string): Command => new Command(name).description(what);

/** Argument of `show` and `settle`. */
const ID = ['<id>', 'of the call, as the list and the log have it'] as const;

const columns = ['id', 'account', 'method', 'route', 'state', 'made', 'at', 'settledBy'];

/** A table shows labels; the other formats show the codes of the API and have a column for the settlement. */
const stateOf = (write: ListedWrite, format: Format): string =>
  format === 'table' ? write.stateWords : write.state;

const columnsIn = (format: Format): readonly string[] =>
  format === 'table'
    ? columns
    : columns.flatMap((name) => (name === 'state' ? [name, 'settlement'] : [name]));

const recordOf = (write: ListedWrite, format: Format): Records[number] => ({
  id: write.id,
  account: write.account,
  method: write.method,
  route: write.route,
  state: stateOf(write, format),
  settlement: write.settlement,
  made: write.made,
  at: moment(write.createdAt),
  settledBy: write.settledBy,
});

interface ListOptions extends PageOptions<'method' | 'route' | 'state'> {
  readonly account?: string;
  readonly state: WriteFilter | 'all';
}

function list(parts: CliParts): Command {
  return withPages(
    command(
      'list',
      'Lists writes, newest first; without --state, those whose outcome is unknown or undecidable',
    )
      .option('--account <account>', 'only writes of this account, by name or id')
      .addOption(
        new Option('--state <state>', 'only those in this state')
          .choices([...writeFilters, 'all'])
          .default('unsettled'),
      ),
    writeOrders,
  ).action(async ({ account, state, format, ...page }: ListOptions) => {
    const found = await withTools(parts, async (tools) =>
      tools.writes.list({
        ...page,
        state: state === 'all' ? undefined : state,
        accountId: account === undefined ? undefined : (await findAccount(tools.accounts, account)).id,
      }),
    );
    const nothing = state === 'unsettled' ? 'No outcome is unknown.' : 'There is no such write.';
    parts.terminal.out(
      print(
        found.map((write) => recordOf(write, format)),
        columnsIn(format),
        format,
        nothing,
      ),
    );
    sayMore(parts, writeOrders, page, found, ({ id }) => id);
  });
}

function show(parts: CliParts): Command {
  return command('show', 'Shows a write: who, what, when, the values sent (personal data), and what to do')
    .argument(...ID)
    .addOption(formatOption())
    .action(async (id: string, { format }: { readonly format: Format }) => {
      const shown = await withTools(parts, (tools) => tools.writes.find(id));
      parts.terminal.out(print(linesOf(shown, format), ['field', 'value'], format, ''));
      if (format === 'table') parts.terminal.err(`${shown.advice}.\n`);
    });
}

function linesOf({ write, facts, steps }: ShownWrite, format: Format): Records {
  const given = facts === undefined ? [] : Object.entries(facts.values);
  const told: readonly (readonly [string, string | number | undefined])[] = [
    ['request', write.id],
    ['account', write.account],
    ['method', write.method],
    ['route', write.route],
    ['call', facts && callWords(facts)],
    ['state', stateOf(write, format)],
    ['settlement', format === 'table' ? undefined : write.settlement],
    ...steps.map((step) => ['step', stepWords(step)] as const),
    ['caller', callerWords(write.caller)],
    ['at', moment(write.createdAt)],
    ['unknown since', moment(write.unknownAt)],
    ['looked for', write.attempts === 0 ? undefined : `${write.attempts} times`],
    ['settled', moment(write.settledAt)],
    ['settled by', write.settledBy ?? (write.settledAt === undefined ? undefined : 'the bridge')],
    ['note', write.note === '' ? undefined : write.note],
    ...given.map(([name, value]) => [`sent: ${name}`, value] as const),
    ...(facts === undefined ? [['sent', 'sealed with a key this bridge does not have'] as const] : []),
  ];
  return told
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => ({ field, value: String(value) }));
}

const callWords = ({ verb, segments }: NonNullable<ShownWrite['facts']>): string =>
  `${verb} ${segments.join('/')}`;

interface SettleOptions {
  readonly done: boolean;
  readonly notDone: boolean;
  readonly number?: string;
  readonly yes: boolean;
  readonly json?: boolean;
}

function settle(parts: CliParts): Command {
  return command('settle', 'Settles a write whose outcome is unknown or undecidable; this is final')
    .argument(...ID)
    .option('--done', 'it was carried out', false)
    .option('--number <number>', 'number of the created record, as legacy programs know it; with --done')
    .option('--not-done', 'it was not carried out: a repeat may be sent', false)
    .option('--yes', 'confirm; without it, only shows the write', false)
    .addOption(new Option('--json', 'the write as JSON, with the names of causeway writes list'))
    .action(async (id: string, options: SettleOptions) => {
      const finding = findingOf(options);
      await withTools(parts, async ({ writes: service }) => {
        if (!options.yes) {
          const shown = await service.check(id, finding);
          parts.terminal.out(
            options.json === true
              ? jsonText(recordOf(shown.write, 'json'))
              : print(linesOf(shown, 'table'), ['field', 'value'], 'table', ''),
          );
          if (shown.doubt !== undefined) parts.terminal.err(`${shown.doubt}.\n`);
          throw new Refusal(`nothing was changed: ${wordsOf(finding)}; --yes does it`);
        }
        const write = await service.settle(id, finding);
        if (options.json === true) parts.terminal.out(jsonText(recordOf(write, 'json')));
        parts.terminal.err(`${write.method} of ${write.account} is ${write.stateWords}\n`);
      });
    });
}

/** Throws `Misuse`. */
function findingOf({ done, notDone, number }: SettleOptions): Finding {
  if (done === notDone) throw new Misuse('give either --done or --not-done');
  if (notDone && number !== undefined) throw new Misuse('--number needs --done');
  return done ? { settlement: 'done', made: number } : { settlement: 'not-done' };
}

const wordsOf = (finding: Finding): string =>
  finding.settlement === 'not-done'
    ? 'it would be settled as not carried out'
    : `it would be settled as carried out${finding.made === undefined ? '' : `, number ${finding.made}`}`;
