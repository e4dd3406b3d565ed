import type { LossRow } from './case.ts';

const UNDATED = "V2 has no date for a supplier's note; the time it was entered is used.";

export const supplierLosses: readonly LossRow[] = [
  ...['supplier.list', 'supplier.get'].map((method): LossRow => ({
    method,
    loss: UNDATED,
    how: { mask: 'Supplier/Notes/Date' },
  })),
];
