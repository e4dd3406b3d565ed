import { createServer, type Server } from 'node:http';
import type { AddressInfo, Server as NetServer } from 'node:net';
import type { SMTPServer } from 'smtp-server';
import { systemClock, type Clock } from '../../lib/time/clock.ts';
import { mailboxApp } from './app.ts';
import { Inbox } from './inbox.ts';
import type { DemoLinks, DemoTime } from './start.ts';
import { mailServer } from './smtp.ts';

export interface MailboxOptions {
  /** 0 picks a free port. */
  readonly port: number;
  readonly smtpPort: number;
  readonly clock?: Clock;
  /** Links of a demo, whose start page is served too. */
  readonly links?: DemoLinks | undefined;
  /** Clock of a demo, if it can be moved. */
  readonly time?: DemoTime | undefined;
}

export interface ServedMailbox {
  readonly inbox: Inbox;
  /** Address of the pages, without a trailing slash. */
  readonly url: string;
  /** Address of the mail server, in the format of `CAUSEWAY_SMTP_URL`. */
  readonly smtpUrl: string;
  close(): Promise<void>;
}

const HOST = '127.0.0.1';

/**
 * Serves mail and pages on this computer only. Rejects, with nothing left open, if a port is not available.
 */
export async function serveMailbox({
  port,
  smtpPort,
  clock = systemClock,
  links,
  time,
}: MailboxOptions): Promise<ServedMailbox> {
  const inbox = new Inbox(clock);
  const smtp = mailServer(inbox);
  const pages = createServer(mailboxApp(inbox, links, time));
  // In milliseconds, and longer than a caller keeps an idle connection, so that no call is sent on one that
  // is closing.
  pages.keepAliveTimeout = 75_000;
  const close = async (): Promise<void> => {
    await Promise.all([closedPages(pages), closedSmtp(smtp)]);
  };
  try {
    const smtpUrl = `smtp://${HOST}:${await listening(smtp.server, smtpPort)}`;
    const url = `http://${HOST}:${await listening(pages, port)}`;
    return { inbox, url, smtpUrl, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function listening(server: NetServer, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, HOST, () => {
      resolve((server.address() as AddressInfo).port);
    });
  });
}

function closedPages(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
    server.closeAllConnections();
  });
}

const closedSmtp = (server: SMTPServer): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => {
      resolve();
    });
  });
