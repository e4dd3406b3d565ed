import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DAY, HOUR } from '../../src/lib/time/clock.ts';
import { customersOf } from '../../src/demo/campaign/customers.ts';
import { giveConsent } from '../../src/replay/consent.ts';
import { eventually } from '../support/clock.ts';
import { RunningDemo } from './demo.ts';

interface Mail {
  readonly subject: string;
  readonly receivedAt: string;
}

/** By the calendar: the demo of a test must end V1 within one press. */
const V1_END = new Date(Date.now() + DAY).toISOString().slice(0, 10);
const OLD_MILL = 'A0000000000000000000000000000003';
const HARBOUR_LANE = 'A0000000000000000000000000000001';

let demo: RunningDemo;

beforeAll(async () => {
  demo = await RunningDemo.start(['--clock', '--accounts', '60'], {
    CAUSEWAY_V1_END: V1_END,
    CAUSEWAY_REMINDER_DAYS: '1',
  });
});

afterAll(async () => {
  await demo.end();
});

/** What the status report says of an account. */
interface Reported {
  readonly id: string;
  readonly name: string;
  readonly stage: string;
  readonly calls24h: number;
  readonly invitation: { readonly state: string };
}

interface Report {
  readonly totals: { readonly accounts: number; readonly stages: Readonly<Record<string, number>> };
  readonly accounts: readonly Reported[];
}

const API = '/_causeway/api';

async function asked<Answer>(path: string): Promise<Answer> {
  const settings = await readFile(join(demo.folder, 'causeway.env'), 'utf8');
  const token = /^CAUSEWAY_ADMIN_TOKEN=(.+)$/m.exec(settings)?.[1] ?? '';
  const answer = await fetch(`${demo.bridge}${API}${path}`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return (await answer.json()) as Answer;
}

const status = async (accountKey: string): Promise<number> => {
  const query = `apiKey=0123456789ABCDEF0123456789ABCDEF&accountKey=${accountKey}`;
  const answer = await fetch(`${demo.bridge}/client.api/list?${query}`);
  await answer.body?.cancel();
  return answer.status;
};

const mails = async (): Promise<readonly Mail[]> =>
  ((await (await fetch(`${demo.mailbox}/api/messages`)).json()) as { readonly data: readonly Mail[] }).data;

describe('a half-finished campaign in the demo', () => {
  it('has accounts at every step, consistent with its waves and its history', async () => {
    const { totals, accounts } = await asked<Report>('/board');
    expect(totals.accounts).toBe(60);
    for (const stage of ['legacy', 'consented', 'migrated'])
      expect([stage, totals.stages[stage]]).not.toEqual([stage, 0]);
    const unasked = accounts.filter(({ invitation }) => invitation.state === 'none');
    expect(unasked.length).toBeGreaterThan(5);
    const { waves } = await asked<{
      readonly waves: readonly { readonly name: string; readonly state: string }[];
    }>('/waves');
    expect(waves.map(({ name, state }) => [name, state])).toEqual([
      ['Pilot', 'good'],
      ['Second wave', 'sent'],
      ['Third wave', 'planned'],
    ]);
  });

  it('shows methods for the programs whose calls it shows', async () => {
    const { accounts } = await asked<Report>('/board');
    const { id = '' } = accounts.find(({ stage, calls24h }) => stage === 'migrated' && calls24h > 0) ?? {};
    const { programs } = await asked<{ readonly programs: readonly object[] }>(`/accounts/${id}/usage`);
    expect(programs).not.toEqual([]);
  });

  it('serves the calls of accounts that have moved, with the numbers of their records', async () => {
    const customer = customersOf(55).find(
      ({ part, behaviour }) => part === 'pilot' && behaviour.name === 'answers at once',
    );
    const query = `apiKey=0123456789ABCDEF0123456789ABCDEF&accountKey=${customer?.accountKey ?? ''}`;
    const answer = await fetch(`${demo.bridge}/client.api/list?${query}`);
    expect([answer.status, answer.headers.get('x-causeway-source')]).toEqual([200, 'v3']);
    expect(await answer.text()).toContain(`<ID>6000000</ID><Name>${customer?.name ?? ''}, client 1</Name>`);
  });

  it('lets a customer who has not answered authorise the connection', async () => {
    const customer = customersOf(55).find(({ part }) => part === 'third');
    const name = customer?.name ?? '';
    const link =
      /http\S+\/_causeway\/connect\/\S+/.exec(await demo.said('invite', name, '--link'))?.[0] ?? '';
    await giveConsent({ link, person: customer?.administrator.name ?? '', organisation: name });
    await eventually(`${name} moves`, async () => {
      const { accounts } = await asked<Report>('/board');
      return accounts.find((one) => one.name === name)?.stage === 'migrated' ? true : undefined;
    });
  });
});

describe("moving the demo's clock by a day", () => {
  it('brings the reminder, the end of V1, and refreshed tokens', async () => {
    expect(await status(OLD_MILL)).toBe(200);
    const before = Date.now();
    const body = new URLSearchParams({ move: 'day' });
    const page = await (await fetch(`${demo.mailbox}/clock`, { method: 'POST', body })).text();
    expect(page).toContain('One day later:');
    // On a busy machine the clock does not wait until all that is due has been sent.
    const reminder = await eventually('the reminder arrives', async () =>
      (await mails()).find(
        ({ subject }) => subject.startsWith('Still to do') && subject.includes('Old Mill Engineering'),
      ),
    );
    const sent = Date.parse(reminder.receivedAt);
    expect(sent).toBeGreaterThanOrEqual(before + DAY - HOUR);
    expect(sent).toBeLessThan(Date.now() + 2 * DAY);
    expect(await status(OLD_MILL)).toBe(403);
    // Its access token ended hours ago.
    expect(await status(HARBOUR_LANE)).toBe(200);
  });
});
