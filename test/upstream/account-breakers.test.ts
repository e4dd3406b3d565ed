import { beforeEach, describe, expect, it } from '@jest/globals';
import { AccountBreakers } from '../../src/upstream/transport/account-breakers.ts';
import { TransportFault } from '../../src/upstream/transport/outcome.ts';
import { HandClock } from '../support/clock.ts';

let clock: HandClock;
let told: string[];
let breakers: AccountBreakers;

beforeEach(() => {
  clock = new HandClock();
  told = [];
  breakers = new AccountBreakers({
    clock,
    random: () => 1,
    onChange: (account, reason) => told.push(`${account}: ${reason ?? 'available'}`),
  });
});

const cut = new TransportFault('cut', true);
const slow = new TransportFault('slow', true);

const fail = (account: string, times = 1, fault = cut): void => {
  for (let nth = 0; nth < times; nth += 1) breakers.failed(account, fault, breakers.enter(account));
};

const answered = (account: string, status: number, times = 1): void => {
  for (let nth = 0; nth < times; nth += 1) breakers.answered(account, status, breakers.enter(account));
};

describe('the circuit breaker of an account', () => {
  it('opens at the tenth failure in a row, for this account alone', () => {
    fail('a', 9);
    expect(breakers.shutFor('a')).toBeUndefined();
    fail('a');
    expect(breakers.shutFor('a')).toBe(5_000);
    expect(breakers.shutFor('b')).toBeUndefined();
    expect(breakers.open).toBe(1);
    expect(told).toEqual([`a: ${cut.message}`]);
  });

  it.each([502, 503])('counts %i as a failure', (status) => {
    answered('a', status, 10);
    expect(told).toEqual([`a: status ${status}`]);
  });

  it.each([200, 400, 401, 404, 408, 429, 500, 504])(
    'counts %i as an answer: it ends a series of failures',
    (status) => {
      answered('a', status, 100);
      fail('a', 9);
      answered('a', status);
      fail('a', 9);
      expect([breakers.shutFor('a'), told]).toEqual([undefined, []]);
    },
  );

  it.each([
    ['slow', slow],
    ['refused by the root', new TransportFault('unreachable', false)],
    ['given up by their callers', new TransportFault('aborted', true)],
  ])('does not open on calls that are %s', (_, fault) => {
    fail('a', 1_000, fault);
    expect([breakers.open, told]).toEqual([0, []]);
  });

  it('forgets failures that are a minute old', () => {
    fail('a', 9);
    clock.advance(60_000);
    fail('a', 9);
    expect(told).toEqual([]);
  });

  it.each([
    ['failed once', 1],
    ['is shut', 10],
  ])(
    'takes the others off the fast path for a minute at most if an account that %s stops calling',
    (_, times) => {
      fail('gone', times);
      clock.advance(30_000);
      fail('later');
      clock.advance(30_000);
      expect([breakers.shutFor('b'), breakers.open, breakers.isQuiet]).toEqual([undefined, 0, false]);
      clock.advance(30_000);
      expect([breakers.shutFor('b'), breakers.isQuiet]).toEqual([undefined, true]);
    },
  );

  it('is reported as closed when the account has stopped calling', () => {
    fail('gone', 10);
    clock.advance(60_000);
    expect([breakers.open, told]).toEqual([0, [`gone: ${cut.message}`, 'gone: available']]);
  });

  it('forgets failures from before its clock was set back', () => {
    fail('gone');
    clock.advance(-3_600_000);
    expect([breakers.shutFor('b'), breakers.isQuiet]).toEqual([undefined, true]);
  });

  it('lets one probe through after a pause, and the others when it was answered', () => {
    fail('a', 10);
    clock.advance(5_000);
    expect(breakers.shutFor('a')).toBeUndefined();
    const pass = breakers.enter('a');
    expect(breakers.shutFor('a')).toBe(10_000);
    breakers.answered('a', 200, pass);
    expect([breakers.shutFor('a'), breakers.open]).toEqual([undefined, 0]);
    expect(told.at(-1)).toBe('a: available');
  });

  it('waits longer each time the probe fails, up to half a minute', () => {
    fail('a', 10);
    for (const pause of [5_000, 10_000, 20_000, 30_000, 30_000]) {
      expect(breakers.shutFor('a')).toBe(pause);
      clock.advance(pause);
      fail('a');
    }
    expect(told).toHaveLength(1);
  });

  it('closes if the probe is only slow, and lets the next through if it was not sent', () => {
    fail('a', 10);
    clock.advance(5_000);
    breakers.failed('a', new TransportFault('unreachable', false), breakers.enter('a'));
    expect(breakers.shutFor('a')).toBeUndefined();
    breakers.failed('a', slow, breakers.enter('a'));
    expect(told.at(-1)).toBe('a: available');
  });

  it('ignores the other calls that were in progress when it opened', () => {
    fail('a', 10);
    const { shutFor } = { shutFor: breakers.shutFor('a') };
    fail('a', 30);
    expect(breakers.shutFor('a')).toBe(shutFor);
  });
});
