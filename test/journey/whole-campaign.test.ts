import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DemoClock } from '../../src/demo/clock/demo-clock.ts';
import { JobTimes } from '../../src/demo/clock/job-times.ts';
import { serveMailbox, type ServedMailbox } from '../../src/demo/mailbox/serve.ts';
import { readImportFile } from '../../src/features/accounts/import/file.ts';
import { DAY, HOUR, MINUTE, systemClock } from '../../src/lib/time/clock.ts';
import { wallClockIn } from '../../src/lib/time/local.ts';
import { ConsentStuck, giveConsent } from '../../src/replay/consent.ts';
import { freePort, RunningBridge } from '../support/bridge.ts';
import { API_KEY } from '../support/legacy.ts';
import { RunningSandbox } from '../support/sandbox.ts';

const ACCOUNTS = Number(process.env.CAUSEWAY_TEST_CAMPAIGN ?? 500);
/** As many are invited on one day. */
const A_DAY = ACCOUNTS / 5;
const REMINDER_DAYS = [1, 3];
const TOKEN = 'cwt_the-whole-campaign-from-its-list-to-its-end';
const STEP = 4 * HOUR;
/** For the jobs of one step, in milliseconds: a machine that is busy must not let time pass meanwhile. */
const PATIENCE = 10 * MINUTE;
const LONGEST = 30 * DAY;
/** For a test that plays weeks, in milliseconds: twenty seconds on a machine that has nothing else to do. */
const LONG = 20 * MINUTE;

const zones = ['Pacific/Auckland', 'Europe/London', 'America/New_York'] as const;
const languages = ['en', 'de', 'fr', 'es', 'nl'] as const;

/** How a customer answers. */
type Answer =
  | 'at-once'
  | 'when-reminded'
  | 'wrong-organisation'
  | 'when-called'
  | 'never'
  | 'unsubscribes'
  | 'bounces'
  | 'no-address';

/** One in so many, by the last digits of the customer's number. */
const answers: Readonly<Record<number, Answer>> = {
  ...{ 0: 'bounces', 1: 'when-reminded', 2: 'when-reminded', 3: 'wrong-organisation' },
  ...{ 4: 'when-called', 5: 'never', 6: 'unsubscribes', 7: 'no-address' },
};

interface Customer {
  readonly number: number;
  readonly name: string;
  readonly accountKey: string;
  readonly person: string;
  readonly email: string;
  readonly zone: (typeof zones)[number];
  readonly answer: Answer;
}

const customers = Array.from({ length: ACCOUNTS }, (_, number): Customer => {
  const place = String(number).padStart(3, '0');
  return {
    ...{ number, name: `Customer ${place}`, accountKey: `D${place.padStart(31, '0')}` },
    ...{ person: `Administrator ${place}`, email: `contact@customer-${place}.example` },
    zone: zones[number % zones.length] ?? zones[0],
    answer: answers[number % 20] ?? 'at-once',
  };
});

/** The wave with which a customer is invited: so many a day. */
const waveOf = ({ number }: Customer): string => `wave-${String(Math.floor(number / A_DAY) + 1)}`;

const list = (): string =>
  [
    'name,account key,API key,contact name,e-mail,language,time zone,phone,tags',
    ...customers.map((customer) => {
      const { name, accountKey, person, email, zone, number, answer } = customer;
      const address = answer === 'no-address' ? '' : email;
      const language = languages[number % languages.length] ?? 'en';
      return [
        name,
        accountKey,
        API_KEY,
        person,
        address,
        language,
        zone,
        '+44 20 7946 0000',
        waveOf(customer),
      ];
    }),
  ].join('\n');

const organisationOf = ({ name, accountKey, person, number }: Customer): object => {
  const users = [{ name: person, email: `${person.replace(' ', '.').toLowerCase()}@demo.example` }];
  // Who chooses the wrong one can choose: the neighbour is an administrator there, too.
  const neighbour = customers[number - 1];
  if (neighbour?.answer === 'wrong-organisation')
    users.push({
      name: neighbour.person,
      email: `${neighbour.person.replace(' ', '.').toLowerCase()}@demo.example`,
    });
  return {
    ...{ name, accountKey, apiKeys: [API_KEY], users, switches: { v3Identifiers: 'number' } },
    clients: [{ number: 1_000 + number, name: `Client of ${name}` }],
  };
};

interface Reported {
  readonly name: string;
  readonly stage: string;
  readonly reminders: number;
  readonly invitation: { readonly state: string };
  readonly stuck: { readonly reason: string } | null;
}

interface Report {
  readonly funnel: Readonly<Record<'accounts' | 'invited' | 'opened' | 'consented' | 'migrated', number>>;
  readonly totals: { readonly accounts: number; readonly stages: Readonly<Record<string, number>> };
  readonly accounts: readonly Reported[];
}

interface Wave {
  readonly name: string;
  readonly state: string;
  readonly since: string;
  readonly accounts: number;
}

/** Begins on a Monday, before the day begins anywhere it matters. */
const nextMonday = (now: number): number => {
  const monday = now + ((8 - new Date(now).getUTCDay()) % 7) * DAY + 7 * DAY;
  return monday - (monday % DAY) - 16 * HOUR;
};

let sandbox: RunningSandbox;
let bridge: RunningBridge;
let mailbox: ServedMailbox;
let jobTimes: JobTimes;
let clock: DemoClock;

beforeAll(async () => {
  const begin = nextMonday(systemClock.now());
  // It stands still but for `pass`: how long the machine takes for a step is all the same.
  clock = new DemoClock({ now: () => begin }, 0, { isStill: true, longestWork: PATIENCE });
  const port = await freePort();
  mailbox = await serveMailbox({ port: 0, smtpPort: 0, clock });
  sandbox = await RunningSandbox.start({
    clock,
    redirectUris: [`http://127.0.0.1:${String(port)}/_causeway/callback`],
  });
  await sandbox.seed(customers.map(organisationOf));
  bridge = await RunningBridge.start({
    ...{ port, sandbox: sandbox.url, clock, timer: clock.timer },
    profile: { limits: { perMinute: 60_000 }, v3: { identifiers: 'number' } },
    env: {
      CAUSEWAY_SMTP_URL: mailbox.smtpUrl,
      CAUSEWAY_MAIL_FROM: 'Tidewater <post@tidewater.example>',
      CAUSEWAY_MAIL_HOURS: 'mon-fri 09:00-17:00',
      CAUSEWAY_MAIL_PER_MINUTE: '10000',
      CAUSEWAY_REMINDER_DAYS: REMINDER_DAYS.join(','),
      CAUSEWAY_INVITATION_DAYS: '30',
      CAUSEWAY_PARITY: 'off',
      CAUSEWAY_WATCH_DAYS: '0',
      CAUSEWAY_ADMIN_TOKEN: TOKEN,
      CAUSEWAY_V1_END: new Date(begin + 60 * DAY).toISOString().slice(0, 10),
    },
  });
  jobTimes = new JobTimes(bridge.services.settings.database.reveal());
});

afterAll(async () => {
  await jobTimes.close();
  await bridge.stop();
  await sandbox.close();
  await mailbox.close();
});

async function asked(
  path: string,
  body?: object,
  verb = body === undefined ? 'GET' : 'POST',
): Promise<Response> {
  const answer = await fetch(`${bridge.url}/_causeway/api${path}`, {
    method: verb,
    headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${verb} ${path}: ${String(answer.status)} ${await answer.text()}`);
  return answer;
}

const json = async <T>(path: string, body?: object, verb?: string): Promise<T> =>
  (await (await asked(path, body, verb)).json()) as T;

const waves = async (): Promise<readonly Wave[]> =>
  (await json<{ readonly waves: readonly Wave[] }>('/waves')).waves;

/** Everything that falls due within so many milliseconds has been done when it resolves. */
async function pass(millis: number): Promise<void> {
  await jobTimes.bringForward(millis);
  await clock.advance(millis);
}

/** E-mail that asks for a consent, by address, and how often it came. */
const asking = new Map<string, number>();
const wrong: string[] = [];

/** Reads the mail of all customers, who then do what they do. */
async function customersAct(): Promise<void> {
  const mails = mailbox.inbox.messages.toReversed();
  mailbox.inbox.empty();
  for (const mail of mails) {
    const { to, text = '', receivedAt } = mail;
    const link = /http\S+\/_causeway\/connect\/[\w-]+/.exec(text)?.[0];
    const customer = customers.find(({ email }) => email === to[0]?.address);
    if (link === undefined || customer === undefined) continue;
    const { weekday, minute } = wallClockIn(customer.zone, receivedAt);
    if (weekday === 0 || weekday === 6 || minute < 9 * 60 || minute >= 17 * 60) wrong.push(customer.name);
    const times = (asking.get(customer.name) ?? 0) + 1;
    asking.set(customer.name, times);
    await act(customer, { link, times, headers: mail.headers });
  }
}

/** One message that asks for a consent. */
interface Asking {
  readonly link: string;
  /** How often its customer was asked, this time included. */
  readonly times: number;
  readonly headers: Parameters<typeof unsubscribe>[0];
}

async function act(customer: Customer, { link, times, headers }: Asking): Promise<void> {
  const { name: organisation, person, number, email } = customer;
  switch (customer.answer) {
    case 'at-once':
      return giveConsent({ link, person, organisation });
    case 'when-reminded':
      return times > 1 ? giveConsent({ link, person, organisation }) : undefined;
    case 'wrong-organisation': {
      const chosen = times > 1 ? organisation : (customers[number + 1]?.name ?? '');
      return giveConsent({ link, person, organisation: chosen }).catch((error: unknown) => {
        if (times > 1 || !(error instanceof ConsentStuck)) throw error;
      });
    }
    case 'unsubscribes':
      return unsubscribe(headers);
    case 'bounces':
      await asked('/campaign/bounces', { report: deliveryReport(email) });
      return;
    case 'when-called':
    case 'never':
    case 'no-address':
      return;
  }
}

/** By one click of a mail program (RFC 8058). */
async function unsubscribe(
  headers: readonly { readonly name: string; readonly value: string }[],
): Promise<void> {
  const value = headers.find(({ name }) => name.toLowerCase() === 'list-unsubscribe')?.value ?? '';
  const address = /<(http[^>]+)>/.exec(value)?.[1] ?? '';
  const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' });
  expect((await fetch(address, { method: 'POST', body })).status).toBe(200);
}

const deliveryReport = (address: string): string =>
  [
    'Content-Type: multipart/report; report-type=delivery-status; boundary=b',
    '',
    '--b',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example',
    '',
    `Final-Recipient: rfc822; ${address}`,
    'Action: failed',
    'Status: 5.1.1',
    'Diagnostic-Code: smtp; 550 no such user',
    '',
    '--b--',
    '',
  ].join('\r\n');

/** Board, list and file tell the same. */
async function agree(): Promise<Report> {
  const report = await json<Report>('/board');
  const { funnel, totals, accounts } = report;
  expect(accounts).toHaveLength(ACCOUNTS);
  expect(new Set(accounts.map(({ name }) => name)).size).toBe(ACCOUNTS);
  const stages = Object.groupBy(accounts, ({ stage }) => stage);
  const counted = Object.entries(totals.stages).map(([stage, count]) => [stage, count]);
  expect(counted).toEqual(counted.map(([stage = '']) => [stage, stages[stage]?.length ?? 0]));
  const steps = [funnel.accounts, funnel.invited, funnel.opened, funnel.consented, funnel.migrated];
  expect(steps).toEqual(steps.toSorted((a, b) => b - a));
  expect([funnel.accounts, funnel.migrated]).toEqual([ACCOUNTS, totals.stages.migrated]);
  const came = customers.filter(({ answer, name }) => answer !== 'bounces' && asking.has(name));
  expect(funnel.invited).toBe(came.length);
  const [head = '', ...rows] = (await (await asked('/accounts.csv')).text()).trim().split('\r\n');
  const column = head.split(',').indexOf('stage');
  expect(rows.map((row) => row.split(',')[column]).sort()).toEqual(accounts.map(({ stage }) => stage).sort());
  return report;
}

const nameOfWave = (number: number): string => `Wave ${String(number)}`;

describe(`the campaign of ${String(ACCOUNTS)} accounts, from its list to its end`, () => {
  it('imports the complete list', async () => {
    const { lines } = await readImportFile(list(), ACCOUNTS);
    const sent = lines.map(({ cells }) => cells);
    const { lines: taken } = await json<{ readonly lines: readonly { readonly verdict: string }[] }>(
      '/accounts/import',
      { accounts: sent },
    );
    expect(new Set(taken.map(({ verdict }) => verdict))).toEqual(new Set(['new']));
    const { totals, funnel } = await agree();
    expect([totals.stages.legacy, funnel.invited]).toEqual([ACCOUNTS, 0]);
  });

  it(
    'sends waves one after the other, each when the one before was good for half a day',
    async () => {
      for (let number = 1; number <= 5; number += 1)
        await asked(
          `/waves/${encodeURIComponent(nameOfWave(number))}`,
          { query: `tag=wave-${String(number)}`, holdHours: 12 },
          'PUT',
        );
      await asked(`/waves/${encodeURIComponent(nameOfWave(1))}/start`, {});
      const good = new Map<string, number>();
      const sent = new Map<string, number>();
      for (let passed = 0; passed < LONGEST && good.size < 5; passed += STEP) {
        await pass(STEP);
        await customersAct();
        for (const { name, state } of await waves()) {
          if (state !== 'planned' && !sent.has(name)) sent.set(name, clock.now());
          if (state === 'good' && !good.has(name)) good.set(name, clock.now());
        }
        if (passed % DAY === 0) await agree();
      }
      expect([...good.keys()]).toEqual([1, 2, 3, 4, 5].map(nameOfWave));
      for (let number = 2; number <= 5; number += 1)
        expect(sent.get(nameOfWave(number))).toBeGreaterThanOrEqual(
          good.get(nameOfWave(number - 1)) ?? Infinity,
        );
      expect(wrong).toEqual([]);
    },
    LONG,
  );

  it(
    'reminds customers until each has answered or is on the list to call',
    async () => {
      const isOpen = ({ stage, stuck }: Reported): boolean => stage !== 'migrated' && stuck === null;
      let { accounts } = await agree();
      for (let passed = 0; passed < LONGEST && accounts.some(isOpen); passed += STEP) {
        await pass(STEP);
        await customersAct();
        if (passed % DAY === 0) ({ accounts } = await agree());
      }
      const open = accounts.filter(({ stage }) => stage !== 'migrated');
      const reasons = new Map(open.map(({ name, stuck }) => [name, stuck?.reason]));
      const expected = customers.flatMap(({ name, answer }): (readonly [string, string])[] => {
        const reason = leftBy[answer];
        return reason === undefined ? [] : [[name, reason]];
      });
      expect([...reasons].sort()).toEqual(expected.sort());
      const phone = await (await asked('/campaign/phone.csv')).text();
      for (const [name] of expected) expect(phone).toContain(name);
    },
    LONG,
  );

  it('has asked each customer once, reminded on schedule, and lost no e-mail', async () => {
    const { store } = bridge.services;
    const expected = {
      'at-once': 0,
      'when-reminded': 1,
      'wrong-organisation': 1,
      bounces: 0,
      unsubscribes: 0,
    };
    for (const account of await store.accounts.list()) {
      const messages = await store.campaign.messages(account.id);
      const { answer } = customers.find(({ name }) => name === account.name) ?? { answer: 'never' };
      const invitations = messages.filter(({ kind }) => kind === 'invitation').length;
      expect([account.name, invitations]).toEqual([account.name, answer === 'no-address' ? 0 : 1]);
      const reminders = messages.filter(({ kind }) => kind === 'reminder').map(({ reminder }) => reminder);
      const wanted = { ...expected, 'no-address': 0, 'when-called': 2, never: 2 }[answer];
      // One that falls on a weekend is sent after it, and then the next is the first whose day has not passed.
      const least = Math.min(1, wanted);
      expect([account.name, reminders]).toEqual([account.name, [1, 2].slice(0, reminders.length)]);
      expect([account.name, reminders.length >= least && reminders.length <= wanted]).toEqual([
        account.name,
        true,
      ]);
      const left = messages.filter(({ kind }) => kind === 'invitation' || kind === 'reminder');
      expect([account.name, new Set(left.map(({ fate }) => fate.state))]).toEqual([
        account.name,
        new Set(left.length === 0 ? [] : ['sent']),
      ]);
      expect([account.name, asking.get(account.name) ?? 0]).toEqual([account.name, left.length]);
    }
  });

  it('ends when the called customers have consented; each remaining one has a reason', async () => {
    for (const customer of customers.filter(({ answer }) => answer === 'when-called')) {
      const path = `/accounts/${encodeURIComponent(customer.name)}`;
      await asked(`${path}/talks`, { note: 'Will do it at once.' });
      const { link } = await json<{ readonly link: string }>(`${path}/link`, {});
      await giveConsent({ link, person: customer.person, organisation: customer.name });
    }
    const { accounts, totals } = await agree();
    const left = accounts.filter(({ stage }) => stage !== 'migrated');
    expect(left.filter(({ stuck }) => stuck === null)).toEqual([]);
    const never = new Set(['bounces', 'never', 'unsubscribes', 'no-address']);
    expect(left.map(({ name }) => name).sort()).toEqual(
      customers.filter(({ answer }) => never.has(answer)).map(({ name }) => name),
    );
    expect((totals.stages.migrated ?? 0) + left.length).toBe(ACCOUNTS);
  });
});

/** Why an account is still open after the last reminder. */
const leftBy: Readonly<Partial<Record<Answer, string>>> = {
  ...{ 'when-called': 'no-answer', never: 'no-answer', unsubscribes: 'unsubscribed' },
  ...{ bounces: 'mail-failed', 'no-address': 'no-address' },
};
