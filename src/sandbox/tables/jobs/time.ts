import { day, flag, minutes, reference, text, timeOfDay } from '../form.ts';
import { everywhere, rowsOf } from '../table.ts';

/** Time spent on a task, owned by the job. */
export const timeRows = rowsOf(
  {
    at: 'owner',
    form: reference('job'),
    needed: true,
    v2: { name: 'jobUUID', shown: false },
    xml: { element: 'Job', as: 'coded', readOnly: true },
    seed: 'job',
  },
  { at: 'task', form: reference('jobTask'), needed: true, v2: { name: 'jobTaskUUID', shown: false } },
  {
    at: 'other',
    form: reference('staff'),
    needed: true,
    v2: { name: 'staffUUID', shown: false },
    xml: { element: 'Staff', readOnly: true },
    seed: 'staff',
  },
  everywhere('date', day, { v2: { needed: true } }),
  everywhere('minutes', minutes, { v2: { name: 'time' } }),
  everywhere('note', text),
  everywhere('billable', flag(true), { xml: { as: 'trueFalse', readOnly: true } }),
  everywhere('start', timeOfDay, { v2: { name: 'startTime', shown: false }, xml: { whenSet: true } }),
  everywhere('end', timeOfDay, { v2: { name: 'endTime', shown: false }, xml: { whenSet: true } }),
  // UUID of the `invoiceTask` that invoiced it.
  {
    at: 'invoiceTask',
    form: text,
    xml: { element: 'InvoiceTaskUUID', whenSet: true, readOnly: true },
    seed: 'invoiceTask',
  },
);
