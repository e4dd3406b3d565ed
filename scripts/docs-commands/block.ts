/**
 * One block of commands of a page: taken apart, its values replaced by those of a demo, run by bash, and judged. A command
 * fails when its exit code is not the one expected, when it prints nothing of what is expected, or when the block is over
 * before it was its turn. Everything a block started is ended with it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** What a page is told to expect of the commands that hold a text; without one: exit code 0. */
export interface Expectation {
  readonly holds: string;
  readonly code?: number;
  /** Why another code than 0. */
  readonly why?: string;
  readonly prints?: RegExp;
}

/** What a text of the documentation becomes before it is run. */
export type Replacement = readonly [from: string, to: string];

/** The commands of a block; one that goes on over several lines is one. */
export function commandsOf(block: string): readonly string[] {
  const commands: string[] = [];
  let open = '';
  for (const line of block.split('\n')) {
    open += open === '' ? line.trim() : `\n${line}`;
    if (/(\\|\||&&)$/.test(line)) continue;
    if (open !== '' && !open.startsWith('#')) commands.push(open);
    open = '';
  }
  return open === '' ? commands : [...commands, open];
}

/** The text with every replacement made, one after the other. */
export const replaced = (text: string, replacements: readonly Replacement[]): string =>
  replacements.reduce((done, [from, to]) => done.replaceAll(from, () => to), text);

/** What a line of the documentation looks like when its numbers, times and spaces are others. */
export function shapeOf(line: string): RegExp {
  const parts = line.trim().split(/(\d[\d,.]*|\s+)/);
  const pattern = parts.map((part) => {
    if (/^\d/.test(part)) return String.raw`\d[\d,.]*`;
    return /^\s+$/.test(part) ? String.raw`\s+` : part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  });
  return new RegExp(pattern.join(''));
}

/** The first line of what the page shows right after a block; undefined: the page shows no output there. */
export const shownAfter = (page: string, endOfBlock: number): string | undefined =>
  /^\s*```\n([^\n]+)/.exec(page.split('\n').slice(endOfBlock).join('\n'))?.[1];

/** A command that was run. */
export interface Outcome {
  readonly command: string;
  readonly output: string;
  /** Undefined: it was not its turn, or it did not end. */
  readonly code: number | undefined;
}

/** What is wrong with a command; undefined: nothing. */
export function faultOf(
  { command, output, code }: Outcome,
  expectations: readonly Expectation[],
): string | undefined {
  const expected = expectations.find(({ holds }) => command.includes(holds));
  if (code === undefined) return 'did not end in time';
  if (code !== (expected?.code ?? 0)) return `exit code ${code} instead of ${expected?.code ?? 0}`;
  if (expected?.prints !== undefined && !expected.prints.test(output))
    return `prints nothing like ${expected.prints.source}`;
  return undefined;
}

/** Where and how blocks are run. */
export interface Place {
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Functions that the commands of the documentation call by their names. */
  readonly prelude: string;
  readonly seconds: number;
}

/** Says in the output where a command ends, and with what. */
const MARK = '=== this was command';

/** Runs commands in one shell, so that one can set a variable for the next. */
export async function run(commands: readonly string[], place: Place): Promise<readonly Outcome[]> {
  const marked = commands.map((command, n) => `${command}\n__code=$?; echo; echo "${MARK} ${n}: $__code"`);
  const script = ['exec 2>&1', 'set -o pipefail', place.prelude, ...marked].join('\n');
  const shell = spawn('bash', ['-c', script], {
    cwd: place.folder,
    env: place.env,
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true,
  });
  let said = '';
  shell.stdout.setEncoding('utf8').on('data', (piece: string) => (said += piece));
  const timer = setTimeout(() => {
    endAll(shell.pid);
  }, place.seconds * 1_000);
  await once(shell, 'exit');
  clearTimeout(timer);
  endAll(shell.pid);
  if (!shell.stdout.readableEnded) await once(shell.stdout, 'end');
  return outcomes(commands, said);
}

function outcomes(commands: readonly string[], said: string): readonly Outcome[] {
  let rest = said;
  return commands.map((command, n) => {
    const end = new RegExp(`^${MARK} ${n}: (\\d+)\\n`, 'm').exec(rest);
    const output = end === null ? rest : rest.slice(0, end.index);
    rest = end === null ? '' : rest.slice(end.index + end[0].length);
    return { command, output: output.trim(), code: end === null ? undefined : Number(end[1]) };
  });
}

/** The shell and everything it started, which is a group of its own. */
function endAll(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing of it runs any more.
  }
}
