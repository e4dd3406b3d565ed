import { codeForms } from '../records/codes.ts';
import type { Files } from '../records/files.ts';
import type { NewRecord } from '../records/row.ts';
import { filled } from '../xml/values.ts';
import { owned, seedDocuments, seedNotes } from './attachments.ts';
import type { Book, Identity } from './book.ts';
import { millis, textsOf, two, twoOrNone } from './forms.ts';
import { SeedFault } from './fault.ts';
import type { SeedJob, SeedOrganisation } from './schema.ts';
import { firstState } from './settings.ts';

export async function seedJobs(
  book: Book,
  files: Files,
  organisationId: string,
  seed: SeedOrganisation,
  now: number,
): Promise<void> {
  const given = (seed.jobs ?? []).map(({ number, internalId, ...job }) => ({
    ...job,
    code: number,
    number: internalId,
  }));
  const codes = await book.codes(
    'job',
    codeForms.job.prefix,
    codeForms.job.digits,
    given.map(({ code }) => code),
  );
  const jobs = (await book.identify('job', given, ({ name }) => name)).map((job, at) => ({
    ...job,
    code: codes[at] ?? '',
  }));
  const written: NewRecord<'job'>[] = [];
  for (const { identity, code, ...job } of jobs)
    written.push(await jobRecord(book, job, identity, code, firstState(seed), now));
  await book.write('job', written);
  await seedTasks(book, jobs);
  await seedCosts(book, jobs);
  await seedAssignments(book, jobs);
  await seedMilestones(book, jobs);
  await seedNotes(book, jobs, now);
  await seedDocuments(book, files, organisationId, jobs, now);
}

type Job = Omit<SeedJob, 'number'>;

async function jobRecord(
  book: Book,
  job: Job,
  identity: Identity,
  code: string,
  state: string,
  now: number,
): Promise<NewRecord<'job'>> {
  const createdAt = millis(job.createdAt) ?? Math.min(millis(job.startDate) ?? now, now);
  return {
    ...identity,
    code,
    name: job.name,
    createdAt,
    modifiedAt: millis(job.modifiedAt),
    isDeleted: job.isDeleted,
    owner: await book.resolve('client', job.client),
    fields: {
      ...textsOf(job, ['description', 'clientOrderNumber', 'startDate', 'dueDate', 'completedDate']),
      state: job.state ?? state,
      category: await book.resolve('category', filled(job.category)),
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
  const tasks = await book.identify('jobTask', given, ({ job, name }) => taskName(job, name));
  for (const task of tasks) {
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
  const assigned: NewRecord<'jobTaskStaff'>[] = [];
  for (const { owner, staff, allocatedMinutes } of owned(tasks, (task) => task.assigned))
    assigned.push({
      name: '',
      owner,
      other: await book.resolve('staff', staff),
      fields: { allocatedMinutes: allocatedMinutes ?? 0 },
    });
  await book.writeNew('jobTaskStaff', assigned);
}

/** Whoever has a task of a job is assigned to the job. */
async function seedAssignments(book: Book, jobs: readonly Identified[]): Promise<void> {
  const written: NewRecord<'jobStaff'>[] = [];
  for (const { identity, assigned, tasks } of jobs) {
    const given = [
      ...(assigned ?? []),
      ...(tasks ?? []).flatMap((task) => task.assigned ?? []).map((one) => one.staff),
    ];
    const staff = new Set<string>();
    for (const reference of given) staff.add(await book.resolve('staff', reference));
    for (const other of staff)
      written.push({ name: '', owner: identity.uuid, other, fields: { billableRate: '' } });
  }
  await book.writeNew('jobStaff', written);
}

async function seedMilestones(book: Book, jobs: readonly Identified[]): Promise<void> {
  const milestones = await book.identify(
    'milestone',
    owned(jobs, (job) => job.milestones),
    () => '',
  );
  await book.write(
    'milestone',
    milestones.map(({ identity, description, owner, ...milestone }) => ({
      ...identity,
      name: description,
      owner,
      fields: { ...textsOf(milestone, ['date', 'folder']), completed: milestone.completed ?? false },
    })),
  );
  await book.writeNew(
    'toDo',
    jobs.flatMap(({ identity, toDos }) =>
      (toDos ?? []).map((name) => ({
        name,
        owner: identity.uuid,
        fields: { completed: false, completedDate: '' },
      })),
    ),
  );
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
