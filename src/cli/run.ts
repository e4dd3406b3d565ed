import { CommanderError } from 'commander';
import type { CliParts } from './parts.ts';
import { program } from './program.ts';
import { Misuse, Unfit } from '../lib/log/terminal.ts';

/** Done, failed, or wrong usage. */
export type ExitCode = 0 | 1 | 2;

/** Runs one command line (without `node` and the script) to completion. Never throws. */
export async function run(args: readonly string[], parts: CliParts): Promise<ExitCode> {
  try {
    await program(parts, args).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    return told(error, parts);
  }
}

function told(error: unknown, { terminal }: CliParts): ExitCode {
  // Commander has already printed the message. A command group without a command is a usage error and shows
  // its help.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  const words = error instanceof Error ? error.message : String(error);
  terminal.err(`causeway: ${words}\n`);
  const isTwo = error instanceof Misuse || error instanceof Unfit;
  return isTwo || (error instanceof Error && error.name === 'ConfigurationFault') ? 2 : 1;
}
