import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Inbox } from '../../src/demo/mailbox/inbox.ts';
import { previewOf } from '../../src/demo/mailbox/message.ts';
import { serveMailbox, type ServedMailbox } from '../../src/demo/mailbox/serve.ts';
import type { PostVerdict } from '../../src/features/campaign/outbox.ts';
import { SmtpLine } from '../../src/features/campaign/mail/line.ts';
import { parseMailServer } from '../../src/features/campaign/mail/mail-server.ts';

let mailbox: ServedMailbox;

beforeEach(async () => {
  mailbox = await serveMailbox({ port: 0, smtpPort: 0 });
});

afterEach(async () => {
  await mailbox.close();
});

const raw = (...lines: readonly string[]): Buffer => Buffer.from(lines.join('\r\n'), 'utf8');

const pictured = raw(
  'From: "Tide & Water" <from@tide.example>',
  'To: =?utf-8?q?M=C4=93re?= <mere@mill.example>',
  'Subject: =?utf-8?q?K=C5=8Dwhai?= <b>',
  'MIME-Version: 1.0',
  'Content-Type: multipart/related; boundary=x',
  '',
  '--x',
  'Content-Type: text/html; charset=utf-8',
  '',
  '<html><head><title>no</title></head><body><script>bad()</script><p>Hello &amp; welcome</p><img src="cid:logo@x"><a href="https://b.example/?a=1&amp;b=2">go</a></body></html>',
  '--x',
  'Content-Type: image/png',
  'Content-ID: <logo@x>',
  'Content-Transfer-Encoding: base64',
  '',
  'iVBORw==',
  '--x--',
);

async function post(content: Buffer, to = 'mere@mill.example'): Promise<PostVerdict> {
  const server = parseMailServer(mailbox.smtpUrl);
  if (server === undefined) throw new Error(`no address of a mail server: ${mailbox.smtpUrl}`);
  const line = new SmtpLine(server);
  try {
    return await line.send({ from: 'from@tide.example', to, content });
  } finally {
    await line.close();
  }
}

const get = (path: string): Promise<Response> => fetch(`${mailbox.url}${path}`);
const dataAt = async (path: string): Promise<unknown> =>
  ((await (await get(path)).json()) as { readonly data: unknown }).data;

describe('caught e-mail', () => {
  it('can be read by programs, whole and in parts', async () => {
    expect(await post(pictured)).toMatchObject({ verdict: 'sent' });
    expect(await dataAt('/api/messages')).toMatchObject([
      {
        id: '1',
        from: { name: 'Tide & Water', address: 'from@tide.example' },
        to: [{ name: 'Mēre', address: 'mere@mill.example' }],
        subject: 'Kōwhai <b>',
        preview: 'Hello & welcome go',
      },
    ]);
    expect(await dataAt('/api/messages/1')).toMatchObject({
      envelope: { from: 'from@tide.example', to: ['mere@mill.example'] },
      html: expect.stringContaining('src="data:image/png;base64,iVBORw=="'),
      links: ['https://b.example/?a=1&b=2'],
      source: expect.stringContaining('Content-ID: <logo@x>'),
    });
    expect((await get('/api/messages/2')).status).toBe(404);
  });

  it('from an earlier run keeps its own time and is counted separately', async () => {
    const [at, content] = [Date.parse('2026-11-24T09:00Z'), pictured.toString('base64')];
    await mailbox.inbox.takePast({
      mails: [{ at, from: 'a@b.example', to: 'c@d.example', content }],
      left: 7,
    });
    const page = await (await get('/')).text();
    expect(page).toContain('24 Nov, 09:00');
    expect(page).toContain('The 7 older mails of the campaign are not kept here.');
  });

  it('is listed for people, escaped, newest first', async () => {
    await post(pictured);
    await post(raw('Subject: second', '', 'https://b.example/x <script>'));
    const list = await (await get('/')).text();
    expect(list.indexOf('second')).toBeLessThan(list.indexOf('Kōwhai &lt;b&gt;'));
    const text = await (await get('/messages/2')).text();
    expect(text).toContain('href="https://b.example/x"');
    expect(text).toContain('&lt;script&gt;');
    expect(text).not.toContain('<iframe');
    expect(await (await get('/messages/1?view=headers')).text()).toContain('Content-Type');
    expect(await (await get('/messages/1?view=source')).text()).toContain('--x--');
    const none = await get('/messages/9');
    expect(none.status).toBe(404);
    expect(await none.text()).toContain('No such mail');
  });

  it('is shown as its sender made it, without scripts and external content', async () => {
    await post(pictured);
    const shown = await get('/messages/1/html');
    expect(await shown.text()).toContain('<head><base target="_blank">');
    const policy = shown.headers.get('content-security-policy') ?? '';
    expect(policy).toMatch(/^sandbox (?!.*allow-(scripts|forms|top-navigation))/);
    expect(policy).toContain("default-src 'none'");
    expect((await get('/')).headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
  });

  it('can be deleted by a program, not by a page', async () => {
    await post(pictured);
    const thrown = (headers: Record<string, string>): Promise<Response> =>
      fetch(`${mailbox.url}/api/messages`, { method: 'DELETE', headers });
    expect((await thrown({ origin: 'https://elsewhere.example' })).status).toBe(403);
    expect(mailbox.inbox.messages).toHaveLength(1);
    expect((await thrown({})).status).toBe(204);
    expect(mailbox.inbox.messages).toHaveLength(0);
  });

  it('is not shown under another host name of this computer', async () => {
    const { promise, resolve } = Promise.withResolvers<number | undefined>();
    request(`${mailbox.url}/api/messages`, { headers: { host: 'rebound.example' } }, (answer) => {
      answer.resume();
      resolve(answer.statusCode);
    }).end();
    expect(await promise).toBe(403);
  });
});

describe('the mail server of the mailbox', () => {
  it('replies with a permanent refusal or a temporary one on request', async () => {
    expect(await post(pictured, 'bounce@mill.example')).toMatchObject({ verdict: 'refused' });
    expect(await post(pictured, 'later+again@mill.example')).toMatchObject({ verdict: 'postponed' });
    expect(mailbox.inbox.messages).toHaveLength(0);
    expect(await post(pictured, 'constructor@mill.example')).toMatchObject({ verdict: 'sent' });
  });

  it('refuses a message that is too long', async () => {
    const long = Buffer.alloc(5_100_000, 'long line\r\n');
    expect(await post(long)).toMatchObject({ verdict: expect.stringMatching(/refused|postponed/) });
    expect(mailbox.inbox.messages).toHaveLength(0);
  });
});

describe('the inbox of the mailbox', () => {
  const clock = { now: () => 0 };
  const envelope = { from: 'a@a.example', to: ['b@b.example'] };

  it('drops the oldest messages if there are too many or they are too long', async () => {
    const few = new Inbox(clock, { messages: 2, bytes: 1_000 });
    for (const subject of ['one', 'two', 'three'])
      await few.take(envelope, raw(`Subject: ${subject}`, '', 'x'));
    expect(few.messages.map(({ subject }) => subject)).toEqual(['three', 'two']);
    await few.take(envelope, raw('Subject: big', '', 'x'.repeat(990)));
    expect(few.messages.map(({ subject }) => subject)).toEqual(['big']);
  });

  it('accepts an empty message', async () => {
    const message = await new Inbox(clock).take(envelope, Buffer.alloc(0));
    expect(message).toMatchObject({ subject: '', from: { address: 'a@a.example' }, to: [], html: undefined });
    expect(previewOf(message)).toBe('');
  });
});

const anyLinks = {
  bridge: 'http://127.0.0.1:1',
  console: 'http://127.0.0.1:1/_causeway/console',
  token: 'cwt_x',
  sandbox: 'http://127.0.0.1:2',
  metrics: 'http://127.0.0.1:3/metrics',
  curl: "curl -i 'http://127.0.0.1:1/client.api/list?apiKey=A&accountKey=B'",
};

describe('the start page of a demo', () => {
  it('links to everything, and shows the token and a call for a terminal', async () => {
    const links = anyLinks;
    const mailbox = await serveMailbox({ port: 0, smtpPort: 0, links });
    try {
      const text = await (await fetch(`${mailbox.url}/start`)).text();
      for (const words of [links.console, links.sandbox, links.metrics, '/_causeway/docs', 'cwt_x'])
        expect(text).toContain(words);
      expect(text).toContain('accountKey=B');
    } finally {
      await mailbox.close();
    }
  });

  it('shows how to make a new token once the bridge refuses it', async () => {
    const bridge = createServer((request, response) => {
      response.writeHead(request.headers.authorization === 'Bearer cwt_x' ? 401 : 500).end();
    }).listen(0, '127.0.0.1');
    await once(bridge, 'listening');
    const { port } = bridge.address() as AddressInfo;
    const links = { ...anyLinks, bridge: `http://127.0.0.1:${port}` };
    const mailbox = await serveMailbox({ port: 0, smtpPort: 0, links });
    try {
      const text = await (await fetch(`${mailbox.url}/start`)).text();
      expect(text).not.toContain('cwt_x');
      expect(text).toContain('causeway tokens create');
    } finally {
      await mailbox.close();
      bridge.close();
    }
  });

  it("moves the demo's clock and reports what arrived, but not for a page of another origin", async () => {
    const pressed: string[] = [];
    const time = {
      now: () => Date.UTC(2026, 10, 25, 9),
      move: async (move: string, passing: (step: number) => void) => {
        pressed.push(move);
        passing(1);
        return move !== 'hour';
      },
    };
    const links = { ...anyLinks, v1End: '2026-12-09' };
    const mailbox = await serveMailbox({ port: 0, smtpPort: 0, links, time });
    const press = (move: string, headers: Readonly<Record<string, string>>) =>
      fetch(`${mailbox.url}/clock`, { method: 'POST', body: new URLSearchParams({ move }), headers });
    try {
      const start = await (await fetch(`${mailbox.url}/start`)).text();
      expect(start).toContain('Wednesday, 25 November 2026 at 09:00 UTC');
      expect(start).toContain('V1 ends on Wednesday, 9 December 2026');
      for (const elsewhere of [
        { 'sec-fetch-site': 'cross-site' },
        { 'sec-fetch-site': 'same-site' },
        { origin: 'http://evil.example' },
      ])
        expect((await press('day', elsewhere)).status).toBe(403);
      expect((await press('year', {})).status).toBe(400);
      const passed = await (await press('day', { 'sec-fetch-site': 'same-origin' })).text();
      expect(passed).toMatch(
        /Step 1 of 6<.*One day later: no mails arrived\..*\/start\?passed=day&amp;mails=0/s,
      );
      expect(await (await press('hour', {})).text()).toContain('The clock could not be moved');
      expect(pressed).toEqual(['day', 'hour']);
    } finally {
      await mailbox.close();
    }
  });

  it('offers no clock if the demo was started without one', async () => {
    const mailbox = await serveMailbox({ port: 0, smtpPort: 0, links: anyLinks });
    try {
      expect(await (await fetch(`${mailbox.url}/start`)).text()).not.toContain('<form');
      const answer = await fetch(`${mailbox.url}/clock`, { method: 'POST', body: 'move=day' });
      expect(answer.status).toBe(404);
    } finally {
      await mailbox.close();
    }
  });

  it('does not exist without a demo', async () => {
    const mailbox = await serveMailbox({ port: 0, smtpPort: 0 });
    try {
      expect((await fetch(`${mailbox.url}/start`)).status).toBe(404);
    } finally {
      await mailbox.close();
    }
  });
});
