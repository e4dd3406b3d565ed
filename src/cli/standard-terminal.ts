import { constants as files } from 'node:fs';
import { open, readFile, stat } from 'node:fs/promises';
import { constants } from 'node:os';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { terminalLines } from '../lib/text/plain-text.ts';
import type { Saving, Terminal } from '../lib/log/terminal.ts';

/** What a shell shows of a program ended by SIGPIPE, as git and psql are. */
const BROKEN_PIPE = 128 + constants.signals.SIGPIPE;

/** Why standard output or standard error can no longer be written. */
let fault: NodeJS.ErrnoException | undefined;

// A reader that stops early (`| head`) must not leave a change half made: the command finishes its work.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (fault === undefined && error.code !== 'EPIPE')
      process.stderr.write(`causeway: the output cannot be written: ${error.message}\n`);
    fault ??= error;
  });

process.on('exit', () => {
  if (fault === undefined || (process.exitCode ?? 0) !== 0) return;
  process.exitCode = fault.code === 'EPIPE' ? BROKEN_PIPE : 1;
});

/** Standard input and output of this process, and its files. */
export const standardTerminal: Terminal = {
  // Names are outside input, so what a terminal shows is escaped. Programs get them unchanged.
  out: (words) => void process.stdout.write(process.stdout.isTTY ? terminalLines(words) : words),
  err: (words) => void process.stderr.write(terminalLines(words)),
  read: () => text(process.stdin),
  save,
  load: (path) => readFile(path, 'utf8'),
  screen: process.stdout.isTTY
    ? {
        columns: () => process.stdout.columns,
        // https://no-color.org: present and not empty.
        colour: (process.env.NO_COLOR ?? '') === '' && process.env.TERM !== 'dumb',
        pause: async (millis) => {
          await delay(millis);
          return fault === undefined;
        },
      }
    : undefined,
};

/** The mode at opening has no effect on a file that is there. */
async function save(
  path: string,
  text: string,
  { keepsMode = false, keepsFile = false }: Saving = {},
): Promise<void> {
  const isExclusive = keepsFile && !(await isDevice(path));
  const file = await open(path, files.O_WRONLY | files.O_CREAT | (isExclusive ? files.O_EXCL : 0), 0o600);
  try {
    if ((await file.stat()).isFile()) {
      if (!keepsMode) await file.chmod(0o600);
      await file.truncate();
    }
    await file.writeFile(text);
  } finally {
    await file.close();
  }
}

/** Such as /dev/stdout or a named pipe. */
const isDevice = (path: string): Promise<boolean> =>
  stat(path).then(
    (found) => !found.isFile() && !found.isDirectory(),
    () => false,
  );
