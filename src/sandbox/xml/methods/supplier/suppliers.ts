import type { StoredRecord } from '../../../records/kinds.ts';
import type { Referring } from '../../../records/referred.ts';
import { listsOf } from '../../../records/with-lines.ts';
import { supplierRows } from '../../../tables/people/supplier.ts';
import { absentInPractice, type Answer, methods, type XmlCall } from '../../call.ts';
import { noteFields } from '../client/view.ts';
import { list } from '../../record/fields.ts';
import { ofRoot } from '../../http/message.ts';
import { pageOf } from '../../http/page.ts';
import { insertRead, xmlResource } from '../../record/resource.ts';
import { contactElements, insertContact } from './contacts.ts';

interface SupplierView extends Referring<'supplier'> {
  readonly contacts: readonly StoredRecord<'supplierContact'>[];
  readonly notes: readonly StoredRecord<'note'>[];
}

const suppliers = xmlResource<'supplier', SupplierView>({
  kind: 'supplier',
  rows: supplierRows,
  root: 'Supplier',
  async load({ records }, all) {
    const lists = await listsOf(records, all, { contacts: 'supplierContact', notes: 'note' });
    return all.map((supplier) => ({ ...supplier, ...lists(supplier.uuid) }));
  },
  further: ({ dialect: { ids } }, isDetailed) => [
    list('Contacts', 'Contact', contactElements(ids), ({ contacts }: SupplierView) => contacts),
    ...(isDetailed ? [list('Notes', 'Note', noteFields, ({ notes }: SupplierView) => notes)] : []),
  ],
});

/** Page size if `pagesize` is not a number. */
const SUPPLIERS_PER_PAGE = 100;

async function add(call: XmlCall): Promise<Answer> {
  const message = ofRoot(call.message, 'Supplier');
  const supplier = await insertRead(call, 'supplier', supplierRows, 'Supplier', message);
  for (const contact of message?.child('Contacts')?.children('Contact') ?? [])
    await insertContact(call, supplier, ['Supplier', 'Contacts', 'Contact'], contact);
  return suppliers.answer(call, supplier);
}

async function archive(call: XmlCall): Promise<Answer> {
  const { record } = await suppliers.named(call);
  await call.records.update(record, { isArchived: true }, call.now);
  return suppliers.answer(call, record);
}

/** Answers with the supplier as it was. */
async function remove(call: XmlCall): Promise<Answer> {
  const { record } = await suppliers.named(call);
  const answer = await suppliers.answer(call, record);
  await call.records.update(record, { isDeleted: true }, call.now);
  return answer;
}

export const supplierOperations = absentInPractice(
  methods([
    // Archived suppliers are omitted: unlike a client, a supplier has no element to mark them. On V3 the list
    // is paged only if `pagesize` is sent.
    [
      'GET',
      'supplier.list',
      'supplier.api/list',
      (call) =>
        suppliers.list(
          call,
          { isArchived: false },
          { page: call.query('pagesize') === undefined ? undefined : pageOf(call, SUPPLIERS_PER_PAGE) },
        ),
    ],
    ['GET', 'supplier.get', 'supplier.api/get/{id}', suppliers.get],
    ['POST', 'supplier.add', 'supplier.api/add', add],
    ['PUT', 'supplier.update', 'supplier.api/update', suppliers.update],
    ['PUT', 'supplier.archive', 'supplier.api/archive', archive],
    ['POST', 'supplier.delete', 'supplier.api/delete', remove],
  ]),
);
