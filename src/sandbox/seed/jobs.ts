import type { Files } from '../records/files.ts';
import { milestoneRows, toDoRows } from '../tables/jobs/job-parts.ts';
import { jobCostRows } from '../tables/jobs/job-cost.ts';
import { jobRows } from '../tables/jobs/job.ts';
import { jobTaskRows } from '../tables/jobs/job-task.ts';
import { minutes, reference } from '../tables/form.ts';
import { rowsOf } from '../tables/table.ts';
import { timeRows } from '../tables/jobs/time.ts';
import { documents, notes } from './attachments.ts';
import type { IdBook } from './id-book.ts';
import { millis } from './forms.ts';
import { SeedFault } from './fault.ts';
import type { SeedJob, SeedOrganisation } from './schema.ts';
import { firstState } from './settings.ts';
import { seedKind, type SeedTable } from './table.ts';

const staffRow = { at: 'other', form: reference('staff'), seed: 'staff' } as const;
const allocationRows = rowsOf(staffRow, {
  at: 'allocatedMinutes',
  form: minutes,
  seed: 'allocatedMinutes',
});

/** Names of tasks repeat from job to job. */
const taskName = (name: string, job: string | undefined): string => `${job ?? ''}/${name}`;
const called: NonNullable<SeedTable['called']> = (name, job) => taskName(name, job?.uuid);

const tasks: SeedTable = {
  kind: 'jobTask',
  rows: jobTaskRows,
  use: 'JobTask',
  called,
  owns: { assigned: { kind: 'jobTaskStaff', rows: allocationRows } },
};

export async function seedJobs(
  repository: IdBook,
  files: Files,
  organisationId: string,
  seed: SeedOrganisation,
): Promise<void> {
  const given: object[] = [];
  for (const { toDos, ...job } of seed.jobs ?? [])
    given.push({
      state: firstState(seed),
      ...job,
      assigned: await assignedTo(repository, job),
      toDos: toDos?.map((name) => ({ name })),
    });
  const owns = {
    tasks,
    costs: { kind: 'jobCost', rows: jobCostRows, use: 'JobCost', called },
    assigned: { kind: 'jobStaff', rows: rowsOf(staffRow), further: () => ({ fields: { billableRate: '' } }) },
    milestones: { kind: 'milestone', rows: milestoneRows },
    toDos: { kind: 'toDo', rows: toDoRows },
    notes,
    documents: documents(files, organisationId),
  } satisfies SeedTable['owns'];
  await seedKind(repository, { kind: 'job', rows: jobRows, use: 'Job', owns, further: entered }, given);
}

/** Whoever has a task of a job is assigned to the job. */
async function assignedTo(repository: IdBook, { assigned = [], tasks: all = [] }: SeedJob) {
  const staff = new Set<string>();
  for (const one of [...assigned, ...all.flatMap((task) => task.assigned ?? []).map((of) => of.staff)])
    staff.add(await repository.resolve('staff', one));
  return [...staff].map((one) => ({ staff: one }));
}

/** When it was entered; otherwise its start date, if that is past. */
const entered: NonNullable<SeedTable['further']> = (given, { now }) => {
  const { createdAt, modifiedAt, startDate, isDeleted } = given as Partial<SeedJob>;
  return {
    createdAt: millis(createdAt) ?? Math.min(millis(startDate) ?? now, now),
    modifiedAt: millis(modifiedAt),
    isDeleted,
  };
};

export const seedTimes = (repository: IdBook, seed: SeedOrganisation): Promise<void> =>
  seedKind(
    repository,
    {
      kind: 'time',
      rows: timeRows,
      use: 'JobTime',
      further: async ({ job, task }) => ({ fields: { task: await taskOf(repository, String(job), task) } }),
    },
    seed.times,
  );

async function taskOf(repository: IdBook, job: string, task: unknown): Promise<string> {
  if (typeof task === 'number') return repository.resolve('jobTask', task);
  const name = String(task);
  try {
    return await repository.resolve('jobTask', taskName(name, await repository.resolve('job', job)));
  } catch (error) {
    if (error instanceof SeedFault) return repository.resolve('jobTask', name);
    throw error;
  }
}
