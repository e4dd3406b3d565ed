import type { Records } from './records.ts';

/** A client that has leads, none of them won, is a prospect. For every write of a lead, whichever surface asked for it. */
export async function settleProspect(records: Records, uuid: string | undefined, now: number): Promise<void> {
  const client = await records.byUuid('client', uuid ?? '');
  if (!client) return;
  const leads = await records.owned('lead', client);
  const won = new Set(
    (await records.all('leadStatus')).filter(({ fields }) => fields.type === 'won').map(({ name }) => name),
  );
  const isProspect = leads.length > 0 && !leads.some(({ fields }) => won.has(fields.state));
  if (client.fields.isProspect !== isProspect)
    await records.update(client, { fields: { ...client.fields, isProspect } }, now);
}
