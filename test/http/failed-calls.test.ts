import { beforeEach, describe, expect, it } from '@jest/globals';
import { FailedCalls } from '../../src/http/legacy/failed-calls.ts';
import { Failure } from '../../src/lib/failure.ts';
import { DAY } from '../../src/lib/time/clock.ts';
import { VirtualClock } from '../../src/lib/time/virtual-clock.ts';
import { StoreFault } from '../../src/lib/store-fault.ts';
import { KeptLog } from './harness.ts';

const clock = { time: 1_000_000, now: () => clock.time };

const full = (file: number): Failure =>
  new Failure('storeUnavailable', {
    cause: new StoreFault('unavailable', `could not extend file "${file}"`, undefined, 'full'),
  });

const line = (fields: object): object => ({ level: 'error', event: 'call.failed', fields });

describe('the log of calls that fail inside the bridge', () => {
  let log: KeptLog;
  let failed: FailedCalls;

  beforeEach(() => {
    log = new KeptLog();
    failed = new FailedCalls(log, clock);
  });

  it('has one line a minute, without a stack, for all calls that a full disk fails, and says how many', () => {
    for (let call = 0; call < 900; call += 1) failed.report(`r${call}`, full(call));
    clock.time += 59_999;
    failed.report('r900', full(900));
    expect(log.lines).toEqual([line({ request: 'r0', error: 'could not extend file "0"', calls: 1 })]);
    clock.time += 1;
    failed.report('r901', full(901));
    expect(log.lines.slice(1)).toEqual([
      line({ request: 'r901', error: 'could not extend file "901"', calls: 901 }),
    ]);
  });

  it('says how many calls an outage of less than a minute failed when that minute is over, not at the next outage', async () => {
    const time = new VirtualClock(1_000_000);
    const brief = new FailedCalls(log, time, time.timer);
    for (let call = 0; call < 900; call += 1) brief.report(`r${call}`, full(call));
    await time.run();
    const first = line({ request: 'r0', error: 'could not extend file "0"', calls: 1 });
    const rest = line({ request: 'r899', error: 'could not extend file "899"', calls: 899 });
    expect(log.lines).toEqual([first, rest]);
    time.timer(14 * DAY, () => undefined);
    await time.run();
    expect(log.lines).toHaveLength(2);
    brief.report('r900', full(900));
    expect(log.lines.slice(2)).toEqual([
      line({ request: 'r900', error: 'could not extend file "900"', calls: 1 }),
    ]);
  });

  it('says how many calls were not written yet at a stop, and when there are too many reasons to remember', () => {
    for (const call of [1, 2, 3]) failed.report(`r${call}`, full(call));
    failed.writeRest();
    failed.writeRest();
    const rest = line({ request: 'r3', error: 'could not extend file "3"', calls: 2 });
    expect(log.lines.slice(1)).toEqual([rest]);
    for (const call of [4, 5]) failed.report(`r${call}`, full(call));
    for (let reason = 0; reason < 20; reason += 1)
      failed.report('r', new Failure('storeUnavailable', { text: `no room ${'x'.repeat(reason)}` }));
    expect(log.lines).toContainEqual(line({ request: 'r5', error: 'could not extend file "5"', calls: 1 }));
  });

  it('has a line at once for another reason, and after a clock was set back', () => {
    failed.report('r1', full(1));
    failed.report('r2', new Failure('storeUnavailable', { text: 'no room for a document' }));
    clock.time -= 3_600_000;
    failed.report('r3', full(3));
    expect(log.lines.map(({ fields }) => fields.request)).toEqual(['r1', 'r2', 'r3']);
    expect(log.lines[1]).toEqual(line({ request: 'r2', error: 'no room for a document', calls: 1 }));
  });

  it('has a line with a stack for each error of the code, and none for what a caller or the service did', () => {
    for (const request of ['r1', 'r2'])
      failed.report(request, new Failure('internal', { cause: new TypeError('x is not a function') }));
    failed.report('r3', new Failure('upstreamTimeout'));
    expect(log.lines).toEqual(
      ['r1', 'r2'].map((request) =>
        line({ request, error: 'x is not a function', stack: expect.any(String) }),
      ),
    );
  });
});
