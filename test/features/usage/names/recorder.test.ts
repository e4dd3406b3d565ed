import { afterEach, expect, it } from '@jest/globals';
import { mock } from 'node:test';
import type { CallRecord } from '../../../../src/features/usage/call-log.ts';
import { UseRecorder } from '../../../../src/features/usage/names/recorder.ts';
import { HOUR, MINUTE } from '../../../../src/lib/time/clock.ts';
import { eventually, HandClock, setBackFor } from '../../../support/clock.ts';

const over: UseRecorder[] = [];
afterEach(async () => {
  mock.restoreAll();
  for (const recorder of over.splice(0)) await recorder.close();
});

const callAt = (at: number): CallRecord => ({
  ...{ accountId: 'harbour', requestId: 'r', at, verb: 'GET', method: 'client.list', source: 'v1' },
  ...{ status: 200, failed: false, millis: 1, upstreamMillis: 1 },
});

it('the recorder of names writes the counts of a minute although the clock was set back', async () => {
  const clock = new HandClock();
  let written = 0;
  const recorder = new UseRecorder({
    repository: { add: async () => new Set() },
    deferred: {
      add: ({ write }) => {
        written += 1;
        void write();
      },
      settled: async () => undefined,
    },
    recent: { handOver: () => undefined },
    clock,
  });
  over.push(recorder);
  const count = (): void => {
    const message = { headers: [], address: '/client.api/list', sent: undefined, received: undefined };
    recorder.count([{ call: callAt(clock.now()), ...message }]);
  };
  count();
  await eventually('the first counts', () => (written === 1 ? true : undefined));
  clock.advance(-HOUR);
  count();
  expect(await eventually('the counts after the change', () => (written > 1 ? written : undefined))).toBe(2);
});

it('the recorder of names looks up again after five minutes whether calls are counted, although the clock was set back', async () => {
  let isOff = true;
  let written = 0;
  const recorder = new UseRecorder({
    repository: {
      add: async () => {
        written += 1;
        return new Set(isOff ? ['harbour'] : []);
      },
    },
    deferred: { add: ({ write }) => void write(), settled: async () => undefined },
    recent: { handOver: () => undefined },
  });
  over.push(recorder);
  const count = async (): Promise<number> => {
    const message = { headers: [], address: '/client.api/list', sent: undefined, received: undefined };
    recorder.count([{ call: callAt(Date.now()), ...message }]);
    await recorder.flush();
    return written;
  };
  expect(await count()).toBe(1);
  isOff = false;
  expect(await count()).toBe(1);
  setBackFor(5 * MINUTE);
  expect(await count()).toBe(2);
});
