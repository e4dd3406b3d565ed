import { get, ok, post, put, refused, statusOnly, studio, type LossRow, type Table } from '../case.ts';
import { moneySeed } from '../moneySeed.ts';

const [shopFront, ...otherJobs] = moneySeed.jobs;

const seed = {
  ...moneySeed,
  leads: moneySeed.leads.map((lead) => ({ ...lead, date: '2026-11-01' })),
  jobs: [
    { ...shopFront, contact: 193, manager: 7, assigned: [8], tasks: [{ number: 401, name: 'Lettering' }] },
    ...otherJobs,
  ],
};

const CLIENT = '<Client><ID>1000000</ID><Name>Example &amp; Sons</Name></Client>';
const CONTACT = '<Contact><ID>193</ID><Name>Ben Example</Name></Contact>';

const losses: readonly LossRow[] = [
  ...['Client', 'Owner'].flatMap((element) =>
    ['lead.get', 'lead.list'].map((method): LossRow => ({
      method,
      loss: 'A client, contact or owner that V2 no longer lists has an ID but no name, or the one from before the move if CAUSEWAY_SNAPSHOT=all.',
      how: { mask: `Lead/${element}/Name` },
    })),
  ),
  {
    method: 'invoice.job',
    loss: 'Records created in the same second come in the order of their numbers; V1 lists them in the order in which they were made.',
    how: { reordered: 'Invoice' },
  },
];

/** Who was deleted stays in what names them, on every route. */
export const gone: Table = {
  title: 'what was deleted',
  seed: [seed],
  cases: [
    studio(
      'a client, a member of staff and a supplier are deleted',
      post('client.api/delete', '<Client><ID>1000000</ID></Client>', statusOnly),
      post('staff.api/delete', '<Staff><ID>8</ID></Staff>', statusOnly),
      post('supplier.api/delete', '<Supplier><ID>301</ID></Supplier>', ok('<Supplier><ID>301</ID>')),
    ),
    // First: from the others the bridge learns the names.
    studio(
      'a lead names its client and its owner, and has its containers without entries',
      get('lead.api/list?from=20200101&to=20271231', ok('<ID>1000000</ID>', '<Owner><ID>8</ID>')),
      get('lead.api/get/441', ok('<ID>1000000</ID>', '<Owner><ID>8</ID>', '<Activities /><History />')),
    ),
    studio(
      'a job names its client, its contact and who works on it',
      get(
        'job.api/current',
        ok(
          `<Job><ID>J000101</ID><Name>Shop front</Name><Description></Description>${CLIENT}`,
          CONTACT,
          '<Assigned><Staff><ID>8</ID><Name>Bo Example</Name></Staff></Assigned>',
        ),
      ),
      get('job.api/list?from=20200101&to=20271231&detailed=true', ok(CLIENT, CONTACT)),
      get('job.api/get/J000101', ok(CLIENT, CONTACT)),
      get('job.api/client/1000000', refused('Invalid client identifier')),
      get('job.api/staff/8', refused('Invalid staff identifier')),
      put('job.api/assign', '<Job><ID>J000101</ID><add id="8"/></Job>', refused('Invalid staff identifier')),
      get('time.api/staff/8?from=20200101&to=20271231', refused('Invalid staff identifier')),
    ),
    studio(
      'an invoice and a quote name their client',
      get('invoice.api/list?from=20261031&to=20261031', ok(CLIENT, CONTACT)),
      get('invoice.api/job/J000101', ok(CLIENT)),
      get('quote.api/list?from=20261031&to=20261031', ok(CLIENT, CONTACT)),
    ),
    studio(
      'a purchase order names its supplier',
      get(
        'purchaseorder.api/list?from=20261031&to=20261031',
        ok('<Supplier><ID>301</ID><Name>Paper &amp; Co</Name></Supplier>'),
      ),
    ),
  ],
  losses,
};
