import { day, flag, folder, text, title } from '../form.ts';
import { legacyRow, modernRow, rowsOf } from '../table.ts';

/** Owner: the job. */
export const milestoneRows = rowsOf(
  legacyRow('date', day, { v2: { name: 'date' } }),
  legacyRow('name', title, {
    v2: { name: 'name' },
    xml: { element: 'Description' },
    seed: 'description',
  }),
  legacyRow('completed', flag(false), { xml: { as: 'trueFalse' } }),
  legacyRow('folder', folder, { v2: { name: 'phaseUUID' } }),
  { at: 'completedDate', form: day },
);

/** Owner: the job. */
export const toDoRows = rowsOf(
  { ...modernRow('name', title), seed: 'name' },
  modernRow('completed', flag(false)),
  modernRow('completedDate', day),
  // The job task it belongs to, if any.
  { at: 'task', form: text },
);
