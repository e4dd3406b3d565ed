import { describe, expect, it } from '@jest/globals';
import type { Socket } from 'node:net';
import type { PostVerdict } from '../../../../src/features/campaign/outbox.ts';
import { Secret } from '../../../../src/lib/secret/secret.ts';
import { askMailServer } from '../../../../src/features/campaign/mail/connect.ts';
import { parseMailServer } from '../../../../src/features/campaign/mail/mail-server.ts';
import { wordsOf } from '../../../../src/features/campaign/mail/verdict.ts';
import { eventually } from '../../../support/clock.ts';
import { message, LINK } from './messages.ts';
import { GREETING, login, PlayedServer, postmanFor, RudeServer, untilDot, type Part } from './mail-server.ts';

/** In milliseconds: longer than the tests run. */
const FOR_EVER = 3_600_000;

describe('an e-mail on its way to the mail server', () => {
  it('is sent, and the next one uses the same connection', async () => {
    await using played = await PlayedServer.start();
    const postman = postmanFor(played.server);
    expect(await postman.send(message())).toMatchObject({
      verdict: 'sent',
      response: expect.stringMatching(/^250/),
    });
    expect(await postman.send(message({ messageId: '<m2@bridge.example>' }))).toMatchObject({
      verdict: 'sent',
    });
    expect(played.connections).toBe(1);
    expect(played.contents).toHaveLength(2);
    expect(played.contents[1]).toContain('Message-ID: <m2@bridge.example>');
    await postman.close();
  });

  it('is sent once, one after the other, however many are queued at once', async () => {
    await using played = await PlayedServer.start();
    const postman = postmanFor(played.server);
    const ids = Array.from({ length: 20 }, (_, index) => `<m${index}@bridge.example>`);
    const verdicts = await Promise.all(ids.map((messageId) => postman.send(message({ messageId }))));
    expect(verdicts.every(({ verdict }) => verdict === 'sent')).toBe(true);
    const arrived = played.contents.map((content) => /Message-ID: (\S+)/.exec(content)?.[1]);
    expect(arrived).toEqual(ids);
    expect(played.connections).toBe(1);
    await postman.close();
  });

  it('uses a new connection if the kept one has ended', async () => {
    await using played = await PlayedServer.start();
    const postman = postmanFor(played.server);
    await postman.send(message());
    played.hangUp();
    expect(await postman.send(message())).toMatchObject({ verdict: 'sent' });
    expect(played.contents).toHaveLength(2);
    await postman.close();
  });

  it('is postponed once the sender has stopped', async () => {
    await using played = await PlayedServer.start();
    const postman = postmanFor(played.server);
    await postman.close();
    expect(await postman.send(message())).toMatchObject({ verdict: 'postponed' });
    expect(played.connections).toBe(0);
  });
});

describe('a sender that is being stopped', () => {
  it.each([
    ['the greeting', 'connected'],
    ['the reply to the greeting', 'EHLO'],
    ['the reply to the sender', 'MAIL'],
    ['leave to send the content', 'DATA'],
  ])('postpones the e-mail for which %s does not come', async (_what, word) => {
    const { promise: waits, resolve: waiting } = Promise.withResolvers<undefined>();
    const heard = (line: string, socket: Socket): void => {
      if (line.startsWith(word)) waiting(undefined);
      else untilDot(() => undefined)(line, socket);
    };
    await using rude = await RudeServer.start(heard, {
      greeting: word === 'connected' ? '' : GREETING,
      connected: () => {
        if (word === 'connected') waiting(undefined);
      },
    });
    const postman = postmanFor(rude.server, { connect: FOR_EVER, answer: FOR_EVER, closing: 20 });
    const sent = postman.send(message());
    await waits;
    await postman.close();
    expect(await sent).toEqual({ verdict: 'postponed', reason: 'the bridge is being stopped' });
  });

  it('waits for the reply to a content that has left', async () => {
    let answer: (() => void) | undefined;
    await using rude = await RudeServer.start(
      untilDot((socket) => {
        answer = () => socket.write('250 taken\r\n');
      }),
    );
    const postman = postmanFor(rude.server, { closing: 0 });
    const sent = postman.send(message());
    const reply = await eventually('the content has left', () => answer);
    const closed = postman.close();
    // Longer than it would have continued without a content.
    setTimeout(reply, 50);
    await closed;
    expect(await sent).toMatchObject({ verdict: 'sent' });
  });
});

describe('a reply of the mail server', () => {
  const rows: readonly (readonly [Exclude<Part, { at: 'never' }>, PostVerdict['verdict']])[] = [
    [{ at: 'recipient', code: 550, words: '5.1.1 no such user' }, 'refused'],
    [{ at: 'recipient', code: 553, words: '5.1.3 not an address' }, 'refused'],
    [{ at: 'recipient', code: 451, words: '4.7.1 greylisted' }, 'postponed'],
    [{ at: 'recipient', code: 452, words: '4.2.2 mailbox full' }, 'postponed'],
    // The same for everybody: our server's settings, not somebody's address.
    [{ at: 'recipient', code: 554, words: '5.7.1 Relay access denied' }, 'postponed'],
    [{ at: 'recipient', code: 530, words: '5.7.0 Authentication required' }, 'postponed'],
    [{ at: 'recipient', code: 503, words: '5.5.1 bad sequence' }, 'postponed'],
    [{ at: 'mail', code: 550, words: '5.7.1 not from you' }, 'postponed'],
    [{ at: 'mail', code: 421, words: '4.3.2 closing' }, 'postponed'],
    // Faults of the sender, the message or the moment, which would end e-mail to every customer.
    [{ at: 'recipient', code: 554, words: '5.7.1 Client host [192.0.2.1] blocked' }, 'postponed'],
    [{ at: 'recipient', code: 550, words: 'rejected because 192.0.2.1 is in a black list' }, 'postponed'],
    [{ at: 'recipient', code: 550, words: '5.1.8 Sender address rejected: Domain not found' }, 'postponed'],
    [{ at: 'recipient', code: 550, words: '5.4.5 Daily sending limit exceeded' }, 'postponed'],
    [{ at: 'recipient', code: 552, words: '5.2.2 over quota' }, 'postponed'],
    [{ at: 'recipient', code: 552, words: 'storage allocation exceeded' }, 'postponed'],
    [{ at: 'content', code: 554, words: '5.7.1 looks like spam' }, 'postponed'],
    [{ at: 'content', code: 554, words: 'Message rejected: Email address is not verified' }, 'postponed'],
    [{ at: 'content', code: 552, words: '5.3.4 message too big' }, 'postponed'],
    [{ at: 'recipient', code: 550, words: 'Administrative prohibition' }, 'postponed'],
    [{ at: 'recipient', code: 550, words: 'Verification failed: No such user here' }, 'postponed'],
    [{ at: 'recipient', code: 550, words: 'Access denied - Invalid HELO name' }, 'postponed'],
    [{ at: 'recipient', code: 550, words: 'reverse DNS of your host not found' }, 'postponed'],
    [{ at: 'recipient', code: 553, words: "that domain isn't in my list of allowed rcpthosts" }, 'postponed'],
    [{ at: 'recipient', code: 550, words: '5.1.0 Sender denied' }, 'postponed'],
    [{ at: 'content', code: 554, words: '5.1.2 sender domain not found' }, 'postponed'],
    [{ at: 'recipient', code: 550, words: 'Unrouteable address' }, 'refused'],
    [{ at: 'recipient', code: 550, words: "5.1.0 This user doesn't exist" }, 'refused'],
    [{ at: 'content', code: 550, words: '5.1.1 no such user' }, 'refused'],
    [{ at: 'recipient', code: 550, words: 'no such user' }, 'refused'],
    [{ at: 'recipient', code: 550, words: '5.4.1 Recipient address rejected: Access denied' }, 'refused'],
    [{ at: 'recipient', code: 550, words: '5.2.1 mailbox disabled' }, 'refused'],
    [{ at: 'content', code: 451, words: '4.3.0 later' }, 'postponed'],
  ];

  it.each(rows)('%j is taken as %s', async (part, verdict) => {
    await using played = await PlayedServer.start();
    played.part = part;
    const postman = postmanFor(played.server);
    const judged = await postman.send(message());
    expect(judged).toMatchObject({ verdict, reason: expect.stringContaining(part.words) });
    expect(played.contents).toHaveLength(0);
    played.part = { at: 'never' };
    expect(await postman.send(message())).toMatchObject({ verdict: 'sent' });
    await postman.close();
  });

  it('is quoted without addresses, links, control characters and its end', async () => {
    await using played = await PlayedServer.start();
    const words = `5.1.1 <mere@oldmill.example>: no\u0007 such user, see ${LINK} ${'x'.repeat(400)}`;
    played.part = { at: 'recipient', code: 550, words };
    const postman = postmanFor(played.server);
    const judged = await postman.send(message());
    const reason = judged.verdict === 'sent' ? '' : judged.reason;
    expect(reason).toMatch(/^550 5\.1\.1 <address>: no such user, see <link> x+…$/);
    await postman.close();
  });

  it('is read in its first 2,000 characters', () => {
    const quoted = (gap: number): string => wordsOf({ response: `550 no${' '.repeat(gap)}late` });
    expect([quoted(1_500), quoted(3_000)]).toEqual(['550 no late', '550 no']);
  });
});

describe('a failed connection', () => {
  it('postpones the e-mail if no server listens', async () => {
    const played = await PlayedServer.start();
    const { server } = played;
    await played[Symbol.asyncDispose]();
    const postman = postmanFor(server);
    expect(await postman.send(message())).toMatchObject({
      verdict: 'postponed',
      reason: expect.stringContaining('ECONNREFUSED'),
    });
  });

  it.each([
    ['at the greeting', 'EHLO'],
    ['at the sender', 'MAIL'],
    ['at the recipient', 'RCPT'],
    ['when asked for leave to send', 'DATA'],
  ])('postpones the e-mail if it is cut %s', async (_where, word) => {
    const lines: string[] = [];
    await using rude = await RudeServer.start((line, socket) => {
      lines.push(line);
      if (line.startsWith(word)) socket.destroy();
      else untilDot(() => undefined)(line, socket);
    });
    const postman = postmanFor(rude.server);
    expect(await postman.send(message())).toMatchObject({ verdict: 'postponed' });
    expect(lines.filter((line) => line.startsWith('EHLO'))).toHaveLength(1);
  });

  it('leaves the e-mail unknown if it is cut after the content, and sends nothing again', async () => {
    let dots = 0;
    await using rude = await RudeServer.start(
      untilDot((socket) => {
        dots += 1;
        socket.destroy();
      }),
    );
    const postman = postmanFor(rude.server);
    expect(await postman.send(message())).toMatchObject({ verdict: 'unknown' });
    await postman.close();
    expect(dots).toBe(1);
  });

  it('leaves the e-mail unknown if it is cut after the content of the second one', async () => {
    let dots = 0;
    await using rude = await RudeServer.start(
      untilDot((socket) => {
        dots += 1;
        if (dots === 1) socket.write('250 taken\r\n');
        else socket.destroy();
      }),
    );
    const postman = postmanFor(rude.server);
    expect(await postman.send(message())).toMatchObject({ verdict: 'sent' });
    expect(await postman.send(message())).toMatchObject({ verdict: 'unknown' });
    await postman.close();
    expect(dots).toBe(2);
  });

  it('leaves the e-mail unknown if no reply to the content comes', async () => {
    await using rude = await RudeServer.start(untilDot(() => undefined));
    const postman = postmanFor(rude.server, { answer: 150 });
    expect(await postman.send(message())).toMatchObject({ verdict: 'unknown' });
  });

  it('is abandoned if the replies take too long in total', async () => {
    await using rude = await RudeServer.start(
      untilDot((socket) => {
        const drip = setInterval(() => socket.write('250-still at it\r\n'), 20);
        socket.once('close', () => {
          clearInterval(drip);
        });
      }),
    );
    const postman = postmanFor(rude.server, { whole: 300 });
    expect(await postman.send(message())).toMatchObject({ verdict: 'unknown' });
  });

  it('postpones the e-mail if signing in never ends', async () => {
    await using rude = await RudeServer.start((line, socket) => {
      if (line.startsWith('EHLO')) socket.write('250-fine\r\n250 AUTH PLAIN\r\n');
      if (!line.startsWith('AUTH')) return;
      const drip = setInterval(() => socket.write('235-nearly\r\n'), 20);
      socket.once('close', () => {
        clearInterval(drip);
      });
    });
    const postman = postmanFor({ ...rude.server, login: login('pa:ss') }, { whole: 300 });
    expect(await postman.send(message())).toMatchObject({ verdict: 'postponed' });
  });

  it('postpones the e-mail if no greeting comes', async () => {
    await using rude = await RudeServer.start(() => undefined, { greeting: '' });
    const postman = postmanFor(rude.server, { connect: 150 });
    expect(await postman.send(message())).toMatchObject({ verdict: 'postponed' });
  });

  it('postpones the e-mail if the server is not a mail server', async () => {
    await using rude = await RudeServer.start(() => undefined, { greeting: 'SSH-2.0-OpenSSH\r\n' });
    const postman = postmanFor(rude.server, { connect: 500 });
    expect(await postman.send(message())).toMatchObject({ verdict: 'postponed' });
  });

  it('is closed if no further e-mail follows', async () => {
    const said: string[] = [];
    await using rude = await RudeServer.start((line, socket) => {
      said.push(line);
      untilDot(() => socket.write('250 taken\r\n'))(line, socket);
    });
    const postman = postmanFor(rude.server, { idle: 30 });
    expect(await postman.send(message())).toMatchObject({ verdict: 'sent' });
    await eventually('the postman says goodbye', () => (said.includes('QUIT') ? true : undefined));
  });
});

describe('user name and password of the mail server', () => {
  it('are used, and wrong ones postpone the e-mail without being logged', async () => {
    await using played = await PlayedServer.start();
    const good = postmanFor({ ...played.server, login: login('pa:ss') });
    expect(await good.send(message())).toMatchObject({ verdict: 'sent' });
    await good.close();
    const bad = postmanFor({ ...played.server, login: login('wr0ng') });
    const judged = await bad.send(message());
    expect(judged).toMatchObject({
      verdict: 'postponed',
      reason: expect.stringContaining('refuses the user name or password'),
    });
    expect(JSON.stringify(judged)).not.toContain('wr0ng');
  });

  it('are not sent if TLS is required and not offered', async () => {
    let passwords = 0;
    await using played = await PlayedServer.start({
      onAuth: (_auth, _session, done) => {
        passwords += 1;
        done(null, { user: 'us' });
      },
    });
    const postman = postmanFor({ ...played.server, tls: 'needed', login: login('pa:ss') });
    expect(await postman.send(message())).toMatchObject({ verdict: 'postponed' });
    expect(passwords).toBe(0);
    expect(played.contents).toHaveLength(0);
  });

  it('are tried by the doctor', async () => {
    await using played = await PlayedServer.start();
    expect(await askMailServer({ ...played.server, login: login('pa:ss') })).toBe(
      'answers, without TLS, accepts the user name and password',
    );
    const refused = await askMailServer({ ...played.server, login: login('wr0ng') }).catch(wordsOf);
    expect(refused).toContain('refuses the user name or password');
  });
});

describe('the URL of a mail server', () => {
  it.each([
    ['smtp://mail.example', { host: 'mail.example', port: 587, tls: 'offered', login: undefined }],
    ['smtps://mail.example/', { host: 'mail.example', port: 465, tls: 'always', login: undefined }],
    ['smtp://127.0.0.1:1025', { host: '127.0.0.1', port: 1025, tls: 'offered' }],
    ['smtp://u:p@mail.example:25', { port: 25, tls: 'needed', login: { user: 'u' } }],
    ['smtp://u:p@localhost:1025', { tls: 'offered' }],
    ['smtps://u%40x:p%3A%2Fs@[::1]:2465', { host: '::1', port: 2465, tls: 'always', login: { user: 'u@x' } }],
  ])('%s is read', (text, expected) => {
    expect(parseMailServer(text)).toMatchObject(expected);
  });

  it('hides the password', () => {
    const server = parseMailServer('smtps://u:p%3A%2Fs@mail.example');
    expect(server?.login?.password).toEqual(new Secret('p:/s'));
    expect(server?.login?.password.reveal()).toBe('p:/s');
    expect(JSON.stringify(server)).not.toContain('p:/s');
  });

  it.each([
    'mail.example',
    'http://mail.example',
    'smtp://',
    'smtp://user@mail.example',
    'smtp://mail.example/inbox',
    'smtp://mail.example?tls=no',
    'smtp://u:%ZZ@mail.example',
  ])('is not %s', (text) => {
    expect(parseMailServer(text)).toBeUndefined();
  });
});
