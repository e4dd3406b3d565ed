import { deleted } from './clientLosses.ts';
import { refused, type LossRow } from './case.ts';

type Words = Pick<LossRow, 'loss' | 'of'>;

const masked = (method: string, words: Words, ...elements: readonly string[]): readonly LossRow[] =>
  elements.map((mask) => ({ method, ...words, how: { mask } }));

const crowd: Words = {
  loss: 'With more than 30 contacts, Addressee, Phone, Mobile and Email are missing: V2 needs one call per contact for them.',
};
const untouched: Words = {
  loss: 'Position and IsPrimary are left out and stay unchanged: both belong to the link with a client, which the call does not name.',
};
const nameless: Words = {
  loss: 'A client, contact or owner that V2 no longer lists has an ID but no name, or the one from before the move if CAUSEWAY_SNAPSHOT=all.',
};
const numberless: Words = {
  loss: 'A draft has no number in V2, so its ID is empty and no call can address it.',
};
const billed: Words = { loss: "InvoiceTaskUUID is in V2's lists only." };
const silent: Words = {
  loss: 'Notes in lists have no comments, and no author unless the author is a member of staff.',
};
const jobless: Words = {
  loss: 'V2 links costs to jobs, not orders, so an order without items names no job.',
  of: 'purchaseorder.add',
};
const untaxed: Words = {
  loss: 'V2 accepts no tax for the items of a new order; the service decides how they are taxed.',
  of: 'purchaseorder.adddraft',
};
const details = ['Mobile', 'Email', 'Phone', 'Addressee'].map((element) => `Client/Contacts/${element}`);

const shared = 'who joins a task gets a share of its minutes, and who leaves one leaves it to the others';
const SHARE: Words = {
  loss: 'V1 divides the minutes of a task among its staff; V2 gives a new member none, and refuses if the shares must add up.',
  of: 'job.assign',
};
const REST: Words = {
  loss: 'V1 divides the minutes of a task among those who stay; V2 leaves their shares as they are, and refuses if the shares must add up.',
  of: 'job.assign',
};
const ESTIMATE: Words = {
  loss: 'V1 divides the minutes of a task among its staff; V2 leaves their shares as they are, and refuses if the shares must add up.',
  of: 'job.task.update',
};
const shares: readonly LossRow[] = [
  ...masked('job.get', SHARE, 'Job/Tasks/Assigned').map((row) => ({ ...row, case: shared, call: 1 })),
  {
    ...REST,
    case: shared,
    call: 2,
    method: 'job.assign',
    how: { answer: refused('The allocations add up to 30 minutes, the task is estimated at 60') },
  },
  ...masked('job.get', REST, 'Job/Tasks/Assigned').map((row) => ({ ...row, case: shared, call: 3 })),
  {
    ...ESTIMATE,
    case: shared,
    call: 4,
    method: 'job.task.update',
    how: { answer: refused('The allocations add up to 60 minutes, the task is estimated at 90') },
  },
  ...masked('job.get', ESTIMATE, 'Job/Tasks').map((row) => ({ ...row, case: shared, call: 5 })),
];

const backwards = 'a job ends before it begins';
const noEnd = { answer: refused('Invalid value for DueDate') } as const;
const BACKWARDS = 'An end before the start is refused; V1 takes it.';
const reversed: readonly LossRow[] = [
  { case: backwards, call: 0, method: 'job.update', loss: BACKWARDS, how: noEnd },
  { case: backwards, call: 3, method: 'job.add', loss: BACKWARDS, how: noEnd },
  {
    case: backwards,
    call: 2,
    method: 'job.update',
    loss: 'An end before the start that the job has already, or a start after its end, is refused; V1 takes it.',
    how: noEnd,
  },
  {
    case: backwards,
    call: 5,
    method: 'job.add',
    loss: 'Without a start today is sent, so an end before today is refused; V1 takes it.',
    how: noEnd,
  },
];

export const rareLosses: readonly LossRow[] = [
  ...['client.get', 'client.update', 'client.add'].flatMap((method) => masked(method, crowd, ...details)),
  ...masked('client.contact.update', untouched, 'Contact/Position', 'Contact/IsPrimary'),
  ...masked('lead.current', nameless, 'Lead/Client/Name'),
  ...['draft', 'list'].flatMap((list) => masked(`invoice.${list}`, numberless, 'Invoice/ID')),
  ...masked('purchaseorder.current', jobless, 'PurchaseOrder/Job'),
  ...masked('purchaseorder.draft', untaxed, 'PurchaseOrder/AmountTax', 'PurchaseOrder/AmountIncludingTax'),
  ...['time.get', 'time.update'].flatMap((method) => masked(method, billed, 'Time/InvoiceTaskUUID')),
  ...masked('job.list', silent, 'Job/Notes/Comments', 'Job/Notes/CreatedBy'),
  ...shares,
  ...reversed,
  {
    case: 'two members of staff have one e-mail address',
    method: 'staff.update',
    loss: 'V2 refuses an e-mail address that another member of staff has.',
    how: { answer: refused('The value of Email is already in use') },
  },
  {
    case: 'the e-mail address of a member of staff is cleared',
    method: 'staff.update',
    loss: 'The e-mail address cannot be cleared.',
    how: { answer: refused('Invalid value for Email') },
  },
];

const gone: Words = {
  loss: 'A record that V2 no longer lists gets its name from a single record that refers to it, for at most 30 records per reply; the others have only an ID, or the name from before the move if CAUSEWAY_SNAPSHOT=all.',
};

/** The name that a list loses, by the family of the list. */
const names: readonly (readonly [element: string, ...methods: readonly string[]])[] = [
  ['Client/AccountManager/Name', 'client.list', 'client.search'],
  ['Invoice/Client/Name', 'invoice.current', 'invoice.draft', 'invoice.list', 'invoice.job'],
  ['Job/Client/Name', 'job.current', 'job.list', 'job.staff', 'job.tasks'],
  ['Job/Assigned/Name', 'job.client'],
  [
    'PurchaseOrder/Supplier/Name',
    ...['purchaseorder.current', 'purchaseorder.draft', 'purchaseorder.list', 'purchaseorder.job'],
  ],
  ['Quote/Client/Name', 'quote.current', 'quote.draft', 'quote.list'],
];

export const manyGoneLosses: readonly LossRow[] = [
  deleted,
  ...['draft', 'list', 'job'].flatMap((list) => masked(`invoice.${list}`, numberless, 'Invoice/ID')),
  ...names.flatMap(([element, ...methods]) => methods.flatMap((method) => masked(method, gone, element))),
  // Behind the others: what is sorted has been masked.
  ...['draft', 'list', 'job'].map((list): LossRow => ({
    method: `invoice.${list}`,
    loss: 'Records created in the same second come in the order of their numbers; V1 lists them in the order in which they were made.',
    how: { reordered: 'Invoice' },
  })),
];
