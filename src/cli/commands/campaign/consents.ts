import { Command } from 'commander';
import { consentColumns } from '../../../features/consent/awaiting.ts';
import type { WeighedConsent } from '../../../features/consent/model.ts';
import { commandGroup, listCommand, listed } from '../../command.ts';
import type { CliParts } from '../../parts.ts';
import { formatOption, print, type Format, type Records } from '../../records.ts';
import { withFilters } from '../../filters-given.ts';
import { chosen, type Choice } from '../../selection.ts';
import { Refusal } from '../../../lib/log/terminal.ts';
import type { Tools } from '../../../app/tools/model.ts';
import { withTools } from '../../work.ts';

/**
 * `causeway consents`: a consent whose organisation cannot be proved waits for an operator's decision
 * (docs/decisions/tokens/0006-organisation-of-a-consent.md).
 */
export function consents(parts: CliParts): Command {
  return commandGroup(
    'consents',
    'Consents without proof: somebody approved, and you confirm or refuse',
    list(parts),
    judging(parts, 'confirm', 'Connects the accounts to the organisations that were approved for them'),
    judging(
      parts,
      'refuse',
      'Revokes the tokens; the accounts return to their previous stage, and V1 keeps serving them',
    ),
  );
}

const NOTHING = 'No consent waits for you.';

const list = (parts: CliParts): Command =>
  listCommand(parts, {
    what: 'Lists the consents waiting for a decision, oldest first, with the evidence for and against each',
    nothing: NOTHING,
    first: ['account', 'organisation', 'against', 'for', 'since'],
    ...listed(consentColumns, ({ consents: waiting }) => waiting.list()),
  });

interface JudgingOptions extends Choice {
  readonly yes: boolean;
  readonly format: Format;
}

function judging(parts: CliParts, action: 'confirm' | 'refuse', what: string): Command {
  return withFilters(
    new Command(action)
      .description(what)
      .argument('[account...]', 'names or ids')
      .option('--all', 'every account whose consent is waiting', false),
    'of those, only',
    ['stage'],
  )
    .option('--yes', 'confirm; without it, only shows what would happen', false)
    .addOption(formatOption())
    .action((idsOrNames: readonly string[], options: JudgingOptions) =>
      withTools(parts, (tools) => judge(parts, tools, { action, idsOrNames, options })),
    );
}

interface Judging {
  readonly action: 'confirm' | 'refuse';
  readonly idsOrNames: readonly string[];
  readonly options: JudgingOptions;
}

/** Decides on consents that were waiting when the command began. Throws `Refusal`. */
async function judge(
  { terminal }: CliParts,
  tools: Tools,
  { action, idsOrNames, options }: Judging,
): Promise<void> {
  const accounts = await chosen(tools, idsOrNames, options, ['awaiting-operator']);
  const meant = new Set(accounts.map(({ id }) => id));
  const picked = (await tools.consents.list()).filter(({ accountId }) => meant.has(accountId));
  // Whoever confirms many at once has read none of the reasons.
  const doubtful = action === 'confirm' && idsOrNames.length === 0 ? picked.filter(isElsewhere) : [];
  for (const { account, accountId, elsewhere } of doubtful) {
    terminal.err(`left: ${account} (${accountId}): ${elsewhere.join('; ')}; to confirm it, name it\n`);
    meant.delete(accountId);
  }
  const ids = [...meant];
  const seen = picked.filter(({ accountId }) => meant.has(accountId));
  const nothing = nothingBut(doubtful);
  const judged = { action, consents: seen.map(({ id }) => id) };
  if (!options.yes) {
    const preview = await tools.consents.preview(judged, ids);
    terminal.out(print(resultsOf(preview.accounts), RESULT, options.format, nothing));
    const names = preview.accounts.filter(({ outcome }) => outcome === 'will').map(({ name }) => name);
    if (names.length > 0)
      throw new Refusal(`nothing was changed: ${names.join(', ')} would be ${done[action]}; --yes does it`);
    if (idsOrNames.length > 0) throw new Refusal('nothing was changed, and --yes would change nothing');
    return;
  }
  const result = await tools.consents.perform(judged, ids);
  terminal.out(print(resultsOf(result.accounts), RESULT, options.format, nothing));
  terminal.err(
    `${result.done} ${done[action]}, ${result.left + result.failed + doubtful.length} left as they are\n`,
  );
  if (result.failed > 0 || (idsOrNames.length > 0 && result.left > 0))
    throw new Refusal(`${result.left + result.failed} of ${ids.length} were left as they are`);
}

const nothingBut = (left: readonly WeighedConsent[]): string =>
  left.length > 0 ? 'No other consent waits for you.' : NOTHING;

const isElsewhere = ({ elsewhere }: WeighedConsent): boolean => elsewhere.length > 0;

const RESULT = ['account', 'result', 'detail'];
const done = { confirm: 'confirmed', refuse: 'refused' } as const;

const resultsOf = (
  lines: readonly {
    readonly name: string | undefined;
    readonly accountId: string;
    readonly outcome: string;
    readonly words: string;
  }[],
): Records =>
  lines.map(({ name, accountId, outcome, words }) => ({
    account: name ?? accountId,
    result: outcome,
    detail: words,
  }));
