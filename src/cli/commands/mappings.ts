import { extname } from 'node:path';
import { Command } from 'commander';
import type { MappingTrial } from '../../mapping/mapping-trial.ts';
import { evidenceText, type RouteEvidence } from '../../mapping/evidence.ts';
import type { MethodCard } from '../../mapping/method-card.ts';
import { commandGroup } from '../command.ts';
import type { CliParts } from '../parts.ts';
import { loaded } from '../keys-given.ts';
import { formatOption, print, type Format } from '../records.ts';
import { Misuse, Refusal } from '../../lib/log/terminal.ts';

/**
 * `causeway mappings`: checks the mapping files, shows the row of a method, and tries it on a sample. Needs
 * no database.
 */
export function mappings(parts: CliParts): Command {
  return commandGroup('mappings', 'The mapping of legacy methods', check(parts), show(parts), tryOut(parts));
}

function check(parts: CliParts): Command {
  return new Command('check')
    .description('Checks the mapping files as at start; reports each fault with file, line and rule')
    .argument('[folder]', 'folder of mapping files; by default the configured one')
    .addOption(formatOption())
    .action(async (folder: string | undefined, { format }: { readonly format: Format }) => {
      const { families, faults, digest } = await parts.checkMappings(folder);
      if (faults.length > 0)
        throw new Refusal(`the mappings cannot be used:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
      parts.terminal.out(
        print(
          families.map((family) => ({ ...family })),
          ['family', 'methods'],
          format,
          'There is no mapping.',
        ),
      );
      parts.terminal.err(
        `digest ${digest}: a bridge that has read these files shows it in the log line ready\n`,
      );
    });
}

const FOLDER = 'folder of mapping files; by default the configured one';

function show(parts: CliParts): Command {
  return new Command('show')
    .description('Shows the mapping of a method: its calls to V3 and V2, and what V2 cannot carry')
    .argument('<method>', 'client.list')
    .option('--folder <folder>', FOLDER)
    .addOption(formatOption())
    .action(
      async (method: string, { folder, format }: { readonly folder?: string; readonly format: Format }) => {
        const card = await parts.showMapping(method, folder);
        parts.terminal.out(
          format === 'table' ? page(card) : print([flat(card)], Object.keys(flat(card)), format, ''),
        );
      },
    );
}

const flat = ({
  v2,
  losses,
  toV3,
  evidence,
  ...card
}: MethodCard): Readonly<Record<string, string | undefined>> => ({
  ...card,
  v2: v2.join('; '),
  evidenceV3: evidence.v3,
  evidenceV2: evidence.v2,
  verifiedV1: evidence.verified.v1,
  verifiedV3: evidence.verified.v3,
  verifiedV2: evidence.verified.v2,
  losses: losses.join('; '),
  toV3: toV3.join('; '),
});

const evidenceLines = (evidence: RouteEvidence): readonly string[] => [
  ...(['v3', 'v2'] as const).flatMap((version) => {
    const text = evidenceText(evidence, version);
    return text === undefined ? [] : [`${version.toUpperCase()} ${text}`];
  }),
  ...(evidence.verified.v1 === undefined ? [] : [`V1 answered so on ${evidence.verified.v1}`]),
];

function page(card: MethodCard): string {
  const v2 = card.v2.length > 0 ? card.v2 : [`none: ${card.why ?? 'the mapping does not say why'}`];
  const rows: readonly (readonly [string, readonly string[]])[] = [
    ['legacy', [card.legacy]],
    ['V3', [card.v3]],
    ['V2', v2],
    ...(card.grade === undefined ? [] : [['grade', [card.grade]] as const]),
    ['default', [card.route]],
    ['evidence', evidenceLines(card.evidence)],
    ...(card.losses.length === 0 ? [] : [['lost on V2', card.losses] as const]),
    ...(card.toV3.length === 0 ? [] : [['goes to V3', card.toV3] as const]),
  ];
  const lines = rows.flatMap(([name, texts]) =>
    texts.map((text, index) => `  ${(index === 0 ? name : '').padEnd(12)}${text}\n`),
  );
  return `${card.method}: ${card.summary}\n${lines.join('')}`;
}

interface TryOptions {
  readonly folder?: string;
  readonly query: readonly string[];
  readonly answers?: string;
}

function tryOut(parts: CliParts): Command {
  return new Command('try')
    .description(
      'Shows how a method translates a sample, without calling any service: a V2 reply (.json) into the legacy reply, or a legacy request (.xml) into the V2 calls. Numbers and UUIDs are invented.',
    )
    .argument('<method>', 'client.list')
    .argument(
      '<sample>',
      'a .json or .xml file; several V2 answers are keyed by call, such as "GET /v2/clients"',
    )
    .option('--answers <path>', 'with a request: V2’s reply to each call; a .json file')
    .option('--query <name=value...>', 'parameters of the legacy call', [])
    .option('--folder <folder>', FOLDER)
    .action(async (method: string, file: string, { folder, query, answers }: TryOptions) => {
      const kind = extname(file).toLowerCase();
      if (kind !== '.json' && kind !== '.xml') throw new Misuse('the sample must be a .json or .xml file');
      const text = await loaded(file, parts.terminal);
      const json = answers === undefined ? undefined : await loaded(answers, parts.terminal);
      const sample = kind === '.json' ? { json: text } : { xml: text, json };
      const result = await parts.tryMapping(method, { ...sample, query: query.map(parameter) }, folder);
      tell(parts, result, kind === '.xml');
      if (result.failure !== undefined) throw new Refusal(`the call fails: ${result.failure}`);
    });
}

function parameter(text: string): readonly [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw new Misuse(`--query takes name=value, not ${JSON.stringify(text)}`);
  return [text.slice(0, at), text.slice(at + 1)];
}

function tell({ terminal }: CliParts, result: MappingTrial, isRequest: boolean): void {
  if (isRequest || result.reply === undefined)
    for (const { call, body } of result.requests)
      terminal.out(`${call}\n${body === undefined ? '' : `${body}\n`}`);
  else terminal.out(`${result.reply}\n`);
  if (result.dropped.length > 0) terminal.err(`no place in V2: ${result.dropped.join(', ')}\n`);
  if (result.defaulted.length > 0) terminal.err(`by default: ${result.defaulted.join(', ')}\n`);
  if (result.rounded.length > 0) terminal.err(`rounded: ${result.rounded.join(', ')}\n`);
  if (result.replaced > 0)
    terminal.err(`characters that XML forbids, written as U+FFFD: ${String(result.replaced)}\n`);
}
