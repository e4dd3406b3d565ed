import { choice, count, flag, minutes, money, quantity, reference, text, title } from '../form.ts';
import { rowsOf } from '../table.ts';

/** Stages of a job (V2 specification, "States and transitions"); each organisation chooses their names. */
export const jobStages = ['planned', 'in progress', 'on hold', 'completed', 'invoiced', 'cancelled'] as const;

/** From enquiry through to acceptance or decline. */
export const leadStages = ['open', 'won', 'lost'] as const;

const nameRow = { at: 'name', form: title, v2: 'name', seed: 'name' } as const;

export const namedRows = rowsOf(nameRow);
export const jobStatusRows = rowsOf(nameRow, {
  at: 'type',
  form: choice(jobStages, 'in progress'),
  v2: 'type',
  seed: 'type',
});
export const leadStatusRows = rowsOf(
  nameRow,
  { at: 'type', form: choice(leadStages, 'open'), v2: 'type', seed: 'type' },
  // Percent.
  { at: 'probability', form: count(50), v2: 'probability', seed: 'probability' },
);

/** The contents that applying a template adds to a job. */
export const templateTaskRows = rowsOf(
  nameRow,
  { at: 'task', form: reference('task'), v2: 'taskUUID', seed: 'task' },
  { at: 'description', form: text, seed: 'description' },
  { at: 'estimatedMinutes', form: minutes, v2: 'estimatedMinutes', seed: 'estimatedMinutes' },
  { at: 'billable', form: flag(true), seed: 'billable' },
  { at: 'folder', form: text, seed: 'folder' },
);
export const templateCostRows = rowsOf(
  { at: 'description', form: title, v2: 'name', seed: 'description' },
  { at: 'code', form: text, seed: 'code' },
  { at: 'note', form: text, seed: 'note' },
  { at: 'quantity', form: quantity, v2: 'quantity', seed: 'quantity' },
  { at: 'unitCost', form: money, v2: 'unitCost', seed: 'unitCost' },
  { at: 'unitPrice', form: money, v2: 'unitPrice', seed: 'unitPrice' },
  { at: 'billable', form: flag(true), seed: 'billable' },
  { at: 'supplier', form: reference('supplier'), seed: 'supplier' },
);
export const templateMilestoneRows = rowsOf(
  { at: 'description', form: title, v2: 'name', seed: 'description' },
  { at: 'daysAfterStart', form: minutes, seed: 'daysAfterStart' },
  { at: 'folder', form: text, seed: 'folder' },
);
