/**
 * One block of commands of a page: split up, its values replaced by those of a demo, run by bash, and judged. A command
 * fails if its exit code is not the expected one, if its output lacks an expected text, or if the block ends before it
 * has run. All processes that a block started are ended with it.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** The expectation of a page for commands that contain a text; without one: exit code 0. */
export interface Expectation {
  readonly holds: string;
  readonly code?: number;
  /** The reason for another code than 0. */
  readonly why?: string;
  readonly prints?: RegExp;
}

/** A text of the documentation, and its replacement before it is run. */
export type Replacement = readonly [from: string, to: string];

/** The commands of a block; a command may span several lines. */
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

/** The text with all replacements made, one after the other. */
export const replaced = (text: string, replacements: readonly Replacement[]): string =>
  replacements.reduce((done, [from, to]) => done.replaceAll(from, () => to), text);

/** A pattern for a line of the documentation in which numbers, times and spaces may differ. */
export function shapeOf(line: string): RegExp {
  const parts = line.trim().split(/(\d[\d,.]*|\s+)/);
  const pattern = parts.map((part) => {
    if (/^\d/.test(part)) return String.raw`\d[\d,.]*`;
    return /^\s+$/.test(part) ? String.raw`\s+` : part.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  });
  return new RegExp(pattern.join(''));
}

/** The first line of the output that the page shows right after a block; undefined: it shows none there. */
export const shownAfter = (page: string, endOfBlock: number): string | undefined =>
  /^\s*```\n([^\n]+)/.exec(page.split('\n').slice(endOfBlock).join('\n'))?.[1];

/** A command after its block has run. */
export interface Outcome {
  readonly command: string;
  readonly output: string;
  /** Undefined: it was not reached, or did not end. */
  readonly code: number | undefined;
}

/** The fault of a command; undefined: none. */
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

/** The place and the way in which blocks are run. */
export interface Place {
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Functions that the commands of the documentation call by name. */
  readonly prelude: string;
  readonly seconds: number;
}

/** Marks the end of a command in the output, with its exit code. */
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

/** Ends the shell and everything it started, which is a group of its own. */
function endAll(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // All its processes have ended.
  }
}
