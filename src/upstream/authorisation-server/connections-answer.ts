import { z } from 'zod';
import type { Connection } from '../model.ts';
import { idForm, plain } from './token-answer.ts';

const MOST_CONNECTIONS = 10_000;

const entryForm = z.object({
  id: idForm,
  authEventId: idForm.nullish(),
  tenantId: idForm,
  tenantName: z.string().nullish().catch(undefined),
});

/** A connection of another product, with nothing to choose. An entry without the field may name it otherwise. */
const withoutOrganisation = z.object({ tenantId: z.null() }).transform(() => []);

const connectionsForm = z
  .array(z.union([withoutOrganisation, entryForm.transform((entry) => [entry])]))
  .max(MOST_CONNECTIONS)
  .transform((entries) => entries.flat());

/** What the connections endpoint answered; undefined for anything else than a list of connections. */
export function connectionsIn(text: string): readonly Connection[] | undefined {
  try {
    return connectionsForm.parse(JSON.parse(text)).map((entry) => ({
      connectionId: entry.id,
      id: entry.tenantId,
      name: plain(entry.tenantName ?? undefined) ?? entry.tenantId,
      authenticationEventId: entry.authEventId ?? undefined,
    }));
  } catch {
    return undefined; // the errors quote the text
  }
}
