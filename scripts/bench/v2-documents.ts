import { escapeText } from '../../src/lib/xml/text.ts';
import {
  clientNumber,
  clientUuid,
  contactNumber,
  contactUuid,
  PAGE_SIZE,
  STAFF,
  staffUuid,
} from './documents.ts';

/** Clients in V2's form, and their legacy XML written by hand: the bytes that the bridge must produce. */

const TYPE = { uuid: 'c7000000-0000-4000-8000-000000000001', name: 'Trade' };
export const STAFF_ROW = { uuid: staffUuid, firstName: 'Ada', lastName: 'Example' };
export const CLIENT_TYPE_ROW = { ...TYPE, paymentTerm: 'DayOfMonth', paymentDay: 20, markup: 12.5 };

export type V2Client = ReturnType<typeof listed>;
export type V2Card = ReturnType<typeof single>;

const note = (title: string) => ({
  uuid: '0e000000-0000-4000-8000-000000000001',
  title,
  description: 'Agreed on the telephone, to be confirmed in writing by the end of the month.',
  date: '2026-03-14',
  phase: null,
  createdAt: '2026-03-14T09:26:53Z',
  updatedAt: '2026-03-14T09:26:53Z',
  createdByFirstName: 'Ada',
  createdByLastName: 'Example',
});

const contact = (index: number) => ({
  uuid: contactUuid(index),
  salutation: 'Zoë',
  firstName: 'Zoë',
  lastName: 'Müller',
  position: 'Owner',
  primary: true,
  includeInEmails: false,
});

const base = (index: number) => ({
  uuid: clientUuid(index),
  name: `Harbour & Sons ${index}`,
  archived: false,
  prospect: false,
  favorite: false,
  exportCode: `H${index}`,
  referralSource: 'Radio',
  addresses: [
    {
      type: 'billing',
      default: true,
      address: `${index} Quay Street`,
      city: 'Dunedin',
      state: 'Otago',
      postalCode: '9016',
      country: 'New Zealand',
    },
    {
      type: 'postal',
      default: false,
      address: 'PO Box 11',
      city: 'Dunedin',
      state: 'Otago',
      postalCode: '9054',
      country: 'New Zealand',
    },
  ],
  contactDetails: {
    email: `office${index}@example.org`,
    phone: '+64 3 555 0100',
    fax: null,
    website: `https://harbour${index}.example.org`,
  },
  billingDetails: { clientTypeUUID: TYPE.uuid, businessStructureUUID: null, taxNumbers: [] },
  clientGroups: [],
  clientRelationships: [],
  notes: [note('First talk'), note('Fees')],
  createdAt: madeAt(index),
  updatedAt: '2026-03-14T09:26:53Z',
});

/** One a minute, in the order of the list, so that the bridge need not sort records of one second. */
const madeAt = (index: number): string =>
  `${new Date(Date.UTC(2019, 0, 1) + index * 60_000).toISOString().slice(0, 19)}Z`;

/** A row of a list: staff by identifier, contacts without numbers and addresses. */
export const listed = (index: number) => ({
  ...base(index),
  clientManagerUUID: staffUuid,
  jobManagerUUID: null,
  contacts: [contact(index)],
});

/** A single record, with all details of its contact. */
export const single = (index: number) => ({
  ...base(index),
  clientManager: STAFF_ROW,
  jobManager: null,
  contacts: [
    {
      ...contact(index),
      mobile: '021 555 010',
      email: `zoe${index}@example.org`,
      phone: '',
      addressee: 'Ms Z Müller',
    },
  ],
});

const ENVELOPE = 'b1000000-0000-4000-8000-000000000001';

export const v2Record = (data: object): string => JSON.stringify({ data, meta: { request_id: ENVELOPE } });

export function v2Page(data: readonly object[], page: number, pages: number): string {
  const pagination = { page, per_page: PAGE_SIZE, total_pages: pages };
  return JSON.stringify({ data, meta: { request_id: ENVELOPE, pagination } });
}

export const v2Rows = (from: number, to: number): readonly V2Client[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, at) => listed(from + at));

const field = (name: string, value: string | null): string =>
  value === null ? `<${name}></${name}>` : `<${name}>${escapeText(value)}</${name}>`;
const yesNo = (value: boolean): string => (value ? 'Yes' : 'No');

/** Omits the details of a contact that V2's lists leave out. */
const told = (name: string, value: string | undefined): string =>
  value === undefined ? '' : field(name, value);

/** The numbers of V1. */
export type Numbers = (kind: 'client' | 'contact' | 'staff', uuid: string) => string;

/** The numbers of `count` clients, held in the simplest way. */
export function numbersOf(count: number): Numbers {
  const known = new Map<string, string>([[staffUuid, String(STAFF)]]);
  for (let index = 0; index < count; index += 1) {
    known.set(clientUuid(index), String(clientNumber(index)));
    known.set(contactUuid(index), String(contactNumber(index)));
  }
  return (_kind, uuid) => known.get(uuid) ?? '';
}

interface AnyContact extends ReturnType<typeof contact> {
  readonly mobile?: string;
  readonly email?: string;
  readonly phone?: string;
  readonly addressee?: string;
}

/** One client built from strings, as in a program that writes only this record. */
export function byHand(client: V2Client | V2Card, numbers: Numbers, detailed: boolean): string {
  const { addresses, contactDetails } = client;
  const place = addresses.find(({ type }) => type !== 'postal');
  const post = addresses.find(({ type }) => type === 'postal');
  const manager = 'clientManager' in client ? client.clientManager : STAFF_ROW;
  let contacts = '';
  for (const one of client.contacts as readonly AnyContact[])
    contacts +=
      `<Contact><ID>${numbers('contact', one.uuid)}</ID>${field('Name', `${one.firstName} ${one.lastName}`)}` +
      `${told('Mobile', one.mobile)}${told('Email', one.email)}${told('Phone', one.phone)}` +
      `${field('Position', one.position)}${field('Salutation', one.salutation)}${told('Addressee', one.addressee)}` +
      `<IsPrimary>${yesNo(one.primary)}</IsPrimary></Contact>`;
  let notes = '';
  if (detailed)
    for (const one of client.notes)
      notes +=
        `<Note>${field('Title', one.title)}${field('Text', one.description)}${field('Folder', one.phase)}` +
        `<Date>${one.date}T00:00:00</Date>${field('CreatedBy', `${one.createdByFirstName} ${one.createdByLastName}`)}</Note>`;
  return (
    `<Client><ID>${numbers('client', client.uuid)}</ID>${field('Name', client.name)}${field('Email', contactDetails.email)}` +
    `${field('Address', place?.address ?? '')}${field('City', place?.city ?? '')}${field('Region', place?.state ?? '')}` +
    `${field('PostCode', place?.postalCode ?? '')}${field('Country', place?.country ?? '')}` +
    `${field('PostalAddress', post?.address ?? '')}${field('PostalCity', post?.city ?? '')}${field('PostalRegion', post?.state ?? '')}` +
    `${field('PostalPostCode', post?.postalCode ?? '')}${field('PostalCountry', post?.country ?? '')}` +
    `${field('Phone', contactDetails.phone)}${field('Fax', contactDetails.fax)}${field('Website', contactDetails.website)}` +
    `${field('ReferralSource', client.referralSource)}${field('ExportCode', client.exportCode)}` +
    `<IsProspect>${yesNo(client.prospect)}</IsProspect><IsArchived>${yesNo(client.archived)}</IsArchived><IsDeleted>No</IsDeleted>` +
    `<AccountManager><ID>${numbers('staff', manager.uuid)}</ID>${field('Name', `${manager.firstName} ${manager.lastName}`)}</AccountManager>` +
    `<Type>${field('Name', CLIENT_TYPE_ROW.name)}<CostMarkup>${CLIENT_TYPE_ROW.markup.toFixed(2)}</CostMarkup>` +
    `${field('PaymentTerm', CLIENT_TYPE_ROW.paymentTerm)}<PaymentDay>${CLIENT_TYPE_ROW.paymentDay}</PaymentDay></Type>` +
    (contacts === '' ? '<Contacts />' : `<Contacts>${contacts}</Contacts>`) +
    `${notes === '' ? '' : `<Notes>${notes}</Notes>`}</Client>`
  );
}
