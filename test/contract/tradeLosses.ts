import { ok, refused, type LossRow } from './case.ts';

const SAME_SECOND = "What was made in the same second comes in V2's order.";

const reordered = (method: string, element: string): LossRow => ({
  method,
  loss: SAME_SECOND,
  how: { reordered: element },
});

export const groupLosses: readonly LossRow[] = [reordered('clientgroup.list', 'Group')];

const paged = 'one page of them, where a program asks for it';

export const costLosses: readonly LossRow[] = [
  { ...reordered('cost.list', 'Cost'), case: 'all costs in one list, counted' },
  ...[0, 1].map((call): LossRow => ({
    case: paged,
    call,
    method: 'cost.list',
    loss: SAME_SECOND,
    how: { answer: ok('<Records>232</Records><Costs><Cost><ID>') },
  })),
];

export const leadLosses: readonly LossRow[] = [reordered('lead.categories', 'Category')];

export const timeLosses: readonly LossRow[] = [
  {
    case: 'a new entry, changed, moved to another job, and deleted',
    call: 4,
    method: 'time.update',
    loss: "A task of another job is refused in V2's words.",
    how: { answer: refused('jobTaskID names a task of another job') },
  },
  {
    case: 'entries that cannot be',
    call: 4,
    method: 'time.add',
    loss: "That minutes, or start and end, are missing is told in V2's words.",
    how: { answer: refused('time, or startTime and endTime, is required') },
  },
];

const UNDATED = "V2 has no date of a supplier's note; the moment it was entered stands for it.";

export const supplierLosses: readonly LossRow[] = [
  reordered('supplier.list', 'Supplier'),
  ...['supplier.list', 'supplier.get'].map((method): LossRow => ({
    method,
    loss: UNDATED,
    how: { mask: 'Supplier/Notes/Date' },
  })),
];
