import { stopSignal } from '../../app/wiring/signals.ts';
import { channelToParent } from '../../lib/channel.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { DemoClock } from '../clock/demo-clock.ts';
import type { PastMail } from './past.ts';
import type { DemoLinks, DemoTime } from './start.ts';
import { serveMailbox } from './serve.ts';

/**
 * The mailbox as a separate process: `MAILBOX_PORT` (8025) for people, `MAILBOX_SMTP_PORT` (1025) for e-mail.
 */
const portOf = (variable: string, usual: number): number => Number(process.env[variable] ?? usual);

// Only the demo sets it (`planDemo`).
const links = process.env.MAILBOX_LINKS ?? '';

const offset = process.env.DEMO_CLOCK_OFFSET ?? '';
const clock = offset === '' ? undefined : new DemoClock(systemClock, Number(offset));

const demo = channelToParent();
const stop = stopSignal(process);
try {
  const mailbox = await serveMailbox({
    port: portOf('MAILBOX_PORT', 8025),
    smtpPort: portOf('MAILBOX_SMTP_PORT', 1025),
    links: links === '' ? undefined : (JSON.parse(links) as DemoLinks),
    ...(clock && { clock, time: timeOf(clock) }),
  });
  demo?.on('past', async (past: PastMail) => {
    await mailbox.inbox.takePast(past);
    return true;
  });
  process.stdout.write(`mailbox listening on ${mailbox.url} and ${mailbox.smtpUrl}\n`);
  await stop;
  await mailbox.close();
} catch (error) {
  process.stderr.write(
    `the mailbox cannot start: ${error instanceof Error ? error.message : String(error)}\n`,
  );
  process.exitCode = 1;
}

/** The demo's process moves all clocks, including that of this process. */
function timeOf(movable: DemoClock): DemoTime {
  let begun = (): void => undefined;
  demo?.on('advance', (millis: number) => {
    begun();
    return movable.advance(millis);
  });
  return {
    now: () => movable.now(),
    move: async (move, passing) => {
      let step = 0;
      begun = () => {
        passing((step += 1));
      };
      return (await demo?.ask('move', move)) === true;
    },
  };
}
