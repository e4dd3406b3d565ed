import type { NewRecord } from '../records/row.ts';
import type { Book, Identity } from './book.ts';
import { textsOf, two, twoOrNone } from './forms.ts';
import { SeedFault } from './fault.ts';
import type { SeedJob, SeedOrganisation } from './schema.ts';

const FIRST_INTERNAL = 1_000_000;

export async function seedJobs(book: Book, seed: SeedOrganisation): Promise<void> {
  const given = (seed.jobs ?? []).map(({ number, internalId, ...job }) => ({
    ...job,
    code: number,
    number: internalId,
  }));
  const taken = new Set(given.map(({ code }) => code));
  const jobs = (await book.identify('job', given, ({ name }) => name)).map((job) => ({
    ...job,
    code: job.code ?? freeCode(job.identity.number, taken),
  }));
  const written: NewRecord<'job'>[] = [];
  for (const { identity, code, ...job } of jobs) written.push(await jobRecord(book, job, identity, code));
  await book.write('job', written);
  await seedTasks(book, jobs);
  await seedCosts(book, jobs);
}

/** `J000001` for the first; a number that is given elsewhere in the seed is passed over. */
function freeCode(internal: number, taken: Set<string | undefined>): string {
  for (let index = internal - FIRST_INTERNAL + 1; ; index++) {
    const code = `J${String(index).padStart(6, '0')}`;
    if (taken.has(code)) continue;
    taken.add(code);
    return code;
  }
}

type Job = Omit<SeedJob, 'number'>;

async function jobRecord(book: Book, job: Job, identity: Identity, code: string): Promise<NewRecord<'job'>> {
  return {
    ...identity,
    code,
    name: job.name,
    owner: await book.resolve('client', job.client),
    fields: {
      ...textsOf(job, [
        'description',
        'clientOrderNumber',
        'category',
        'startDate',
        'dueDate',
        'completedDate',
      ]),
      state: job.state ?? 'Planned',
      budget: twoOrNone(job.budget),
      contact: await book.resolve('contact', job.contact),
      manager: await book.resolve('staff', job.manager),
      partner: await book.resolve('staff', job.partner),
    },
    customValues: await book.customValues('Job', job.customFields),
  };
}

type Identified = Job & { readonly identity: Identity };

async function seedTasks(book: Book, jobs: readonly Identified[]): Promise<void> {
  const given = jobs.flatMap(({ identity: job, tasks }) =>
    (tasks ?? []).map((task) => ({ ...task, job: job.uuid })),
  );
  const written: NewRecord<'jobTask'>[] = [];
  for (const task of await book.identify('jobTask', given, ({ job, name }) => taskName(job, name))) {
    written.push({
      ...task.identity,
      name: task.name,
      owner: task.job,
      other: (await book.resolve('task', task.task)) || undefined,
      fields: {
        ...textsOf(task, ['description', 'folder', 'startDate', 'dueDate']),
        estimatedMinutes: task.estimatedMinutes ?? 0,
        completed: task.completed ?? false,
        billable: task.billable ?? true,
      },
      customValues: await book.customValues('JobTask', task.customFields),
    });
  }
  await book.write('jobTask', written);
}

/** Names of tasks repeat from job to job. */
const taskName = (job: string, name: string): string => `${job}/${name}`;

async function seedCosts(book: Book, jobs: readonly Identified[]): Promise<void> {
  const given = jobs.flatMap(({ identity: job, costs }) =>
    (costs ?? []).map((cost) => ({ ...cost, job: job.uuid })),
  );
  const written: NewRecord<'jobCost'>[] = [];
  for (const cost of await book.identify('jobCost', given, ({ job, description }) =>
    taskName(job, description),
  )) {
    written.push({
      ...cost.identity,
      name: cost.description,
      owner: cost.job,
      other: (await book.resolve('supplier', cost.supplier)) || undefined,
      fields: {
        ...textsOf(cost, ['code', 'note', 'date']),
        quantity: two(cost.quantity ?? 1),
        unitCost: two(cost.unitCost ?? 0),
        unitPrice: two(cost.unitPrice ?? 0),
        billable: cost.billable ?? true,
      },
      customValues: await book.customValues('JobCost', cost.customFields),
    });
  }
  await book.write('jobCost', written);
}

export async function seedTimes(book: Book, seed: SeedOrganisation): Promise<void> {
  const written: NewRecord<'time'>[] = [];
  for (const time of await book.identify('time', seed.times ?? [], ({ note }) => note ?? '')) {
    const job = await book.resolve('job', time.job);
    written.push({
      ...time.identity,
      name: '',
      owner: job,
      other: await book.resolve('staff', time.staff),
      fields: {
        ...textsOf(time, ['date', 'note', 'start', 'end']),
        task: await taskOf(book, job, time.task),
        minutes: time.minutes,
        billable: time.billable ?? true,
      },
      customValues: await book.customValues('JobTime', time.customFields),
    });
  }
  await book.write('time', written);
}

async function taskOf(book: Book, job: string, reference: string | number): Promise<string> {
  if (typeof reference === 'number') return book.resolve('jobTask', reference);
  try {
    return await book.resolve('jobTask', taskName(job, reference));
  } catch (error) {
    if (error instanceof SeedFault) return book.resolve('jobTask', reference);
    throw error;
  }
}
