import { describe, expect, it } from '@jest/globals';
import type { Account, Stage } from '../../../src/features/accounts/account.ts';
import { Disconnections } from '../../../src/features/organisation/disconnections.ts';
import { ForbiddenCalls } from '../../../src/features/organisation/forbidden-calls.ts';
import { HOUR, MINUTE } from '../../../src/lib/time/clock.ts';
import { Secret } from '../../../src/lib/secret/secret.ts';
import { AuthorityRefused, type Connection } from '../../../src/upstream/model.ts';
import { HandClock } from '../../support/clock.ts';

const ORGANISATION = '0d0e8a7c-6e7b-4f0c-8f0a-6a1b2c3d4e5f';
const to = {
  accountId: 'a-1',
  product: 'standard',
  application: 'default',
  grantId: 'g-1',
  organisationId: ORGANISATION,
} as const;
const binding = { grantId: 'g-1', organisation: { id: ORGANISATION, name: 'Old Mill Engineering' } };
const gone: Stage = { stage: 'lost', binding, reason: 'disconnected' };
const migrated: Stage = { stage: 'migrated', binding };

const accountWith = (life: Stage): Account => ({
  ...{ id: 'a-1', name: 'Old Mill', product: 'standard', application: 'default', origin: 'added' },
  ...{ createdAt: 0, stageSince: 0, lastCallAt: undefined, life },
});

const connection = (id: string): Connection => ({
  ...{ id, name: 'somebody', connectionId: 'c-1', authenticationEventId: undefined },
});

type Readable = 'yes' | 'no' | 'denied' | 'later';

interface Situation {
  readonly life?: Stage;
  readonly connections?: readonly Connection[] | Error;
  readonly readable?: Readable;
  /** Five minutes later. */
  readonly readableThen?: Readable;
  readonly others?: readonly Stage[];
}

interface World {
  readonly clock?: HandClock;
  readonly abandoned?: unknown[];
  readonly told?: string[];
}

/** The job, and the calls that it looks at. */
function jobOf(
  { life = migrated, connections = [], readable = 'no', readableThen = readable, others = [] }: Situation,
  { clock = new HandClock(), abandoned = [], told = [] }: World = {},
) {
  const begun = clock.now();
  const forbidden = new ForbiddenCalls(clock);
  const changed: unknown[] = [];
  const questions: unknown[] = [];
  const silent = { info: () => undefined, warn: () => undefined, error: (event: string) => told.push(event) };
  const job = new Disconnections({
    repository: {
      byId: () => Promise.resolve(accountWith(life)),
      byGrant: () => Promise.resolve([life, ...others].map(accountWith)),
      list: () => Promise.resolve(abandoned.map(() => ({ ...accountWith(gone), stageSince: clock.now() }))),
      change: (id, transition, { detail }) => {
        changed.push([id, transition(life), detail]);
        return Promise.resolve(accountWith(life));
      },
    },
    forbidden,
    vault: {
      accessToken: () => Promise.resolve({ token: new Secret('token'), generation: 7 }),
      abandon: (...given) => {
        abandoned.push(given);
        return Promise.resolve(true);
      },
    },
    applications: {
      of: () => ({
        authority: {
          connections: (_, event) => {
            questions.push(event);
            return connections instanceof Error ? Promise.reject(connections) : Promise.resolve(connections);
          },
        },
      }),
    },
    proof: { readable: () => Promise.resolve(clock.now() === begun ? readable : readableThen) },
    clock,
    log: silent,
    held: () => told.push('held'),
  });
  return { job, forbidden, changed, questions };
}

/** What became of the account after one forbidden call. */
async function outcomeOf(situation: Situation) {
  const clock = new HandClock();
  const abandoned: unknown[] = [];
  const { job, forbidden, changed, questions } = jobOf(situation, { clock, abandoned });
  forbidden.note(to);
  await job.run();
  clock.advance(5 * MINUTE - 1);
  await job.run();
  expect([abandoned, changed]).toEqual([[], []]);
  clock.advance(1);
  await job.run();
  return { abandoned, changed, questions };
}

describe('after a forbidden call an account', () => {
  it('loses its consent if neither the connections list nor V3 has its organisation', async () => {
    const { abandoned, changed, questions } = await outcomeOf({
      connections: [connection('another')],
      others: [{ stage: 'lost', binding, reason: 'disconnected' }],
    });
    expect(abandoned).toEqual([['g-1', 7, { reason: 'disconnected' }]]);
    expect(changed).toEqual([]);
    // Of everything the user ever connected, not of one approval.
    expect(questions).toEqual([undefined, undefined]);
  });

  it('is lost alone if another account shares its consent', async () => {
    const { abandoned, changed } = await outcomeOf({ others: [migrated] });
    expect(abandoned).toEqual([]);
    expect(changed).toEqual([
      ['a-1', { stage: 'lost', binding, reason: 'disconnected' }, 'the grant was lost: disconnected'],
    ]);
  });

  it.each<readonly [string, Situation]>([
    ['the list has its organisation', { connections: [connection(ORGANISATION)] }],
    ['the list spells it in capitals', { connections: [connection(ORGANISATION.toUpperCase())] }],
    ['V3 opens the organisation, whatever the list says', { readable: 'yes' }],
    ['V3 does not answer', { readable: 'later' }],
    ['a gateway may have refused', { readable: 'denied' }],
    ['V3 opens the organisation minutes later', { readableThen: 'yes' }],
    ['V3 does not answer minutes later', { readableThen: 'later' }],
    ['the list is not there', { connections: new AuthorityRefused('unavailable') }],
    ['the list refuses the token', { connections: new AuthorityRefused('access_denied') }],
    ['it has a new consent by now', { life: { stage: 'migrated', binding: { ...binding, grantId: 'g-2' } } }],
    ['it has not moved', { life: { stage: 'consented', binding } }],
    ['it is closed', { life: { stage: 'closed' } }],
  ])('keeps its consent if %s', async (_, situation) => {
    const { abandoned, changed } = await outcomeOf(situation);
    expect([abandoned, changed]).toEqual([[], []]);
  });
});

it('no account is lost while the service denies more than three at once, and somebody is told each hour', async () => {
  const clock = new HandClock();
  const [abandoned, told]: [unknown[], string[]] = [[], []];
  const { job, forbidden } = jobOf({}, { clock, abandoned, told });
  const pass = async (millis: number): Promise<void> => {
    clock.advance(millis);
    await job.run();
  };
  for (const accountId of ['a-1', 'a-2', 'a-3', 'a-4']) forbidden.note({ ...to, accountId });
  await pass(0);
  await pass(5 * MINUTE);
  await pass(5 * MINUTE);
  expect([abandoned.length, told]).toEqual([0, ['held', 'disconnection.held', 'held', 'held', 'held']]);
  // One that follows while the fault lasts.
  forbidden.note({ ...to, accountId: 'a-5' });
  await pass(0);
  await pass(5 * MINUTE);
  await pass(50 * MINUTE);
  expect([abandoned.length, told.filter((event) => event !== 'held').length]).toEqual([0, 2]);
  const few = jobOf({}, { clock, abandoned, told });
  for (const accountId of ['a-1', 'a-2', 'a-3']) few.forbidden.note({ ...to, accountId });
  for (const millis of [0, 5 * MINUTE]) {
    clock.advance(millis);
    await few.job.run();
  }
  expect(abandoned).toHaveLength(3);
});

it('three accounts are lost in an hour, however many processes ask, and however slowly they come', async () => {
  const clock = new HandClock();
  const [abandoned, told]: [unknown[], string[]] = [[], []];
  const workers = Array.from({ length: 4 }, () => jobOf({}, { clock, abandoned, told }));
  for (let account = 0; account < 12; account += 1) {
    for (const [index, { job, forbidden }] of workers.entries()) {
      if (account % 4 === index) forbidden.note({ ...to, accountId: `a-${String(account)}` });
      await job.run();
    }
    clock.advance(4 * MINUTE);
  }
  expect([abandoned.length, told.includes('disconnection.held')]).toEqual([3, true]);
});

describe('forbidden calls', () => {
  it('lead to one check per account and hour', () => {
    const clock = new HandClock();
    const forbidden = new ForbiddenCalls(clock);
    const taken = (): (string | undefined)[] => [forbidden.next()?.accountId, forbidden.next()?.accountId];
    for (let times = 0; times < 3; times += 1) forbidden.note(to);
    forbidden.note({ ...to, accountId: 'a-2' });
    expect(taken()).toEqual(['a-1', 'a-2']);
    clock.advance(HOUR - 1);
    forbidden.note(to);
    expect(taken()).toEqual([undefined, undefined]);
    clock.advance(1);
    forbidden.note(to);
    expect(taken()).toEqual(['a-1', undefined]);
  });

  it('noted while the clock was ahead hold nothing up once it is right', () => {
    const clock = new HandClock();
    const forbidden = new ForbiddenCalls(clock);
    clock.advance(100 * HOUR);
    forbidden.note(to);
    clock.advance(-100 * HOUR);
    forbidden.note({ ...to, accountId: 'a-2' });
    clock.advance(2 * HOUR);
    const given: string[] = [];
    for (let one = forbidden.next(); one !== undefined; one = forbidden.next()) given.push(one.accountId);
    expect(given).toEqual(['a-1', 'a-2']);
    forbidden.note({ ...to, accountId: 'a-2' });
    expect(forbidden.next()?.accountId).toBe('a-2');
  });

  it('of more than a thousand accounts within an hour are not all checked', () => {
    const forbidden = new ForbiddenCalls(new HandClock());
    for (let at = 0; at < 1_500; at += 1) forbidden.note({ ...to, accountId: String(at) });
    const given = new Set<string>();
    for (let one = forbidden.next(); one !== undefined; one = forbidden.next()) given.add(one.accountId);
    expect(given.size).toBe(1_000);
  });
});
