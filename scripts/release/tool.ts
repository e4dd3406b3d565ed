import { spawnSync } from 'node:child_process';

/** Runs a program that prints nothing on success. Throws an error with the program's output as its message. */
export function runTool(program: string, args: readonly string[], cwd?: string): void {
  const { status, signal, error, stdout, stderr } = spawnSync(program, args, {
    ...(cwd !== undefined && { cwd }),
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    maxBuffer: 2 ** 28,
  });
  if (error !== undefined) throw new Error(`${program} could not be run: ${error.message}`);
  if (status === 0) return;
  const end = signal === null ? `ended with ${String(status)}` : `was ended by ${signal}`;
  throw new Error(`${[program, ...args].join(' ')} ${end}:\n${`${stdout}\n${stderr}`.trim()}`);
}
