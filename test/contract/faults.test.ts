import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Method } from '../../src/mapping/compile/model.ts';
import { deliveredMapping } from '../support/mapping.ts';
import { faultsOf, faulty, nameOf, pairsOf } from './faults.ts';
import { Service, ways, type Way } from './four-ways.ts';
import { seed } from './requests.ts';
import { writings } from './writings.ts';

/**
 * A request with one fault, or two, gets V1's words on every way: the same fault is told first, whoever finds it. Each
 * two faults of each method that writes are tried; what a method finds wrong with its values is in the tables.
 */

const mapping = deliveredMapping();
const methodOf = (id: string): Method => {
  const method = mapping.methods.find((one) => one.id === id);
  if (method === undefined) throw new Error(`there is no method ${id}`);
  return method;
};

describe('a faulty request', () => {
  let service: Service;
  let marks = 0;
  let wrong = 0;

  beforeAll(async () => {
    service = await Service.open(seed);
  });
  afterAll(async () => {
    await service.close();
    expect(service.sandbox.complaints).toEqual([]);
  });

  async function wordsBy(way: Way, call: string, body: string): Promise<string | undefined> {
    const [verb = '', path = ''] = call.split(' ');
    service.watch.changes();
    const { children } = await service.send(way, verb, path, body);
    const text = (name: string): string | undefined => children.find((child) => child.name === name)?.text;
    if (text('Status') === 'OK') return undefined;
    // What is refused has written nothing.
    expect(service.watch.changes()).toEqual([]);
    return text('ErrorDescription');
  }

  it.each(writings.filter(({ elements }) => elements === undefined))(
    'gets the message of V1 on every route: $method',
    async (one) => {
      const method = methodOf(one.method);
      for (const faults of pairsOf(faultsOf(one, method))) {
        const body = faulty(one, method, faults).replaceAll('{mark}', `Mark${String((marks += 1))}`);
        const told = await wordsBy('V1', one.call, body);
        // V1 accepts it: an element that may be left out.
        if (told === undefined) continue;
        wrong += 1;
        const name = nameOf(one.method, faults);
        for (const way of ways.slice(1)) {
          const words = await wordsBy(way, one.call, body);
          expect(`${name}, ${way}: ${String(words)}`).toBe(`${name}, ${way}: ${told}`);
        }
      }
    },
  );

  it('is tried in more than six hundred forms', () => {
    expect(wrong).toBeGreaterThan(600);
  });
});
