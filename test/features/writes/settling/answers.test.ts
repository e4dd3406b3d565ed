import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { tradeSeed } from '../../../contract/tradeSeed.ts';
import { scene, surfaces, type Answered, type Scene } from './service.ts';

interface Case {
  readonly method: string;
  readonly v2: string;
  /** Line and body of a call for the one that is answered, and for the one whose answer is lost. */
  readonly of: (mark: 'Answered' | 'Lost', number: string) => readonly [line: string, body?: string];
  /** A record is made for it first; the call that makes it. */
  readonly on?: (mark: string) => readonly [line: string, body: string];
  /** V2 answers the call, and V3 the read of its record: V2 would not serve all of it. */
  readonly isReadByV3?: boolean;
}

const client = (mark: string): readonly [string, string] => [
  'POST client.api/add',
  `<Client><Name>${mark} Ltd</Name><Email>a@example.org</Email><Phone>04 1</Phone></Client>`,
];
const time = (mark: string, minutes = '45'): readonly [string, string] => [
  'POST time.api/add',
  `<Timesheet><Job>J000101</Job><Task>401</Task><Staff>7</Staff><Date>20261119</Date><Minutes>${minutes}</Minutes><Note>${mark}</Note></Timesheet>`,
];
const job = (mark: string): readonly [string, string] => [
  'POST job.api/add',
  `<Job><Name>${mark} sign</Name><ClientID>1000000</ClientID><StartDate>20261201</StartDate><DueDate>20261231</DueDate></Job>`,
];

const field = (id: number, value: string): string => `<CustomField><ID>${id}</ID>${value}</CustomField>`;

const cases: readonly Case[] = [
  { method: 'client.add', v2: 'v2.clients.create', of: (mark) => client(mark) },
  {
    method: 'client.update',
    v2: 'v2.clients.update',
    on: client,
    of: (mark, number) => [
      'PUT client.api/update',
      `<Client><ID>${number}</ID><Name>${mark} Ltd</Name><City>Paris</City></Client>`,
    ],
  },
  {
    method: 'client.delete',
    v2: 'v2.clients.delete',
    on: client,
    of: (_mark, number) => ['POST client.api/delete', `<Client><ID>${number}</ID></Client>`],
  },
  {
    method: 'client.contact.add',
    v2: 'v2.client-contacts.create',
    of: (mark) => [
      'POST client.api/contact',
      `<Contact><Client><ID>1000000</ID></Client><Name>${mark} Person</Name><Mobile>021 7</Mobile></Contact>`,
    ],
  },
  { method: 'job.add', v2: 'v2.jobs.create', of: job },
  {
    method: 'job.update',
    v2: 'v2.jobs.update',
    on: job,
    of: (mark, number) => [
      'PUT job.api/update',
      `<Job><ID>${number}</ID><Description>${mark} text</Description></Job>`,
    ],
  },
  { method: 'time.add', v2: 'v2.timesheets.create', of: (mark) => time(mark) },
  {
    method: 'time.update',
    v2: 'v2.timesheets.update',
    on: (mark) => time(`${mark} before`, '20'),
    of: (mark, number) => [
      'PUT time.api/update',
      `<Timesheet><ID>${number}</ID><Note>${mark} after</Note></Timesheet>`,
    ],
  },
  {
    method: 'time.delete',
    v2: 'v2.timesheets.delete',
    on: (mark) => time(`${mark} gone`, '10'),
    of: (_mark, number) => [`DELETE time.api/delete/${number}`],
  },
  {
    method: 'supplier.add',
    v2: 'v2.suppliers.create',
    of: (mark) => [
      'POST supplier.api/add',
      `<Supplier><Name>${mark} Paper</Name><City>Rome</City></Supplier>`,
    ],
  },
  {
    method: 'cost.add',
    v2: 'v2.costs.create',
    of: (mark) => [
      'POST cost.api/add',
      `<Cost><Description>${mark} paint</Description><UnitCost>1.5</UnitCost><UnitPrice>2</UnitPrice></Cost>`,
    ],
  },
  {
    method: 'lead.add',
    v2: 'v2.leads.create',
    isReadByV3: true,
    of: (mark) => [
      'POST lead.api/add',
      `<Lead><Name>${mark} lead</Name><ClientID>1000000</ClientID><OwnerID>7</OwnerID></Lead>`,
    ],
  },
  {
    method: 'staff.add',
    v2: 'v2.staff.create',
    of: (mark) => [
      'POST staff.api/add',
      `<Staff><Name>${mark} Member</Name><Email>${mark}@example.org</Email><Phone>1</Phone></Staff>`,
    ],
  },
  {
    method: 'clientgroup.add',
    v2: 'v2.client-groups.create',
    of: (mark) => ['POST clientgroup.api/add', `<Group><Name>${mark} group</Name></Group>`],
  },
  {
    method: 'customfield.client.put',
    v2: 'v2.clients.update',
    on: client,
    of: (mark, number) => [
      `PUT client.api/update/${number}/customfield`,
      `<CustomFields>${field(501, `<Text>${mark} remark</Text>`)}${field(503, '<Number>7</Number>')}</CustomFields>`,
    ],
  },
];

const numberIn = ({ body }: Answered): string => /<ID>([^<]+)<\/ID>/.exec(body)?.[1] ?? '';

/** What two calls for different records have in common. */
function alike({ status, body }: Answered, number: string): object {
  return {
    status,
    body: body
      .replace(`<ID>${number}</ID>`, '<ID>#</ID>')
      .replaceAll(/<InternalID>\d+</g, '<InternalID>#<')
      .replaceAll(/\b(Answered|Lost)\b/g, '*')
      .replaceAll(/T\d\d:\d\d:\d\d/g, 'T*'),
  };
}

describe.each(surfaces)('a write whose reply from %s is lost', (surface) => {
  let all: Scene;
  beforeAll(async () => {
    all = await scene(surface, tradeSeed);
  });
  afterAll(() => all.close());

  it.each(cases)(
    'gets the reply of $method that its caller would have received',
    async ({ method, v2, of, on, isReadByV3 = false }) => {
      const made = async (mark: string): Promise<string> =>
        on === undefined ? '' : numberIn(await all.call(...on(mark)));
      const [first, second] = [await made('Answered'), await made('Lost')];
      const answered = await all.call(...of('Answered', first));
      expect(answered.body).toContain('<Status>OK</Status>');
      await all.fault(surface === 'v2' ? v2 : method, { do: 'reset-after' });
      const lost = await all.call(...of('Lost', second));
      const number = (own: string, answer: Answered): string => (own === '' ? numberIn(answer) : own);
      if (isReadByV3 && surface === 'v2')
        expect(lost.body).toMatch(/^[^>]*>\s*<Response[^>]*><Status>OK<.*<Name>Lost /);
      else expect(alike(lost, number(second, lost))).toEqual(alike(answered, number(first, answered)));
      expect(lost.headers.get('content-type')).toBe(answered.headers.get('content-type'));
      expect(number(second, lost)).not.toBe(number(first, answered));
      expect(all.bridge.lines.filter((line) => line.includes('write.unknown')).length).toBeGreaterThan(0);
    },
  );
});
