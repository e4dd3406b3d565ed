import { describe, expect, it } from '@jest/globals';
import { behaviourOf } from '../../src/demo/campaign/behaviours.ts';
import { customersOf } from '../../src/demo/campaign/customers.ts';
import { nextMonday, secondWaveDay, stepsOf } from '../../src/demo/campaign/steps.ts';
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

  it('are of every kind, however few they are', () => {
    const parts = new Set(customersOf(20).map(({ part }) => part));
    expect([...parts].sort()).toEqual(['daily', 'open', 'pilot', 'second', 'third']);
    const names = new Set(customersOf(495).map(({ behaviour }) => behaviour.name));
    expect(names.size).toBe(20);
    expect([behaviourOf(0).name, behaviourOf(0.999_999).name]).toEqual([
      'answers at once',
      'does not answer',
    ]);
  });
});

describe('the past of a campaign', () => {
  const customers = customersOf(195);
  const steps = stepsOf(customers, NOW);

  it('is in order, begins with the import and ends at the present', () => {
    expect(steps[0]?.deed).toBe('import');
    expect(steps.map(({ at }) => at)).toEqual(steps.map(({ at }) => at).toSorted((a, b) => a - b));
    expect(steps.at(-1)?.at).toBeLessThanOrEqual(NOW);
    const deeds = new Set(steps.map(({ deed }) => deed));
    for (const deed of ['plan-waves', 'judge-waves', 'connects', 'moves', 'bounces', 'is-called'])
      expect(deeds).toContain(deed);
  });

  it('leaves those alone who were not asked', () => {
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
