import { moment, text, title } from '../form.ts';
import { legacyRow, rowsOf } from '../table.ts';

/** A note, owned by a client, a supplier, a job, …. V2 spells it differently in each place. */
export const noteRows = rowsOf(
  legacyRow('name', title, { xml: { element: 'Title' }, seed: 'title' }),
  legacyRow('text', text),
  legacyRow('folder', text),
  legacyRow('date', moment),
  legacyRow('createdBy', text),
);

/** A comment on a note. */
export const commentRows = rowsOf(
  legacyRow('text', text),
  legacyRow('date', moment),
  legacyRow('createdBy', text),
);
