import { describe, expect, it } from '@jest/globals';
import { behaviourOf } from '../../src/demo/campaign/behaviours.ts';
import { customersOf } from '../../src/demo/campaign/customers.ts';
import { nextMonday, secondWaveDay, stepsOf } from '../../src/demo/campaign/steps.ts';
import { callsOf } from '../../src/demo/campaign/calls.ts';
import type { CallRecord } from '../../src/features/usage/call-log.ts';
import { DAY } from '../../src/lib/time/clock.ts';
import { isZone } from '../../src/lib/time/zone.ts';

const NOW = Date.parse('2026-11-25T22:10Z');

describe('the customers of a demo with many accounts', () => {
  it('are the same in every demo, each with a name, a key and an address of its own', () => {
    const customers = customersOf(1_995);
    expect(customersOf(1_995)).toEqual(customers);
    for (const one of ['name', 'accountKey'] as const)
      expect(new Set(customers.map((customer) => customer[one])).size).toBe(customers.length);
    const addresses = customers.map(({ administrator }) => administrator.email);
    expect(new Set(addresses).size).toBe(customers.length);
    expect(customers.filter(({ zone }) => !isZone(zone))).toEqual([]);
  });

  it('include every kind, however few they are', () => {
    const parts = new Set(customersOf(20).map(({ part }) => part));
    expect([...parts].sort()).toEqual(['daily', 'open', 'pilot', 'second', 'third']);
    const names = new Set(customersOf(495).map(({ behaviour }) => behaviour.name));
    expect(names.size).toBe(20);
    // What a customer does follows neither from its wave nor from its size.
    for (const wanted of ['pilot', 'second', 'daily'])
      expect(
        new Set(customersOf(495).flatMap(({ part, behaviour }) => (part === wanted ? [behaviour.name] : [])))
          .size,
      ).toBeGreaterThan(8);
    expect([behaviourOf(0).name, behaviourOf(0.999_999).name]).toEqual([
      'answers at once',
      'does not answer',
    ]);
  });
});

describe('the calls of a customer', () => {
  const [customer = unreachable()] = customersOf(495).filter(({ callsPerDay }) => callsPerDay > 60);

  it('have ids like those of a bridge, and say why they failed', async () => {
    const calls: CallRecord[] = [];
    const timeline = [
      { at: NOW - 4 * DAY, kind: 'migrated' },
      { at: NOW - 2 * DAY, kind: 'lost' },
    ];
    const store = {
      accounts: { timeline: async () => timeline },
      usage: { recent: { record: (call: CallRecord) => calls.push(call) } },
    };
    await callsOf({ store } as never, { id: 'one' } as never, customer, NOW);
    expect(new Set(calls.map(({ requestId }) => requestId)).size).toBe(calls.length);
    for (const { requestId } of calls)
      expect(requestId).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    const sources = new Set(calls.filter(({ failed }) => !failed).map(({ source }) => source));
    expect([...sources].sort()).toEqual(['v1', 'v3']);
    const late = calls.filter(({ at }) => at > NOW - 2 * DAY);
    expect(new Set(late.map(({ failure }) => failure))).toEqual(new Set(['consentNeeded']));
  });
});

function unreachable(): never {
  throw new Error('there is no large customer');
}

describe('the past of a campaign', () => {
  const customers = customersOf(195);
  const steps = stepsOf(customers, NOW);

  it('is in order, starts with the import and ends at the present', () => {
    expect(steps[0]?.deed).toBe('import');
    expect(steps.map(({ at }) => at)).toEqual(steps.map(({ at }) => at).toSorted((a, b) => a - b));
    expect(steps.at(-1)?.at).toBeLessThanOrEqual(NOW);
    const deeds = new Set(steps.map(({ deed }) => deed));
    for (const deed of ['plan-waves', 'judge-waves', 'connects', 'moves', 'bounces', 'is-called'])
      expect(deeds).toContain(deed);
  });

  it('has no events for customers who were not asked', () => {
    const touched = steps.flatMap((step) => ('customer' in step ? [step.customer.part] : []));
    expect(touched).not.toContain('third');
    expect(touched).not.toContain('open');
  });

  it.each([
    ['2026-11-25', '2026-11-30'],
    ['2026-11-30', '2026-12-07'],
    ['2026-11-29', '2026-11-30'],
  ])('on %s, the third wave waits for Monday, %s', (today, monday) => {
    expect(nextMonday(Date.parse(`${today}T12:00Z`))).toBe(monday);
    expect(secondWaveDay(Date.parse(`${today}T12:00Z`)) < today).toBe(true);
  });
});
