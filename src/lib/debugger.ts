import { close, url } from 'node:inspector';

/** `--inspect`, `--inspect-brk`, `--inspect-wait`: whoever starts the process asks for a debugger. */
const ASKED = /^--inspect(-brk|-wait)?(=|$)/;

/**
 * On SIGUSR1 Node opens a debugger, through which every key and token in memory can be read. A listener takes
 * the signal instead, and a debugger opened while the modules were loading is closed. Call it first in a main
 * module.
 *
 * Node acts on the signal twice, between two steps of JavaScript and in the event loop, whichever comes first; the second
 * one can open what was closed after the first.
 */
export function keepDebuggerShut(): void {
  process.on('SIGUSR1', () => undefined);
  const flags = [...process.execArgv, ...(process.env.NODE_OPTIONS ?? '').split(' ')];
  if (flags.some((flag) => ASKED.test(flag))) return;
  closeDebugger();
  setImmediate(closeDebugger);
}

function closeDebugger(): void {
  if (url() !== undefined) close();
}
