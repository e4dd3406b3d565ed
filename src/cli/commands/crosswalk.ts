/**
 * `causeway crosswalk`: pairs of V1 number and UUID, learned from V1, imported from CSV or exported to it.
 *
 * A known pair is never overwritten, unless V1 contradicts it and the operator asks for that (`learn --correct`): a line that contradicts one is reported by number and sets exit code 1,
 * while the other lines are stored. Imports are stored in batches; an interrupted one is simply repeated.
 */
import { Command } from 'commander';
import { idKey, LARGEST_GIVEN, type Pair } from '../../mapping/crosswalk/identifier.ts';
import { counted } from '../../lib/text/counted.ts';
import { isUuid } from '../../lib/text/uuid.ts';
import { hasMoved } from '../../features/accounts/account.ts';
import { contradictionWords } from '../../features/identifiers/contradicted.ts';
import type { Learning } from '../../features/identifiers/learning.ts';
import { readCsv, type CsvLine } from '../../lib/text/csv.ts';
import { commandGroup } from '../command.ts';
import { forceOption, loaded, saved } from '../keys-given.ts';
import type { CliParts } from '../parts.ts';
import { csvLine, formatOption, print, type Format, type Records } from '../records.ts';
import { Refusal, type Terminal } from '../../lib/log/terminal.ts';
import type { Tools } from '../../app/tools/model.ts';
import { findAccount, withTools } from '../work.ts';

/** Builds `causeway crosswalk` with its subcommands. */
export function crosswalk(parts: CliParts): Command {
  return commandGroup(
    'crosswalk',
    'Which V1 number is which V3 UUID',
    learn(parts),
    importFile(parts),
    exportAll(parts),
  );
}

function learn(parts: CliParts): Command {
  const { terminal } = parts;
  return new Command('learn')
    .description('Reads every pair that V1 can list, using the account’s keys')
    .argument('<account>', 'name or id')
    .option('--correct', 'replace known pairs that V1 contradicts, before the move')
    .addOption(formatOption())
    .action(async (idOrName: string, { format, correct = false }: LearnOptions) => {
      const learning = await withTools(parts, async (tools) => {
        const account = await findAccount(tools.accounts, idOrName);
        if (account.life.stage === 'closed')
          throw new Refusal(`${account.name} is closed: its keys are no longer used`);
        if (correct && hasMoved(account))
          throw new Refusal(`${account.name} has moved: its pairs can no longer be corrected`);
        return tools.learn(account, correct);
      });
      if (learning.outcome !== 'learned')
        throw new Refusal(`nothing was learned: ${reasons[learning.outcome]}`);
      terminal.out(
        print(
          kindsOf(learning),
          ['kind', 'result', 'reason'],
          format,
          'V3 knows V1’s numbers: there is nothing to learn.',
        ),
      );
      terminal.err(`${learning.added} pairs were added, ${learning.known} were known already\n`);
      if (learning.conflicts > 0)
        throw new Refusal(
          `${learning.conflicts} pairs contradict what is known; nothing was overwritten${contradictedWords(learning)}`,
        );
    });
}

interface LearnOptions {
  readonly format: Format;
  readonly correct?: boolean;
}

const contradictedWords = ({ contradictions = [] }: Learned): string =>
  contradictions.length === 0 ? '' : `. ${contradictionWords(contradictions)}`;

type Learned = Extract<Learning, { outcome: 'learned' }>;

const reasons: Readonly<Record<Exclude<Learning['outcome'], 'learned'>, string>> = {
  refused: 'V1 refuses the keys of this account',
  absent:
    'V1 is not configured (CAUSEWAY_V1_BASE_URL), or no API key of the account is known: give one with causeway accounts set --api-key',
  failed: 'V1 could not be read; try again later',
};

const kindsOf = ({ complete, incomplete }: Learned): Records => [
  ...complete.map((kind) => ({ kind, result: 'complete', reason: undefined })),
  ...incomplete.map(({ kind, reason }) => ({ kind, result: 'not complete', reason })),
];

/** Pairs per batch, so that a file may have any length. */
const PORTION = 1_000;
const header = ['kind', 'number', 'uuid'];

function importFile(parts: CliParts): Command {
  const { terminal } = parts;
  return new Command('import')
    .description(
      'Imports pairs from a CSV file with the header kind,number,uuid. Known pairs are not overwritten',
    )
    .argument('<account>', 'name or id')
    .argument('<file>', 'path of the file; - reads standard input')
    .action(async (idOrName: string, path: string) => {
      await withTools(parts, async (tools) => {
        const account = await findAccount(tools.accounts, idOrName);
        const { pairs, faults } = judge(readCsv(await textOf(path, terminal)), tools.kinds());
        const { added, known, conflicts } = await take(tools, account.id, pairs);
        const all = [...faults, ...conflicts].sort((one, other) => one.line - other.line);
        all.forEach(({ line, words }) => {
          terminal.err(`line ${line}: ${words}\n`);
        });
        terminal.out(`${added} pairs were added, ${known} were known already\n`);
        if (all.length > 0)
          throw new Refusal(
            `${counted(all.length, 'line')} ${all.length === 1 ? 'was' : 'were'} not imported`,
          );
      });
    });
}

const textOf = (path: string, terminal: Terminal): Promise<string> =>
  path === '-' ? terminal.read() : loaded(path, terminal);

interface LineFault {
  readonly line: number;
  readonly words: string;
}

type NumberedPair = Pair & { readonly line: number };

function judge(
  [first, ...lines]: readonly CsvLine[],
  kinds: readonly string[],
): { readonly pairs: readonly NumberedPair[]; readonly faults: readonly LineFault[] } {
  if (first?.cells.map((cell) => cell.toLowerCase()).join() !== header.join())
    throw new Refusal(`the first line of the file must be ${header.join()}`);
  const read = lines.map((line) => pairOf(line, kinds));
  return {
    pairs: read.filter((one): one is NumberedPair => 'uuid' in one),
    faults: read.filter((one): one is LineFault => 'words' in one),
  };
}

function pairOf({ line, cells }: CsvLine, kinds: readonly string[]): NumberedPair | LineFault {
  const [kind = '', number = '', uuid = '', ...rest] = cells;
  if (cells.length < header.length || rest.some((cell) => cell !== ''))
    return { line, words: 'must have three cells' };
  const found = kinds.find((one) => one.toLowerCase() === kind.toLowerCase());
  if (found === undefined) return { line, words: `the kind must be one of ${kinds.join(', ')}` };
  if (!/^\d{1,10}$/.test(number) || Number(number) < 1 || Number(number) > LARGEST_GIVEN)
    return { line, words: `the number must be a whole number from 1 to ${LARGEST_GIVEN}` };
  if (!isUuid(uuid)) return { line, words: 'the third cell must be a UUID' };
  return { line, kind: found, number: Number(number), uuid: uuid.toLowerCase() };
}

async function take(
  tools: Tools,
  accountId: string,
  pairs: readonly NumberedPair[],
): Promise<{ readonly added: number; readonly known: number; readonly conflicts: readonly LineFault[] }> {
  const lineOf = new Map(pairs.map((pair) => [`${idKey(pair.kind, pair.number)} ${pair.uuid}`, pair.line]));
  let added = 0;
  let known = 0;
  const conflicts: LineFault[] = [];
  for (let start = 0; start < pairs.length; start += PORTION) {
    const portion = pairs
      .slice(start, start + PORTION)
      .map(({ kind, number, uuid }) => ({ kind, number, uuid }));
    const report = await tools.learnPairs(accountId, portion);
    added += report.added;
    known += report.known;
    conflicts.push(
      ...report.conflicts.map((pair) => ({
        line: lineOf.get(`${idKey(pair.kind, pair.number)} ${pair.uuid}`) ?? 0,
        words: `${pair.kind} ${pair.number} or its UUID is already paired differently`,
      })),
    );
  }
  return { added, known, conflicts };
}

interface ExportOptions {
  readonly output?: string;
  readonly force: boolean;
}

function exportAll(parts: CliParts): Command {
  return new Command('export')
    .description('Prints every pair of an account as CSV')
    .argument('<account>', 'name or id')
    .option('--output <file>', 'write to a file, readable by its owner only')
    .addOption(forceOption())
    .action(async (idOrName: string, { output, force }: ExportOptions) => {
      const text = await withTools(parts, async (tools) => {
        const account = await findAccount(tools.accounts, idOrName);
        const lines = [csvLine(header)];
        for await (const { kind, number, uuid } of tools.crosswalk.export(account.id))
          lines.push(csvLine([kind, number, uuid]));
        return lines;
      });
      if (output === undefined) {
        parts.terminal.out(text.join(''));
        return;
      }
      await saved(output, text.join(''), parts.terminal, force);
      parts.terminal.out(`${text.length - 1} pairs were written to ${output}\n`);
    });
}
