import { missing, refused, type LossRow } from './case.ts';

const SAME_SECOND =
  'Records created in the same second come in the order of their numbers; V1 lists them in the order in which they were made.';
const NUMBERLESS = 'A draft has no number in V2, so its ID is empty and no call can address it.';
const UNTAXED = 'V2 accepts no tax for the items of a new order; the service decides how they are taxed.';
const JOBLESS = 'V2 links costs to jobs, not orders, so an order without items names no job.';
const NAMED = 'V2 demands a last name and an e-mail address; a member of staff without either is not added.';

const reordered = (method: string, element: string): LossRow => ({
  method,
  loss: SAME_SECOND,
  how: { reordered: element },
});

export const invoiceLosses: readonly LossRow[] = [
  { method: 'invoice.draft', loss: NUMBERLESS, how: { mask: 'Invoice/ID' } },
  {
    case: 'those of a job, by its number',
    call: 1,
    method: 'invoice.job',
    loss: NUMBERLESS,
    how: { mask: 'Invoice/ID' },
  },
  {
    case: 'an invoice without lines',
    call: 0,
    method: 'invoice.get',
    loss: NUMBERLESS,
    how: { answer: refused('Invalid invoice identifier') },
  },
  {
    case: 'the payments of an invoice',
    call: 1,
    method: 'invoice.payments',
    loss: NUMBERLESS,
    how: { answer: refused('Invalid invoice identifier') },
  },
  ...['current', 'list', 'job'].map((method) => reordered(`invoice.${method}`, 'Invoice')),
];

const added = 'an order is added and read back';
const drafted = 'a draft with nothing but job and supplier, in another case and order';
const taxes = ['AmountTax', 'AmountIncludingTax'];

export const orderLosses: readonly LossRow[] = [
  ...taxes.flatMap((element): readonly LossRow[] => [
    {
      case: added,
      call: 1,
      method: 'purchaseorder.get',
      of: 'purchaseorder.add',
      loss: UNTAXED,
      how: { mask: `PurchaseOrder/${element}` },
    },
    {
      case: added,
      call: 1,
      method: 'purchaseorder.get',
      of: 'purchaseorder.add',
      loss: UNTAXED,
      how: { mask: `PurchaseOrder/Costs/${element}` },
    },
    {
      case: added,
      call: 2,
      method: 'purchaseorder.job',
      of: 'purchaseorder.add',
      loss: UNTAXED,
      how: { mask: `PurchaseOrder/${element}` },
    },
  ]),
  {
    case: drafted,
    call: 1,
    method: 'purchaseorder.get',
    of: 'purchaseorder.adddraft',
    loss: JOBLESS,
    how: { mask: 'PurchaseOrder/Job' },
  },
  {
    case: drafted,
    call: 2,
    method: 'purchaseorder.draft',
    of: 'purchaseorder.adddraft',
    loss: JOBLESS,
    how: { mask: 'PurchaseOrder/Job' },
  },
  ...['current', 'list'].map((method) => reordered(`purchaseorder.${method}`, 'PurchaseOrder')),
];

export const quoteLosses: readonly LossRow[] = ['current', 'list'].map((method) =>
  reordered(`quote.${method}`, 'Quote'),
);

export const manyOrderLosses: readonly LossRow[] = ['current', 'list'].map((method) =>
  reordered(`purchaseorder.${method}`, 'PurchaseOrder'),
);

const unnamed = missing('/Staff/Name');
const nameOnly = 'a member with nothing but a name';
const whole = 'a member with every element, in another order and case; the rest is ignored';
const manager = 'who has just been added looks after a client';
const shutOut = 'shut out and let in again; the list has everybody';
const gone = 'a deleted member is gone; what named it goes on naming it';
/** Two members that V1 has are not there, so that the third has the first new number. */
const numbered = (of: string, where: { readonly case: string; readonly call: number }): LossRow => ({
  ...where,
  method: of,
  of: 'staff.add',
  loss: NAMED,
  how: { mask: 'Staff/ID' },
});

export const staffLosses: readonly LossRow[] = [
  {
    case: nameOnly,
    call: 0,
    method: 'staff.add',
    loss: NAMED,
    how: { answer: missing('/Staff/Email') },
  },
  {
    case: nameOnly,
    call: 1,
    method: 'staff.get',
    of: 'staff.add',
    loss: NAMED,
    how: { answer: refused('Invalid staff identifier') },
  },
  ...['<Name>Only a name</Name>', '<Name>Dee</Name>'].map((holding): LossRow => ({
    method: 'staff.list',
    of: 'staff.add',
    loss: NAMED,
    how: { drop: 'Staff', holding },
  })),
  numbered('staff.add', { case: whole, call: 0 }),
  numbered('staff.get', { case: whole, call: 1 }),
  numbered('staff.list', { case: shutOut, call: 1 }),
  numbered('staff.list', { case: gone, call: 2 }),
  { case: manager, call: 0, method: 'staff.add', loss: NAMED, how: { answer: unnamed } },
  {
    case: manager,
    call: 1,
    method: 'client.add',
    of: 'staff.add',
    loss: NAMED,
    how: { mask: 'Client/AccountManager' },
  },
];
