/**
 * The comparisons before the switch for customers of the past, made as the bridge makes them: each read of a
 * customer's programs goes to V1 and V3 of the sandbox, and the results are stored. Where a difference is
 * wanted, the sandbox answers differently on V3.
 *
 * Only customers of the second wave are compared, and those whom a difference holds up: comparing all would
 * take longer than the rest of the campaign.
 */
import type { parityOf } from '../../app/wiring/features/parity.ts';
import type { Services } from '../../app/wiring/services.ts';
import type { Account } from '../../features/accounts/account.ts';
import type { KeptSample } from '../../features/samples/packed.ts';
import { MINUTE } from '../../lib/time/clock.ts';
import type { SandboxControl } from '../control.ts';
import type { Customer } from './customers.ts';
import type { SeededCustomer } from './organisations.ts';

/** One in this number of customers has a difference that an operator accepts. */
const RARELY = 5;

/** A difference in V3's answer, and the reason for accepting it. */
interface Deviation {
  readonly operation: string;
  readonly rule: object;
  readonly reason: string;
}

const deviations: readonly [Deviation, ...Deviation[]] = [
  {
    operation: 'client.list',
    rule: { change: 'remove', element: 'Email', count: 1 },
    reason: 'Our import does not read the address.',
  },
  {
    operation: 'job.current',
    rule: { change: 'value', element: 'Name', to: 'Retainer, monthly' },
    reason: 'Only the number of a job is shown.',
  },
  {
    operation: 'staff.list',
    rule: { change: 'value', element: 'Email', to: 'office@elsewhere.example' },
    reason: 'The import takes the names of staff, nothing else.',
  },
];

/** The programs' reads, as a bridge records them. */
const reads = ['client.api/list', 'job.api/current', 'staff.api/list'] as const;

/** Dependencies of the comparisons. */
export interface ComparisonParts {
  readonly services: Services;
  readonly parity: ReturnType<typeof parityOf>;
  readonly control: SandboxControl;
  readonly seeded: ReadonlyMap<string, SeededCustomer>;
}

/** Compares at the time of the demo's clock. */
export class Comparisons {
  readonly #parts: ComparisonParts;

  constructor(parts: ComparisonParts) {
    this.#parts = parts;
  }

  /** Makes the comparison that allows the move. */
  async beforeMove(account: Account, customer: Customer): Promise<void> {
    if (customer.part !== 'second') return;
    if (customer.number % RARELY > 0) return this.#compare(account);
    const { reason } = await this.#deviate(customer);
    await this.#compare(account);
    await this.#parts.parity.accept(account, { keys: undefined, forAll: false, name: 'Mara Quist', reason });
  }

  /** Makes a comparison with an open difference, which holds up the move. */
  async open(account: Account, customer: Customer): Promise<void> {
    await this.#deviate(customer);
    await this.#compare(account);
  }

  async #compare(account: Account): Promise<void> {
    const { services, parity } = this.#parts;
    const at = services.clock.now() - MINUTE;
    await services.samples.put(
      account.id,
      reads.map((read) => sampleOf(read, at)),
    );
    await parity.compare(account);
  }

  /** Makes V3 answer differently from now on. */
  async #deviate({ number, accountKey }: Customer): Promise<Deviation> {
    const { control, seeded } = this.#parts;
    const deviation = deviations[number % deviations.length] ?? deviations[0];
    const accountId = seeded.get(accountKey)?.organisationId ?? '';
    const on = { surface: 'v3', operation: deviation.operation, accountId };
    await control.alter(`demo-${number}`, on, deviation.rule);
    return deviation;
  }
}

function sampleOf(address: (typeof reads)[number], at: number): KeptSample {
  const [area = '', operation = ''] = address.split('/');
  return {
    ...{ key: address, purpose: 'baseline', method: `${area.replace('.api', '')}.${operation}`, at },
    ...{ source: 'v1', request: { segments: [area, operation], query: [] }, reply: undefined },
  };
}
