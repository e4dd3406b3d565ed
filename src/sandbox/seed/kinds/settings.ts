import { z } from 'zod';
import { costRows } from '../../tables/catalogue/cost.ts';
import { accountRows, recurringJobRows, taxRows } from '../../tables/catalogue/rates.ts';
import {
  jobStages,
  jobStatusRows,
  leadStages,
  leadStatusRows,
  namedRows,
  templateCostRows,
  templateMilestoneRows,
  templateTaskRows,
} from '../../tables/catalogue/settings.ts';
import { taskRows } from '../../tables/catalogue/task.ts';
import type { SeedTable } from '../table.ts';
import { name, uuid } from '../values.ts';

export const businessStructures = { kind: 'businessStructure', rows: namedRows } as const satisfies SeedTable;
export const taxAgents = { kind: 'taxAgent', rows: namedRows } as const satisfies SeedTable;
export const categories = { kind: 'category', rows: namedRows } as const satisfies SeedTable;
export const leadCategories = { kind: 'leadCategory', rows: namedRows } as const satisfies SeedTable;

export const jobStatuses = {
  kind: 'jobStatus',
  rows: jobStatusRows,
  takes: { type: z.enum(jobStages) },
} as const satisfies SeedTable;

export const leadStatuses = {
  kind: 'leadStatus',
  rows: leadStatusRows,
  takes: { type: z.enum(leadStages), probability: z.number().min(0).max(100).optional() },
} as const satisfies SeedTable;

export const tasks = { kind: 'task', rows: taskRows } as const satisfies SeedTable;
export const costs = { kind: 'cost', rows: costRows } as const satisfies SeedTable;

export const accounts = {
  kind: 'account',
  rows: accountRows,
  ids: { uuid, code: name },
  further: ({ code }) => ({ code: code as string }),
} as const satisfies SeedTable;

export const taxes = { kind: 'tax', rows: taxRows } as const satisfies SeedTable;

/** The dates default to the start date; without that there are none. */
export const recurringJobs = {
  kind: 'recurringJob',
  rows: recurringJobRows,
  takes: { dates: z.array(z.iso.date()).optional() },
  further: ({ dates: given, startDate = '' }) => {
    const dates = [...((given ?? []) as readonly string[])].sort();
    return { fields: { dates, nextRunDate: dates[0] ?? startDate, made: 0 } };
  },
} as const satisfies SeedTable;

/** Templates, with what they add to a job. */
export const templates = {
  kind: 'template',
  rows: namedRows,
  takes: { toDos: z.array(name).optional() },
  holds: { tasks: templateTaskRows, costs: templateCostRows, milestones: templateMilestoneRows },
  further: ({ toDos }) => ({ fields: { toDos: toDos ?? [] } }),
} as const satisfies SeedTable;
