import { Chance } from './chance.ts';
import { generateMoney, type Money } from './generateMoney.ts';
import type { SeedClient, SeedJob, SeedLead, SeedOrganisation, SeedTime } from './schema.ts';
import {
  awkwardAddresses,
  awkwardNames,
  awkwardTexts,
  familyNames,
  forms,
  givenNames,
  streets,
  towns,
  trades,
} from './words.ts';

const CLIENTS_PER_BATCH = 1_000;
const FIRST_JOB = 100_001;
const DAY = 24 * 60 * 60 * 1000;
/** Records are from the ten years before; fixed, so that the same seed gives the same records on any day. */
const YOUNGEST = Date.UTC(2025, 11, 31);

/**
 * Plausible records with `size` clients, the same for the same seed: first what the others refer to, then the clients
 * in batches with their jobs, times and leads. Records with values of all nine custom field kinds are among them, and
 * every value that programs get wrong comes early.
 */
export function* generateRecords(size: number, seed = 1): Generator<SeedOrganisation> {
  const chance = new Chance(seed);
  const foundation = generateFoundation(chance);
  yield foundation;
  for (let first = 0; first < size; first += CLIENTS_PER_BATCH) {
    const count = Math.min(CLIENTS_PER_BATCH, size - first);
    yield generateBatch(chance, first, count);
  }
}

const staffNames = ['Ada Example', 'Bjørn Åkesson', 'Chidi Okonkwo', "Dervla O'Neill", '林 美玲'] as const;
const groupNames = ['Retainer', 'Key <accounts> & partners', 'Dormant'] as const;
const taskNames = ['Design', 'Site visit', 'Review & sign-off', 'Administration'] as const;
const supplierNames = ['Harbour Timber', 'Æther Print & Copy', '0800-TOOLS'] as const;
const HOURLY_RATE = 120;

const smallJob: NonNullable<SeedOrganisation['templates']>[number] = {
  name: 'Small job',
  tasks: [
    { name: taskNames[1], task: taskNames[1], estimatedMinutes: 90, folder: 'Preparation' },
    { name: taskNames[2], task: taskNames[2], estimatedMinutes: 30, billable: false },
  ],
  milestones: [{ description: 'Handed over & signed', daysAfterStart: 14 }],
  costs: [
    {
      description: 'Timber',
      code: 'T&1',
      quantity: 3,
      unitCost: '12.50',
      unitPrice: 20,
      supplier: supplierNames[0],
    },
  ],
  toDos: ['Call the client', 'Order <materials>'],
};

const clientTypes = ['Standard', 'Wholesale'] as const;
const priorities = ['Low', 'High', '1.10', 'Très élevée'] as const;

function generateFoundation(chance: Chance): SeedOrganisation {
  return {
    clientTypes: [
      { name: clientTypes[0], costMarkup: 15, paymentTerm: 'WithinDays', paymentDay: 20 },
      { name: clientTypes[1], costMarkup: '7.5', paymentTerm: 'DayOfMonth', paymentDay: 20 },
    ],
    categories: [{ name: 'Residential' }, { name: 'Commercial & industrial' }],
    leadCategories: [{ name: 'Referral' }, { name: 'Web <site> & shop' }],
    templates: [smallJob, { name: 'Empty & new' }],
    groups: groupNames.map((name, at) => ({ name, taxable: at === 0 })),
    customFieldDefinitions: [
      {
        name: 'Reference',
        type: 'Text',
        use: ['Client', 'Contact', 'Supplier', 'Job', 'Lead', 'JobTask', 'JobCost', 'JobTime'],
      },
      { name: 'Remarks', type: 'Multi-line Text', use: ['Client', 'Job'] },
      { name: 'Head count', type: 'Number', use: ['Client', 'JobTask', 'JobTime'] },
      { name: 'Credit limit', type: 'Decimal', use: ['Client', 'Supplier', 'JobCost', 'Lead'] },
      { name: 'Renewal', type: 'Date', use: ['Client', 'Contact', 'Job'] },
      { name: 'Priority', type: 'Dropdown List', options: [...priorities], use: ['Client', 'Job', 'Lead'] },
      {
        name: 'Web shop',
        type: 'Value Link',
        linkUrl: 'https://shop.example/?customer=[value]&x=1',
        use: ['Client'],
      },
      { name: 'Newsletter', type: 'Checkbox', use: ['Client', 'Contact', 'JobTask'] },
    ],
    staff: staffNames.map((name, at) => ({
      name,
      email: `staff${at}@studio.example`,
      phone: chance.pick(awkwardTexts),
      mobile: `+64 21 555 ${chance.digits(4)}`,
      address: chance.pick(awkwardAddresses),
      payrollCode: `00${at}`,
    })),
    suppliers: supplierNames.map((name, at) => ({
      name,
      ...address(chance),
      phone: chance.pick(awkwardTexts),
      contacts: [
        {
          name: person(chance),
          email: `sales${at}@supplier.example`,
          position: 'Sales & service',
          customFields: [{ name: 'Reference', value: `00${at}` }],
        },
      ],
      customFields: [{ name: 'Credit limit', value: '1.10' }],
    })),
    tasks: taskNames.map((name) => ({ name, description: `${name}, as agreed`, billableRate: HOURLY_RATE })),
    costs: [
      { description: 'Paper <A4>', code: '007', unitCost: '1.10', unitPrice: 2, supplier: supplierNames[1] },
      { description: 'Timber', code: 'T&1', unitCost: 12.5, unitPrice: '20.00', supplier: supplierNames[0] },
    ],
  };
}

function generateBatch(chance: Chance, first: number, count: number): SeedOrganisation {
  const clients: SeedClient[] = Array.from({ length: count }, (_, at) => generateClient(chance, first + at));
  relate(chance, clients);
  const jobs: SeedJob[] = [];
  const times: SeedTime[] = [];
  const leads: SeedLead[] = [];
  const money: Money[] = [];
  clients.forEach(({ name }, at) => {
    const index = first + at;
    if (index % 2 === 0) {
      const job = generateJob(chance, name, index);
      jobs.push(job);
      times.push(generateTime(chance, job));
      money.push(generateMoney(chance, index, job, supplierNames[0], HOURLY_RATE));
    }
    if (index % 10 === 0) leads.push(generateLead(chance, name));
  });
  return {
    clients,
    jobs,
    times,
    leads,
    invoices: money.flatMap((of) => of.invoices),
    quotes: money.flatMap((of) => of.quotes),
    purchaseOrders: money.flatMap((of) => of.purchaseOrders),
  };
}

/** Some clients are billed to, and held by, the one before them. */
function relate(chance: Chance, clients: SeedClient[]): void {
  for (let at = 7; at < clients.length; at += 20) {
    const [before, client] = [clients[at - 1], clients[at]];
    if (!before || !client) continue;
    clients[at] = {
      ...client,
      billingClient: before.name,
      relationships: [
        { type: 'Shareholder', relatedClient: before.name, numberOfShares: chance.integer(1, 1_000) },
        { type: 'Partner', relatedClient: before.name, percentage: '33.3', startDate: '2020-04-01' },
      ],
    };
  }
}

function generateClient(chance: Chance, index: number): SeedClient {
  const createdAt = YOUNGEST - chance.integer(30, 3_650) * DAY - chance.integer(0, DAY / 1000) * 1000;
  const modifiedAt = createdAt + chance.integer(0, 29) * DAY;
  return {
    name: nameOf(chance, index),
    ...(chance.is(0.8) && { email: `client${index}@mail.example` }),
    ...address(chance),
    ...(chance.is(0.2) && { postalAddress: chance.pick(awkwardAddresses), postalCity: 'Hokitika' }),
    phone: chance.is(0.1) ? chance.pick(awkwardTexts) : `(0${chance.integer(3, 9)}) 555 ${chance.digits(4)}`,
    ...(chance.is(0.3) && { website: `https://www.client${index}.example/?a=1&b=2` }),
    ...(chance.is(0.3) && { referralSource: 'Word of mouth' }),
    exportCode: chance.is(0.5) ? String(index).padStart(6, '0') : '',
    isProspect: chance.is(0.1),
    isArchived: chance.is(0.05),
    isDeleted: index > 20 && chance.is(0.02),
    accountManager: chance.pick(staffNames),
    ...(chance.is(0.5) && { type: chance.pick(clientTypes) }),
    ...(index % 4 === 1 && { groups: [chance.pick(groupNames)] }),
    ...practice(chance, index),
    contacts: contacts(chance, index),
    ...(index % 5 === 2 && { notes: [note(chance, createdAt)] }),
    ...(index < 3 && { documents: [letter] }),
    ...(index % 3 === 0 && { customFields: clientValues(chance, index) }),
    createdAt: moment(createdAt),
    modifiedAt: moment(modifiedAt),
  };
}

const letter: NonNullable<SeedClient['documents']>[number] = {
  title: 'Letter of engagement',
  text: 'Signed & returned',
  folder: 'Letters',
  date: '2025-11-03',
  createdBy: staffNames[0],
  fileName: 'Engagement – “final”.txt',
  content: Buffer.from('Dear client,\n\nwe are pleased to act for you.\n').toString('base64'),
};

/** No two alike: records refer to clients by name. */
function nameOf(chance: Chance, index: number): string {
  const awkward = awkwardNames[index];
  if (awkward !== undefined) return awkward;
  if (chance.is(0.01)) return `${chance.pick(awkwardNames)} ${index}`;
  return `${chance.pick(familyNames)} ${chance.pick(trades)} ${chance.pick(forms)} ${index}`;
}

function address(chance: Chance) {
  const [city, region, postCode, country] = chance.pick<(typeof towns)[number]>(towns);
  const line = chance.is(0.1)
    ? chance.pick(awkwardAddresses)
    : `${chance.integer(1, 400)} ${chance.pick(streets)}`;
  return { address: line, city, region, postCode, country };
}

const person = (chance: Chance): string => `${chance.pick(givenNames)} ${chance.pick(familyNames)}`;

/** None, one or three: a list of one is where programs stumble. */
function contacts(chance: Chance, index: number): NonNullable<SeedClient['contacts']> {
  const count = index % 10 === 9 ? 0 : index % 10 === 3 ? 3 : 1;
  return Array.from({ length: count }, (_, at) => {
    const name = person(chance);
    return {
      name,
      ...(chance.is(0.7) && { email: `contact${index}.${at}@mail.example` }),
      mobile: chance.is(0.5) ? `+64 27 555 ${chance.digits(4)}` : '',
      position: chance.pick(['Owner', 'Director & treasurer', 'Geschäftsführerin', '']),
      salutation: name.split(' ')[0] ?? '',
      isPrimary: at === 0,
      ...(index % 20 === 0 && {
        customFields: [
          { name: 'Reference', value: '00123' },
          { name: 'Newsletter', value: at === 0 },
        ],
      }),
    };
  });
}

const note = (chance: Chance, at: number): NonNullable<SeedClient['notes']>[number] => ({
  title: 'First meeting',
  text: `Met at the site.\nAgreed on ${chance.integer(2, 9)} <visits> & a report.`,
  date: moment(at),
  createdBy: chance.pick(staffNames),
});

const clientValues = (chance: Chance, index: number): NonNullable<SeedClient['customFields']> => [
  { name: 'Reference', value: chance.pick(awkwardTexts) },
  { name: 'Head count', value: chance.integer(0, 5_000) },
  { name: 'Credit limit', value: `${chance.integer(0, 90_000)}.1` },
  { name: 'Renewal', value: day(YOUNGEST - chance.integer(0, 400) * DAY) },
  { name: 'Priority', value: chance.pick(priorities) },
  { name: 'Web shop', value: String(index).padStart(5, '0') },
  { name: 'Newsletter', value: chance.is(0.5) },
  { name: 'Remarks', value: 'First line\nSecond & "last" line' },
];

/** Shown only where the practice management module is on. */
function practice(chance: Chance, index: number): Partial<SeedClient> {
  if (index % 2 === 1) return {};
  return {
    jobManager: chance.pick(staffNames),
    taxNumber: `0${chance.digits(8)}`,
    businessNumber: `94${chance.digits(11)}`,
    businessStructure: chance.pick(['Company', 'Partnership', 'Trust']),
    balanceMonth: chance.pick(['Mar', 'Jun']),
    prepareGst: chance.is(0.5),
    gstRegistered: chance.is(0.7),
    gstPeriod: chance.pick(['Monthly', '2 Monthly', '6 Monthly']),
    gstBasis: chance.pick(['Invoice', 'Payment', 'Hybrid']),
    taxAgent: 'Tax Agent',
    returnType: 'IR4',
  };
}

function generateJob(chance: Chance, client: string, index: number): SeedJob {
  const number = `J${FIRST_JOB + index / 2}`;
  const staff = chance.pick(staffNames);
  const start = YOUNGEST - chance.integer(0, 700) * DAY;
  return {
    number,
    name: `${chance.pick(trades)} for ${client}`.slice(0, 120).toWellFormed(),
    client,
    description: 'As quoted:\n- design\n- <build> & test',
    clientOrderNumber: chance.pick(awkwardTexts),
    // The first of them is current: a list of current jobs has something to show.
    state: index === 0 ? 'In Progress' : chance.pick(['Planned', 'In Progress', 'Completed']),
    createdAt: moment(start - 3 * DAY),
    category: 'Residential',
    budget: `${chance.integer(1, 50)}00.5`,
    startDate: day(start),
    dueDate: day(start + 30 * DAY),
    manager: chance.pick(staffNames),
    assigned: [staff],
    ...(index % 8 === 0 && {
      milestones: [
        { description: 'Drawings <approved>', date: day(start + 10 * DAY), completed: chance.is(0.5) },
        { description: 'Handed over', date: day(start + 30 * DAY) },
      ],
      notes: [
        {
          title: 'Site & access',
          text: 'Key at the office.\nMind the <dog>.',
          date: moment(start),
          createdBy: staff,
          comments: [{ text: 'Key is back', date: moment(start + DAY), createdBy: staffNames[0] }],
        },
      ],
    }),
    ...(index === 0 && { documents: [letter] }),
    tasks: [
      {
        name: taskNames[0],
        task: taskNames[0],
        estimatedMinutes: chance.integer(1, 40) * 15,
        startDate: day(start),
        dueDate: day(start + 14 * DAY),
        assigned: [{ staff }],
        customFields: [
          { name: 'Head count', value: 2 },
          { name: 'Newsletter', value: false },
        ],
      },
      { name: taskNames[2], task: taskNames[2], estimatedMinutes: 60, completed: chance.is(0.5) },
    ],
    costs: [
      {
        description: 'Timber',
        code: 'T&1',
        date: day(start),
        quantity: chance.integer(1, 9),
        unitCost: '12.50',
        unitPrice: 20,
        supplier: supplierNames[0],
        customFields: [{ name: 'Credit limit', value: '-12.5' }],
      },
    ],
    customFields: [
      { name: 'Renewal', value: day(start) },
      { name: 'Reference', value: '1e5' },
    ],
  };
}

const generateTime = (chance: Chance, job: SeedJob): SeedTime => ({
  job: job.number ?? '',
  task: taskNames[0],
  staff: chance.pick(staffNames),
  date: job.startDate ?? day(YOUNGEST),
  minutes: chance.integer(1, 32) * 15,
  note: 'Drawings & calls',
  customFields: [{ name: 'Head count', value: 1 }],
});

const generateLead = (chance: Chance, client: string): SeedLead => ({
  name: `Extension for ${client}`.slice(0, 120).toWellFormed(),
  client,
  owner: chance.pick(staffNames),
  estimatedValue: chance.integer(1, 90) * 1_000,
  date: day(YOUNGEST - chance.integer(0, 300) * DAY),
  category: 'Referral',
  activities: [{ subject: 'Call back', date: '2026-01-15', responsible: staffNames[0] }],
  history: [{ date: '2025-12-01T09:00:00Z', type: 'Created', staff: staffNames[0], detail: 'By telephone' }],
  customFields: [{ name: 'Priority', value: chance.pick(priorities) }],
});

const day = (at: number): string => new Date(at).toISOString().slice(0, 10);
const moment = (at: number): string => new Date(at).toISOString();
