import { currentLeadStates } from '../../records/current.ts';
import type { StoredRecord } from '../../records/kinds.ts';
import type { Selection } from '../../records/records.ts';
import type { Answer, Operation, XmlCall } from '../call.ts';
import { categories } from '../catalogue/categories.ts';
import { requiredDays } from '../days.ts';
import { required, setAfter } from '../elements.ts';
import { ofElement, ofPath, reference, requireId, unknownRecord } from '../identify.ts';
import { ofRoot, type Message } from '../message.ts';
import { Refusal } from '../refusal.ts';
import { isoDate, isoDateTime, readDecimal, readFlag } from '../values.ts';
import { writtenLeads } from './view.ts';

type Lead = StoredRecord<'lead'>;

function leadsAnswer(call: XmlCall, selection: Selection): Answer {
  const isDetailed = readFlag(call.query('detailed') ?? '') ?? false;
  async function* records(): AsyncGenerator<string> {
    for await (const batch of call.records.select('lead', selection))
      yield writtenLeads(call, batch, isDetailed);
  }
  return { answer: 'list', container: 'Leads', records: records() };
}

async function current(call: XmlCall): Promise<Answer> {
  const values = await currentLeadStates(call.records);
  return leadsAnswer(call, { withDeleted: false, oneOf: { field: 'state', values } });
}

/** `from` and `to` are days of the lead's date; no document says which date they mean. */
async function list(call: XmlCall): Promise<Answer> {
  return leadsAnswer(call, { withDeleted: false, dated: { field: 'date', ...requiredDays(call) } });
}

/** Detailed, as every answer with one lead. */
const leadAnswer = async (call: XmlCall, lead: Lead): Promise<Answer> => ({
  answer: 'record',
  xml: await writtenLeads(call, [lead], true),
});

async function get(call: XmlCall): Promise<Answer> {
  return leadAnswer(call, await ofPath(call, 'lead'));
}

async function add(call: XmlCall): Promise<Answer> {
  const message = ofRoot(call.message, 'Lead');
  const name = required(message, 'Lead', 'Name');
  requireId(call, message, ['Lead'], 'Client');
  requireId(call, message, ['Lead'], 'Owner');
  const client = await ofElement(call, 'client', message, 'Client');
  const owner = await ownerOf(call, message);
  const fields = {
    description: message?.text('Description') ?? '',
    state: await firstState(call),
    estimatedValue: setAfter(message, 'EstimatedValue', '0.00', '0.00', readDecimal),
    date: isoDate(call.now),
    dateWonLost: '',
    category: (await reference(call, 'leadCategory', message, 'Category')) ?? '',
    contact: await contactOf(call, message, client.uuid),
    template: (await reference(call, 'template', message, 'Template')) ?? '',
  };
  const lead = await call.records.insert(
    'lead',
    { name, owner: client.uuid, other: owner.uuid, fields },
    call.now,
  );
  const created = { date: isoDateTime(call.now), type: 'Created', staff: owner.name, detail: '' };
  await call.records.insert('leadHistory', { name: '', owner: lead.uuid, fields: created }, call.now);
  return leadAnswer(call, lead);
}

/** These words were seen. */
async function ownerOf(call: XmlCall, message: Message | undefined): Promise<StoredRecord<'staff'>> {
  try {
    return await ofElement(call, 'staff', message, 'Owner');
  } catch (error) {
    if (error instanceof Refusal) throw new Refusal('Invalid owner');
    throw error;
  }
}

async function firstState({ records }: XmlCall): Promise<string> {
  const all = await records.all('leadStatus');
  return (all.find(({ fields }) => fields.type === 'open') ?? all[0])?.name ?? '';
}

async function contactOf(call: XmlCall, message: Message | undefined, client: string): Promise<string> {
  const uuid = (await reference(call, 'contact', message, 'Contact')) ?? '';
  if (uuid === '') return '';
  const contact = await call.records.byUuid('contact', uuid);
  if (contact?.owner !== client) throw unknownRecord('contact');
  return uuid;
}

export const leadOperations: readonly Operation[] = (
  [
    { id: 'lead.current', verbs: ['GET'], path: 'lead.api/current', serve: current },
    { id: 'lead.list', verbs: ['GET'], path: 'lead.api/list', serve: list },
    { id: 'lead.get', verbs: ['GET'], path: 'lead.api/get/{id}', serve: get },
    { id: 'lead.add', verbs: ['POST'], path: 'lead.api/add', serve: add },
    {
      id: 'lead.categories',
      verbs: ['GET'],
      path: 'lead.api/categories',
      serve: (call) => categories(call, 'leadCategory'),
    },
  ] satisfies readonly Operation[]
).map((operation) => ({ ...operation, isAbsentInPractice: true }));
