import { flag, text, title } from '../form.ts';
import { everywhere, legacyRow, modernRow, rowsOf } from '../table.ts';

/** A contact of a client, or of none (made, or taken, apart from any). V2 knows the name in two parts. */
export const contactRows = rowsOf(
  legacyRow('name', title),
  everywhere('mobile', text),
  everywhere('email', text),
  everywhere('phone', text),
  everywhere('position', text),
  everywhere('salutation', text),
  everywhere('addressee', text),
  everywhere('isPrimary', flag(false), { v2: { name: 'primary' } }),
  modernRow('favourite', flag(false)),
  modernRow('includeInEmails', flag(false)),
);
