import { z } from 'zod';
import { minutes, reference } from '../../tables/form.ts';
import { jobCostRows } from '../../tables/jobs/job-cost.ts';
import { milestoneRows, toDoRows } from '../../tables/jobs/job-parts.ts';
import { jobTaskRows } from '../../tables/jobs/job-task.ts';
import { jobRows } from '../../tables/jobs/job.ts';
import { timeRows } from '../../tables/jobs/time.ts';
import { rowsOf } from '../../tables/table.ts';
import { SeedFault } from '../fault.ts';
import { millis } from '../forms.ts';
import type { SeedTable } from '../table.ts';
import { codedIds, flag, name, reference as seedReference, times as seedTimes } from '../values.ts';
import type { SeedReference, SeedWriter } from '../writer.ts';
import { documents, notes } from './attachments.ts';

const staffRow = { at: 'other', form: reference('staff'), needed: true, seed: 'staff' } as const;

/** Qualifies a task's name by its job, because the same names occur in other jobs. */
const taskName = (task: string, job: string | undefined): string => `${job ?? ''}/${task}`;
const called: NonNullable<SeedTable['called']> = (task, job) => taskName(task, job?.uuid);

const allocations = {
  kind: 'jobTaskStaff',
  ids: {},
  rows: rowsOf(staffRow, { at: 'allocatedMinutes', form: minutes, seed: 'allocatedMinutes' }),
} as const satisfies SeedTable;

const tasks = {
  kind: 'jobTask',
  rows: jobTaskRows,
  use: 'JobTask',
  called,
  owns: { assigned: allocations },
} as const satisfies SeedTable;

const assigned = {
  kind: 'jobStaff',
  rows: rowsOf(staffRow),
  item: seedReference,
  read: (staff: SeedReference) => ({ staff }),
  further: () => ({ fields: { billableRate: '' } }),
} as const satisfies SeedTable;

const toDos = {
  kind: 'toDo',
  rows: toDoRows,
  item: name,
  read: (toDo: string) => ({ name: toDo }),
} as const satisfies SeedTable;

interface GivenJob {
  readonly createdAt?: string;
  readonly modifiedAt?: string;
  readonly startDate?: string;
  readonly isDeleted?: boolean;
}

/** Jobs with everything that belongs to them. */
export const jobs = {
  kind: 'job',
  rows: jobRows,
  ids: codedIds(/^[A-Za-z]+\d+$/),
  use: 'Job',
  takes: { category: z.string().optional(), ...seedTimes, isDeleted: flag },
  owns: {
    tasks,
    costs: { kind: 'jobCost', rows: jobCostRows, use: 'JobCost', called },
    assigned,
    milestones: { kind: 'milestone', rows: milestoneRows },
    toDos,
    notes,
    documents,
  },
  // The job's creation time, or else its start date if that is in the past.
  further: (given, { now }) => {
    const { createdAt, modifiedAt, startDate, isDeleted } = given as GivenJob;
    return {
      createdAt: millis(createdAt) ?? Math.min(millis(startDate) ?? now, now),
      modifiedAt: millis(modifiedAt),
      isDeleted,
    };
  },
} as const satisfies SeedTable;

interface Assigning {
  readonly assigned?: readonly SeedReference[] | undefined;
  readonly tasks?:
    readonly { readonly assigned?: readonly { readonly staff: SeedReference }[] | undefined }[] | undefined;
}

/** Returns the members assigned to the job or to one of its tasks. */
export async function assignedTo(writer: SeedWriter, job: Assigning): Promise<readonly string[]> {
  const ofTasks = job.tasks?.flatMap((task) => task.assigned ?? []).map(({ staff }) => staff) ?? [];
  const staff = new Set<string>();
  for (const one of [...(job.assigned ?? []), ...ofTasks]) staff.add(await writer.resolve('staff', one));
  return [...staff];
}

/** Time spent. `job`: the number of the job. `task`: a task of that job, by V1 number, UUID or name. */
export const times = {
  kind: 'time',
  rows: timeRows,
  use: 'JobTime',
  takes: {
    job: z.string().min(1),
    task: seedReference,
    date: z.iso.date(),
    minutes: z.int().nonnegative(),
  },
  further: async ({ job, task }, writer) => ({
    fields: { task: await taskOf(writer, String(job), task) },
  }),
} as const satisfies SeedTable;

async function taskOf(writer: SeedWriter, job: string, task: unknown): Promise<string> {
  if (typeof task === 'number') return writer.resolve('jobTask', task);
  const given = String(task);
  try {
    return await writer.resolve('jobTask', taskName(given, await writer.resolve('job', job)));
  } catch (error) {
    if (error instanceof SeedFault) return writer.resolve('jobTask', given);
    throw error;
  }
}
