import { readFile, writeFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';
import { cliParts } from '../compose.ts';
import { run } from './run.ts';
import type { Terminal } from './terminal.ts';

const terminal: Terminal = {
  out: (words) => void process.stdout.write(words),
  err: (words) => void process.stderr.write(words),
  read: () => text(process.stdin),
  save: (path, content) => writeFile(path, content, { mode: 0o600 }),
  load: (path) => readFile(path, 'utf8'),
};

// A reader that has seen enough (`| head`) is no failure.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code === 'EPIPE') process.exit(0);
  throw error;
});

process.exitCode = await run(process.argv.slice(2), cliParts(terminal, process.env));
