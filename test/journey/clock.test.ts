import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DAY, HOUR } from '../../src/lib/time/clock.ts';
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
  demo = await RunningDemo.start(['--clock'], { CAUSEWAY_V1_END: V1_END, CAUSEWAY_REMINDER_DAYS: '1' });
});

afterAll(async () => {
  await demo.end();
});

const status = async (accountKey: string): Promise<number> => {
  const query = `apiKey=0123456789ABCDEF0123456789ABCDEF&accountKey=${accountKey}`;
  const answer = await fetch(`${demo.bridge}/client.api/list?${query}`);
  await answer.body?.cancel();
  return answer.status;
};

const mails = async (): Promise<readonly Mail[]> =>
  ((await (await fetch(`${demo.mailbox}/api/messages`)).json()) as { readonly data: readonly Mail[] }).data;

describe('a day of a demo, by one button', () => {
  it('brings the reminder and V1’s end, and tokens that are renewed', async () => {
    expect(await status(OLD_MILL)).toBe(200);
    const before = Date.now();
    const body = new URLSearchParams({ move: 'day' });
    const page = await (await fetch(`${demo.mailbox}/clock`, { method: 'POST', body })).text();
    expect(page).toContain('One day later:');
    const reminder = (await mails()).find(({ subject }) => subject.startsWith('Still to do'));
    expect(reminder?.subject).toContain('Old Mill Engineering');
    const sent = Date.parse(reminder?.receivedAt ?? '');
    expect(sent).toBeGreaterThanOrEqual(before + DAY - HOUR);
    expect(sent).toBeLessThan(Date.now() + 2 * DAY);
    expect(await status(OLD_MILL)).toBe(403);
    // Its access token ended hours ago.
    expect(await status(HARBOUR_LANE)).toBe(200);
  });
});
