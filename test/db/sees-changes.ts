import { expect } from '@jest/globals';
import pg from 'pg';
import { AccountDirectory } from '../../src/features/accounts/account-directory.ts';
import type { NewAccount } from '../../src/features/accounts/model.ts';
import { Failure } from '../../src/lib/failure.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import { KeyRing, newKeyLine } from '../../src/tokens/sealing/keyring.ts';
import type { Store } from '../../src/app/store.ts';
import { close, consent } from '../../src/features/accounts/account.ts';
import { bindingTo, callRecord, event, newAccount, newGrant, NOW } from './records.ts';

const seal = KeyRing.parse(new Secret(newKeyLine('k1')));
const ACCOUNT_KEY = new Secret('K-account');

/** With the account key that `Caller` calls with. */
const calledAccount = (changes: Partial<NewAccount> = {}): NewAccount =>
  newAccount({ accountKeyIndex: indexOf(ACCOUNT_KEY, 'account-key'), ...changes });

/** The keyed hash under which a key is stored. */
function indexOf(key: Secret, purpose: 'account-key' | 'api-key'): string {
  const [index = ''] = seal.index(key, purpose);
  return index;
}

/** A program that calls one instance, as far as its account is looked up there. */
class Caller {
  readonly #directory: AccountDirectory;

  constructor(instance: Store) {
    this.#directory = new AccountDirectory({
      repository: instance.accounts,
      changes: instance.changes,
      ...{ seal, clock: { now: () => NOW }, lifetime: 0, keyMissing: () => undefined },
    });
  }

  /** What becomes of a call: the stage of its account, `unknown` or the code of a failure. */
  async call(apiKey = 'K-api'): Promise<string> {
    try {
      const caller = await this.#directory.resolve(
        { apiKey: new Secret(apiKey), accountKey: ACCOUNT_KEY },
        true,
      );
      return caller.known ? `${caller.account.name}: ${caller.account.life.stage}` : 'unknown';
    } catch (error) {
      if (error instanceof Failure) return error.code;
      throw error;
    }
  }
}

/** The tables that the statements read from which run on PostgreSQL meanwhile, in order. */
async function tablesReadDuring(work: () => Promise<unknown>): Promise<readonly string[]> {
  const original = Object.getOwnPropertyDescriptor(pg.Client.prototype, 'query') ?? {};
  const asked = original.value as (...given: readonly unknown[]) => unknown;
  const read: string[] = [];
  Object.defineProperty(pg.Client.prototype, 'query', {
    ...original,
    value(this: pg.Client, ...given: readonly unknown[]): unknown {
      const [first] = given;
      const text: unknown = typeof first === 'string' ? first : Reflect.get(Object(first), 'text');
      const [, table] = /.*\bfrom\s+"?(\w+)/is.exec(String(text)) ?? [];
      if (table !== undefined) read.push(table);
      return Reflect.apply(asked, this, given);
    },
  });
  try {
    await work();
  } finally {
    Object.defineProperty(pg.Client.prototype, 'query', original);
  }
  return read;
}

/**
 * Changes an account on one instance in every way that its calls depend on, and calls the other one after each. A call
 * that finds nothing changed asks the database whether that is so, and nothing else.
 */
export async function seesChanges(here: Store, elsewhere: Store): Promise<void> {
  const caller = new Caller(here);
  const { accounts } = elsewhere;
  const row = calledAccount({ name: 'First' });
  const pinned = { id: 'p1', indexes: [indexOf(new Secret('K-api'), 'api-key')], sealed: 'sealed', at: NOW };
  const organisation = bindingTo((await newGrant(elsewhere)).id);
  const steps: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['First: legacy', () => accounts.add(row)],
    ['keysRefused', () => accounts.change(row.id, (life) => consent(life, organisation), event('consented'))],
    ['First: consented', () => accounts.pinApiKey(row.id, pinned)],
    ['Second: consented', () => accounts.set(row.id, { name: 'Second' }, event('renamed'))],
  ];
  for (const [expected, change] of steps) {
    await change();
    expect(await caller.call()).toBe(expected);
  }
  const asked = 'account_marks';
  expect(await tablesReadDuring(() => caller.call())).toEqual([asked]);
  expect(await tablesReadDuring(() => Promise.all(Array.from({ length: 20 }, () => caller.call())))).toEqual([
    asked,
  ]);
  await accounts.pinApiKey(row.id, { ...pinned, at: NOW + 1 });
  elsewhere.calls.record(callRecord(row.id));
  // Nobody's calls; counts, and notes when each account has called last, what there is of all others.
  await elsewhere.calls.erase('nobody');
  expect((await accounts.byId(row.id))?.lastCallAt).toBe(NOW);
  expect(await tablesReadDuring(() => caller.call())).toEqual([asked]);
  await accounts.add(newAccount());
  expect(await tablesReadDuring(() => caller.call())).toEqual([asked, 'accounts']);
  expect(await tablesReadDuring(() => caller.call())).toEqual([asked]);
  await accounts.change(row.id, close, event('closed'));
  expect(await caller.call()).toBe('keysRefused');
}
