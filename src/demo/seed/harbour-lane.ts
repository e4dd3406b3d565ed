/**
 * The seed data of Harbour Lane Studio, the demo's main organisation.
 *
 * Three clients are written out by hand, with contacts, notes, a document, custom fields and names that need escaping
 * or lie outside ASCII. Beyond those, clients are made by number, the same ones for the same count, so that long lists
 * can be tried. All names and addresses are invented; hosts end in `.example` (RFC 2606).
 */
import type { DemoOrganisation } from './demo-organisation.ts';
import { users } from './users.ts';

const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

const harbourLaneClients = [
  {
    number: 1_000_000,
    name: 'Kōwhai & Daughters Bakery',
    email: 'orders@kowhai-bakery.example',
    address: '14 Harbour Lane',
    city: 'Nelson',
    postCode: '7010',
    country: 'New Zealand',
    postalAddress: 'PO Box 318',
    postalCity: 'Nelson',
    postalPostCode: '7040',
    postalCountry: 'New Zealand',
    phone: '+64 3 555 0118',
    website: 'https://kowhai-bakery.example',
    referralSource: 'Word of mouth',
    exportCode: 'KOWH01',
    accountManager: 'Ana Whitcombe',
    contacts: [
      {
        number: 1_000_010,
        name: 'Hinemoa Parata',
        email: 'hinemoa@kowhai-bakery.example',
        mobile: '+64 21 555 0119',
        position: 'Owner',
        salutation: 'Hinemoa',
        addressee: 'Ms H Parata',
        isPrimary: true,
      },
      { number: 1_000_011, name: 'Joe O’Neill', phone: '+64 3 555 0120', position: 'Accounts' },
    ],
    notes: [
      {
        title: 'New oven in March',
        text: 'Shop front closed for a week; the photographs of the old one are due before that.',
        folder: 'Projects',
        createdBy: 'Ana Whitcombe',
        date: '2026-10-02T09:15:00Z',
      },
    ],
    documents: [
      {
        number: 1_000_020,
        title: 'Fee agreement 2026',
        fileName: 'fee-agreement-2026.txt',
        folder: 'Agreements',
        createdBy: 'Ana Whitcombe',
        date: '2026-02-16',
        content: base64('Fee agreement 2026\n\nBrand refresh, shop front and menu: 48 hours at 145.00.\n'),
      },
    ],
    customFields: [
      { name: 'Brand guide', value: 'Kōwhai yellow, hand-lettered' },
      { name: 'Renewal date', value: '2027-02-28' },
      { name: 'Retainer hours', value: 12 },
    ],
  },
  {
    number: 1_000_001,
    name: 'Tasman Cycle Works Ltd',
    email: 'hello@tasmancycle.example',
    address: 'Unit 3, 77 Vanguard Street',
    city: 'Nelson',
    postCode: '7010',
    country: 'New Zealand',
    phone: '+64 3 555 0142',
    exportCode: 'TASM01',
    accountManager: 'Ben Adeyemi',
    contacts: [
      {
        number: 1_000_012,
        name: 'Saskia van den Berg',
        email: 'saskia@tasmancycle.example',
        position: 'Director',
        isPrimary: true,
      },
    ],
    notes: [
      {
        title: 'Prefers the phone',
        text: 'Call before 10; the workshop is loud after that.',
        createdBy: 'Ben Adeyemi',
        date: '2026-11-03T21:40:00Z',
      },
    ],
    customFields: [{ name: 'Signed terms', value: true }],
  },
  {
    number: 1_000_002,
    name: 'Müller “Licht” GmbH <Wellington>',
    email: 'buero@mueller-licht.example',
    address: '2nd floor, 9 Cuba Street',
    city: 'Wellington',
    postCode: '6011',
    country: 'New Zealand',
    referralSource: 'Trade fair',
    isProspect: true,
    contacts: [
      { number: 1_000_013, name: 'Jürgen Müller', email: 'j.mueller@mueller-licht.example', isPrimary: true },
    ],
    customFields: [{ name: 'Retainer hours', value: 0 }],
  },
] as const;

const trades = [
  'Joinery',
  'Orchards',
  'Physio',
  'Bookshop',
  'Plumbing',
  'Nursery',
  'Brewing',
  'Surveying',
] as const;
const places = [
  'Aorere',
  'Bluff',
  'Cardrona',
  'Dunstan',
  'Ettrick',
  'Foxton',
  'Golden Bay',
  'Hāwera',
] as const;

/** Clients beyond the named three, always the same ones for the same count. */
function furtherClients(count: number): readonly unknown[] {
  return Array.from({ length: Math.max(0, count) }, (_, index) => {
    const place = places[index % places.length] ?? '';
    const trade = trades[Math.floor(index / places.length) % trades.length] ?? '';
    const serial = String(index + 4).padStart(5, '0');
    return {
      number: 1_100_000 + index * 2,
      name: `${place} ${trade} ${serial}`,
      email: `office@client-${serial}.example`,
      city: place,
      country: 'New Zealand',
      exportCode: `X${serial}`,
      contacts: [{ number: 1_100_001 + index * 2, name: `Contact ${serial}`, isPrimary: true }],
    };
  });
}

/** `clients`: how many Harbour Lane Studio has in all. */
export const harbourLane = (clients: number): DemoOrganisation => ({
  name: 'Harbour Lane Studio',
  accountKey: 'A0000000000000000000000000000001',
  product: 'standard',
  contact: { contactName: 'Lena Hartmann', email: 'lena@harbourlane.example' },
  seed: {
    users,
    customFieldDefinitions: [
      { number: 501, name: 'Brand guide', type: 'Text', use: ['Client'] },
      { number: 502, name: 'Renewal date', type: 'Date', use: ['Client'] },
      { number: 503, name: 'Retainer hours', type: 'Number', use: ['Client', 'Job'] },
      { number: 504, name: 'Signed terms', type: 'Checkbox', use: ['Client', 'Contact'] },
    ],
    staff: [
      { number: 201, name: 'Ana Whitcombe', email: 'ana.whitcombe@harbourlane.example' },
      { number: 202, name: 'Ben Adeyemi', email: 'ben.adeyemi@harbourlane.example' },
    ],
    suppliers: [
      { number: 301, name: 'Signs & Lettering Co', contacts: [{ number: 311, name: 'Rewi Tane' }] },
    ],
    clients: [...harbourLaneClients, ...furtherClients(clients - harbourLaneClients.length)].slice(
      0,
      clients,
    ),
    jobs: [
      ...(clients > 0
        ? [
            {
              number: 'J000101',
              name: 'Shop front and menu',
              client: 1_000_000,
              budget: 6960,
              startDate: '2026-09-01',
              dueDate: '2026-12-18',
              manager: 'Ana Whitcombe',
              tasks: [{ number: 401, name: 'Lettering', estimatedMinutes: 600 }],
            },
          ]
        : []),
    ],
  },
});
