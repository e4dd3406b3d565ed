import { day, flag, folder, minutes, rate, reference, text, title } from '../form.ts';
import { everywhere, modernRow, rowsOf } from '../table.ts';

/** A task, owned by its job and based on one of the catalogue. */
export const jobTaskRows = rowsOf(
  { at: 'other', form: reference('task'), v2: 'taskUUID', seed: 'task' },
  { at: 'name', form: title, v2: { name: 'name', written: false }, seed: 'name' },
  { at: 'label', form: text, v2: 'label', xml: { element: 'Label', shown: false } },
  everywhere('estimatedMinutes', minutes),
  everywhere('description', text),
  everywhere('completed', flag(false), { v2: { written: false }, xml: { as: 'trueFalse', readOnly: true } }),
  everywhere('billable', flag(true), { xml: { as: 'trueFalse', readOnly: true } }),
  everywhere('folder', folder, { v2: { name: 'phaseUUID' }, xml: { readOnly: true } }),
  everywhere('startDate', day, { xml: { whenSet: true } }),
  everywhere('dueDate', day, { v2: { written: 'endDate' }, xml: { whenSet: true } }),
  modernRow('customBillableRate', rate),
);
