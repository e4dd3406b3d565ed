import { SeededRandom } from './seeded-random.ts';
import { generateMoney, type Money } from './generate-money.ts';
import type { SeedClient, SeedJob, SeedLead, SeedOrganisation, SeedTime } from '../schema.ts';
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
  const random = new SeededRandom(seed);
  const foundation = generateFoundation(random);
  yield foundation;
  for (let first = 0; first < size; first += CLIENTS_PER_BATCH) {
    const count = Math.min(CLIENTS_PER_BATCH, size - first);
    yield generateBatch(random, first, count);
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

function generateFoundation(random: SeededRandom): SeedOrganisation {
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
      phone: random.pick(awkwardTexts),
      mobile: `+64 21 555 ${random.digits(4)}`,
      address: random.pick(awkwardAddresses),
      payrollCode: `00${at}`,
    })),
    suppliers: supplierNames.map((name, at) => ({
      name,
      ...address(random),
      phone: random.pick(awkwardTexts),
      contacts: [
        {
          name: person(random),
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

function generateBatch(random: SeededRandom, first: number, count: number): SeedOrganisation {
  const clients: SeedClient[] = Array.from({ length: count }, (_, at) => generateClient(random, first + at));
  relate(random, clients);
  const jobs: SeedJob[] = [];
  const times: SeedTime[] = [];
  const leads: SeedLead[] = [];
  const money: Money[] = [];
  clients.forEach(({ name }, at) => {
    const index = first + at;
    if (index % 2 === 0) {
      const job = generateJob(random, name, index);
      jobs.push(job);
      times.push(generateTime(random, job));
      money.push(generateMoney(random, index, job, supplierNames[0], HOURLY_RATE));
    }
    if (index % 10 === 0) leads.push(generateLead(random, name));
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
function relate(random: SeededRandom, clients: SeedClient[]): void {
  for (let at = 7; at < clients.length; at += 20) {
    const [before, client] = [clients[at - 1], clients[at]];
    if (!before || !client) continue;
    clients[at] = {
      ...client,
      billingClient: before.name,
      relationships: [
        { type: 'Shareholder', relatedClient: before.name, numberOfShares: random.integer(1, 1_000) },
        { type: 'Partner', relatedClient: before.name, percentage: '33.3', startDate: '2020-04-01' },
      ],
    };
  }
}

function generateClient(random: SeededRandom, index: number): SeedClient {
  const createdAt = YOUNGEST - random.integer(30, 3_650) * DAY - random.integer(0, DAY / 1000) * 1000;
  const modifiedAt = createdAt + random.integer(0, 29) * DAY;
  return {
    name: nameOf(random, index),
    ...(random.is(0.8) && { email: `client${index}@mail.example` }),
    ...address(random),
    ...(random.is(0.2) && { postalAddress: random.pick(awkwardAddresses), postalCity: 'Hokitika' }),
    phone: random.is(0.1) ? random.pick(awkwardTexts) : `(0${random.integer(3, 9)}) 555 ${random.digits(4)}`,
    ...(random.is(0.3) && { website: `https://www.client${index}.example/?a=1&b=2` }),
    ...(random.is(0.3) && { referralSource: 'Word of mouth' }),
    exportCode: random.is(0.5) ? String(index).padStart(6, '0') : '',
    isProspect: random.is(0.1),
    isArchived: random.is(0.05),
    isDeleted: index > 20 && random.is(0.02),
    accountManager: random.pick(staffNames),
    ...(random.is(0.5) && { type: random.pick(clientTypes) }),
    ...(index % 4 === 1 && { groups: [random.pick(groupNames)] }),
    ...practice(random, index),
    contacts: contacts(random, index),
    ...(index % 5 === 2 && { notes: [note(random, createdAt)] }),
    ...(index < 3 && { documents: [message] }),
    ...(index % 3 === 0 && { customFields: clientValues(random, index) }),
    createdAt: moment(createdAt),
    modifiedAt: moment(modifiedAt),
  };
}

const message: NonNullable<SeedClient['documents']>[number] = {
  title: 'Letter of engagement',
  text: 'Signed & returned',
  folder: 'Letters',
  date: '2025-11-03',
  createdBy: staffNames[0],
  fileName: 'Engagement – “final”.txt',
  content: Buffer.from('Dear client,\n\nwe are pleased to act for you.\n').toString('base64'),
};

/** No two alike: records refer to clients by name. */
function nameOf(random: SeededRandom, index: number): string {
  const awkward = awkwardNames[index];
  if (awkward !== undefined) return awkward;
  if (random.is(0.01)) return `${random.pick(awkwardNames)} ${index}`;
  return `${random.pick(familyNames)} ${random.pick(trades)} ${random.pick(forms)} ${index}`;
}

function address(random: SeededRandom) {
  const [city, region, postCode, country] = random.pick<(typeof towns)[number]>(towns);
  const line = random.is(0.1)
    ? random.pick(awkwardAddresses)
    : `${random.integer(1, 400)} ${random.pick(streets)}`;
  return { address: line, city, region, postCode, country };
}

const person = (random: SeededRandom): string => `${random.pick(givenNames)} ${random.pick(familyNames)}`;

/** None, one or three: a list of one is where programs stumble. */
function contacts(random: SeededRandom, index: number): NonNullable<SeedClient['contacts']> {
  const count = index % 10 === 9 ? 0 : index % 10 === 3 ? 3 : 1;
  return Array.from({ length: count }, (_, at) => {
    const name = person(random);
    return {
      name,
      ...(random.is(0.7) && { email: `contact${index}.${at}@mail.example` }),
      mobile: random.is(0.5) ? `+64 27 555 ${random.digits(4)}` : '',
      position: random.pick(['Owner', 'Director & treasurer', 'Geschäftsführerin', '']),
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

const note = (random: SeededRandom, at: number): NonNullable<SeedClient['notes']>[number] => ({
  title: 'First meeting',
  text: `Met at the site.\nAgreed on ${random.integer(2, 9)} <visits> & a report.`,
  date: moment(at),
  createdBy: random.pick(staffNames),
});

const clientValues = (random: SeededRandom, index: number): NonNullable<SeedClient['customFields']> => [
  { name: 'Reference', value: random.pick(awkwardTexts) },
  { name: 'Head count', value: random.integer(0, 5_000) },
  { name: 'Credit limit', value: `${random.integer(0, 90_000)}.1` },
  { name: 'Renewal', value: day(YOUNGEST - random.integer(0, 400) * DAY) },
  { name: 'Priority', value: random.pick(priorities) },
  { name: 'Web shop', value: String(index).padStart(5, '0') },
  { name: 'Newsletter', value: random.is(0.5) },
  { name: 'Remarks', value: 'First line\nSecond & "last" line' },
];

/** Shown only where the practice management module is on. */
function practice(random: SeededRandom, index: number): Partial<SeedClient> {
  if (index % 2 === 1) return {};
  return {
    jobManager: random.pick(staffNames),
    taxNumber: `0${random.digits(8)}`,
    businessNumber: `94${random.digits(11)}`,
    businessStructure: random.pick(['Company', 'Partnership', 'Trust']),
    balanceMonth: random.pick(['Mar', 'Jun']),
    prepareGst: random.is(0.5),
    gstRegistered: random.is(0.7),
    gstPeriod: random.pick(['Monthly', '2 Monthly', '6 Monthly']),
    gstBasis: random.pick(['Invoice', 'Payment', 'Hybrid']),
    taxAgent: 'Tax Agent',
    returnType: 'IR4',
  };
}

function generateJob(random: SeededRandom, client: string, index: number): SeedJob {
  const number = `J${FIRST_JOB + index / 2}`;
  const staff = random.pick(staffNames);
  const start = YOUNGEST - random.integer(0, 700) * DAY;
  return {
    number,
    name: `${random.pick(trades)} for ${client}`.slice(0, 120).toWellFormed(),
    client,
    description: 'As quoted:\n- design\n- <build> & test',
    clientOrderNumber: random.pick(awkwardTexts),
    // The first of them is current: a list of current jobs has something to show.
    state: index === 0 ? 'In Progress' : random.pick(['Planned', 'In Progress', 'Completed']),
    createdAt: moment(start - 3 * DAY),
    category: 'Residential',
    budget: `${random.integer(1, 50)}00.5`,
    startDate: day(start),
    dueDate: day(start + 30 * DAY),
    manager: random.pick(staffNames),
    assigned: [staff],
    ...(index % 8 === 0 && {
      milestones: [
        { description: 'Drawings <approved>', date: day(start + 10 * DAY), completed: random.is(0.5) },
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
    ...(index === 0 && { documents: [message] }),
    tasks: [
      {
        name: taskNames[0],
        task: taskNames[0],
        estimatedMinutes: random.integer(1, 40) * 15,
        startDate: day(start),
        dueDate: day(start + 14 * DAY),
        assigned: [{ staff }],
        customFields: [
          { name: 'Head count', value: 2 },
          { name: 'Newsletter', value: false },
        ],
      },
      { name: taskNames[2], task: taskNames[2], estimatedMinutes: 60, completed: random.is(0.5) },
    ],
    costs: [
      {
        description: 'Timber',
        code: 'T&1',
        date: day(start),
        quantity: random.integer(1, 9),
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

const generateTime = (random: SeededRandom, job: SeedJob): SeedTime => ({
  job: job.number ?? '',
  task: taskNames[0],
  staff: random.pick(staffNames),
  date: job.startDate ?? day(YOUNGEST),
  minutes: random.integer(1, 32) * 15,
  note: 'Drawings & calls',
  customFields: [{ name: 'Head count', value: 1 }],
});

const generateLead = (random: SeededRandom, client: string): SeedLead => ({
  name: `Extension for ${client}`.slice(0, 120).toWellFormed(),
  client,
  owner: random.pick(staffNames),
  estimatedValue: random.integer(1, 90) * 1_000,
  date: day(YOUNGEST - random.integer(0, 300) * DAY),
  category: 'Referral',
  activities: [{ subject: 'Call back', date: '2026-01-15', responsible: staffNames[0] }],
  history: [{ date: '2025-12-01T09:00:00Z', type: 'Created', staff: staffNames[0], detail: 'By telephone' }],
  customFields: [{ name: 'Priority', value: random.pick(priorities) }],
});

const day = (at: number): string => new Date(at).toISOString().slice(0, 10);
const moment = (at: number): string => new Date(at).toISOString();
