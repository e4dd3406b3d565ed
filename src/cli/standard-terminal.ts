import { constants } from 'node:fs';
import { open, readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { terminalLines } from '../lib/text/plain-text.ts';
import type { Terminal } from '../lib/log/terminal.ts';

// A reader that stops early (`| head`) is not a failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
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
        pause: async (millis) => delay(millis, true),
      }
    : undefined,
};

/** The mode at opening has no effect on a file that is there. */
async function save(path: string, text: string, keepsMode = false): Promise<void> {
  const file = await open(path, constants.O_WRONLY | constants.O_CREAT, 0o600);
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
