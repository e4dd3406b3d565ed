/**
 * Jobs, their tasks and costs, and time. References are UUIDs, '' when unset; amounts have two places, dates are
 * yyyy-MM-dd.
 */
export interface JobFields {
  readonly description: string;
  readonly clientOrderNumber: string;
  readonly budget: string;
  /** Name of a `jobStatus`. */
  readonly state: string;
  /** UUID of a `category`. */
  readonly category: string;
  readonly startDate: string;
  readonly dueDate: string;
  readonly completedDate: string;
  readonly contact: string;
  readonly manager: string;
  readonly partner: string;
  // Known to the JSON API only.
  readonly priority?: string;
  readonly clientManager?: string;
  readonly estimatedBillings?: string;
  readonly excludeEstimatedBillings?: boolean;
  /** Whose custom rates count: those of the assigned members (when absent), or those of the tasks. */
  readonly taskInvoiceRate?: 'staff' | 'task';
  readonly capacityReducing?: boolean;
}

/** Owner: the job. Other: the task of the catalogue. */
export interface JobTaskFields {
  readonly description: string;
  readonly estimatedMinutes: number;
  readonly completed: boolean;
  readonly billable: boolean;
  readonly folder: string;
  readonly startDate: string;
  readonly dueDate: string;
  /** Place among the tasks of the job, once they were reordered; else the order of their numbers. */
  readonly position?: number;
  readonly label?: string;
  /** Two places, or '' for none. */
  readonly customBillableRate?: string;
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

/** Owner: the job. Name: the description. */
export interface MilestoneFields {
  readonly date: string;
  readonly completed: boolean;
  readonly folder: string;
  readonly completedDate?: string;
}

/** Owner: the job. Name: what is to do. */
export interface ToDoFields {
  readonly completed: boolean;
  readonly completedDate: string;
  /** The job task it belongs to, where it belongs to one. */
  readonly task?: string;
}

/** A comment on a note. Owner: the note. No name. */
export interface CommentFields {
  readonly text: string;
  /** yyyy-MM-ddTHH:mm:ss. */
  readonly date: string;
  readonly createdBy: string;
}

/** Owner: the job. Other: the supplier. Name: the description. */
export interface JobCostFields {
  readonly code: string;
  readonly note: string;
  readonly date: string;
  readonly quantity: string;
  readonly unitCost: string;
  readonly unitPrice: string;
  readonly billable: boolean;
  readonly type?: 'Service' | 'Stock';
  /** False: an estimate. Absent: a cost that was made. */
  readonly actual?: boolean;
  readonly folder?: string;
  /** The item of the catalogue. */
  readonly cost?: string;
}

/** Owner: the job. Other: the staff member. No name. */
export interface TimeFields {
  /** The job task. */
  readonly task: string;
  readonly date: string;
  readonly minutes: number;
  readonly note: string;
  readonly billable: boolean;
  /** HH:mm or ''. */
  readonly start: string;
  readonly end: string;
  /** UUID of the `invoiceTask` it was invoiced by. */
  readonly invoiceTask?: string;
}
