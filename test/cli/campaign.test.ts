import { afterEach, describe, expect, it } from '@jest/globals';
import { until } from '../support/clock.ts';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { text } from 'node:stream/consumers';
import { compose } from '../../src/app/compose.ts';
import type { Application } from '../../src/app/running-bridge.ts';
import { readSettings } from '../../src/app/settings/settings.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { silentLog } from '../../src/lib/log/log.ts';
import { freePort } from '../support/bridge.ts';
import { CommandLine, oauth } from './harness.ts';

const closers: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

/** A mail server that keeps what it takes. */
async function mailServer(): Promise<{ readonly port: number; readonly mails: string[] }> {
  const mails: string[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onRcptTo: (address, _session, done) => {
      done(
        address.address.startsWith('gone')
          ? Object.assign(new Error('no such user'), { responseCode: 550 })
          : null,
      );
    },
    onData: (stream, _session, done) => {
      void text(stream).then((mail) => {
        mails.push(mail);
        done();
      });
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  closers.push(
    () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve(undefined);
        });
      }),
  );
  return { port: (server.server.address() as AddressInfo).port, mails };
}

async function bridge(
  commandLine: CommandLine,
): Promise<{ readonly url: string; readonly application: Application }> {
  const application = await compose(readSettings({ env: commandLine.env }), {
    clock: systemClock,
    log: silentLog,
  });
  closers.push(() => application.stop());
  const { port } = await application.start();
  return { url: `http://127.0.0.1:${port}`, application };
}

const settings = (smtp: number, port: number): Readonly<Record<string, string>> => ({
  ...oauth,
  CAUSEWAY_PUBLIC_URL: `http://127.0.0.1:${port}`,
  CAUSEWAY_PORT: String(port),
  CAUSEWAY_METRICS_PORT: '0',
  CAUSEWAY_SMTP_URL: `smtp://127.0.0.1:${smtp}`,
  CAUSEWAY_MAIL_FROM: 'Example <bridge@example.com>',
});

const headerOf = (mail: string, name: string): string =>
  new RegExp(`^${name}: (.*(?:\\r?\\n[ \\t].*)*)`, 'im').exec(mail)?.[1]?.replaceAll(/\r?\n[ \t]+/g, ' ') ??
  '';

describe('an invitation at the command line', () => {
  it('is mailed by the running bridge, once, and one click ends the e-mails', async () => {
    const { port, mails } = await mailServer();
    using commandLine = new CommandLine(settings(port, await freePort()));
    await commandLine.causeway([
      'accounts',
      'add',
      'Old Mill',
      '--account-key',
      'K1',
      '--email',
      'ada@example.com',
      '--contact',
      'Ada',
    ]);
    await commandLine.causeway([
      'accounts',
      'add',
      'Gone',
      '--account-key',
      'K2',
      '--email',
      'gone@example.com',
    ]);
    await commandLine.causeway(['waves', 'add', 'Later', '--search', 'Gone']);
    const skipped = await commandLine.causeway(['invite', '--all', '--dry-run']);
    expect(skipped.out).toContain('is in a wave; its name or --wave invites it anyway');
    expect(skipped.err).toContain('note: 1 account left alone: in a wave');
    expect(skipped.err).toContain('1 would be done, 1 left as they are\n');
    await commandLine.causeway(['waves', 'remove', 'Later']);
    expect((await commandLine.causeway(['invite', '--all'])).err).toBe('2 done, 0 left as they are\n');
    await bridge(commandLine);
    const show = async (name: string) => (await commandLine.causeway(['accounts', 'show', name])).out;
    await until(
      'the message is refused',
      async () => mails.length > 0 && (await show('Gone')).includes('refused'),
    );
    await until('the message is sent', async () => (await show('Old Mill')).includes(' sent'));
    expect(mails).toHaveLength(1);
    const [mail = ''] = mails;
    expect(headerOf(mail, 'To')).toContain('ada@example.com');
    expect(headerOf(mail, 'Message-ID')).toMatch(/^<[0-9a-f-]{36}@.+>$/);
    expect(headerOf(mail, 'List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
    expect((await commandLine.causeway(['invite', 'Gone'])).out).toContain('refused');
    expect(
      (await commandLine.causeway(['accounts', 'set', 'Gone', '--email', 'gone@example.com'])).out,
    ).toContain('tried again');
    expect((await commandLine.causeway(['invite', 'Gone'])).code).toBe(0);

    const unsubscribe = /<(http[^>]+)>/.exec(headerOf(mail, 'List-Unsubscribe'))?.[1] ?? '';
    const looked = await fetch(unsubscribe);
    expect(looked.status).toBe(200);
    expect(await looked.text()).toContain('<form method="post">');
    expect(await show('Old Mill')).not.toContain('unsubscribed');
    const clicked = await fetch(unsubscribe, {
      method: 'POST',
      body: new URLSearchParams({ 'List-Unsubscribe': 'One-Click' }),
    });
    expect(clicked.status).toBe(200);
    expect(await show('Old Mill')).toContain('unsubscribed');
    expect((await fetch(`${unsubscribe}x`, { method: 'POST' })).status).toBe(404);
    expect((await commandLine.causeway(['remind', 'Old Mill'])).out).toContain('unsubscribed from e-mail');
  });

  it('of a customer without V1 keys is mailed, and its program is told to have it authorised', async () => {
    const { port, mails } = await mailServer();
    using commandLine = new CommandLine({
      ...settings(port, await freePort()),
      CAUSEWAY_V1_BASE_URL: 'http://127.0.0.1:9',
    });
    const { out } = await commandLine.causeway([
      'accounts',
      'add',
      'Brand New',
      '--new',
      '--email',
      'new@example.com',
    ]);
    expect(out).toContain('an invitation to new@example.com was queued');
    const [, apiKey = '', accountKey = ''] = /API key +(\S+)\naccount key +(\S+)/.exec(out) ?? [];
    const { url } = await bridge(commandLine);
    const call = (key: string) => fetch(`${url}/client.api/list?apiKey=${key}&accountKey=${accountKey}`);
    const answer = await call(apiKey);
    expect(answer.status).toBe(403);
    expect(answer.headers.get('x-causeway-source')).toBe('bridge');
    expect(await answer.text()).toContain('must be authorised again');
    expect((await call('0'.repeat(32))).status).toBe(401);
    await until('the message arrives', () => mails.length === 1);
  });
});
