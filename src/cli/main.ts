import { cliParts } from './open-tools.ts';
import { run } from './run.ts';
import { standardTerminal } from './standard-terminal.ts';
import { keepDebuggerShut } from '../lib/debugger.ts';

keepDebuggerShut();

process.exitCode = await run(process.argv.slice(2), cliParts(standardTerminal, process.env));
