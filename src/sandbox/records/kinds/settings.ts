/** What an organisation configures. Statuses and categories have their name as the record's name. */

/** Stages of a job (000_ef2b8fc3580d6af3.txt, "States and transitions"); their names are the organisation's own. */
export const jobStatusTypes = [
  'planned',
  'in progress',
  'on hold',
  'completed',
  'invoiced',
  'cancelled',
] as const;
export type JobStatusType = (typeof jobStatusTypes)[number];

export interface JobStatusFields {
  readonly type: JobStatusType;
}

/** From enquiry through to acceptance or decline. */
export const leadStatusTypes = ['open', 'won', 'lost'] as const;
export type LeadStatusType = (typeof leadStatusTypes)[number];

export interface LeadStatusFields {
  readonly type: LeadStatusType;
  /** Percent. */
  readonly probability: number;
}

/** What a job gets when the template is applied. */
export interface TemplateFields {
  readonly tasks: readonly TemplateTask[];
  readonly milestones: readonly TemplateMilestone[];
  readonly costs: readonly TemplateCost[];
  readonly toDos: readonly string[];
}

export interface TemplateTask {
  readonly name: string;
  /** UUID of the task of the catalogue, '' for none. */
  readonly task: string;
  readonly description: string;
  readonly estimatedMinutes: number;
  readonly billable: boolean;
  readonly folder: string;
}

export interface TemplateMilestone {
  readonly description: string;
  readonly daysAfterStart: number;
  readonly folder: string;
}

export interface TemplateCost {
  readonly description: string;
  readonly code: string;
  readonly note: string;
  readonly quantity: string;
  readonly unitCost: string;
  readonly unitPrice: string;
  readonly billable: boolean;
  /** UUID, '' for none. */
  readonly supplier: string;
}
