import type { StoredRecord } from '../../../records/kinds.ts';
import type { Referring } from '../../../records/referred.ts';
import { leadRows } from '../../../tables/clients/lead.ts';
import type { IdForm } from '../../dialect.ts';
import { type Fields, list, type Named, namedFields, nested, text } from '../../record/fields.ts';
import { xmlResource } from '../../record/resource.ts';
import { dateTime, trueFalse } from '../../../tables/values.ts';

type History = StoredRecord<'leadHistory'>;

interface ActivityView extends StoredRecord<'leadActivity'> {
  readonly responsible: Named | undefined;
}

interface LeadView extends Referring<'lead'> {
  readonly activities: readonly ActivityView[];
  readonly history: readonly History[];
}

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

/** Leads; only a detailed answer has activities and history. */
export const leads = xmlResource<'lead', LeadView>({
  kind: 'lead',
  rows: leadRows,
  root: 'Lead',
  async load({ records }, all, isDetailed) {
    const activities = await records.ownedBy('leadActivity', isDetailed ? all : []);
    const history = await records.ownedBy('leadHistory', isDetailed ? all : []);
    const staff = await records.referred('staff', [...activities.values()].flat(), ({ other }) => other);
    return all.map((lead) => ({
      ...lead,
      activities: (activities.get(lead.uuid) ?? []).map((activity) => ({
        ...activity,
        responsible: staff.get(activity.other ?? ''),
      })),
      history: history.get(lead.uuid) ?? [],
    }));
  },
  further: ({ dialect: { ids } }, isDetailed) => (isDetailed ? detailedFields(ids) : []),
});
