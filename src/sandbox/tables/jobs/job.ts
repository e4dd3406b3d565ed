import { amount, choice, day, flag, reference, setting, text, title } from '../form.ts';
import { everywhere, legacyRow, modernRow, rowsOf } from '../table.ts';

export const priorities = ['Low', 'Normal', 'High', 'Immediate'] as const;

/** A job. V2 shows its references by UUID in a list, and in full for one job. */
export const jobRows = rowsOf(
  everywhere('name', title, { v2: { written: 'jobName' } }),
  everywhere('description', text),
  {
    at: 'owner',
    form: reference('client'),
    needed: true,
    v2: { name: 'clientUUID', shown: false },
    xml: { element: 'Client', readOnly: true },
    seed: 'client',
  },
  everywhere('clientOrderNumber', text, { xml: { written: 'ClientNumber' } }),
  everywhere('budget', amount, { xml: { whenSet: true } }),
  legacyRow('state', setting('jobStatus'), {
    v2: { name: 'statusUUID', shown: false },
    xml: { readOnly: true },
  }),
  legacyRow('category', reference('category'), {
    v2: { name: 'jobCategoryUUID', shown: false },
    xml: { element: 'Type', as: 'name', whenSet: true, written: 'Category' },
  }),
  everywhere('startDate', day),
  everywhere('dueDate', day),
  everywhere('completedDate', day, { v2: { written: false }, xml: { whenSet: true, readOnly: true } }),
  legacyRow('contact', reference('contact'), {
    v2: { name: 'contactUUID', shown: false },
    xml: { readOnly: true },
  }),
  legacyRow('manager', reference('staff'), {
    v2: { name: 'jobManagerUUID', shown: false },
    xml: { readOnly: true },
  }),
  legacyRow('partner', reference('staff'), { xml: { readOnly: true } }),
  modernRow('priority', choice(priorities, 'Normal')),
  { at: 'clientManager', form: reference('staff'), v2: { name: 'clientManagerUUID', shown: false } },
  modernRow('estimatedBillings', amount),
  modernRow('excludeEstimatedBillings', flag(false)),
  modernRow('capacityReducing', flag(true)),
);
