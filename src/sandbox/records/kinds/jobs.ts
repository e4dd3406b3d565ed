import type { jobRows } from '../../tables/jobs/job.ts';
import type { jobTaskRows } from '../../tables/jobs/job-task.ts';
import type { FieldsOf } from '../../tables/table.ts';

export interface JobFields extends FieldsOf<typeof jobRows> {
  /** Which custom rates count: those of the assigned members (default), or those of the tasks. */
  readonly taskInvoiceRate?: 'staff' | 'task';
}

/** Owner: the job. Other: the task of the catalogue. */
export interface JobTaskFields extends FieldsOf<typeof jobTaskRows> {
  /** Position among the tasks of the job, once reordered; before that, tasks are ordered by number. */
  readonly position?: number;
  readonly completedDate?: string;
}

/** A member assigned to a job. Owner: the job. Other: the staff member. No name. */
export interface JobStaffFields {
  /** Custom billable rate, two places, or ''. */
  readonly billableRate: string;
}

/** A member assigned to a task of a job. Owner: the job task. Other: the staff member. No name. */
export interface JobTaskStaffFields {
  readonly allocatedMinutes: number;
}
