import { describe, expect, it } from '@jest/globals';
import {
  admit,
  Breaker,
  closedBreaker,
  failed,
  succeeded,
  type BreakerRules,
} from '../../src/lib/circuit-breaker.ts';
import { fc } from '../support/random.ts';
import { HandClock, START } from '../support/clock.ts';

const rules: BreakerRules = {
  failures: 3,
  window: 1_000,
  pause: 100,
  longestPause: 800,
  longestRetryAfter: 2_000,
  probe: 500,
};

interface Seen {
  readonly breaker: Breaker;
  readonly clock: HandClock;
  readonly told: string[];
}

function standing(): Seen {
  const clock = new HandClock();
  const told: string[] = [];
  const breaker = new Breaker({
    rules,
    clock,
    random: () => 1,
    onChange: (view) => told.push(view.state === 'closed' ? 'closed' : view.reason),
  });
  return { breaker, clock, told };
}

const fail = ({ breaker }: Seen, key: string, reason = 'ETIMEDOUT', how = {}): void => {
  const pass = breaker.enter(key);
  if (typeof pass === 'number') throw new Error('it is open');
  pass.failed(reason, how);
};

describe('a circuit breaker', () => {
  it('opens after several failures in a row, and lets one probe through after its pause', () => {
    const at = standing();
    for (const key of ['a', 'b']) fail(at, key);
    expect(at.breaker.view.state).toBe('closed');
    fail(at, 'c', 'ECONNREFUSED');
    expect(at.breaker.view).toEqual({ state: 'open', since: START, reason: 'ECONNREFUSED' });
    expect(at.breaker.enter('d')).toBe(START + 100);
    at.clock.advance(100);
    const probe = at.breaker.enter('d');
    expect(typeof probe).toBe('object');
    expect(typeof at.breaker.enter('e')).toBe('number');
    if (typeof probe === 'object') probe.succeeded();
    expect(at.breaker.view.state).toBe('closed');
    expect(at.told).toEqual(['ECONNREFUSED', 'closed']);
  });

  it('ignores one grant that fails repeatedly, failures with a success in between, and old ones', () => {
    const at = standing();
    for (let n = 0; n < 20; n += 1) fail(at, 'a');
    fail(at, 'b');
    const good = at.breaker.enter('c');
    if (typeof good === 'object') good.succeeded();
    for (const key of ['a', 'b']) fail(at, key);
    at.clock.advance(1_000);
    fail(at, 'c');
    expect(at.breaker.view.state).toBe('closed');
  });

  it('opens at once for a fault common to all, for the requested time, within limits', () => {
    const at = standing();
    fail(at, 'a', 'status 429', { plain: true, retryAfter: 1_500 });
    expect(at.breaker.enter('b')).toBe(START + 1_550);
    at.clock.advance(1_550);
    fail(at, 'b', 'status 429', { plain: true, retryAfter: 3_600_000 });
    expect(at.breaker.enter('b')).toBe(at.clock.now() + 2_050);
  });

  it('pauses longer each time its probe fails, reports it once, and abandons a silent probe', () => {
    const at = standing();
    fail(at, 'a', 'invalid_client', { plain: true });
    const pauses: number[] = [];
    for (let n = 0; n < 5; n += 1) {
      const until = at.breaker.enter('a');
      if (typeof until !== 'number') throw new Error('it is not open');
      pauses.push(until - at.clock.now());
      at.clock.advance(until - at.clock.now());
      fail(at, 'a', 'invalid_client', { plain: true });
    }
    expect(pauses).toEqual([100, 200, 400, 800, 800]);
    expect(at.told).toEqual(['invalid_client']);
    at.clock.advance(800);
    at.breaker.enter('silent');
    expect(at.breaker.enter('b')).toBe(at.clock.now() + 500);
    at.clock.advance(500);
    expect(typeof at.breaker.enter('b')).toBe('object');
  });

  it('lets the next call through if the probe was not sent', () => {
    const at = standing();
    fail(at, 'a', 'x', { plain: true });
    at.clock.advance(100);
    const probe = at.breaker.enter('b');
    if (typeof probe === 'object') probe.unused();
    expect(typeof at.breaker.enter('c')).toBe('object');
  });

  it('stays shut during a probe when a call that was admitted before it opened was not sent', () => {
    const at = standing();
    const early = at.breaker.enter('a');
    fail(at, 'b', 'x', { plain: true });
    at.clock.advance(100);
    at.breaker.enter('c');
    if (typeof early === 'object') early.unused();
    expect(typeof at.breaker.enter('d')).toBe('number');
  });

  it('does not stay open for ever if the clock is set back', () => {
    const at = standing();
    fail(at, 'a', 'x', { plain: true });
    at.clock.advance(-3_600_000);
    expect(typeof at.breaker.enter('b')).toBe('object');
  });
});

describe('the states of a circuit breaker', () => {
  const event = fc.oneof(
    fc.record({
      what: fc.constant('fail' as const),
      key: fc.constantFrom('a', 'b', 'c', 'd'),
      plain: fc.boolean(),
    }),
    fc.record({ what: fc.constant('succeed' as const) }),
    fc.record({ what: fc.constant('enter' as const) }),
  );
  const story = fc.array(fc.tuple(fc.integer({ min: 0, max: 600 }), event), { maxLength: 60 });

  it('never block longer than the longest pause, and admit one call at a time while open', () => {
    fc.assert(
      fc.property(story, (events) => {
        let state = closedBreaker;
        let now = START;
        for (const [millis, one] of events) {
          now += millis;
          const before = state;
          if (one.what === 'succeed') state = succeeded();
          if (one.what === 'fail')
            state = failed(state, { key: one.key, at: now, reason: 'x', plain: one.plain }, rules, () => 0.5);
          if (one.what === 'enter') {
            const admission = admit(state, now, rules);
            if (!admission.admitted && admission.until - now > rules.longestPause) return false;
            if (
              admission.admitted &&
              before.state !== 'closed' &&
              admit(admission.state, now, rules).admitted
            )
              return false;
            state = admission.state;
          }
          if (state.state === 'closed' && state.failures.length >= rules.failures) return false;
        }
        return true;
      }),
    );
  });
});
