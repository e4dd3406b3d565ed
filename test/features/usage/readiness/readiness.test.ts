import { describe, expect, it } from '@jest/globals';
import {
  addCall,
  noUse,
  OTHER,
  type AccountUse,
  type CallNames,
} from '../../../../src/features/usage/names/account-use.ts';
import { AdminUsage, type AdminUsageParts } from '../../../../src/features/admin/usage/usage.ts';
import { ReadinessJob } from '../../../../src/features/usage/readiness/readiness-job.ts';
import { ReadinessRules, type Readiness } from '../../../../src/features/usage/readiness/readiness.ts';
import { verdictOf } from '../../../../src/features/usage/readiness/verdict.ts';
import { DAY } from '../../../../src/lib/time/clock.ts';
import { silentLog } from '../../../../src/lib/log/log.ts';
import { StoreFault } from '../../../../src/lib/store-fault.ts';
import { NOW } from '../../../db/records.ts';
import { deliveredMapping } from '../../../support/mapping.ts';

const rules = new ReadinessRules(deliveredMapping().methods, ['structure']);

type Used = Pick<CallNames, 'method'> & {
  readonly failed?: boolean;
  readonly sent?: Readonly<Record<string, number>>;
  readonly received?: Readonly<Record<string, number>>;
};

function useOf(...calls: readonly Used[]): AccountUse {
  const use = noUse();
  for (const { method, failed = false, sent, received } of calls)
    addCall(use, {
      ...{ at: NOW, program: { key: 'p', agent: '' }, source: 'v1', failed, parameters: [], method },
      sent: sent && new Map(Object.entries(sent)),
      received: received && new Map(Object.entries(received)),
    });
  return use;
}

/** After a week, unless said. */
const judged = (use: AccountUse, days = 7, product: 'standard' | 'practice' = 'standard'): Readiness => {
  const readiness = rules.judge(use, product, NOW + days * DAY);
  if (readiness === undefined) throw new Error('nothing was judged');
  return readiness;
};

const missedIn = ({ reasons }: Readiness['v2']): readonly string[] =>
  reasons.filter(({ isMissed }) => isMissed).map(({ words }) => words);

describe('the readiness of an account', () => {
  it('is unknown without a call', () => {
    expect(rules.judge(noUse(), 'standard', NOW)).toBeUndefined();
  });

  it('for V2 takes a week in which every element seen has a place there', () => {
    const use = useOf({ method: 'client.get', received: { 'Client/ID': 3, 'Client/Name': 3 } });
    expect(judged(use, 6).v2.state).toBe('not-enough-seen');
    expect(judged(use).v2.state).toBe('ready');
    expect(judged(use).v3).toEqual({ state: 'ready', reasons: [], assumed: [] });
  });

  it('names the methods in use that rest on an assumption', () => {
    const use = useOf({ method: 'client.contact.get' });
    expect(judged(use).v2.assumed).toEqual(['client.contact.get']);
    expect(judged(use).v3.assumed).toEqual([]);
  });

  it('names each element that V2 lacks, with its frequency, most frequent first', () => {
    const received = {
      'Client/ID': 300,
      'Client/DateOfBirth': 214,
      'Client/Relationships/Relationship/Percentage': 220,
      'Client/Surprise': 1,
    };
    const { v2, v3 } = judged(useOf({ method: 'client.get', received }), 0);
    expect(v2.state).toBe('not-ready');
    expect(missedIn(v2)).toEqual([
      'it would miss Client/Relationships/Percentage of client.get, seen 220 times: V2 has no percentage',
      'it would miss Client/DateOfBirth of client.get, seen 214 times: V2 has no date of birth',
      'it would miss Client/Surprise of client.get, seen once: the mapping has no row for it',
    ]);
    expect(v3.state).toBe('not-enough-seen');
  });

  it('does not count what V3 answers instead of V2, and says so', () => {
    const { v2 } = judged(useOf({ method: 'client.list', received: { 'Clients/Client/DateOfBirth': 5 } }));
    expect(v2.state).toBe('ready');
    expect(v2.reasons[0]?.words).toMatch(/^client\.list goes to V3: /);
    const archive = judged(useOf({ method: 'client.archive' })).v2;
    expect(archive.state).toBe('ready');
    expect(archive.reasons[0]?.words).toMatch(/^client\.archive stays on V3: /);
  });

  it('includes writes that go to V3 because V2 lacks an element, and elements that nothing passes on', () => {
    const { v2, v3 } = judged(
      useOf({ method: 'client.add', sent: { 'Client/Name': 2, 'Client/DateOfBirth': 2, 'Client/Shoe': 1 } }),
    );
    expect(v2.reasons.map(({ words }) => words)).toContainEqual(
      expect.stringMatching(/^client\.add with Client\/DateOfBirth, sent 2 times, goes to V3/),
    );
    for (const { state, reasons } of [v2, v3]) {
      expect(state).toBe('not-ready');
      expect(reasons[0]?.words).toBe(
        'Client/Shoe of client.add, sent once, is not passed on: the mapping has no row for it',
      );
    }
  });

  it('is denied for methods without a row, and on V2 for the practice product', () => {
    const { v3 } = judged(useOf({ method: 'generic' }));
    expect(missedIn(v3)).toEqual(['methods that the mapping does not have, called once']);
    // A typing error, and what never became a call, are no methods.
    const use = useOf(
      { method: 'client.get' },
      { method: 'generic', failed: true },
      { method: 'none', failed: true },
    );
    expect(judged(use)).toMatchObject({
      used: ['client.get'],
      calls: 1,
      v3: { state: 'ready', reasons: [] },
    });
    const practice = judged(useOf({ method: 'client.delete' }), 7, 'practice');
    expect(practice).toMatchObject({ v3: { state: 'ready' }, v2: { state: 'not-ready' } });
  });

  it('keeps what it would miss of each method, however much another method misses, and counts all', () => {
    const many = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`Client/Own${n}`, 100]));
    const use = useOf(
      { method: 'client.get', received: many },
      { method: 'client.update', sent: { 'Client/Shoe': 1 } },
    );
    const { v2 } = judged(use);
    expect(missedIn(v2)).toHaveLength(41);
    expect(missedIn(v2).at(-1)).toContain('Client/Shoe of client.update');
    expect(verdictOf(v2).missed).toBe(61);
  });

  it('is not seen enough while names of a method were counted together', () => {
    const sent = useOf({ method: 'client.update', sent: { 'Client/Name': 3, [OTHER]: 2 } });
    for (const { state, reasons } of [judged(sent).v3, judged(sent).v2]) {
      expect(state).toBe('not-enough-seen');
      expect(reasons[0]?.words).toMatch(/^elements of client\.update sent 2 times are not known/);
    }
    const received = judged(useOf({ method: 'client.get', received: { 'Client/Name': 3, [OTHER]: 1 } }));
    expect(received.v2.state).toBe('not-enough-seen');
    expect(received.v3.state).toBe('ready');
  });

  it('takes a week of counted calls where counting is off', () => {
    const use = useOf({ method: 'client.get', received: { 'Client/Name': 3 } });
    expect(rules.judge(use, 'standard', undefined)?.v3.state).toBe('not-enough-seen');
    for (const method of use.programs.get('p')?.methods.values() ?? []) method.last = NOW + 7 * DAY;
    expect(rules.judge(use, 'standard', undefined)?.v3.state).toBe('ready');
  });

  it('names an element as the mapping does, in any case and under any list', () => {
    expect(rules.elementName('client.get', 'received', 'Client/contacts/CONTACT/name')).toBe(
      'Client/Contacts/Name',
    );
    expect(rules.elementName('client.list', 'received', 'Clients/Client/Name')).toBe('Client/Name');
    expect(rules.elementName('client.list', 'received', 'TotalRecords')).toBe('TotalRecords');
    expect(rules.elementName('generic', 'received', 'A/B')).toBe('A/B');
  });

  it('is computed again for accounts that have changed, with one version of the mapping', async () => {
    const stored: (readonly object[])[] = [];
    const asked: (readonly [string, number])[] = [];
    const job = new ReadinessJob({
      use: {
        find: async (id) => (id === 'gone' ? noUse() : useOf({ method: 'client.delete' })),
        unjudged: async (by, before) => {
          asked.push([by, before]);
          return ['a', 'gone'].map((accountId) => ({ accountId, version: 3 }));
        },
        judge: async (judged, by) => {
          stored.push([...judged, by]);
        },
      },
      repository: { byId: async (id) => (id === 'gone' ? undefined : { product: 'standard' }) },
      rules: () => rules,
      version: () => 'the mapping',
      clock: { now: () => NOW + 7 * DAY },
      log: silentLog,
    });
    await job.run();
    expect(asked).toEqual([[expect.stringMatching(/^[0-9a-f]{16}$/), NOW + 6 * DAY]]);
    expect(stored).toEqual([
      [
        {
          accountId: 'a',
          version: 3,
          readiness: expect.stringContaining('"used":["client.delete"]'),
          verdict:
            '{"v3":{"state":"ready","missed":0,"words":null,"assumed":0},"v2":{"state":"ready","missed":0,"words":null,"assumed":0}}',
        },
        { accountId: 'gone', version: 3, readiness: '', verdict: '' },
        { judged_by: asked[0]?.[0], judged_at: NOW + 7 * DAY },
      ],
    ]);
  });

  it('is read for a route of many accounts in parts', async () => {
    const asked: number[] = [];
    const stored = {
      readiness: async (ids?: readonly string[]) => {
        asked.push(ids?.length ?? Infinity);
        return new Map();
      },
    };
    const usage = new AdminUsage({ usage: { stored }, rules: () => rules } as unknown as AdminUsageParts);
    const accounts = Array.from({ length: 250 }, (_, n) => ({ id: `a${n}`, product: 'standard' as const }));
    expect(await usage.missed(['client.get'], 'v2', accounts)).toMatchObject({ using: 0, unseen: 250 });
    expect(asked).toEqual([100, 100, 50]);
  });

  it.each([
    ['those of all others, and unknown for one with damaged usage', new Error('unreadable'), 'a 1,b 0,c 1'],
    [
      'those of all others, and the former one if its query failed',
      new StoreFault('refused', 'no'),
      'a 1,c 1',
    ],
    ['those before the database was away', new StoreFault('unavailable', 'away'), 'a 1'],
  ])('is stored: %s', async (_which, error, expected) => {
    const stored: string[] = [];
    const job = new ReadinessJob({
      use: {
        find: (id) =>
          id === 'b' ? Promise.reject(error) : Promise.resolve(useOf({ method: 'client.delete' })),
        unjudged: async () => ['a', 'b', 'c'].map((accountId) => ({ accountId, version: 1 })),
        judge: async (judged) => {
          stored.push(...judged.map(({ accountId, verdict }) => `${accountId} ${verdict === '' ? 0 : 1}`));
        },
      },
      repository: { byId: async () => ({ product: 'standard' }) },
      rules: () => rules,
      version: () => 'the mapping',
      clock: { now: () => NOW },
      log: silentLog,
    });
    await job.run();
    expect(stored.join()).toBe(expected);
  });
});
