/**
 * `causeway usage`: what an account's programs use, and what they would miss on V3 and V2.
 *
 * Prints names and counts; no values sent or received are stored. `name` gives a program a name, `on` and
 * `off` decide whether calls of the account are counted.
 */
import { Command } from 'commander';
import type { AccountUsage, UsedMethod, UsedProgram } from '../../features/admin/usage/usage.ts';
import { programWords, readinessWords } from '../../features/admin/usage/usage-words.ts';
import { methodWords } from '../../features/usage/names/account-use.ts';
import { AT_TERMINAL } from '../../app/tools/model.ts';
import { minute } from '../../features/status/report/words.ts';
import { counted, grouped } from '../../lib/text/counted.ts';
import { plainText } from '../../lib/text/plain-text.ts';
import type { CliParts } from '../parts.ts';
import { formatOption, moment, print, type Format, type Records } from '../records.ts';
import { findAccount, withTools } from '../work.ts';

/** Builds `causeway usage` with its subcommands. */
export function usage(parts: CliParts): Command {
  const command = new Command('usage')
    .description(
      'Shows which methods, parameters and elements the programs of an account use, and since when',
    )
    .argument('<account>', 'name or id')
    .option('--names', 'every parameter and element with its count, instead of the methods')
    .option('--reasons', 'everything to know before moving to V3 or V2, not only what would be missing')
    .addOption(formatOption())
    .action(async (account: string, options: ShowOptions) => {
      const shown = await withTools(parts, async (tools) =>
        tools.usage.show(await findAccount(tools.accounts, account)),
      );
      parts.terminal.out(textOf(shown, options));
    });
  return command.addCommand(name(parts)).addCommand(turn(parts, true)).addCommand(turn(parts, false));
}

interface ShowOptions {
  readonly names?: boolean;
  readonly reasons?: boolean;
  readonly format: Format;
}

function textOf(shown: AccountUsage, { names, reasons, format }: ShowOptions): string {
  if (format !== 'table') return print(nameRecords(shown), nameColumns, format, '');
  const lines = [...summary(shown), '', ...readinessLines(shown, reasons === true)];
  const programs = print(shown.programs.map(programRecord), programColumns, format, NOTHING);
  const last =
    names === true
      ? print(nameRecords(shown), nameColumns, format, NOTHING)
      : print(methodRecords(shown), methodColumns, format, NOTHING);
  return `${lines.map((line) => `${line}\n`).join('')}\n${shown.programs.length === 0 ? '' : `${programs}\n${last}`}`;
}

const NOTHING = 'Nothing has been counted yet.';

function summary({ account, known, readiness, isOn }: AccountUsage): readonly string[] {
  const off = isOn
    ? []
    : ['Its calls are not counted: CAUSEWAY_USAGE is off, or causeway usage off was run.'];
  if (readiness === undefined) return [`${plainText(account.name)}: ${NOTHING}`, ...off];
  const { used, calls, since, until } = readiness;
  const when = `${minute(new Date(since).toISOString())} to ${minute(new Date(until).toISOString())} UTC`;
  return [
    `${plainText(account.name)} uses ${grouped(used.length)} of ${grouped(known)} methods; ${counted(calls, 'call')}, ${when}`,
    ...off,
  ];
}

function readinessLines({ readiness }: AccountUsage, all: boolean): readonly string[] {
  if (readiness === undefined) return [];
  return (['v3', 'v2'] as const).flatMap((api) => {
    const { reasons } = readiness[api];
    const shown = reasons.filter(({ isMissed }) => all || isMissed);
    const rest = reasons.length - shown.length;
    return [
      `${api.toUpperCase()}: ${readinessWords(readiness[api])}`,
      ...shown.map(({ words }) => `  ${plainText(words)}`),
      ...assumedLines(readiness[api].assumed, all),
      ...(rest > 0 ? [`  ${counted(rest, 'thing')} more to know: --reasons`] : []),
    ];
  });
}

function assumedLines(methods: readonly string[], all: boolean): readonly string[] {
  if (methods.length === 0) return [];
  const named = all ? methods.join(', ') : counted(methods.length, 'method');
  return [`  rests on an assumption: ${named}`];
}

const programColumns = ['program', 'name', 'agent', 'calls', 'since', 'last'];
const programRecord = ({ key, name: given, agent, calls, since, until }: UsedProgram): Records[number] => ({
  ...{ program: key, name: given, agent, calls },
  ...{ since: moment(since), last: moment(until) },
});

const methodColumns = [
  'method',
  'program',
  'calls',
  'failed',
  'parameters',
  'sent',
  'received',
  'since',
  'last',
];
const methodRecords = ({ programs }: AccountUsage): Records =>
  programs.flatMap((program) =>
    program.methods.map((one) => ({
      ...{ method: methodWords(one.method), program: programWords(program) },
      ...{ calls: one.calls, failed: one.failed },
      parameters: one.parameters.map(({ name: parameter }) => parameter).join(' '),
      sent: one.sent.length,
      received: one.received.length,
      ...{ since: moment(one.since), last: moment(one.until) },
    })),
  );

const nameColumns = ['method', 'program', 'kind', 'name', 'count', 'of', 'first', 'last'];
const nameRecords = ({ programs }: AccountUsage): Records =>
  programs.flatMap((program) => program.methods.flatMap((one) => namesOf(program, one)));

/** `of`: the number of calls, or of requests or replies read, in which the names were counted. */
function namesOf(program: UsedProgram, one: UsedMethod): Records {
  const kinds = [
    ['parameter', one.parameters, one.calls],
    ['sent', one.sent, one.requests],
    ['received', one.received, one.replies],
  ] as const;
  return kinds.flatMap(([kind, names, of]) =>
    names.map(({ name: element, count, first, last }) => ({
      ...{
        method: methodWords(one.method),
        program: programWords(program),
        kind,
        name: element,
        count,
        of,
        first,
        last,
      },
    })),
  );
}

function name(parts: CliParts): Command {
  return new Command('name')
    .description('Names a program of an account; an empty name removes the name')
    .argument('<account>', 'name or id')
    .argument('<program>', 'as causeway usage shows it')
    .argument('<name>', 'such as "Time import"')
    .action(async (account: string, program: string, given: string) => {
      await withTools(parts, async (tools) => {
        const found = await findAccount(tools.accounts, account);
        await tools.usage.name(found, program, given, AT_TERMINAL);
        const words = given.trim() === '' ? 'has no name' : `is ${plainText(given.trim())}`;
        parts.terminal.out(`${program} of ${plainText(found.name)} ${words}\n`);
      });
    });
}

function turn(parts: CliParts, isOn: boolean): Command {
  return new Command(isOn ? 'on' : 'off')
    .description(
      isOn
        ? 'Resumes counting the calls of an account'
        : 'Stops counting the calls of an account; existing counts are kept',
    )
    .argument('<account>', 'name or id')
    .action(async (account: string) => {
      await withTools(parts, async (tools) => {
        const found = await findAccount(tools.accounts, account);
        await tools.usage.switch(found, isOn, AT_TERMINAL);
        const words = isOn
          ? 'are counted; running bridges follow within five minutes'
          : 'are no longer counted';
        parts.terminal.out(`Calls of ${plainText(found.name)} ${words}\n`);
      });
    });
}
