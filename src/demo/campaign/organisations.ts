import type { Services } from '../../app/wiring/services.ts';
import { hashedUuid } from '../../lib/text/uuid.ts';
import { API_KEY } from '../seed/organisations.ts';
import type { SandboxControl } from '../control.ts';
import type { Customer } from './customers.ts';

/** Organisations per request: the control plane reads and checks a whole seed before it writes anything. */
const AT_ONCE = 100;

const cities = ['Nelson', 'Hobart', 'Bristol', 'Leipzig', 'Lyon', 'Girona', 'Utrecht', 'Albany'] as const;

/**
 * Seeds the customers' organisations; returns their ids in the sandbox by account key. Throws
 * `SandboxRefused`.
 */
export async function seedOrganisations(
  control: SandboxControl,
  customers: readonly Customer[],
): Promise<ReadonlyMap<string, SeededCustomer>> {
  const seeded = new Map<string, SeededCustomer>();
  for (let from = 0; from < customers.length; from += AT_ONCE) {
    const some = customers.slice(from, from + AT_ONCE);
    const organisations = await control.seed(some.map(organisationOf));
    for (const [place, customer] of some.entries()) {
      const { id, users } = organisations[place] ?? { id: '', users: [] };
      seeded.set(customer.accountKey, { organisationId: id, userId: users[0]?.id ?? '' });
    }
  }
  return seeded;
}

/** The ids of a customer in the sandbox. */
export interface SeededCustomer {
  readonly organisationId: string;
  /** Id of the administrator. */
  readonly userId: string;
}

/** The body of the seed for one customer: the administrator who approves, a member of staff, some clients and a job. */
function organisationOf({ name, accountKey, product, administrator, clients, number }: Customer): object {
  const [, host = 'customer.example'] = administrator.email.split('@');
  return {
    ...{ name, accountKey, apiKeys: [API_KEY] },
    ...(product === 'practice' ? { practice: 'NZ' } : {}),
    users: [
      { ...administrator, administrator: true, privilege: true },
      { name: `Front desk of ${name}`, email: `office@${host}`, administrator: false },
    ],
    staff: [{ ...recordOf(accountKey, 'staff', 210), name: administrator.name, email: administrator.email }],
    clients: Array.from({ length: clients }, (_, place) => ({
      ...recordOf(accountKey, 'client', FIRST_CLIENT + place * 2),
      name: `${name}, client ${place + 1}`,
      email: `client-${place + 1}@${host}`,
      city: cities[(number + place) % cities.length],
      contacts: [
        {
          ...recordOf(accountKey, 'contact', FIRST_CLIENT + place * 2 + 1),
          ...{ name: `Contact ${place + 1}`, isPrimary: true },
        },
      ],
    })),
    jobs: (clients === 0 ? [] : [FIRST_CLIENT]).map((client) => ({
      ...{ number: 'J000001', internalId: JOB, uuid: recordOf(accountKey, 'job', JOB).uuid },
      ...{ name: 'Retainer', client, manager: administrator.name },
    })),
  };
}

const FIRST_CLIENT = 6_000_000;
const JOB = 7_000_000;

/** Both identifiers of a record, which are the same in every demo. */
const recordOf = (
  accountKey: string,
  kind: string,
  number: number,
): { readonly number: number; readonly uuid: string } => ({
  number,
  uuid: hashedUuid(`${accountKey} ${kind} ${number}`, 4),
});

/** Both identifiers of one record. */
export type Pair = Parameters<Services['store']['crosswalk']['learn']>[1][number];

/** The identifiers of all records that have a number on V1. */
export const pairsOf = ({ accountKey, clients }: Customer): readonly Pair[] => [
  { kind: 'staff', ...recordOf(accountKey, 'staff', 210) },
  ...(clients === 0 ? [] : [{ kind: 'job' as const, ...recordOf(accountKey, 'job', JOB) }]),
  ...Array.from({ length: clients }, (_, place): readonly Pair[] =>
    (['client', 'contact'] as const).map((kind, part) => ({
      kind,
      ...recordOf(accountKey, kind, FIRST_CLIENT + place * 2 + part),
    })),
  ).flat(),
];
