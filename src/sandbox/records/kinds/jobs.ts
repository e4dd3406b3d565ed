/**
 * Jobs, their tasks and costs, and time. References are UUIDs, '' when unset; amounts have two places, dates are
 * yyyy-MM-dd.
 */
export interface JobFields {
  readonly description: string;
  readonly clientOrderNumber: string;
  readonly budget: string;
  readonly state: string;
  readonly category: string;
  readonly startDate: string;
  readonly dueDate: string;
  readonly completedDate: string;
  readonly contact: string;
  readonly manager: string;
  readonly partner: string;
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
}

/** A task of the catalogue. */
export interface TaskFields {
  readonly description: string;
}

/** An item of the cost catalogue. Other: the supplier. Name: the description. */
export interface CostFields {
  readonly code: string;
  readonly note: string;
  readonly unitCost: string;
  readonly unitPrice: string;
}
