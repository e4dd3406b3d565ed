import type { LeadFields } from '../../records/kinds/people.ts';
import type { StoredRecord } from '../../records/kinds.ts';
import { leadRows } from '../../tables/clients/lead.ts';
import type { JsonCall } from '../operation/call.ts';
import { settleProspect } from '../../records/lead-rules.ts';
import { type ColumnsOf, customColumn, settingColumn } from '../record/columns.ts';
import { contactAfter } from '../record/contact-after.ts';
import { customValuesAfter, customValuesIn } from '../record/custom-values.ts';
import { ofBody } from '../record/find.ts';
import { areaBeyond } from '../operation/operation.ts';
import { resource, type Taken } from '../operation/resource.ts';
import { idIn } from '../record/values.ts';

const computed: ColumnsOf<'lead'> = {
  leadStatusUUID: settingColumn('leadStatus', ({ fields }) => fields.state),
  customFields: customColumn('Lead'),
};

const taken: Taken<'lead'> = {
  shape: { leadStatusUUID: idIn.optional(), customFields: customValuesIn },
  async take(call, body, before) {
    const today = new Date(call.now).toISOString().slice(0, 10);
    const { clientUUID, contactUUID } = body as Readonly<Record<string, string | null | undefined>>;
    const client = clientUUID?.toLowerCase() ?? before?.owner;
    const status = await statusAfter(call, body.leadStatusUUID as string | undefined, before);
    return {
      fields: {
        state: status?.name ?? before?.fields.state ?? '',
        date: before?.fields.date ?? today,
        dateWonLost: wonLostAfter(status, before?.fields, today),
        contact: await contactAfter(call, contactUUID, client, before),
      },
      customValues: await customValuesAfter(call, 'Lead', body, before),
    };
  },
};

/** A new lead starts at the first stage. */
async function statusAfter(
  call: JsonCall,
  given: string | undefined,
  before: StoredRecord<'lead'> | undefined,
) {
  if (given !== undefined) return ofBody(call, 'leadStatus', given, 'leadStatusUUID');
  if (before) return undefined;
  return (await call.records.all('leadStatus')).find(({ fields }) => fields.type === 'open');
}

function wonLostAfter(
  status: StoredRecord<'leadStatus'> | undefined,
  before: LeadFields | undefined,
  today: string,
): string {
  const known = before?.dateWonLost ?? '';
  if (!status) return known;
  return status.fields.type === 'open' ? '' : known || today;
}

export const leads = areaBeyond(
  'Leads',
  resource({
    kind: 'lead',
    rows: leadRows,
    schema: 'Lead',
    path: '/leads',
    word: 'lead',
    examples: {
      create: { name: 'Boat shed', clientUUID: '{client}', ownerUUID: '{staff}', estimatedValue: 9000 },
      update: { leadStatusUUID: '{leadStatus}' },
    },
    computed,
    taken,
    settled: async (call, after, before) => {
      for (const uuid of new Set([before?.owner, after.owner]))
        await settleProspect(call.records, uuid, call.now);
    },
  }),
);
