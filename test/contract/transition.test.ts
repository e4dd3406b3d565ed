import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { XmlElement } from '../../src/lib/xml/element.ts';
import { deliveredMapping } from '../support/mapping.ts';
import { Service, ways, type Seed, type Way } from './four-ways.ts';
import { jobSeed } from './jobSeed.ts';
import { moneySeed } from './moneySeed.ts';
import { studioSeed } from './seed.ts';
import { tradeSeed } from './tradeSeed.ts';

/**
 * `uuidMode=transition` goes on working after the move: every read shows the UUID beside each number as V1 does, and
 * every record can be addressed by it, on V3 and V2. What V1 itself answers is the measure.
 */

const [shopFront, ...otherJobs] = moneySeed.jobs;

/** An organisation in which every read finds something. */
const seed = {
  ...moneySeed,
  staff: [...studioSeed.staff, { number: 9, name: 'Cleo Example' }],
  categories: jobSeed.categories,
  tasks: jobSeed.tasks,
  templates: tradeSeed.templates,
  costs: tradeSeed.costs.slice(0, 2),
  suppliers: [...studioSeed.suppliers, ...moneySeed.suppliers.slice(1)],
  leadCategories: tradeSeed.leadCategories,
  leadStatuses: tradeSeed.leadStatuses,
  leads: tradeSeed.leads.slice(0, 2),
  jobs: [
    {
      ...shopFront,
      contact: 193,
      manager: 7,
      assigned: [8],
      customFields: [{ name: 'Remark', value: 'x' }],
      tasks: [
        {
          ...{ number: 401, name: 'Lettering', task: 71, assigned: [{ staff: 7, allocatedMinutes: 30 }] },
          customFields: [{ name: 'Count', value: 3 }],
        },
      ],
      costs: [
        {
          ...{ number: 421, description: 'Paint', supplier: 301 },
          customFields: [{ name: 'Count', value: 3 }],
        },
      ],
      notes: [{ number: 611, title: 'Colours', comments: [{ number: 621, text: 'Agreed' }] }],
      documents: [{ number: 811, title: 'Plan', fileName: 'plan.txt', content: '' }],
    },
    ...otherJobs,
  ],
  times: [
    {
      ...{ number: 431, job: 'J000101', task: 401, staff: 7, date: '2026-11-02', minutes: 90 },
      customFields: [{ name: 'Remark', value: 'evening' }],
    },
  ],
} as unknown as Seed;

const RANGE = 'from=20200101&to=20301231';

/** Every read of the mapping; `{…}` is the number of a record that can be named by its UUID, too. */
const reads: Readonly<Record<string, string>> = {
  'category.list': 'category.api/list',
  'client.list': 'client.api/list?detailed=true',
  'client.search': 'client.api/search?query=example&detailed=true',
  'client.get': 'client.api/get/{Client 1000000}',
  'client.contact.get': 'client.api/contact/{Contact 193}',
  'client.documents': 'client.api/documents/{Client 1000000}',
  'clientgroup.list': 'clientgroup.api/list',
  'clientgroup.get': 'clientgroup.api/get/{Group 61}',
  'cost.list': 'cost.api/list',
  'cost.get': 'cost.api/get/{Cost 21}',
  'customfield.definition': 'customfield.api/definition',
  'customfield.client.get': 'client.api/get/{Client 1000000}/customfield',
  'customfield.contact.get': 'client.api/contact/{Contact 193}/customfield',
  'customfield.supplier.get': 'supplier.api/get/{Supplier 301}/customfield',
  'customfield.suppliercontact.get': 'supplier.api/contact/{Contact 311}/customfield',
  'customfield.job.get': 'job.api/get/J000101/customfield',
  'customfield.jobtask.get': 'job.api/task/{Task 401}/customfield',
  'customfield.jobcost.get': 'job.api/cost/{Cost 421}/customfield',
  'customfield.time.get': 'time.api/get/{Time 431}/customfield',
  'customfield.lead.get': 'lead.api/get/{Lead 441}/customfield',
  'invoice.current': 'invoice.api/current?detailed=true',
  'invoice.draft': 'invoice.api/draft?detailed=true',
  'invoice.list': `invoice.api/list?${RANGE}&detailed=true`,
  'invoice.get': 'invoice.api/get/INV-0001',
  'invoice.job': 'invoice.api/job/J000101',
  'invoice.payments': 'invoice.api/payments/INV-0001',
  'job.current': 'job.api/current?detailed=true',
  'job.list': `job.api/list?${RANGE}&detailed=true`,
  'job.get': 'job.api/get/J000101',
  'job.staff': 'job.api/staff/{Staff 8}',
  'job.client': 'job.api/client/{Client 1000000}',
  'job.tasks': 'job.api/tasks?complete=false',
  'job.documents': 'job.api/documents/J000101',
  'job.costs': 'job.api/costs/J000101',
  'lead.current': 'lead.api/current?detailed=true',
  'lead.list': `lead.api/list?${RANGE}&detailed=true`,
  'lead.get': 'lead.api/get/{Lead 441}',
  'lead.categories': 'lead.api/categories',
  'purchaseorder.current': 'purchaseorder.api/current?detailed=true',
  'purchaseorder.draft': 'purchaseorder.api/draft?detailed=true',
  'purchaseorder.list': `purchaseorder.api/list?${RANGE}&detailed=true`,
  'purchaseorder.get': 'purchaseorder.api/get/P000121',
  'purchaseorder.job': 'purchaseorder.api/job/J000101',
  'quote.current': 'quote.api/current?detailed=true',
  'quote.draft': 'quote.api/draft?detailed=true',
  'quote.list': `quote.api/list?${RANGE}&detailed=true`,
  'quote.get': 'quote.api/get/Q000123',
  'staff.list': 'staff.api/list',
  'staff.get': 'staff.api/get/{Staff 7}',
  'supplier.list': 'supplier.api/list?detailed=true',
  'supplier.get': 'supplier.api/get/{Supplier 301}',
  'supplier.contact.get': 'supplier.api/contact/{Contact 311}',
  'task.list': 'task.api/list',
  'task.get': 'task.api/get/{Task 71}',
  'template.list': 'template.api/list',
  'time.list': `time.api/list?${RANGE}`,
  'time.job': 'time.api/job/J000101',
  'time.staff': `time.api/staff/{Staff 7}?${RANGE}`,
  'time.get': 'time.api/get/{Time 431}',
};

/** Whose answers hold no record with a number. */
const NUMBERLESS: readonly string[] = ['client.documents', 'invoice.payments', 'job.documents'];

/** V2 does not identify comments: of those from before the move it gives V1's number alone, which the loss report says. */
const isToldByV2 = (way: Way, record: string): boolean =>
  way !== 'V2 alone' || !record.startsWith('Comment ');

const textOf = ({ children }: XmlElement, name: string): string =>
  children.find((child) => child.name === name)?.text ?? '';

/** `Client 1000000` → its UUID, of every record with a number. */
function uuidsIn(element: XmlElement, found = new Map<string, string>()): ReadonlyMap<string, string> {
  const number = textOf(element, 'ID');
  if (number !== '') found.set(`${element.name} ${number}`, textOf(element, 'UUID').toLowerCase());
  for (const child of element.children) uuidsIn(child, found);
  return found;
}

const leadsIn = (element: XmlElement): readonly string[] =>
  element.children.flatMap((child) => (child.name === 'LeadUUID' ? [child.text] : leadsIn(child)));

describe('after the move, with uuidMode=transition,', () => {
  let service: Service;
  /** What V1 has said. */
  const known = new Map<string, string>();

  const sent = (way: Way, path: string): Promise<XmlElement> =>
    service.send(way, 'GET', `${path}${path.includes('?') ? '&' : '?'}uuidMode=transition`);
  const byNumber = (path: string): string => path.replace(/\{\w+ (\d+)\}/, '$1');
  const byUuid = (path: string): string =>
    path.replace(/\{(\w+ \d+)\}/, (_, record: string) => known.get(record) ?? '');

  beforeAll(async () => {
    service = await Service.open(seed);
    for (const path of Object.values(reads))
      for (const [record, uuid] of uuidsIn(await sent('V1', byNumber(path)))) known.set(record, uuid);
  });
  afterAll(async () => {
    await service.close();
    expect(service.sandbox.complaints).toEqual([]);
  });

  it('every read of the mapping is called', () => {
    const methods = deliveredMapping().methods.filter(({ id, legacy }) =>
      id.startsWith('uuid.') ? false : legacy.some(({ verbs }) => verbs.includes('GET')),
    );
    expect(Object.keys(reads)).toEqual(methods.map(({ id }) => id));
  });

  it.each(Object.entries(reads))('%s shows the UUID of every record as V1 does', async (id, path) => {
    const original = uuidsIn(await sent('V1', byNumber(path)));
    expect(original.size > 0).toBe(!NUMBERLESS.includes(id));
    for (const way of ways.slice(1)) {
      const answer = await sent(way, byNumber(path));
      expect([way, textOf(answer, 'Status')]).toEqual([way, 'OK']);
      const seen = uuidsIn(answer);
      // V2 may have fewer records, which is another suite's affair.
      for (const [record, uuid] of seen)
        if (isToldByV2(way, record)) expect([way, record, uuid]).toEqual([way, record, original.get(record)]);
      expect([way, seen.size > 0]).toEqual([way, original.size > 0]);
    }
  });

  it.each(['quote.current', 'quote.list', 'quote.get'])(
    '%s shows the lead of a quote as V1 does',
    async (id) => {
      const path = reads[id] ?? '';
      const lead = known.get('Lead 441') ?? '';
      for (const way of ways) expect([way, leadsIn(await sent(way, path))]).toEqual([way, [lead]]);
    },
  );

  it.each(Object.entries(reads).filter(([, path]) => path.includes('{')))(
    '%s accepts the UUID of a record instead of its number',
    async (_, path) => {
      expect(byUuid(path)).toMatch(/[\da-f]{8}-/);
      for (const way of ways) {
        const [named, numbered] = [await sent(way, byUuid(path)), await sent(way, byNumber(path))];
        expect([way, textOf(named, 'Status')]).toEqual([way, 'OK']);
        expect(uuidsIn(named)).toEqual(uuidsIn(numbered));
      }
    },
  );
});
