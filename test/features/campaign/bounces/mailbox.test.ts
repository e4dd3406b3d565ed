import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { ImapFlow } from 'imapflow';
import {
  parseAfterwards,
  parseMailbox,
  type Afterwards,
  type Mailbox,
  type MailboxAddress,
} from '../../../../src/features/campaign/bounces/mailbox/mailbox.ts';
import { ImapMailbox } from '../../../../src/features/campaign/bounces/mailbox/imap-mailbox.ts';
import { BounceReader } from '../../../../src/features/campaign/bounces/mailbox/reader.ts';
import { readReturnedMessage } from '../../../../src/features/campaign/bounces/mailbox/returned-message.ts';
import { optionalPackage } from '../../../../src/features/campaign/bounces/mailbox/packages.ts';
import { DAY } from '../../../../src/lib/time/clock.ts';
import { Authority } from '../../../app/doctor/https-server.ts';
import { KeptLog } from '../../../http/harness.ts';
import { hasDovecot, MAILBOX_PASSWORD, MAILBOX_USER, RunningDovecot } from '../../../support/dovecot.ts';
import { openPostOffice } from '../harness.ts';
import { exchange, exim, forged, gmail, postfix, qmail } from './returned.ts';

const ID = '7b6a1c1e-4f0d-4d0c-9d3e-2f1b8a6c5d4e';
const ADA = 'ada@example.net';
const about = { id: ID, address: ADA };
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const signal = new AbortController().signal;

describe('a returned message', () => {
  it.each([
    ['Postfix', postfix(about), 'dead', '550 5.1.1 User unknown'],
    ['Exchange', exchange(about), 'dead', 'RecipientNotFound'],
    ['Gmail', gmail(about), 'dead', 'does not exist'],
    ['Exim', exim(about), 'dead', '550 No Such User Here'],
    ['qmail', qmail(about), 'dead', 'no mailbox here'],
    ['a delay', postfix(about, '4.4.1', 'delayed', 'no route'), 'passing', 'no route'],
    ['a full mailbox', postfix(about, '5.2.2', 'failed', '552 5.2.2 Quota'), 'passing', 'Quota'],
    ['a policy', postfix(about, '5.7.26', 'failed', '550 5.7.26 DMARC'), 'passing', 'DMARC'],
    ['a block list', postfix(about, '5.0.0', 'failed', '550 in a black list'), 'passing', 'black list'],
    ['a refused host', postfix(about, '5.0.0', 'failed', '550 Bad HELO'), 'passing', 'Bad HELO'],
    ['a status in the words', postfix(about, '5.0.0', 'failed', '550 5.1.1 No'), 'dead', '5.1.1 No'],
    ['qmail that gave up', qmail(about, 'Too long in the queue. (#4.4.1)'), 'passing', 'queue'],
  ])('is read in the form of %s', async (_by, source, kind, words) => {
    const { bounces, messageIds } = await readReturnedMessage(bytes(source));
    expect(bounces).toEqual([{ address: ADA, kind, words: expect.stringContaining(words) }]);
    expect(messageIds).toContain(ID);
  });

  it('is read from its first bytes if the rest is cut off', async () => {
    const source = postfix(about).replace('Please connect.', 'x'.repeat(100_000)).slice(0, 60_000);
    expect((await readReturnedMessage(bytes(source))).messageIds).toEqual([ID]);
  });

  it.each([
    [
      'a reply',
      `From: ada@example.net\r\nIn-Reply-To: <${ID}@x>\r\n\r\nFinal-Recipient: rfc822; ${ADA}\r\nAction: failed\r\n`,
    ],
    ['a report that somebody forwards', `Content-Type: message/rfc822\r\n\r\n${postfix(about)}`],
    ['no message at all', '\u0000\u0001'],
  ])('is not mistaken for %s', async (_what, source) => {
    expect(await readReturnedMessage(bytes(source))).toEqual({ bounces: [], messageIds: [] });
  });

  it('is ignored if its parts are nested too deeply, and yields few recipients', async () => {
    const deep = Array.from(
      { length: 400 },
      (_, at) => `--${at - 1}\r\nContent-Type: multipart/mixed; boundary="${at}"\r\n\r\n`,
    );
    await expect(
      readReturnedMessage(bytes(`Content-Type: multipart/mixed; boundary="-1"\r\n\r\n${deep.join('')}`)),
    ).rejects.toThrow();
    const many = Array.from(
      { length: 2_000 },
      (_, at) => `Final-Recipient: rfc822; a${at}@example.net\r\nAction: failed\r\nStatus: 5.1.1\r\n`,
    );
    const source = `Content-Type: message/delivery-status\r\n\r\n${many.join('\r\n')}`;
    expect((await readReturnedMessage(bytes(source))).bounces.length).toBeLessThanOrEqual(50);
  });

  const failed = (address: string): string => `Final-Recipient: rfc822; ${address}\r\nAction: failed\r\n\r\n`;
  const asReport = (...recipients: readonly string[]): string =>
    `Content-Type: message/delivery-status\r\n\r\n${recipients.map(failed).join('')}`;
  const inHeader = (...recipients: readonly string[]): string =>
    `X-Failed-Recipients: ${recipients.join(',')}\r\n\r\n550 no such user\r\n`;
  const inWords = (...recipients: readonly string[]): string =>
    `From: a@b\r\n\r\nHi. This is the mail program\r\n\r\n${recipients.map((one) => `<${one}>:\r\n#5.1.1\r\n\r\n`).join('')}`;

  it.each([
    ['a report', asReport],
    ['the header of Exim', inHeader],
    ['the paragraphs of qmail', inWords],
  ])('is judged by its first entries alone, in the form of %s', async (_of, write) => {
    const named = async (before: number): Promise<number> =>
      (await readReturnedMessage(bytes(write(...Array<string>(before).fill('nobody'), ADA)))).bounces.length;
    expect([await named(5), await named(1_000)]).toEqual([1, 0]);
  });

  it('is read in its first thousands of lines, and not with headers of 64 KiB or more', async () => {
    const after = (lines: number): string => asReport().concat('\r\n'.repeat(lines), failed(ADA));
    const found = async (source: string): Promise<number> =>
      (await readReturnedMessage(bytes(source))).bounces.length;
    expect([await found(after(4_000)), await found(after(6_000))]).toEqual([1, 0]);
    expect(await found(`Received: ${'x'.repeat(60_000)}\r\n${inHeader(ADA)}`)).toBe(1);
    await expect(found(`Received: ${'x'.repeat(66_000)}\r\n${inHeader(ADA)}`)).rejects.toThrow('header');
  });
});

describe('the settings of the mailbox', () => {
  it('accept an address with user and password, with TLS except on this machine', () => {
    const read = [
      'imaps://u:p%40@mail.example.com',
      'imap://u:p@mail.example.com:1143',
      'imap://u:p@127.0.0.1',
    ].map((text) => parseMailbox(text));
    expect(read.map((one) => [one?.port, one?.tls])).toEqual([
      [993, 'always'],
      [1143, 'needed'],
      [143, 'never'],
    ]);
    expect(read[0]?.password.reveal()).toBe('p@');
    for (const text of [
      'imaps://mail.example.com',
      'pop3://u:p@m',
      'imaps://u:p@m/INBOX',
      'imaps://u@m',
      'm',
    ])
      expect(parseMailbox(text)).toBeUndefined();
  });

  it('define what is done afterwards', () => {
    expect(['seen', 'leave', 'move:Done', 'move:', 'delete'].map(parseAfterwards)).toEqual([
      { deed: 'seen' },
      { deed: 'leave' },
      { deed: 'move', folder: 'Done' },
      undefined,
      undefined,
    ]);
  });

  it('say what to install if a package is missing', () => {
    expect(() => optionalPackage('causeway-is-no-package')).toThrow(
      'the package causeway-is-no-package is not installed: npm install imapflow@2.10.2 postal-mime@4.0.0',
    );
  });
});

describe('a mailbox in which people write, too', () => {
  it('is read to its end, although the server ends each reading early', async () => {
    const office = await openPostOffice();
    const read: number[] = [];
    const use: Mailbox['use'] = async (_signal, work) => {
      let left = 3;
      return work({
        validity: '1',
        above: async (uid) => [1, 2, 3, 4, 5, 6, 7].filter((one) => one > uid),
        read: async (uid) => {
          if (left === 0) throw new Error('throttled');
          left -= 1;
          read.push(uid);
          return bytes('Subject: Re: Connect\r\n\r\nWho are you?\r\n');
        },
        settle: async () => undefined,
      });
    };
    const reader = new BounceReader({
      mailbox: { name: 'box', use },
      afterwards: { deed: 'leave' },
      bounces: office.store.bounces,
      settings: office.store.settings,
      clock: office.clock,
      log: new KeptLog(),
    });
    const words = [];
    for (let reading = 0; reading < 3; reading += 1) words.push((await reader.read(signal)).error?.words);
    expect([read, words]).toEqual([
      [1, 2, 3, 4, 5, 6, 7],
      ['throttled', 'throttled', undefined],
    ]);
  });
});

const withDovecot = hasDovecot ? describe : describe.skip;

withDovecot('a mailbox of Dovecot', () => {
  const authority = new Authority();
  let dovecot: RunningDovecot;
  beforeAll(async () => {
    dovecot = await RunningDovecot.start(authority.issue('localhost', 30));
  });
  afterAll(async () => {
    await dovecot.remove();
    authority[Symbol.dispose]();
  });

  /** A person with the same mailbox. */
  async function person<T>(work: (client: ImapFlow) => Promise<T>): Promise<T> {
    const auth = { user: MAILBOX_USER, pass: MAILBOX_PASSWORD };
    const client = new ImapFlow({
      host: '127.0.0.1',
      port: dovecot.port,
      secure: false,
      doSTARTTLS: false,
      logger: false,
      auth,
    });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.logout();
    }
  }

  const folders = (...names: readonly string[]): Promise<void> =>
    person(async (client) => {
      for (const name of names) await client.mailboxCreate(name);
    });

  const deliver = (folder: string, ...messages: readonly string[]): Promise<void> =>
    person(async (client) => {
      for (const message of messages) await client.append(folder, message);
    });

  /** How many messages are there, and which of them are seen. */
  const look = (folder: string): Promise<readonly boolean[]> =>
    person(async (client) => {
      const { exists } = await client.mailboxOpen(folder, { readOnly: true });
      if (exists === 0) return [];
      return (await client.fetchAll('1:*', { flags: true })).map(
        ({ flags }) => flags?.has('\\Seen') ?? false,
      );
    });

  async function opened(folder: string, afterwards: Afterwards = { deed: 'seen' }) {
    const office = await openPostOffice();
    const log = new KeptLog();
    const address = parseMailbox(dovecot.url);
    if (address === undefined) throw new Error('no address of a mailbox');
    const parts = {
      afterwards,
      bounces: office.store.bounces,
      settings: office.store.settings,
      clock: office.clock,
      log,
    };
    const mailbox = new ImapMailbox(address, folder);
    const readerOf = (through: Mailbox = mailbox): BounceReader =>
      new BounceReader({ ...parts, mailbox: through });
    const invite = async (email: string, name: string): Promise<{ account: string; id: string }> => {
      const account = await office.add(email, name);
      await office.campaign.invite(account, 'operator');
      await office.job.run();
      const [message] = await office.store.campaign.messages(account);
      return { account, id: message?.id ?? '' };
    };
    const isDead = async (email: string): Promise<boolean> =>
      (await office.store.campaign.suppression(email)) !== undefined;
    return { ...{ office, log, mailbox, readerOf, invite, isDead }, reader: readerOf() };
  }

  it('stops e-mail to dead addresses, ignores forged bounces, and keeps what it cannot parse', async () => {
    await folders('Mixed');
    const { office, reader, log, invite, isDead } = await opened('Mixed');
    const ada = await invite(ADA, 'Ada');
    const bob = await invite('bob@example.net', 'Bob');
    await deliver(
      'Mixed',
      'From: ada@example.net\r\nSubject: Re: Connect\r\n\r\nWho are you?\r\n',
      forged('bob@example.net'),
      // Ada's own message says nothing of Bob.
      postfix({ id: ada.id, address: 'bob@example.net' }),
      postfix({ id: ada.id, address: 'Ada@example.net' }),
      postfix({ id: bob.id, address: 'bob@example.net' }, '4.4.1', 'delayed'),
    );
    const state = await reader.read(signal);
    expect(state).toMatchObject({
      readAt: office.clock.now(),
      reading: { messages: 5, stopped: 1, ignored: 1, unproven: 2, other: 1 },
    });
    expect([await isDead(ADA), await isDead('bob@example.net')]).toEqual([true, false]);
    expect(await look('Mixed')).toEqual([false, false, false, true, true]);
    const entries = (await office.store.accounts.timeline(ada.account)).filter(
      ({ kind }) => kind === 'mail.bounced',
    );
    expect(entries.map(({ detail }) => detail)).toEqual([
      expect.stringMatching(/: a message came back \(mailbox\): .*550 5\.1\.1 User unknown/),
    ]);
    expect(log.lines.map(({ event }) => event)).toEqual(['bounces.stopped', 'bounces.read']);
    expect((await reader.read(signal)).reading?.messages).toBe(5);
  });

  it('is read once, even if the process dies in between, and is read again from its start', async () => {
    await folders('Killed', 'Done');
    const { office, reader, readerOf, mailbox, invite, isDead } = await opened('Killed', {
      deed: 'move',
      folder: 'Done',
    });
    const { account, id } = await invite(ADA, 'Ada');
    await deliver('Killed', qmail({ id, address: ADA }));
    const dying: Mailbox = {
      name: mailbox.name,
      use: (until, work) =>
        mailbox.use(until, (folder) =>
          work({ ...folder, settle: () => Promise.reject(new Error('the process was killed')) }),
        ),
    };
    expect((await readerOf(dying).read(signal)).error?.words).toBe('the process was killed');
    expect([await isDead(ADA), await look('Killed')]).toEqual([true, [false]]);
    expect((await reader.read(signal)).reading).toMatchObject({ messages: 1, stopped: 0, ignored: 1 });
    expect([await look('Killed'), (await look('Done')).length]).toEqual([[], 1]);
    const bounced = (await office.store.accounts.timeline(account)).filter(
      ({ kind }) => kind === 'mail.bounced',
    );
    expect(bounced).toHaveLength(1);

    // The customer says that the address works: the old bounce, read again, must not end e-mail to it once more.
    office.clock.advance(DAY);
    expect(await office.store.campaign.relent(ADA)).toBe(true);
    await deliver('Killed', qmail({ id, address: ADA }));
    expect((await reader.read(signal)).reading).toMatchObject({ stopped: 0, ignored: 1 });
    expect(await isDead(ADA)).toBe(false);
  });

  it('keeps its messages on request, and reads only the start of a long one', async () => {
    await folders('Left');
    const { reader, invite, isDead } = await opened('Left', { deed: 'leave' });
    const { id } = await invite(ADA, 'Ada');
    await deliver('Left', `${exim({ id, address: ADA })}${'x'.repeat(3 * 1024 * 1024)}`);
    expect((await reader.read(signal)).reading).toMatchObject({ messages: 1, stopped: 1 });
    expect([await isDead(ADA), await look('Left')]).toEqual([true, [false]]);
  });

  it('is read over TLS only if this process trusts the certificate', async () => {
    const { readerOf } = await opened('INBOX');
    const overTls = parseMailbox(dovecot.tlsUrl) ?? fail();
    const byStartTls = { ...overTls, port: dovecot.port, tls: 'needed' as const };
    const read = (address: MailboxAddress) => readerOf(new ImapMailbox(address, 'INBOX')).read(signal);
    expect(overTls).toMatchObject({ host: 'localhost', tls: 'always' });
    for (const address of [overTls, byStartTls])
      expect((await read(address)).error?.words).toMatch(/certificate|signed|issuer/);
    // What `NODE_EXTRA_CA_CERTS` does at the start of a process.
    const usual = getCACertificates('default');
    setDefaultCACertificates([...usual, authority.certificate]);
    try {
      for (const address of [overTls, byStartTls]) expect(await read(address)).not.toHaveProperty('error');
      // The certificate names another host.
      expect((await read({ ...overTls, host: '127.0.0.1' })).error?.words).toMatch(/altnames/);
    } finally {
      setDefaultCACertificates(usual);
    }
  });

  it('says once why it cannot be read, and once that it can be read again', async () => {
    const { office, readerOf, mailbox, log, reader } = await opened('INBOX');
    const missing = new ImapMailbox(parseMailbox(dovecot.url) ?? fail(), 'No such folder');
    const wrong = new ImapMailbox(parseMailbox(dovecot.url.replace('%25@', '@')) ?? fail(), 'INBOX');
    expect((await readerOf(missing).read(signal)).error?.words).toContain('has no such folder');
    expect((await readerOf(wrong).read(signal)).error?.words).toContain('refuses the user name or password');
    await dovecot.stop();
    for (let time = 0; time < 2; time += 1)
      expect((await reader.read(signal)).error?.words).toContain('ECONNREFUSED');
    await dovecot.run();
    expect(await reader.read(signal)).toMatchObject({
      mailbox: mailbox.name,
      readAt: office.clock.now(),
    });
    expect(log.lines.map(({ event }) => event)).toEqual([
      ...['bounces.not-read', 'bounces.not-read', 'bounces.not-read', 'bounces.read-again'],
    ]);
  });
});

function fail(): never {
  throw new Error('no address of a mailbox');
}
