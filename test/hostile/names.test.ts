import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PassThrough } from 'node:stream';
import { readCsv } from '../../src/lib/text/csv.ts';
import { compose } from '../../src/app/compose.ts';
import { readSettings } from '../../src/app/settings/settings.ts';
import { serveMailbox, type ServedMailbox } from '../../src/demo/mailbox/serve.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { LineLog } from '../../src/lib/log/line-log.ts';
import { CommandLine, oauth, type Told } from '../cli/harness.ts';
import { hostileNames } from '../features/status/rows.ts';
import { eventually } from '../support/clock.ts';

/** What a file can bring in: a line break, a bell or a NUL makes no name, nor does a name without an end. */
const refused = ['nul\u0000byte', 'x'.repeat(10_000), 'two\nlines', '\u001b[2Jclear', 'a\u009b31mb'];
const taken = hostileNames.map((name) => name.trim()).filter((name) => !/\p{Cc}/u.test(name));
const canary = 'canary-of-the-account-key';

const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const keyOf = (index: number): string => `${canary}-${String(index)}`;
const file = [...taken, ...refused]
  .map(
    (name, index) =>
      `${quoted(name)},${keyOf(index)},customer-${String(index)}@example.com,${quoted(`note ${name.slice(0, 100)}`)}`,
  )
  .join('\r\n');

const direction = /[\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;
const control = /[^\P{Cc}\r\n\t]/u;
const formula = /^[=+\-@\t\r＝＋－＠]/;

/** Every tag of a page with the names of its attributes, as a browser reads them: nothing in quotes is a tag. */
const tags = (html: string): readonly string[] =>
  Array.from(html.matchAll(/<([a-z][\w-]*)((?:[^>"']|"[^"]*"|'[^']*')*)>/gi), ([, name = '', rest = '']) =>
    [
      name.toLowerCase(),
      ...Array.from(rest.replaceAll(/"[^"]*"|'[^']*'/g, '').matchAll(/[\w:-]+/g), ([one]) =>
        one.toLowerCase(),
      ),
    ].join(' '),
  );

function expectHarmless(page: string, what: string): void {
  for (const tag of tags(page)) expect([what, tag]).toEqual([what, expect.not.stringMatching(/\son\w+/)]);
  expect([
    what,
    tags(page).filter((tag) => /^(?:img|svg|script) (?:.*\s)?(?:x|onload|onerror)\b/.test(tag)),
  ]).toEqual([what, []]);
  expect([what, /<script>|<img src=x|<svg onload/.exec(page)]).toEqual([what, null]);
  expect([what, control.exec(page), direction.exec(page)]).toEqual([what, null, null]);
}

let mailbox: ServedMailbox;
let admin: CommandLine;
let imported: Told;
let url: string;
let metrics: string;
let log = '';
let token: string;
const closers: (() => Promise<unknown>)[] = [];

const asked = (path: string, init: RequestInit = {}): Promise<Response> =>
  fetch(`${url}/_causeway${path}`, {
    redirect: 'manual',
    ...init,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
  });
const textOf = async (path: string): Promise<string> => (await asked(path)).text();

interface Listed {
  readonly id: string;
  readonly name: string;
}
const listed = async (): Promise<readonly Listed[]> =>
  ((await (await asked('/api/accounts?limit=1000')).json()) as { readonly accounts: readonly Listed[] })
    .accounts;

beforeAll(async () => {
  mailbox = await serveMailbox({ port: 0, smtpPort: 0 });
  closers.push(() => mailbox.close());
  admin = new CommandLine({
    ...oauth,
    CAUSEWAY_PUBLIC_URL: 'http://127.0.0.1:8080',
    CAUSEWAY_PORT: '0',
    CAUSEWAY_METRICS_PORT: '0',
    CAUSEWAY_SMTP_URL: mailbox.smtpUrl,
    CAUSEWAY_MAIL_FROM: 'Example <bridge@example.com>',
  });
  imported = await admin.causeway(
    ['accounts', 'import', '-'],
    `name,account key,e-mail,notes\r\n${file}\r\n`,
  );
  const made = await admin.causeway(['tokens', 'create', 'walker', '--scope', 'operate', '--format', 'json']);
  token = (JSON.parse(made.out) as readonly [{ readonly token: string }])[0].token;
  const stream = new PassThrough().on('data', (chunk: Buffer) => {
    log += chunk.toString('utf8');
  });
  const application = await compose(readSettings({ env: admin.env }), {
    clock: systemClock,
    log: new LineLog({ stream }),
  });
  closers.push(() => application.stop());
  const { port, metricsPort } = await application.start();
  url = `http://127.0.0.1:${String(port)}`;
  metrics = `http://127.0.0.1:${String(metricsPort)}/metrics`;
  const accounts = (await listed()).map(({ id }) => id);
  await asked('/api/actions/invite', { method: 'POST', body: JSON.stringify({ accounts }) });
  await eventually(
    'every letter has arrived',
    () => (mailbox.inbox.messages.length === taken.length ? true : undefined),
    120,
  );
});

afterAll(async () => {
  for (const close of closers.reverse()) await close();
  admin[Symbol.dispose]();
});

describe('a malicious name', () => {
  it.each([
    'a <img src=x onerror=alert(1)> b',
    "<a title='' onmouseover='alert(1)'>",
    '<p></title><svg onload=alert(1)>',
    '<b>safe\u202egnp.exe</b>',
    'a\u009b31mb',
  ])('would be visible on a page: %j', (page) => {
    expect(() => {
      expectHarmless(page, 'page');
    }).toThrow();
    expect(() => {
      expectHarmless('<a title="&lt;img onerror=alert(1)&gt;" class=x>&lt;script&gt;</a>', 'page');
    }).not.toThrow();
  });

  it('is accepted as text, or refused by its line', async () => {
    expect(imported.code).toBe(1);
    expect(imported.err).toContain(
      `${String(taken.length)} new, 0 changed, 0 unchanged, ${String(refused.length)} faulty`,
    );
    expect(control.exec(imported.out + imported.err)).toBeNull();
    expect(imported.out + imported.err).not.toContain(canary);
    expect((await listed()).map(({ name }) => name).sort()).toEqual([...taken].sort());
  });

  it('moves no cursor, opens no tag and is no formula in any form of the status', async () => {
    const [table, json, csv, html] = await Promise.all(
      ['table', 'json', 'csv', 'html'].map(
        async (format) => (await admin.causeway(['status', '--format', format])).out,
      ),
    );
    for (const text of [table, json, csv])
      expect([control.exec(text ?? ''), direction.exec(text ?? '')]).toEqual([null, null]);
    const statusReport = JSON.parse(json ?? '') as { readonly accounts: readonly Listed[] };
    expect(statusReport.accounts.map(({ name }) => name).sort()).toEqual([...taken].sort());
    for (const { cells } of readCsv(csv ?? '')) for (const cell of cells) expect(cell).not.toMatch(formula);
    expectHarmless(html ?? '', 'the report');
  });

  it('is no formula in an export, and is imported unchanged', async () => {
    const { out } = await admin.causeway(['accounts', 'export']);
    for (const { cells } of readCsv(out)) for (const cell of cells) expect(cell).not.toMatch(formula);
    const again = await admin.causeway(['accounts', 'import', '-', '--dry-run'], out);
    expect(again.err).toContain(
      `0 would be new, 0 would be changed, ${String(taken.length)} unchanged, 0 faulty`,
    );
  });

  it('is text on every page of the console', async () => {
    const accounts = await listed();
    const signIn = `${url}/_causeway/console/sign-in`;
    const form = await fetch(signIn);
    const csrf = /name="csrf" value="([^"]+)"/.exec(await form.text())?.[1] ?? '';
    const entered = await fetch(signIn, {
      method: 'POST',
      redirect: 'manual',
      headers: { Cookie: (form.headers.get('set-cookie') ?? '').split(';')[0] ?? '' },
      body: new URLSearchParams({ csrf, token, to: '' }),
    });
    const cookie = entered.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ');
    const paths = [
      '',
      '/accounts?page=1',
      '/audit',
      ...taken.map((name) => `/accounts?search=${encodeURIComponent(name)}`),
      ...accounts.flatMap(({ id }) => [
        `/accounts/${id}`,
        `/texts?account=${id}`,
        `/texts/letter?account=${id}`,
      ]),
    ];
    for (const path of paths) {
      const page = await fetch(`${url}/_causeway/console${path}`, {
        redirect: 'manual',
        headers: { Cookie: cookie },
      });
      expect([path, page.status]).toEqual([path, 200]);
      expectHarmless(await page.text(), path);
    }
  });

  it('is one string in the API’s JSON, in every place', async () => {
    const ids = (await listed()).map(({ id }) => id);
    const paths = ['/board', '/accounts/export', '/events?limit=1000', '/audit?limit=1000'];
    for (const path of [
      ...paths,
      ...ids.flatMap((id) => [`/accounts/${id}`, `/accounts/${id}/letters/invitation`]),
    ]) {
      const text = await textOf(`/api${path}`);
      expect(() => JSON.parse(text) as unknown).not.toThrow();
      expect([path, control.exec(text), direction.exec(text)]).toEqual([path, null, null]);
      expect(text).not.toContain(canary);
    }
  });

  it('becomes no header or markup in an e-mail, nor on the page that shows it', async () => {
    for (const message of mailbox.inbox.messages) {
      const source = message.source;
      const head = source.slice(0, source.indexOf('\r\n\r\n'));
      expect(head.match(/^(?:to|from|subject|bcc|cc):/gim)).toHaveLength(3);
      expectHarmless(message.html ?? '', `the letter ${message.subject}`);
      expectHarmless(await (await fetch(`${mailbox.url}/messages/${message.id}`)).text(), 'the mailbox');
    }
    expectHarmless(await (await fetch(`${mailbox.url}/`)).text(), 'the mailbox');
  });

  it('is in at most one line of the log, and in no metric', async () => {
    for (const line of log.trimEnd().split('\n')) {
      expect(() => JSON.parse(line) as unknown).not.toThrow();
      expect([control.exec(line), line.includes(canary)]).toEqual([null, false]);
    }
    const text = await (await fetch(metrics)).text();
    expect(text).toContain('causeway_');
    for (const name of taken) expect(text).not.toContain(name);
    expect(text).not.toMatch(/customer-\d|canary/);
  });
});
