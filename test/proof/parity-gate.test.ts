import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import type { Store } from '../../src/app/store.ts';
import { migrate, type Account } from '../../src/features/accounts/account.ts';
import { Examples } from '../../src/features/cutover/parity/examples.ts';
import type {
  AlikeReads,
  Comparison,
  DifferenceGroup,
  ParityMode,
} from '../../src/features/cutover/parity/model.ts';
import { markOf } from '../../src/features/cutover/parity/signature.ts';
import type { KeptSample } from '../../src/features/samples/packed.ts';
import type { ReportedAccount } from '../../src/features/status/model.ts';
import { silentLog } from '../../src/lib/log/log.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import { DAY, HOUR, MINUTE } from '../../src/lib/time/clock.ts';
import type { Comparing } from '../../src/proof/parity/comparing.ts';
import { Parity } from '../../src/proof/parity/parity.ts';
import { KeyRing } from '../../src/tokens/sealing/keyring.ts';
import { bindingTo, newAccount, newGrant } from '../db/records.ts';
import { statusReportOf } from '../features/status/rows.ts';
import { HandClock } from '../support/clock.ts';
import { openMemoryStore } from '../support/store.ts';

let store: Store;
const clock = new HandClock();
const seal = KeyRing.parse(new Secret(`k1:${Buffer.alloc(32, 1).toString('base64')}`));

beforeEach(async () => {
  store = await openMemoryStore();
});
afterEach(() => store.close());

const present = async (id: string): Promise<Account> => {
  const account = await store.accounts.byId(id);
  if (account === undefined) throw new Error('it was added');
  return account;
};

/** Binds the account to this or another organisation by another grant, as a consent does. */
async function consent(id: string, organisation = randomUUID()): Promise<Account> {
  const named = { id: organisation, name: 'Harbour Lane Studio' };
  const binding = { ...bindingTo((await newGrant(store)).id), organisation: named };
  const event = { at: clock.now(), kind: 'consented', actor: 'customer', detail: '' };
  await store.accounts.change(id, () => ({ stage: 'consented', binding }), event);
  return present(id);
}

async function consented(): Promise<Account> {
  const account = newAccount({ now: clock.now() });
  await store.accounts.add(account);
  return consent(account.id);
}

/** A comparison that finds everything alike. */
const comparison = (): Comparison => ({
  ...{ at: clock.now(), reads: 4, alike: 4, different: 0, undecided: 0, live: 4, baseline: 0, changed: 0 },
  ...{ noise: 0, uncompared: [], isUnfinished: false, groups: [] },
});

const alikeReads = { live: ['r1', 'r2', 'r3'], baseline: [], changed: 0, noise: 0 };
const uncompared = (isTemporary: boolean) => [{ method: 'staff.list', reads: 1, why: 'away', isTemporary }];

/** One whose read has no sample any more when everything else is alike. */
const difference: DifferenceGroup = {
  key: 'v3 client.get Response/Client/Name value',
  ...{ api: 'v3', method: 'client.get', path: 'Response/Client/Name', cause: 'value', isUndecided: false },
  ...{ count: 1, reads: ['r1'], example: '–', signature: 's' },
};

/** Compares by hand. */
class Compared {
  begun = 0;
  /** For each comparison, how many reads it takes over from the one before it. */
  readonly taken: number[] = [];
  next: () => Promise<Comparison> = async () => comparison();

  parity(mode: ParityMode): Parity {
    const run = async (_samples: unknown, _used: unknown, _progress: unknown, earlier?: AlikeReads) => {
      this.begun += 1;
      const taken = earlier?.live.length ?? 0;
      this.taken.push(taken);
      return { comparison: await this.next(), compared: new Set<string>(), taken, examples: [] };
    };
    return new Parity({
      ...{ mode, repository: store.accounts, stored: store.parity, clock, log: silentLog },
      samples: { find: async (): Promise<readonly KeptSample[]> => [] },
      comparing: () => ({ run }) as unknown as Comparing,
      used: async () => new Map(),
      flush: async () => undefined,
      examples: new Examples({
        ...{ stored: store.parity, seal, clock, lifetime: DAY, isKept: async () => false },
      }),
    });
  }
}

it.each(['required', 'report'] as const)(
  'a comparison that cannot be repeated is not replaced by an earlier one: %s',
  async (mode) => {
    const account = await consented();
    const compared = new Compared();
    const parity = compared.parity(mode);
    expect(await parity.judge(account, 'moving')).toMatchObject({
      result: 'passed',
      detail: '4 of 4 reads alike',
    });
    clock.advance(2 * DAY);
    compared.next = () => Promise.reject(new Error('the samples cannot be opened'));
    expect(await parity.judge(account, 'moving')).toMatchObject({
      result: 'failed',
      detail: 'the last comparison failed: the samples cannot be opened; before it: 4 of 4 reads alike',
    });
    expect(await parity.report(account)).toMatchObject({ verdict: 'unfinished' });
    compared.next = async () => comparison();
    clock.advance(HOUR);
    expect(await parity.judge(account, 'moving')).toMatchObject({ result: 'passed' });
  },
);

it('a comparison of another organisation does not prove the present one, however fresh it is', async () => {
  const first = await consented();
  const compared = new Compared();
  const parity = compared.parity('required');
  await parity.judge(first, 'moving');
  expect(compared.begun).toBe(1);
  clock.advance(MINUTE);
  const second = await consent(first.id);
  expect(second.stageSince).toBe(first.stageSince);
  expect(await parity.report(second)).toMatchObject({ verdict: 'none', comparison: undefined });
  compared.next = () => Promise.reject(new Error('no answer'));
  expect(await parity.judge(second, 'moving')).toMatchObject({ result: 'failed' });
  compared.next = async () => comparison();
  clock.advance(HOUR);
  expect(await parity.judge(second, 'moving')).toMatchObject({ result: 'passed' });
});

/** The proof in the status report. */
const shown = async (): Promise<ReportedAccount['parity'] | undefined> =>
  statusReportOf(await store.statusReport.read(clock.now())).accounts[0]?.parity;

it('the status report shows no comparison, and no score, of another organisation', async () => {
  const account = await consented();
  const parity = new Compared().parity('required');
  await parity.judge(account, 'moving');
  expect(await shown()).toMatchObject({ verdict: 'alike', alike: 4 });
  clock.advance(MINUTE);
  const second = await consent(account.id);
  expect(await shown()).toBeNull();
  clock.advance(MINUTE);
  await parity.judge(second, 'moving');
  expect((await shown())?.trend).toHaveLength(1);
  expect((await parity.report(second)).trend).toHaveLength(1);
});

it('the status report shows a comparison of the same organisation after a second consent, and after the move', async () => {
  const organisation = randomUUID();
  const { id } = await consented();
  const account = await consent(id, organisation);
  const compared = new Compared();
  compared.next = async () => ({ ...comparison(), alike: 3, different: 1, groups: [difference] });
  await compared.parity('report').judge(account, 'moving');
  clock.advance(MINUTE);
  await consent(id, organisation);
  expect(await shown()).toMatchObject({ verdict: 'different' });
  clock.advance(MINUTE);
  await store.accounts.change(id, migrate, { at: clock.now(), kind: 'moved', actor: 'operator', detail: '' });
  expect(await shown()).toMatchObject({ verdict: 'different' });
});

it.each([
  ['the same organisation', 'failed', randomUUID()],
  ['another organisation', 'passed', undefined],
])(
  'a difference that cannot be checked again since a consent for %s: %s',
  async (_, result, organisation) => {
    const account = newAccount({ now: clock.now() });
    await store.accounts.add(account);
    const compared = new Compared();
    const parity = compared.parity('required');
    compared.next = async () => ({ ...comparison(), alike: 3, different: 1, groups: [difference] });
    expect(await parity.judge(await consent(account.id, organisation), 'moving')).toMatchObject({
      result: 'failed',
    });
    clock.advance(HOUR);
    compared.next = async () => comparison();
    expect(await parity.judge(await consent(account.id, organisation), 'moving')).toMatchObject({ result });
  },
);

it('a comparison during which the connection changed is not kept', async () => {
  const first = await consented();
  const compared = new Compared();
  const parity = compared.parity('required');
  compared.next = async () => {
    await consent(first.id);
    return comparison();
  };
  expect(await parity.judge(first, 'moving')).toMatchObject({
    result: 'failed',
    detail: expect.stringContaining('the connection of the account changed meanwhile') as unknown,
  });
  expect(await store.parity.runs(first.id)).toEqual([]);
});

it('a comparison of an earlier release from before a second consent proves nothing', async () => {
  const account = await consented();
  clock.advance(MINUTE);
  await store.parity.put(account.id, comparison());
  const parity = new Compared().parity('required');
  expect(await parity.report(account)).toMatchObject({ verdict: 'alike' });
  clock.advance(MINUTE);
  const again = await consent(account.id);
  expect(await parity.report(again)).toMatchObject({ verdict: 'none' });
  await store.parity.put(account.id, comparison());
  expect(await parity.report(again)).toMatchObject({ verdict: 'alike' });
});

it('a comparison of an earlier release counts if it was made at the present stage', async () => {
  const before = comparison();
  clock.advance(MINUTE);
  const account = await consented();
  await store.parity.put(account.id, before);
  const parity = new Compared().parity('required');
  expect(await parity.report(account)).toMatchObject({ verdict: 'none' });
  clock.advance(MINUTE);
  await store.parity.put(account.id, comparison());
  expect(await parity.report(account)).toMatchObject({ verdict: 'alike' });
});

/** A comparison in which one of four reads was not compared. */
const open = (isTemporary: boolean, why = 'away'): Comparison => ({
  ...{ ...comparison(), alike: 3, live: 3, alikeReads, isUnfinished: isTemporary },
  uncompared: uncompared(isTemporary).map((one) => ({ ...one, why })),
});

it('an account that waits is compared once a day, and once more right before its move', async () => {
  const account = await consented();
  const compared = new Compared();
  const parity = compared.parity('required');
  for (let hour = 0; hour < 24; hour += 1) {
    expect(await parity.judge(account, 'waiting')).toMatchObject({ result: 'passed' });
    clock.advance(HOUR);
  }
  expect(compared.begun).toBe(1);
  await parity.judge(account, 'waiting');
  expect(compared.begun).toBe(2);
  clock.advance(2 * HOUR);
  expect(await parity.judge(account, 'forced')).toMatchObject({ result: 'passed' });
  expect(compared.taken).toEqual([0, 0, 0]);
});

it('only what was different or not compared is compared again each hour, and everything before the move', async () => {
  const account = await consented();
  const compared = new Compared();
  const parity = compared.parity('required');
  compared.next = async () => open(false);
  await parity.judge(account, 'moving');
  for (let quarter = 0; quarter < 8; quarter += 1) {
    clock.advance(15 * MINUTE);
    expect(await parity.judge(account, 'moving')).toMatchObject({ result: 'failed' });
  }
  expect(compared.taken).toEqual([0, 3, 3]);
  clock.advance(HOUR);
  compared.next = async () => ({ ...comparison(), alikeReads });
  expect(await parity.judge(account, 'moving')).toMatchObject({ result: 'passed' });
  expect(compared.taken).toEqual([0, 3, 3, 3, 0]);
});

it('a comparison that a fault ended is repeated after a minute, and after an hour if it ended the same', async () => {
  const account = await consented();
  const compared = new Compared();
  const parity = compared.parity('report');
  compared.next = async () => open(true);
  const begunAfter = async (millis: number): Promise<number> => {
    clock.advance(millis);
    await parity.judge(account, 'moving');
    return compared.begun;
  };
  const begun = [await begunAfter(0), await begunAfter(MINUTE), await begunAfter(15 * MINUTE)];
  expect([...begun, await begunAfter(45 * MINUTE)]).toEqual([1, 2, 2, 3]);
  compared.next = async () => open(true, 'busy');
  expect([await begunAfter(HOUR), await begunAfter(MINUTE)]).toEqual([4, 5]);
});

it('an operator who moves an account without a required comparison does not wait for one', async () => {
  const compared = new Compared();
  const parity = compared.parity('report');
  expect(await parity.judge(await consented(), 'forced')).toMatchObject({
    result: 'skipped',
    isFinal: false,
  });
  expect(compared.begun).toBe(0);
});

describe('a comparison from before the clock was set back', () => {
  const AHEAD = 3 * DAY;

  it('lets no account move: everything is compared anew', async () => {
    const account = await consented();
    const compared = new Compared();
    const parity = compared.parity('required');
    clock.advance(AHEAD);
    expect(await parity.judge(account, 'moving')).toMatchObject({ result: 'passed' });
    clock.advance(3 * HOUR - AHEAD);
    compared.next = async () => ({ ...comparison(), alike: 3, different: 1, groups: [difference] });
    expect(await parity.judge(account, 'moving')).toMatchObject({ result: 'failed' });
    expect(compared.taken).toEqual([0, 0]);
  });

  it('does not hide what a newer one found', async () => {
    const account = await consented();
    const compared = new Compared();
    const parity = compared.parity('required');
    clock.advance(AHEAD);
    await parity.compare(account);
    clock.advance(3 * HOUR - AHEAD);
    compared.next = async () => ({ ...comparison(), alike: 3, different: 1, groups: [difference] });
    expect(await parity.compare(account)).toMatchObject({ verdict: 'different', groups: [difference] });
    expect(await shown()).toMatchObject({ verdict: 'different' });
    expect(await parity.judge(account, 'moving')).toMatchObject({ result: 'failed' });
  });

  it('does not keep a failure from before from being tried again', async () => {
    const account = await consented();
    const compared = new Compared();
    const parity = compared.parity('required');
    clock.advance(AHEAD);
    compared.next = () => Promise.reject(new Error('the samples cannot be opened'));
    await parity.judge(account, 'moving');
    clock.advance(3 * HOUR - AHEAD);
    compared.next = async () => comparison();
    expect(await parity.judge(account, 'moving')).toMatchObject({ result: 'passed' });
  });
});

it('an acceptance covers the differences that were shown, not what has come in their place since', async () => {
  const account = await consented();
  const compared = new Compared();
  const parity = compared.parity('report');
  compared.next = async () => ({ ...comparison(), alike: 3, different: 1, groups: [difference] });
  const { groups } = await parity.compare(account);
  clock.advance(HOUR);
  const other = { ...difference, count: 400, signature: 'other~400', example: 'Xxxx → (empty)' };
  compared.next = async () => ({ ...comparison(), alike: 0, different: 4, groups: [other] });
  await parity.compare(account);
  const given = { seen: groups.map(markOf), forAll: false, name: 'Kim', reason: 'a dot' };
  for (const keys of [[difference.key], undefined])
    await expect(parity.accept(account, { ...given, keys })).rejects.toThrow(
      'v3 client.get Response/Client/Name value has changed since it was shown: look at it again',
    );
  expect(await parity.judge(account, 'moving')).toMatchObject({ result: 'failed' });
  expect(await parity.accept(account, { ...given, keys: undefined, seen: [markOf(other)] })).toBe(1);
  expect(await parity.judge(account, 'moving')).toMatchObject({ result: 'passed' });
});

it('no mark of a difference can be taken for an option of the command that it is given to', () => {
  const signatures = Array.from({ length: 1_000 }, (_value, index) => `other~${index}`);
  const marks = signatures.map((signature) => markOf({ key: difference.key, signature }));
  expect(marks.filter((mark) => mark.startsWith('-'))).toEqual([]);
  expect(new Set(marks).size).toBe(signatures.length);
});
