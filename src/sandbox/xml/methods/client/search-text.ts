import { folded } from '../../../records/selection.ts';
import type { ClientFields } from '../../../records/kinds/clients.ts';

/** The text that `client.api/search` searches; one value per line, so that no match spans two values. */
export function searchText(
  name: string,
  fields: Pick<ClientFields, 'email' | 'phone' | 'exportCode'>,
  contacts: readonly { readonly name: string }[],
): string {
  const texts = [
    name,
    fields.email,
    fields.phone,
    fields.exportCode,
    ...contacts.map((contact) => contact.name),
  ];
  return folded(texts.join('\n'));
}
