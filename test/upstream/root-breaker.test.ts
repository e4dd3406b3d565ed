import { describe, expect, it } from '@jest/globals';
import type { BreakerView } from '../../src/lib/circuit-breaker.ts';
import { RootBreaker } from '../../src/upstream/transport/root-breaker.ts';
import { TransportFault } from '../../src/upstream/transport/outcome.ts';
import { LEARNING, UNKNOWN_KEYS } from '../../src/upstream/transport/connection-pool.ts';
import { HandTimers } from '../support/hand-timers.ts';

/** What the root says to a probe; `silent` until somebody says otherwise. */
interface Stage {
  readonly breaker: RootBreaker;
  readonly timers: HandTimers;
  readonly told: BreakerView['state'][];
  probes: number;
  probe: 'answered' | 'unanswered';
}

function stage(): Stage {
  const timers = new HandTimers();
  const made: Omit<Stage, 'breaker'> = { timers, told: [], probes: 0, probe: 'unanswered' };
  const breaker = new RootBreaker({
    clock: timers.clock,
    timer: timers.timer,
    random: () => 1,
    probe: async () => {
      stages.probes += 1;
      return stages.probe === 'answered' ? undefined : 'slow';
    },
    onChange: ({ state }) => stages.told.push(state),
  });
  const stages: Stage = Object.assign(made, { breaker });
  return stages;
}

const refused = new TransportFault('unreachable', false, 'ECONNREFUSED');
const timedOut = new TransportFault('slow', true);

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Moves the clock on; a probe that is due says what it says. */
async function after({ timers }: Stage, millis: number): Promise<void> {
  timers.advanceNow(millis);
  await settled();
}

const send = ({ breaker }: Stage, calls: number, accounts: number): void => {
  for (let call = 0; call < calls; call += 1) breaker.sent(`a${call % accounts}`);
};

describe('the circuit breaker of an upstream', () => {
  it('opens at the third refused connection in a row, whoever called', () => {
    const at = stage();
    for (let nth = 1; nth <= 3; nth += 1) {
      expect(at.breaker.shutFor).toBeUndefined();
      at.breaker.sent('a');
      at.breaker.failed('a', refused);
    }
    expect(at.breaker.shutFor).toBe(1_000);
    expect(at.breaker.view).toMatchObject({ state: 'open', reason: expect.stringContaining('ECONNREFUSED') });
  });

  it('does not open if a reply came in between: one of several machines is down', () => {
    const at = stage();
    for (let nth = 0; nth < 20; nth += 1) {
      for (const fault of [refused, refused]) {
        at.breaker.sent('a');
        at.breaker.failed('a', fault);
      }
      at.breaker.sent('b');
      at.breaker.answered('b');
    }
    expect(at.told).toEqual([]);
  });

  it('counts what the root has answered, calls and probes', async () => {
    const at = stage();
    at.breaker.sent('a');
    at.breaker.answered('a');
    expect(at.breaker.answers).toBe(1);
    for (let nth = 0; nth < 3; nth += 1) {
      at.breaker.sent('a');
      at.breaker.failed('a', refused);
    }
    await after(at, 1_000);
    expect(at.breaker.answers).toBe(1);
    at.probe = 'answered';
    await after(at, 2_000);
    expect(at.breaker.answers).toBe(2);
  });

  it('probes by itself, at growing pauses, and closes when a probe is answered', async () => {
    const at = stage();
    for (let nth = 0; nth < 3; nth += 1) {
      at.breaker.sent('a');
      at.breaker.failed('a', refused);
    }
    const seen: number[] = [];
    for (let second = 0; second < 60; second += 1) {
      await after(at, 1_000);
      seen.push(at.probes);
    }
    // After 1, 2, 4, 8 and then every 15 seconds.
    expect([0, 1, 2, 3, 5, 6, 7, 13, 14, 15, 29, 30, 45].map((second) => seen[second])).toEqual([
      1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6,
    ]);
    at.probe = 'answered';
    await after(at, 15_000);
    expect(at.told).toEqual(['open', 'closed']);
    expect(at.breaker.shutFor).toBeUndefined();
    const { probes } = at;
    await after(at, 600_000);
    expect([at.probes, at.timers.pending]).toEqual([probes, 0]);
  });

  it('opens if ten calls of three accounts and a probe are unanswered for 5 s', async () => {
    const at = stage();
    send(at, 10, 3);
    await after(at, 4_999);
    expect(at.probes).toBe(0);
    await after(at, 1);
    expect([at.probes, at.told]).toEqual([1, ['open']]);
    expect(at.breaker.view).toMatchObject({ reason: 'no call is answered, and no probe: slow' });
  });

  it.each([
    ['nine calls', 9, 3],
    ['two accounts', 100, 2],
  ])('does not even probe for %s', async (_, calls, accounts) => {
    const at = stage();
    send(at, calls, accounts);
    await after(at, 600_000);
    expect([at.probes, at.told]).toEqual([0, []]);
  });

  it('does not count unknown callers, or its own reads, as an account', async () => {
    const at = stage();
    send(at, 20, 2);
    for (const share of [UNKNOWN_KEYS, LEARNING])
      for (let nth = 0; nth < 20; nth += 1) at.breaker.sent(share);
    await after(at, 600_000);
    expect([at.probes, at.told]).toEqual([0, []]);
    at.breaker.failed(LEARNING, timedOut);
    at.breaker.sent('a2');
    await after(at, 5_000);
    expect([at.probes, at.told]).toEqual([1, ['open']]);
  });

  it('stays closed if the probe is answered: slow exports are no outage', async () => {
    const at = stage();
    at.probe = 'answered';
    send(at, 30, 5);
    for (let nth = 1; nth <= 10; nth += 1) {
      await after(at, 5_000);
      expect(at.probes).toBe(nth);
    }
    expect(at.told).toEqual([]);
  });

  it('restarts its timer with each reply', async () => {
    const at = stage();
    send(at, 20, 4);
    for (let nth = 0; nth < 5; nth += 1) {
      await after(at, 4_000);
      at.breaker.answered('a0');
      at.breaker.sent('a0');
    }
    expect(at.probes).toBe(0);
    await after(at, 4_999);
    expect(at.probes).toBe(0);
    await after(at, 1);
    expect(at.told).toEqual(['open']);
  });

  it('restarts its timer if fewer calls remain, because their callers left', async () => {
    const at = stage();
    send(at, 10, 3);
    await after(at, 4_000);
    at.breaker.failed('a0', timedOut);
    at.breaker.sent('a0');
    await after(at, 4_999);
    expect(at.probes).toBe(0);
  });

  it('is closed by the reply to a call in progress', async () => {
    const at = stage();
    send(at, 10, 3);
    await after(at, 5_000);
    at.breaker.answered('a0');
    expect(at.told).toEqual(['open', 'closed']);
    await after(at, 600_000);
    expect(at.probes).toBe(1);
  });

  it('does not open if a call is answered during the probe', async () => {
    const at = stage();
    send(at, 10, 3);
    at.timers.advanceNow(5_000);
    at.breaker.answered('a0');
    await settled();
    expect([at.probes, at.told]).toEqual([1, []]);
  });

  it('never opens because of time-outs of single calls', async () => {
    const at = stage();
    for (let nth = 0; nth < 50; nth += 1) {
      at.breaker.sent('a');
      await after(at, 60_000);
      at.breaker.failed('a', timedOut);
    }
    expect([at.probes, at.told]).toEqual([0, []]);
  });

  it('lets one call a minute through if no probe was ever answered: a firewall may drop them', async () => {
    const at = stage();
    send(at, 10, 3);
    await after(at, 5_000);
    await after(at, 59_999);
    expect(at.breaker.shutFor).toEqual(expect.any(Number));
    await after(at, 1);
    expect(at.breaker.shutFor).toBeUndefined();
    at.breaker.sent('a');
    expect(at.breaker.shutFor).toEqual(expect.any(Number));
    at.breaker.answered('a');
    expect(at.told).toEqual(['open', 'closed']);
  });

  it('notices silence, and lets such a call through, although its clock was set back', async () => {
    const at = stage();
    at.breaker.sent('a');
    at.breaker.answered('a');
    at.timers.clock.advance(-3_600_000);
    send(at, 10, 3);
    await after(at, 5_000);
    expect(at.told).toEqual(['open']);
    at.timers.clock.advance(-3_600_000);
    expect(at.breaker.shutFor).toBeUndefined();
  });

  it('needs no such call if probes were answered before', async () => {
    const at = stage();
    at.probe = 'answered';
    send(at, 10, 3);
    await after(at, 5_000);
    at.probe = 'unanswered';
    await after(at, 5_000);
    expect(at.told).toEqual(['open']);
    await after(at, 600_000);
    expect(at.breaker.shutFor).toEqual(expect.any(Number));
  });

  it('leaves no timer behind when it is stopped', async () => {
    const at = stage();
    send(at, 10, 3);
    at.breaker.stop();
    expect(at.timers.pending).toBe(0);
    const open = stage();
    send(open, 10, 3);
    await after(open, 5_000);
    open.breaker.stop();
    expect(open.timers.pending).toBe(0);
  });
});
