import { ConfigurationFault } from '../app/settings/settings.ts';
import { stopSignal } from '../app/wiring/signals.ts';
import { keepDebuggerShut } from '../lib/debugger.ts';
import { Demo } from './demo.ts';
import { readOptions, Usage, type DemoOptions } from './options.ts';

keepDebuggerShut();

/** In milliseconds. */
const LEFT_OVER = 500;

process.exitCode = await main();

async function main(): Promise<0 | 1 | 2> {
  let options: DemoOptions;
  try {
    options = readOptions(process.argv.slice(2));
  } catch (error) {
    if (!(error instanceof Usage)) throw error;
    (error.asked ? console.log : console.error)(error.message);
    return error.asked ? 0 : 2;
  }
  return run(new Demo(options, process.env), options);
}

async function run(demo: Demo, { accounts }: DemoOptions): Promise<0 | 1 | 2> {
  const stop = stopSignal(process);
  console.log('Starting the sandbox, the mailbox and the bridge …');
  if (accounts !== undefined)
    console.log(
      `First, six weeks of a campaign of ${accounts} accounts are played out; for 500 that takes half a minute …`,
    );
  try {
    const started = demo.start();
    const text = await Promise.race([started, stop.then(() => undefined)]);
    if (text === undefined) {
      console.log('Stopping …');
      return 0;
    }
    console.log(text);
    console.log('ready: stop it with Ctrl-C');
    await Promise.race([stop, demo.died]);
    console.log('Stopping the bridge, the mailbox and the sandbox …');
    return 0;
  } catch (error) {
    console.error(`demo: ${error instanceof Error ? error.message : String(error)}`);
    return error instanceof ConfigurationFault || error instanceof Usage ? 2 : 1;
  } finally {
    await demo.stop();
    // A start that was stopped may still wait for something.
    setTimeout(() => process.exit(), LEFT_OVER).unref();
  }
}
