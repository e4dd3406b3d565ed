import { get, ok, post, put, statusOnly, studio, type Case, type Table } from '../case.ts';
import { manyGoneLosses } from '../rareLosses.ts';
import { manyGone as gone, manyGoneSeed } from '../rareSeed.ts';

const RANGE = 'from=20261105&to=20261105';

/** After a write the bridge knows no names of those that are gone, which it would have learnt from the list before. */
const forget = {
  client: put(
    'client.api/update',
    '<Client><ID>1000000</ID><Name>Example &amp; Sons</Name></Client>',
    ok('<ID>1000000</ID>'),
  ),
  staff: put('staff.api/update', '<Staff><ID>7</ID><Name>Ada Example</Name></Staff>', ok('<ID>7</ID>')),
  supplier: put(
    'supplier.api/update',
    '<Supplier><ID>301</ID><Name>Paper &amp; Co</Name></Supplier>',
    ok('<ID>301</ID>'),
  ),
};

/** The lists that name what is gone, with the last of the names. */
const lists: readonly (readonly [kind: keyof typeof forget, path: string, last: string])[] = [
  ['staff', 'client.api/list', 'Former 32'],
  ['staff', 'client.api/search?query=Managed', 'Former 32'],
  ['client', 'invoice.api/current', 'Gone 32'],
  ['client', 'invoice.api/draft', 'Gone 32'],
  ['client', `invoice.api/list?${RANGE}`, 'Gone 32'],
  ['client', 'invoice.api/job/J000001', 'Gone 32'],
  ['client', 'job.api/current', 'Gone 32'],
  ['client', 'job.api/list?from=20261101&to=20261231', 'Gone 32'],
  ['client', 'job.api/staff/7', 'Gone 32'],
  ['staff', 'job.api/client/1000000', 'Former 32'],
  ['client', 'job.api/tasks?complete=false', 'Gone 32'],
  ['supplier', 'purchaseorder.api/current', 'Old Mill 32'],
  ['supplier', 'purchaseorder.api/draft', 'Old Mill 32'],
  ['supplier', `purchaseorder.api/list?${RANGE}`, 'Old Mill 32'],
  ['supplier', 'purchaseorder.api/job/J000001', 'Old Mill 32'],
  ['client', 'quote.api/current', 'Gone 32'],
  ['client', 'quote.api/draft', 'Gone 32'],
  ['client', `quote.api/list?${RANGE}`, 'Gone 32'],
];

const cases: readonly Case[] = lists.map(([kind, path, last]) =>
  studio(`more than one reply asks for: ${path}`, forget[kind], get(path, ok(`>${last}</`))),
);

/** What was deleted keeps its name in V1's lists; V2 gives the names one by one, and for so many only. */
export const manyGone: Table = {
  title: 'more that is gone than one reply asks for',
  seed: [manyGoneSeed],
  losses: manyGoneLosses,
  cases: [
    studio(
      'clients, members of staff and suppliers are deleted',
      ...gone.clients.map((id) =>
        post('client.api/delete', `<Client><ID>${String(id)}</ID></Client>`, statusOnly),
      ),
      ...gone.staff.map((id) =>
        post('staff.api/delete', `<Staff><ID>${String(id)}</ID></Staff>`, statusOnly),
      ),
      ...gone.suppliers.map((id) =>
        post('supplier.api/delete', `<Supplier><ID>${String(id)}</ID></Supplier>`, ok('<ID>')),
      ),
    ),
    ...cases,
  ],
};
