import { flag, title } from '../form.ts';
import { everywhere, legacyRow, modernRow, rowsOf, textsEverywhere } from '../table.ts';

/** A contact of a client, or of none (created or detached on its own). V2 has the name in two parts. */
export const contactRows = rowsOf(
  legacyRow('name', title),
  ...textsEverywhere('mobile', 'email', 'phone', 'position', 'salutation', 'addressee'),
  everywhere('isPrimary', flag(false), { v2: { name: 'primary' } }),
  modernRow('favourite', flag(false)),
  modernRow('includeInEmails', flag(false)),
);
