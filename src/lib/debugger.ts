import { close, url } from 'node:inspector';

/** `--inspect`, `--inspect-brk`, `--inspect-wait`: whoever starts the process asks for a debugger. */
const ASKED = /^--inspect(-brk|-wait)?(=|$)/;

/**
 * On SIGUSR1 Node opens a debugger, through which every key and token in memory can be read. A listener takes
 * the signal instead, and a debugger opened while the modules were loading is closed. Call it first in a main
 * module.
 */
export function keepDebuggerShut(): void {
  process.on('SIGUSR1', () => undefined);
  const flags = [...process.execArgv, ...(process.env.NODE_OPTIONS ?? '').split(' ')];
  if (url() !== undefined && !flags.some((flag) => ASKED.test(flag))) close();
}
