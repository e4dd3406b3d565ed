/**
 * The bridge of a demo whose clock can be moved (`npm run demo -- --clock`): the same application as
 * `main.ts` starts, composed with the demo's clock and timer. The demo's process sends over its channel how
 * far to move.
 */
import { compose } from '../../app/compose.ts';
import { readSettings } from '../../app/settings/settings.ts';
import { stopSignal } from '../../app/wiring/signals.ts';
import { channelToParent } from '../../lib/channel.ts';
import { keepDebuggerShut } from '../../lib/debugger.ts';
import { LineLog } from '../../lib/log/line-log.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { DemoClock } from './demo-clock.ts';
import { JobTimes } from './job-times.ts';

keepDebuggerShut();

const clock = new DemoClock(systemClock, Number(process.env.DEMO_CLOCK_OFFSET));
const log = new LineLog({ stream: process.stdout, clock });
process.on('exit', () => {
  log.flush();
});

try {
  const settings = readSettings({ env: process.env });
  const stop = stopSignal(process, settings.stop.within);
  const application = await compose(settings, { clock, timer: clock.timer, log });
  const jobTimes = new JobTimes(settings.database.reveal());
  channelToParent()?.on('advance', async (millis: number) => {
    await jobTimes.bringForward(millis);
    await clock.advance(millis);
    return clock.now();
  });
  log.info('ready', { ...(await application.start()) });
  const signal = await stop;
  log.info('stopping', { signal });
  await jobTimes.close();
  await application.stop();
  log.info('stopped');
} catch (error) {
  process.stderr.write(
    `the bridge cannot start: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exitCode = 1;
}
