import { folded } from '../../../records/selection.ts';
import type { ClientFields } from '../../../records/kinds/clients.ts';

/** What `client.api/search` looks through; one line each, so that no search runs across two of them. */
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
