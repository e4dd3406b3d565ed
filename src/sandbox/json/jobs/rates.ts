import type { StoredRecord } from '../../records/kinds.ts';
import type { JsonCall } from '../operation/call.ts';
import { numberOf } from '../record/values.ts';

/** The cost and the price of an hour of work. */
export interface HourlyRates {
  /** The organisation's own cost. */
  readonly base: number;
  /** The rate of the catalogue, without any override. */
  readonly standard: number;
  readonly charge: number;
}

/** Work that was, or is to be, done. */
export interface Work {
  readonly job: StoredRecord<'job'>;
  readonly task: StoredRecord<'jobTask'> | undefined;
  /** Empty if no member is named. */
  readonly staff: string;
  /** yyyy-MM-dd. */
  readonly date: string;
}

type CustomRate = StoredRecord<'customRate'>;

interface Known {
  readonly tasks: ReadonlyMap<string, StoredRecord<'task'>>;
  readonly staff: ReadonlyMap<string, StoredRecord<'staff'>>;
  readonly custom: ReadonlyMap<string, readonly CustomRate[]>;
  readonly assignments: ReadonlyMap<string, readonly StoredRecord<'jobStaff'>[]>;
}

/**
 * A custom rate of the assignment overrides that of the task and of the catalogue (V2 specification, "Endpoints",
 * behaviour rule 2). From the strongest: assignment, job task, client task rate, staff task rate, catalogue, the
 * member's own rate. A historic rate replaces that of the catalogue, or of the member, for work before the day up to
 * which it applies.
 */
export async function ratesFor(call: JsonCall, works: readonly Work[]): Promise<(work: Work) => HourlyRates> {
  const taskIds = works.flatMap(({ task }) => task?.other ?? []);
  const staffIds = works.map(({ staff }) => staff).filter((uuid) => uuid !== '');
  const known: Known = {
    tasks: await call.records.byUuids('task', taskIds),
    staff: await call.records.byUuids('staff', staffIds),
    custom: await call.records.ownedBy('customRate', [...new Set([...taskIds, ...staffIds])]),
    assignments: await call.records.ownedBy('jobStaff', [...new Set(works.map(({ job }) => job.uuid))]),
  };
  return (work) => {
    const standard = catalogueRate(known, work, 'billableRate');
    return {
      base: numberOf(
        first(
          staffTaskRate(known, work)?.fields.baseRate,
          memberRate(known, work, 'baseRate'),
          catalogueRate(known, work, 'baseRate'),
        ),
      ),
      standard: numberOf(first(standard, memberRate(known, work, 'billableRate'))),
      charge: numberOf(
        first(
          ownRate(known, work),
          clientTaskRate(known, work)?.fields.billableRate,
          staffTaskRate(known, work)?.fields.billableRate,
          standard,
          memberRate(known, work, 'billableRate'),
        ),
      ),
    };
  };
}

/** Returns the first rate that is set. */
const first = (...rates: readonly (string | undefined)[]): string | undefined =>
  rates.find((rate) => rate !== undefined && rate !== '');

/**
 * A job can be set to count only its members' custom rates, or only its tasks'. By default the member's rate
 * takes precedence.
 */
function ownRate({ assignments }: Known, { job, task, staff }: Work): string | undefined {
  const ofMember = (assignments.get(job.uuid) ?? []).find(({ other }) => other === staff)?.fields
    .billableRate;
  const ofTheTask = task?.fields.customBillableRate;
  switch (job.fields.taskInvoiceRate) {
    case 'task':
      return ofTheTask;
    case 'staff':
      return ofMember;
    case undefined:
      return first(ofMember, ofTheTask);
  }
}

const ofTask = ({ custom }: Known, { task }: Work): readonly CustomRate[] =>
  custom.get(task?.other ?? '') ?? [];

const clientTaskRate = (known: Known, work: Work): CustomRate | undefined =>
  ofTask(known, work).find(({ other, fields }) => fields.type === 'client-task' && other === work.job.owner);

const staffTaskRate = (known: Known, work: Work): CustomRate | undefined =>
  ofTask(known, work).find(({ other, fields }) => fields.type === 'staff-task' && other === work.staff);

type Which = 'baseRate' | 'billableRate';

const catalogueRate = (known: Known, work: Work, which: Which): string | undefined =>
  first(
    historicRate(ofTask(known, work), work.date, which),
    known.tasks.get(work.task?.other ?? '')?.fields[which],
  );

const memberRate = (known: Known, { staff, date }: Work, which: Which): string | undefined =>
  first(historicRate(known.custom.get(staff) ?? [], date, which), known.staff.get(staff)?.fields[which]);

/** If several apply, returns the one that ends soonest after the work was done. */
function historicRate(rates: readonly CustomRate[], date: string, which: Which): string | undefined {
  const [soonest] = rates
    .filter(({ fields }) => fields.type === 'historic' && date < fields.appliedUpTo && fields[which] !== '')
    .sort((a, b) => a.fields.appliedUpTo.localeCompare(b.fields.appliedUpTo));
  return soonest?.fields[which];
}
