import type { StoredRecord } from '../../records/kinds.ts';
import type { Referring } from '../../records/referred.ts';
import { leadRows } from '../../tables/lead.ts';
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
import { elementsOf, withReferred } from '../record.ts';
import { dateTime, trueFalse } from '../values.ts';

type Lead = StoredRecord<'lead'>;
type History = StoredRecord<'leadHistory'>;

interface ActivityView extends StoredRecord<'leadActivity'> {
  readonly responsible: Named | undefined;
}

interface LeadView extends Referring<'lead'> {
  readonly activities: readonly ActivityView[];
  readonly history: readonly History[];
}

const leadFields = (ids: IdForm, isDetailed: boolean): Fields<LeadView> =>
  identified<LeadView>(ids, [
    ...elementsOf<'lead'>(leadRows, ids),
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
  call: XmlCall,
  leads: readonly Lead[],
  isDetailed: boolean,
): Promise<string> {
  const { records, dialect } = call;
  const uuids = isDetailed ? leads.map(({ uuid }) => uuid) : [];
  const activities = await records.ownedBy('leadActivity', uuids);
  const history = await records.ownedBy('leadHistory', uuids);
  const staff = await records.referred('staff', [...activities.values()].flat(), ({ other }) => other);
  const write = recordWriter('Lead', leadFields(dialect.ids, isDetailed));
  return (await withReferred(call, leadRows, leads))
    .map((lead) =>
      write({
        ...lead,
        activities: (activities.get(lead.uuid) ?? []).map((activity) => ({
          ...activity,
          responsible: staff.get(activity.other ?? ''),
        })),
        history: history.get(lead.uuid) ?? [],
      }),
    )
    .join('');
}
