import { stageWords } from '../../../features/status/code-words.ts';
import { Command, InvalidArgumentError, Option } from 'commander';
import { isNumberedAlone, overrideOf } from '../../../features/admin/actions/cutting-over.ts';
import type { MoveRequest } from '../../../features/admin/actions/words.ts';
import type { Check } from '../../../features/cutover/checks.ts';
import type { Verdict } from '../../../features/cutover/cutover.ts';
import {
  isOverridableName,
  notOverridable,
  obstacleOf,
  overridableNames,
  type OverridableName,
} from '../../../features/cutover/override.ts';
import type { Account } from '../../../features/accounts/account.ts';
import type { CliParts } from '../../parts.ts';
import { formatOption, print, type Format } from '../../records.ts';
import { chosen, type Choice } from '../../selection.ts';
import { withFilters } from '../../filters-given.ts';
import { Refusal } from '../../../lib/log/terminal.ts';
import type { Tools } from '../../../app/tools/model.ts';
import { withTools } from '../../work.ts';

interface CutoverOptions extends Choice, MoveRequest {
  readonly yes: boolean;
  readonly format: Format;
}

const columns = ['account', 'check', 'result', 'detail'] as const;

/**
 * `causeway cutover`: runs the checks and, with `--yes`, moves the accounts to V3. A connection that has migrated
 * cannot move back (XML specification, "Versioning").
 */
export function cutover(parts: CliParts): Command {
  return withFilters(
    new Command('cutover')
      .description('Moves accounts to V3. There is no way back: the service does not let them return to V1')
      .argument('[account...]', 'names or ids')
      .option('--all', 'every account that has not moved and whose customer has consented', false),
    'of those, only',
    ['stage'],
  )
    .option(
      '--accept-unlearned',
      'give new numbers to records whose V1 numbers are unknown, also after the move',
      false,
    )
    .addOption(
      new Option(
        '--despite <check>',
        `move although this check fails, or these, separated by commas: ${overridableNames.join(', ')}`,
      ).argParser(overridden),
    )
    .option('--yes', 'confirm; without it, only shows the checks', false)
    .addOption(formatOption())
    .action((idsOrNames: readonly string[], options: CutoverOptions) =>
      withTools(parts, (tools) => run(parts, tools, idsOrNames, options)),
    );
}

/** Adds the check, or several separated by commas, to earlier ones. */
function overridden(text: string, before: readonly OverridableName[] = []): readonly OverridableName[] {
  const names = text.split(',').map((name) => name.trim());
  const wrong = names.find((name) => !isOverridableName(name));
  if (wrong !== undefined) throw new InvalidArgumentError(`${notOverridable(wrong)}.`);
  return [...new Set([...before, ...names.filter(isOverridableName)])];
}

/** Moves nothing until every account has been found and can be moved. Throws `Refusal`. */
async function run(
  { terminal }: CliParts,
  tools: Tools,
  idsOrNames: readonly string[],
  options: CutoverOptions,
): Promise<void> {
  const { acceptUnlearned, yes, format } = options;
  const accounts = await chosen(tools, idsOrNames, options, ['consented']);
  const wrong = accounts.find(
    (one) => one.life.stage !== 'consented' && !isNumberedAlone(one, acceptUnlearned),
  );
  if (wrong?.life.stage === 'awaiting-operator')
    throw new Refusal(
      `${wrong.name} is awaiting confirmation: confirm its consent first (causeway consents confirm ${wrong.id})`,
    );
  if (wrong !== undefined)
    throw new Refusal(
      `${wrong.name} has the stage ${stageWords(wrong.life.stage)}; only an account that has consented and not moved can be cut over`,
    );
  const checked = await checksOf(tools, accounts);
  const records = checked.flatMap(({ account, checks }) =>
    checks.map(({ name, result, detail }) => ({ account: account.name, check: name, result, detail })),
  );
  const none = accounts.length === 0 ? 'There is no account to cut over.' : 'There is nothing to check.';
  terminal.out(print(records, columns, format, none));
  if (accounts.length === 0) return;
  if (!yes) throw new Refusal(`nothing was changed. ${previewOf(checked, options)}`);
  const waiting: string[] = [];
  for (const account of accounts) {
    const verdict = await tools.cutover(account, options);
    if (verdict.verdict === 'waiting') waiting.push(`${account.name} was not moved: ${verdict.reason}`);
    else terminal.err(`${account.name} ${doneWords(verdict)}\n`);
  }
  if (waiting.length > 0) throw new Refusal(waiting.join('; '));
}

function doneWords(verdict: Exclude<Verdict, { readonly verdict: 'waiting' }>): string {
  switch (verdict.verdict) {
    case 'migrated':
      return ['is migrated: V3 serves it from now on', verdict.open]
        .filter((words) => words !== undefined)
        .join('. ');
    case 'numbered':
      return 'has moved before: records whose V1 numbers are unknown get new ones from now on';
    case 'nothing':
      return 'stays as it is';
  }
}

/** An account with the current results of its checks. */
interface Checked {
  readonly account: Account;
  readonly checks: readonly Check[];
}

/** What `--yes` would do. The checks run again then, and a comparison that is not over yet is awaited. */
function previewOf(checked: readonly Checked[], request: MoveRequest): string {
  const results = checked.map(({ account, checks }) => ({
    account,
    obstacle: obstacleOf(checks, overrideOf(request)),
  }));
  const kept = results.flatMap(({ account, obstacle }) =>
    obstacle === undefined ? [] : [`${account.name} would not move: ${obstacle}`],
  );
  const others = results.filter(({ obstacle }) => obstacle === undefined).map(({ account }) => account);
  if (others.length === 0) return `${kept.join('. ')}; --yes checks again`;
  return `${[...kept, warningOf(others, request)].join('. ')}; --yes does it`;
}

function warningOf(accounts: readonly Account[], { despite = [] }: MoveRequest): string {
  const names = (some: readonly Account[]): string => some.map(({ name }) => name).join(', ');
  const [moved = [], others = []] = [true, false].map((has) =>
    accounts.filter(({ life }) => (life.stage === 'migrated') === has),
  );
  const warnings = [
    ...(despite.length === 0 ? [] : [`Failures of these checks would be overridden: ${despite.join(', ')}`]),
    ...(others.length === 0 ? [] : [`There is no way back to V1 for ${names(others)}`]),
    ...(moved.length === 0 ? [] : [`Programs may take records of ${names(moved)} for new ones`]),
  ];
  return warnings.join('. ');
}

async function checksOf(tools: Tools, accounts: readonly Account[]): Promise<readonly Checked[]> {
  const checked: Checked[] = [];
  for (const account of accounts) checked.push({ account, checks: await tools.cutoverChecks(account) });
  return checked;
}
