/**
 * `npm run demo:causeway -- …`: the command line for a demo whose clock has been moved; it uses that clock.
 */
import { withDemoSettings } from '../../app/settings/demo-settings.ts';
import { cliParts } from '../../cli/open-tools.ts';
import { run } from '../../cli/run.ts';
import { standardTerminal } from '../../cli/standard-terminal.ts';
import { keepDebuggerShut } from '../../lib/debugger.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { SandboxControl } from '../control.ts';
import { DemoClock } from './demo-clock.ts';

keepDebuggerShut();

const env = await withDemoSettings(process.env);
const sandbox = env.CAUSEWAY_AUTH_URL;
const offset = sandbox === undefined ? undefined : await offsetOf(sandbox);
if (offset === undefined) {
  process.stderr.write('no demo answers: start one with npm run demo -- --clock\n');
  process.exitCode = 1;
} else {
  const clock = new DemoClock(systemClock, offset);
  process.exitCode = await run(process.argv.slice(2), cliParts(standardTerminal, env, { clock }));
}

/** Returns undefined if the address does not answer. */
function offsetOf(address: string): Promise<number | undefined> {
  return new SandboxControl(address).clock().then(
    ({ offset: millis }) => millis,
    () => undefined,
  );
}
