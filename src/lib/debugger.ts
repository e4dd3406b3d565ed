import { close, url } from 'node:inspector';

/** `--inspect`, `--inspect-brk`, `--inspect-wait`: whoever starts the process asks for a debugger. */
const ASKED = /^--inspect(-brk|-wait)?(=|$)/;

/**
 * By SIGUSR1 Node opens a debugger, through which every key and token in memory can be read. A listener takes the signal
 * instead, and what was opened while the modules were read is closed. To be called first in a module that is started.
 */
export function keepDebuggerShut(): void {
  process.on('SIGUSR1', () => undefined);
  const flags = [...process.execArgv, ...(process.env.NODE_OPTIONS ?? '').split(' ')];
  if (url() !== undefined && !flags.some((flag) => ASKED.test(flag))) close();
}
