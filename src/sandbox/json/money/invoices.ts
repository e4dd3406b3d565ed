import { areaBeyond } from '../operation/operation.ts';
import { listOwned, operationsOn } from '../operation/operations-on.ts';
import { invoiceCost, invoiceListed, invoiceNote, invoiceShown, payment } from './invoice-views.ts';

const invoice = operationsOn({ kind: 'invoice', path: '/invoices', word: 'invoice' });

export const invoices = areaBeyond('Invoices', [
  invoice.list(invoiceListed),
  invoice.get(invoiceShown),
  listOwned(invoiceCost, 'invoice', {
    id: 'v2.invoices.costs',
    path: '/invoices/{invoiceUUID}/costs',
    summary: 'List the costs of an invoice',
  }),
  listOwned(invoiceNote, 'invoice', {
    id: 'v2.invoices.notes',
    path: '/invoices/{UUID}/notes',
    summary: 'List the notes of an invoice',
  }),
  operationsOn({ kind: 'payment', path: '/payments', word: 'payment' }).list(payment, {
    filter: { ownedByLiving: 'invoice' },
  }),
]);
