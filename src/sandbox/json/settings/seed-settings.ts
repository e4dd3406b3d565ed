import type { Kysely } from 'kysely';
import type { Clock } from '../../../lib/time/clock.ts';
import type { NewRecord } from '../../records/row.ts';
import { Records } from '../../records/records.ts';
import type { RecordTables } from '../../records/tables.ts';
import { derivedUuid } from '../record/derived-uuid.ts';

type Setting<K extends 'role' | 'account' | 'tax'> = NewRecord<K> & { readonly name: string };

const roles: readonly Setting<'role'>[] = ['Administrator', 'Manager', 'Staff'].map((name) => ({
  name,
  fields: {},
}));
const accounts: readonly Setting<'account'>[] = [
  { name: 'Sales', code: '200', fields: { type: 'income' } },
  { name: 'Other revenue', code: '260', fields: { type: 'income' } },
  { name: 'Cost of goods sold', code: '310', fields: { type: 'expense' } },
  { name: 'Subcontractors', code: '320', fields: { type: 'expense' } },
];
const taxes: readonly Setting<'tax'>[] = [
  { name: 'Standard', fields: { rate: '15.00' } },
  { name: 'Zero rated', fields: { rate: '0.00' } },
];

/** The default roles, account codes and tax rates of an organisation. */
export async function seedSettings(
  db: Kysely<RecordTables>,
  organisationId: string,
  clock: Clock,
): Promise<void> {
  const records = new Records(db, organisationId);
  const now = clock.now();
  const write = async <K extends 'role' | 'account' | 'tax'>(kind: K, usual: readonly Setting<K>[]) => {
    if ((await records.all(kind)).length > 0) return;
    // The same seed gives the same identifiers.
    const identified = usual.map((one) => ({
      ...one,
      uuid: derivedUuid(organisationId, `${kind} ${one.name}`),
    }));
    await records.insertAll(kind, identified, now);
  };
  await write('role', roles);
  await write('account', accounts);
  await write('tax', taxes);
}
