import { day, text, title } from '../form.ts';
import { legacyRow, rowsOf } from '../table.ts';

/** A document, owned by its record. Its file is in `record_files`. */
export const documentRows = rowsOf(
  legacyRow('name', title, { xml: { element: 'Title' }, seed: 'title' }),
  legacyRow('text', text),
  legacyRow('folder', text),
  legacyRow('date', day, { xml: { as: 'compact' } }),
  legacyRow('createdBy', text),
  { at: 'fileName', form: text, seed: 'fileName' },
  // UUID of the file.
  { at: 'file', form: text },
);
