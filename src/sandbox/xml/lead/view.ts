import type { StoredRecord } from '../../records/kinds.ts';
import type { XmlCall } from '../call.ts';
import type { IdForm } from '../dialect.ts';
import {
  type Fields,
  identified,
  list,
  type Named,
  namedFields,
  nested,
  recordWriter,
  text,
} from '../fields.ts';
import { dateTime, trueFalse } from '../values.ts';

type Lead = StoredRecord<'lead'>;
type History = StoredRecord<'leadHistory'>;

interface ActivityView extends StoredRecord<'leadActivity'> {
  readonly responsible: Named | undefined;
}

interface LeadView extends Lead {
  readonly category: Named | undefined;
  readonly client: Named | undefined;
  readonly contact: Named | undefined;
  readonly staff: Named | undefined;
  readonly activities: readonly ActivityView[];
  readonly history: readonly History[];
}

const leadFields = (ids: IdForm, isDetailed: boolean): Fields<LeadView> =>
  identified<LeadView>(ids, [
    text('Name', ({ name }) => name),
    text('Description', ({ fields }) => fields.description),
    text('State', ({ fields }) => fields.state),
    text('EstimatedValue', ({ fields }) => fields.estimatedValue),
    text('Date', ({ fields }) => dateTime(fields.date)),
    text('DateWonLost', ({ fields }) => dateTime(fields.dateWonLost)),
    text('Category', ({ category }) => category?.name),
    nested('Client', namedFields(ids), ({ client }) => client),
    nested('Contact', namedFields(ids), ({ contact }) => contact),
    nested('Owner', namedFields(ids), ({ staff }) => staff),
    ...(isDetailed ? detailedFields(ids) : []),
  ]);

const detailedFields = (ids: IdForm): Fields<LeadView> => [
  list('Activities', 'Activity', activityFields(ids), ({ activities }: LeadView) => activities),
  list('History', 'Item', historyFields, ({ history }: LeadView) => history),
];

const activityFields = (ids: IdForm): Fields<ActivityView> => [
  text('Date', ({ fields }) => dateTime(fields.date)),
  text('Subject', ({ name }) => name),
  text('Completed', ({ fields }) => trueFalse(fields.completed)),
  nested('Responsible', namedFields(ids), ({ responsible }) => responsible),
];

const historyFields: Fields<History> = [
  text('Date', ({ fields }) => fields.date),
  text('Type', ({ fields }) => fields.type),
  text('Staff', ({ fields }) => fields.staff),
  text('Detail', ({ fields }) => fields.detail),
];

export async function writtenLeads(
  { records, dialect }: XmlCall,
  leads: readonly Lead[],
  isDetailed: boolean,
): Promise<string> {
  const uuids = isDetailed ? leads.map(({ uuid }) => uuid) : [];
  const activities = await records.ownedBy('leadActivity', uuids);
  const history = await records.ownedBy('leadHistory', uuids);
  const categories = await records.byUuids(
    'leadCategory',
    leads.map(({ fields }) => fields.category),
  );
  const clients = await records.byUuids(
    'client',
    leads.map(({ owner }) => owner ?? ''),
  );
  const contacts = await records.byUuids(
    'contact',
    leads.map(({ fields }) => fields.contact),
  );
  const staff = await records.byUuids(
    'staff',
    [...leads, ...[...activities.values()].flat()].map(({ other }) => other ?? ''),
  );
  const write = recordWriter('Lead', leadFields(dialect.ids, isDetailed));
  return leads
    .map((lead) =>
      write({
        ...lead,
        category: categories.get(lead.fields.category),
        client: clients.get(lead.owner ?? ''),
        contact: contacts.get(lead.fields.contact),
        staff: staff.get(lead.other ?? ''),
        activities: (activities.get(lead.uuid) ?? []).map((activity) => ({
          ...activity,
          responsible: staff.get(activity.other ?? ''),
        })),
        history: history.get(lead.uuid) ?? [],
      }),
    )
    .join('');
}
