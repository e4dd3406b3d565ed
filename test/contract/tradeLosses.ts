import { refused, type LossRow } from './case.ts';

export const timeLosses: readonly LossRow[] = [
  {
    case: 'a new entry, changed, moved to another job, and deleted',
    call: 4,
    method: 'time.update',
    loss: "A task of another job is refused with V2's own message.",
    how: { answer: refused('jobTaskID names a task of another job') },
  },
  {
    case: 'entries that cannot be',
    call: 4,
    method: 'time.add',
    loss: 'If minutes, or start and end, are missing, V2 refuses with its own message.',
    how: { answer: refused('time, or startTime and endTime, is required') },
  },
];

const UNDATED = "V2 has no date for a supplier's note; the time it was entered is used.";

export const supplierLosses: readonly LossRow[] = [
  ...['supplier.list', 'supplier.get'].map((method): LossRow => ({
    method,
    loss: UNDATED,
    how: { mask: 'Supplier/Notes/Date' },
  })),
];
