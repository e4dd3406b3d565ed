import { isOfAnotherClient } from '../../records/contact-rules.ts';
import type { StoredRecord } from '../../records/kinds.ts';
import type { JsonCall } from '../operation/call.ts';
import { invalid } from '../operation/refusal.ts';
import { ofBody } from './find.ts';

/**
 * Returns the contact of a job or lead after a call (`contactUUID`: absent keeps, null clears). The contact does not
 * follow to another client. Throws `JsonRefusal` 422 for a contact of another client.
 */
export async function contactAfter(
  call: JsonCall,
  given: string | null | undefined,
  client: string | undefined,
  before: StoredRecord<'job'> | StoredRecord<'lead'> | undefined,
): Promise<string> {
  if (given) {
    const contact = await ofBody(call, 'contact', given, 'contactUUID');
    if (isOfAnotherClient(contact, client))
      throw invalid('contactUUID', 'contactUUID names a contact of another client');
    return contact.uuid;
  }
  return given === undefined && before?.owner === client ? (before?.fields.contact ?? '') : '';
}
