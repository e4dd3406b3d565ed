import { close, url } from 'node:inspector';

/** `--inspect`, `--inspect-brk`, `--inspect-wait`: a debugger was requested at the start of the process. */
const ASKED = /^--inspect(-brk|-wait)?(=|$)/;

/**
 * Prevents Node from opening a debugger on SIGUSR1, through which every key and token in memory could be read. A
 * listener takes the signal instead, and a debugger opened while the modules were loading is closed. Call this first in
 * a main module.
 *
 * Node acts on the signal twice, between two steps of JavaScript and in the event loop, in either order; the second can
 * open a debugger that was closed after the first.
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
