import { z } from 'zod';
import { costRows } from '../../tables/catalogue/cost.ts';
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
import { name } from '../values.ts';

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

/** What a job gets when the template is applied stands within the template. */
export const templates = {
  kind: 'template',
  rows: namedRows,
  takes: { toDos: z.array(name).optional() },
  holds: { tasks: templateTaskRows, costs: templateCostRows, milestones: templateMilestoneRows },
  further: ({ toDos }) => ({ fields: { toDos: toDos ?? [] } }),
} as const satisfies SeedTable;
