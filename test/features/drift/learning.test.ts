import { describe, expect, it } from '@jest/globals';
import {
  accept,
  departuresOf,
  forgetPassing,
} from '../../../src/features/usage/drift/learning/departures.ts';
import { likelihoodOfNone, UNLIKELY } from '../../../src/features/usage/drift/learning/likelihood.ts';
import {
  learn,
  nothingLearned,
  packedLearned,
  unpackedLearned,
  type Learned,
} from '../../../src/features/usage/drift/learning/learned.ts';
import { jsonObservation } from '../../../src/features/usage/drift/learning/observation.ts';
import { xmlObservation } from '../../../src/features/usage/drift/learning/xml-observation.ts';
import { fc } from '../../support/random.ts';

const MINUTE = 60_000;

/** Answers of one record each, a minute apart, beginning at `from`. */
function shown(records: readonly unknown[], learned: Learned = nothingLearned(), from = 0): Learned {
  for (const [index, record] of records.entries()) {
    const observation = jsonObservation(JSON.stringify({ data: record }), false);
    if (observation !== undefined) learn(learned, observation, from + index * MINUTE);
  }
  forgetPassing(learned);
  return learned;
}

const times = <T>(count: number, one: T): readonly T[] => new Array<T>(count).fill(one);
const kindsOf = (learned: Learned): readonly string[] =>
  departuresOf(learned).map(({ kind, place, from, to, since }) =>
    [kind, place, from, to, `${since / MINUTE} min`].filter(Boolean).join(', '),
  );

const PLAIN = { uuid: '6f3c1e9a-1111-4222-8333-444455556666', updatedAt: '2026-11-25T14:02:00Z' };
/** Without the date. */
const BARE = { uuid: PLAIN.uuid };
const PRECISE = { ...PLAIN, updatedAt: '2026-11-25T14:02:00.123Z' };

describe('the differences that an account sees', () => {
  it('include the new type of a value and the first reply that had it', () => {
    const learned = shown([...times(20, PLAIN), ...times(3, PRECISE)]);
    const types = 'date and time with a zone, date and time with milliseconds and a zone';
    expect(kindsOf(learned)).toEqual([`type, data/updatedAt, ${types}, 20 min`]);
  });

  it('need three replies, and a sufficient history', () => {
    expect(kindsOf(shown([...times(20, PLAIN), ...times(2, PRECISE)]))).toEqual([]);
    expect(kindsOf(shown([...times(5, PLAIN), ...times(3, PRECISE)]))).toEqual([]);
  });

  it('include what appeared, with its content, as one entry, and what disappeared', () => {
    const richer = { ...PLAIN, owner: { name: 'Anna', phone: null } };
    expect(kindsOf(shown([...times(20, PLAIN), ...times(4, richer)]))).toEqual([
      'appeared, data/owner, object, 20 min',
    ]);
    expect(kindsOf(shown([...times(20, richer), ...times(4, PLAIN)]))).toEqual([
      'disappeared, data/owner, 20 min',
    ]);
  });

  it('include what is missing from some records, from all, and what is empty', () => {
    const mixed = [BARE, PLAIN];
    expect(kindsOf(shown([...times(30, PLAIN), ...times(6, mixed).flat()]))).toEqual([
      'optional, data/updatedAt, 30 min',
    ]);
    expect(kindsOf(shown([...times(15, mixed).flat(), ...times(15, PLAIN)]))).toEqual([
      'required, data/updatedAt, 29 min',
    ]);
    const empty = { ...PLAIN, updatedAt: null };
    expect(kindsOf(shown([...times(9, [PLAIN, PLAIN, PLAIN, empty]).flat(), ...times(9, empty)]))).toEqual([
      'emptied, data/updatedAt, date and time with a zone, nothing, 35 min',
    ]);
  });

  it('treat an element of sixty in a hundred records as missing after three, and as gone after many', () => {
    const usual = times(20, [PLAIN, PLAIN, PLAIN, BARE, BARE]).flat();
    expect(kindsOf(shown([...usual, ...times(3, BARE)]))).toEqual([]);
    expect(kindsOf(shown([...usual, ...times(12, BARE)]))[0]).toMatch('disappeared, data/updatedAt');
  });

  it('end by themselves when the old form returns, and start again with the new one', () => {
    const learned = shown([...times(20, PLAIN), ...times(4, PRECISE), ...times(10, PLAIN)]);
    expect(kindsOf(learned)).toEqual([]);
    shown(times(4, PRECISE), learned, 60 * MINUTE);
    expect(kindsOf(learned)).toEqual([expect.stringMatching(/^type, data\/updatedAt.*60 min$/)]);
  });

  it('treat what was accepted as the norm, and later differences as changes', () => {
    for (const [before, after, kind] of [
      [PLAIN, PRECISE, 'type'],
      [PLAIN, { ...PLAIN, extra: 1 }, 'disappeared'],
      [{ ...PLAIN, extra: 1 }, PLAIN, 'appeared'],
    ] as const) {
      const learned = shown([...times(20, before), ...times(8, after)]);
      const [departure] = departuresOf(learned);
      if (departure !== undefined) accept(learned, departure);
      expect(kindsOf(shown(times(8, after), learned, 60 * MINUTE))).toEqual([]);
      expect(kindsOf(shown(times(8, before), learned, 90 * MINUTE))[0]).toMatch(
        new RegExp(`^${kind}.*90 min$`),
      );
    }
  });

  it('treat texts that look like numbers or dates as texts', () => {
    const named = (name: string) => ({ name });
    const learned = shown([
      ...times(20, named('Miller')),
      ...times(9, named('4711')),
      ...times(9, named('2026-01-31')),
    ]);
    expect(kindsOf(learned)).toEqual([]);
  });

  it('never include a random absence, at any share and in any order', () => {
    // Of 400 accounts without a change one may cross a likelihood of one in a thousand by itself, not five.
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 99 }), fc.integer(), (percent, seed) => {
        let state = seed >>> 0 || 1;
        const next = (): number => (state = (state * 1_664_525 + 1_013_904_223) >>> 0) / 2 ** 32;
        let differing = 0;
        for (let account = 0; account < 20; account += 1) {
          const records = times(60, 0).map(() => (next() * 100 < percent ? PLAIN : BARE));
          if (departuresOf(shown(records)).length > 0) differing += 1;
        }
        return differing <= 3;
      }),
      { numRuns: 20, seed: 7 },
    );
  });

  it('weigh an absence in few records like one in many', () => {
    expect(likelihoodOfNone(2, 2, 3)).toBeCloseTo(0.05, 5);
    expect(likelihoodOfNone(60, 100, 3)).toBeGreaterThan(0.05);
    expect(likelihoodOfNone(20, 20, 3)).toBeLessThan(UNLIKELY);
    fc.assert(
      fc.property(fc.nat(500), fc.nat(500), fc.nat(50), (seen, more, then) => {
        const likelihood = likelihoodOfNone(seen, seen + more, then);
        return (
          likelihood >= 0 && likelihood <= 1 && likelihoodOfNone(seen, seen + more, then + 1) <= likelihood
        );
      }),
    );
  });

  it('are unpacked as they were packed', async () => {
    const learned = shown([...times(20, PLAIN), ...times(4, PRECISE)]);
    expect(await unpackedLearned(await packedLearned(learned))).toEqual(learned);
  });
});

describe('the form of a reply', () => {
  it('keeps names and types of JSON and XML, and no value', async () => {
    const json = jsonObservation(
      JSON.stringify({ data: [{ name: 'Anna Secret', tags: ['a'], age: 3 }] }),
      false,
    );
    expect(Array.from(json ?? [], ([place, { types }]) => [place, ...types.keys()].join(' '))).toEqual([
      ...['', 'data list', 'data/[] object', 'data/[]/name text', 'data/[]/tags list'],
      ...['data/[]/tags/[] text', 'data/[]/age number'],
    ]);
    const xml = await xmlObservation(
      Buffer.from(
        '<Response><Status>OK</Status><Client><Name>Anna Secret</Name><Age>3</Age><Fax/></Client></Response>',
      ),
    );
    expect(
      Array.from(xml ?? [], ([place, { types }]) => [place, ...types.keys()].join(' ')).toSorted(),
    ).toEqual([
      ...[' object', 'Client object', 'Client/Age whole number as text', 'Client/Fax nothing'],
      ...['Client/Name text', 'Status text'],
    ]);
    expect(JSON.stringify([...(json ?? []), ...(xml ?? [])])).not.toContain('Secret');
  });

  it('ignores records that were cut off', async () => {
    const text = JSON.stringify({ data: times(50, PLAIN), meta: { total: 50 } });
    const json = jsonObservation(text.slice(0, 600), true);
    expect(json?.get('data/[]')?.objects).toBe(7);
    expect(json?.get('data/[]/updatedAt')?.present).toBe(7);
    expect([json?.get('')?.objects, json?.has('meta')]).toEqual([undefined, false]);
    const xml = await xmlObservation(
      Buffer.from('<Response><Clients><Client><ID>1</ID></Client><Client><ID>2</ID>'),
    );
    expect(xml?.get('Clients/Client')?.objects).toBe(1);
  });

  it('limits every name, record, depth and number, and contains no name that is a value', () => {
    const hostile = {
      ...Object.fromEntries(
        Array.from({ length: 5_000 }, (_, index) => [`name${'x'.repeat(index % 90)}_${index}`, 1]),
      ),
      größe: 1,
      'a.b@example.com': 1,
      '6f3c1e9a-1111-4222-8333-444455556666': 1,
      job2026: 1,
    };
    const json = jsonObservation(`{"__proto__":{"polluted":1},${JSON.stringify(hostile).slice(1)}`, false);
    expect(json?.size).toBeLessThanOrEqual(300);
    expect(json?.has('__proto__/polluted')).toBe(true);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
    expect([...(json?.keys() ?? [])].join()).not.toMatch(/größe|@|6f3c|2026/);
    expect(jsonObservation('[{"a":'.repeat(20_000), true)).toBeUndefined();
    expect(jsonObservation('{"a":', false)).toBeUndefined();
    const learned = nothingLearned();
    for (let answer = 0; answer < 40; answer += 1)
      shown(
        [Object.fromEntries(Array.from({ length: 90 }, (_, name) => [`n${answer}_${name}`, 1]))],
        learned,
      );
    expect([learned.places.size, learned.isFull]).toEqual([400, true]);
  });
});
