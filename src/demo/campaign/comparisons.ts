/**
 * The proof before the switch for customers of the past: how many of their reads V3 answered as V1 had. Most were alike; of a
 * few a difference was accepted, and of those who wait nobody has accepted it yet.
 */
import type { Services } from '../../app/wiring/services.ts';
import type { Account } from '../../features/accounts/account.ts';
import type { Cause } from '../../features/cutover/parity/difference.ts';
import type { Comparison, DifferenceGroup } from '../../features/cutover/parity/model.ts';
import { Secret } from '../../lib/secret/secret.ts';
import type { Customer } from './customers.ts';

/** One in so many had a difference. */
const RARELY = 9;

/** A difference, and why somebody accepted it. */
interface NamedDifference extends Pick<DifferenceGroup, 'method' | 'path' | 'count' | 'example'> {
  readonly cause: Cause;
  readonly reason: string;
}

/** What an export to another program rounds differently, or sorts in another order. */
const differences: readonly [NamedDifference, ...NamedDifference[]] = [
  {
    ...{ method: 'invoice.current', path: 'Response/Invoices/Invoice/AmountTax', cause: 'rounding' },
    ...{ count: 3, example: '99.999 → 99.99', reason: 'Our import rounds to cents anyway.' },
  },
  {
    ...{ method: 'staff.list', path: 'Response/StaffList/Staff', cause: 'order' },
    ...{ count: 1, example: 'another order', reason: 'The order of staff is not used.' },
  },
  {
    ...{ method: 'job.current', path: 'Response/Jobs/Job/DueDate', cause: 'time-zone' },
    ...{ count: 2, example: '9999-99-99A99:99:99 → 9999-99-99A99:99:99', reason: 'Only the day is shown.' },
  },
];

/** Writes comparisons at the clock's time. */
export class Comparisons {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  /** What allowed the move. */
  async beforeMove({ id }: Account, customer: Customer): Promise<void> {
    const { store, clock } = this.#services;
    const difference = customer.number % RARELY === 0 ? this.#differenceOf(customer) : undefined;
    await store.parity.put(id, this.#comparison(customer, difference?.group));
    if (difference === undefined) return;
    const { key, signature } = difference.group;
    await store.parity.accept({
      ...{ accountId: id, difference: key, signature, name: 'Mara Quist', reason: difference.reason },
      at: clock.now(),
    });
  }

  /** What holds the move up. */
  async open({ id }: Account, customer: Customer): Promise<void> {
    await this.#services.store.parity.put(id, this.#comparison(customer, this.#differenceOf(customer).group));
  }

  #comparison({ callsPerDay }: Customer, group: DifferenceGroup | undefined): Comparison {
    const reads = 6 + callsPerDay;
    return {
      ...{ at: this.#services.clock.now(), reads, alike: reads - (group?.count ?? 0) },
      ...{ different: group?.count ?? 0, undecided: 0, live: reads, baseline: 0, changed: 0, noise: 0 },
      ...{ uncompared: [], isUnfinished: false, groups: group === undefined ? [] : [group] },
    };
  }

  #differenceOf({ number, name }: Customer): { readonly group: DifferenceGroup; readonly reason: string } {
    const { reason, ...rest } = differences[number % differences.length] ?? differences[0];
    const key = `v3 ${rest.method} ${rest.path} ${rest.cause}`;
    const [signature = ''] = this.#services.ring.index(new Secret(`${name} ${key}`), 'parity');
    return { group: { ...rest, key, api: 'v3', isUndecided: false, signature }, reason };
  }
}
