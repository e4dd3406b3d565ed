import { stopSignal } from '../../app/wiring/signals.ts';
import type { DemoLinks } from './start.ts';
import { serveMailbox } from './serve.ts';

/**
 * The mailbox as a separate process: `MAILBOX_PORT` (8025) for people, `MAILBOX_SMTP_PORT` (1025) for e-mail.
 */
const portOf = (variable: string, usual: number): number => Number(process.env[variable] ?? usual);

// Only the demo sets it (`planDemo`).
const links = process.env.MAILBOX_LINKS ?? '';

const stop = stopSignal(process);
try {
  const mailbox = await serveMailbox({
    port: portOf('MAILBOX_PORT', 8025),
    smtpPort: portOf('MAILBOX_SMTP_PORT', 1025),
    links: links === '' ? undefined : (JSON.parse(links) as DemoLinks),
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
