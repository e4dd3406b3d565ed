import type { SeedClient } from '../schema.ts';
import { day, DAY, moment, YOUNGEST } from './days.ts';
import { clientTypes, groupNames, priorities, staffNames } from './foundation.ts';
import { address, person } from './people.ts';
import type { SeededRandom } from './seeded-random.ts';
import { awkwardAddresses, awkwardNames, awkwardTexts, familyNames, forms, trades } from './words.ts';

/** Has some clients billed to, and owned by, the previous one. */
export function relate(random: SeededRandom, clients: SeedClient[]): void {
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

/** Generates the client at this position with everything that belongs to it. */
export function generateClient(random: SeededRandom, index: number): SeedClient {
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

/** The document that clients and jobs have. */
export const message: NonNullable<SeedClient['documents']>[number] = {
  title: 'Letter of engagement',
  text: 'Signed & returned',
  folder: 'Letters',
  date: '2025-11-03',
  createdBy: staffNames[0],
  fileName: 'Engagement – “final”.txt',
  content: Buffer.from('Dear client,\n\nwe are pleased to act for you.\n').toString('base64'),
};

/** Names are unique, because records refer to clients by name. */
function nameOf(random: SeededRandom, index: number): string {
  const awkward = awkwardNames[index];
  if (awkward !== undefined) return awkward;
  if (random.is(0.01)) return `${random.pick(awkwardNames)} ${index}`;
  return `${random.pick(familyNames)} ${random.pick(trades)} ${random.pick(forms)} ${index}`;
}

/** None, one or three contacts: programs stumble over a list of one. */
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
