import { currentLeadStates, firstState } from '../../../records/current.ts';
import type { StoredRecord } from '../../../records/kinds.ts';
import { settleProspect } from '../../../records/lead-rules.ts';
import { absentInPractice, type Answer, methods, type XmlCall } from '../../call.ts';
import { categories } from '../catalogue/categories.ts';
import { requiredDays } from '../../record/days.ts';
import { required, setAfter } from '../../record/elements.ts';
import { contactOfClient, ofElement, reference, requireId } from '../../record/identify.ts';
import { ofRoot, type Message } from '../../http/message.ts';
import { Refusal } from '../../refusal.ts';
import { isoDate, isoDateTime, readDecimal } from '../../../tables/values.ts';
import { leads } from './view.ts';

async function current(call: XmlCall): Promise<Answer> {
  const values = await currentLeadStates(call.records);
  return leads.list(call, { oneOf: { field: 'state', values } });
}

/** `from` and `to` apply to the lead's date; the specification does not say which date they mean. */
async function list(call: XmlCall): Promise<Answer> {
  return leads.list(call, { dated: { field: 'date', ...requiredDays(call) } });
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
    state: await firstState(call.records, 'leadStatus', 'open'),
    estimatedValue: setAfter(message, 'EstimatedValue', '0.00', '0.00', readDecimal),
    date: isoDate(call.now),
    dateWonLost: '',
    category: (await reference(call, 'leadCategory', message, 'Category')) ?? '',
    contact: await contactOfClient(call, message, client.uuid),
    template: (await reference(call, 'template', message, 'Template')) ?? '',
  };
  const lead = await call.records.insert(
    'lead',
    { name, owner: client.uuid, other: owner.uuid, fields },
    call.now,
  );
  const created = { date: isoDateTime(call.now), type: 'Created', staff: owner.name, detail: '' };
  await call.records.insert('leadHistory', { name: '', owner: lead.uuid, fields: created }, call.now);
  await settleProspect(call.records, client.uuid, call.now);
  return leads.answer(call, lead);
}

/** The wording was seen in the field. */
async function ownerOf(call: XmlCall, message: Message | undefined): Promise<StoredRecord<'staff'>> {
  try {
    return await ofElement(call, 'staff', message, 'Owner');
  } catch (error) {
    if (error instanceof Refusal) throw new Refusal('Invalid owner');
    throw error;
  }
}

export const leadOperations = absentInPractice(
  methods([
    ['GET', 'lead.current', 'lead.api/current', current],
    ['GET', 'lead.list', 'lead.api/list', list],
    ['GET', 'lead.get', 'lead.api/get/{id}', leads.get],
    ['POST', 'lead.add', 'lead.api/add', add],
    ['GET', 'lead.categories', 'lead.api/categories', (call) => categories(call, 'leadCategory')],
  ]),
);
