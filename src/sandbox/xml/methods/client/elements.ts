import type { RecordFields, StoredRecord } from '../../../records/kinds.ts';
import { contactRows } from '../../../tables/clients/contact.ts';
import type { XmlCall } from '../../call.ts';
import type { Message } from '../../http/message.ts';
import { valuesAfter } from '../../record/record.ts';

const fieldRows = contactRows.filter(({ at }) => at !== 'name');

/** The fields of a contact after a message. Throws `Refusal` for an invalid value. */
export const contactFieldsAfter = async (
  call: XmlCall,
  message: Message | undefined,
  before?: StoredRecord<'contact'>,
): Promise<RecordFields['contact']> =>
  (await valuesAfter<'contact'>(call, fieldRows, 'Contact', message, before)).fields;
