const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

const everyUse = ['Client', 'Contact', 'Supplier', 'Job', 'Lead', 'JobTask', 'JobCost', 'JobTime'];

/** UUIDs of custom fields are printed in both forms, so they are given; those of all else are the service's own. */
export const fieldUuid = (number: number): string =>
  `5f5f5f5f-0000-4000-8000-${String(number).padStart(12, '0')}`;

const definitions = [
  { number: 501, name: 'Remark', type: 'Text', use: everyUse },
  { number: 502, name: 'Lines & more', type: 'Multi-line Text', use: everyUse },
  { number: 503, name: 'Count', type: 'Number', use: everyUse },
  { number: 504, name: 'Rate', type: 'Decimal', use: everyUse },
  { number: 505, name: 'Due', type: 'Date', use: everyUse },
  { number: 506, name: 'Choice', type: 'Dropdown List', options: ['Red', 'Grün', 'a < b'], use: everyUse },
  {
    number: 507,
    name: 'Link',
    type: 'Value Link',
    linkUrl: 'https://example.org/?q={value}&x=1',
    use: everyUse,
  },
  { number: 508, name: 'Agreed', type: 'Checkbox', use: everyUse },
  { number: 509, name: 'Only clients', type: 'Text', use: ['Client'] },
].map((definition) => ({ ...definition, uuid: fieldUuid(definition.number) }));

const exampleClient = {
  number: 1_000_000,
  name: 'Example & Sons',
  email: 'office@example.org',
  address: '1 High Street\nFloor 2',
  city: 'Wellington',
  region: 'North',
  postCode: '6011',
  country: 'New Zealand',
  postalAddress: 'PO Box 1',
  postalCity: 'Wellington',
  postalRegion: 'North',
  postalPostCode: '6140',
  postalCountry: 'New Zealand',
  phone: '(04) 555 0100',
  fax: '(04) 555 0101',
  website: 'https://example.org/?a=1&b=2',
  referralSource: 'Word of mouth',
  exportCode: 'EX-1',
  dateOfBirth: '1970-02-28',
  accountManager: 7,
  type: 'Standard',
  billingClient: 1_000_001,
  groups: ['Friends', 'A < B'],
  modifiedAt: '2026-01-10T00:00:00Z',
  contacts: [
    {
      number: 193,
      name: 'Ben Example',
      email: 'ben@example.org',
      mobile: '021 555',
      phone: '04 555',
      position: 'Owner',
      salutation: 'Ben',
      addressee: 'Mr B Example',
      isPrimary: true,
      customFields: [{ name: 'Remark', value: 'from the fair' }],
    },
    { number: 194, name: 'Cleo Example' },
  ],
  notes: [
    {
      title: 'First <call>',
      text: 'Line one\nLine two & three',
      folder: 'Calls',
      createdBy: 'Ada Example',
      date: '2026-03-04T05:06:07Z',
    },
    { title: 'Second', date: '2026-03-05T00:00:00Z' },
  ],
  documents: [
    {
      number: 801,
      title: 'Agreement & terms',
      text: 'signed',
      folder: 'Legal',
      createdBy: 'Ada Example',
      date: '2026-02-16',
      fileName: 'agreement.txt',
      content: base64('Agreement\r\nfür Zoë €\n'),
    },
    { number: 802, title: 'Empty', date: '2026-02-17', fileName: 'empty file "x".bin', content: '' },
  ],
  customFields: [
    { name: 'Remark', value: 'Zoë & Co <3' },
    { name: 'Count', value: 0 },
    { name: 'Rate', value: '12.50' },
    { name: 'Due', value: '2027-02-28' },
    { name: 'Choice', value: 'Grün' },
    { name: 'Link', value: '4711' },
    { name: 'Agreed', value: true },
  ],
};

export const awkwardName = 'Zoë 𝕏 🍞 ʻŌkina “Quotes” <b>&amp;</b> ]]> \' " שלום e\u0301 \u200d';

/** The studio: no practice management module, records of all nine kinds that hold custom fields. */
export const studioSeed = {
  // The UUIDs of its records follow from it, and of those their order where V2 has no other.
  id: 'a0000000-0000-4000-8000-00000000c001',
  name: 'Contract Studio',
  accountKey: 'A000000000000000000000000000C001',
  apiKeys: ['0123456789ABCDEF0123456789ABCDEF'],
  users: [{ name: 'Ana Owner', email: 'ana@studio.example' }],
  staff: [
    { number: 7, name: 'Ada Example' },
    { number: 8, name: 'Bo Example', email: 'bo@studio.example' },
  ],
  clientTypes: [
    { number: 71, name: 'Standard', costMarkup: '12.50', paymentTerm: 'DayOfMonth', paymentDay: 20 },
    { number: 72, name: 'Plain' },
  ],
  groups: [
    { number: 61, name: 'Friends' },
    { number: 62, name: 'A < B', taxable: true },
  ],
  customFieldDefinitions: definitions,
  suppliers: [
    {
      number: 301,
      name: 'Paper & Co',
      contacts: [{ number: 311, name: 'Rewi Tane', customFields: [{ name: 'Agreed', value: false }] }],
      customFields: [{ name: 'Rate', value: '-0.05' }],
    },
  ],
  clients: [
    exampleClient,
    { number: 1_000_001, name: awkwardName, city: 'Ōamaru', modifiedAt: '2026-02-10T00:00:00Z' },
    {
      number: 1_000_002,
      name: 'Archived Ltd',
      isArchived: true,
      modifiedAt: '2026-03-10T12:00:00Z',
      contacts: [{ number: 195, name: 'Old Hand', isPrimary: true }],
    },
    { number: 1_000_003, name: 'Deleted Ltd', isDeleted: true, modifiedAt: '2026-04-10T00:00:00Z' },
    { number: 1_000_004, name: 'Bare', isProspect: true, modifiedAt: '2026-05-10T00:00:00Z' },
    { number: 2_000_000_000, name: 'Large number', modifiedAt: '2026-06-10T00:00:00Z' },
  ],
  jobs: [
    {
      number: 'J000101',
      name: 'Shop front',
      client: 1_000_000,
      tasks: [{ number: 401, name: 'Lettering', customFields: [{ name: 'Count', value: 3 }] }],
      costs: [{ number: 421, description: 'Paint', customFields: [{ name: 'Due', value: '2026-12-31' }] }],
      customFields: [{ name: 'Lines & more', value: 'one\ntwo' }],
    },
  ],
  times: [
    {
      number: 431,
      job: 'J000101',
      task: 401,
      staff: 7,
      date: '2026-11-02',
      minutes: 90,
      customFields: [{ name: 'Remark', value: 'evening' }],
    },
  ],
  leads: [
    {
      number: 441,
      name: 'New sign',
      client: 1_000_000,
      owner: 8,
      customFields: [{ name: 'Choice', value: 'Red' }],
    },
  ],
};

const practiceClient = {
  number: 2_000_000,
  name: 'Riverbend Holdings Ltd',
  taxNumber: '123-456-782',
  companyNumber: '1234567',
  businessNumber: '9429000000000',
  businessStructure: 'Company',
  balanceMonth: 'Mar',
  prepareGst: true,
  gstRegistered: true,
  gstPeriod: '2 Monthly',
  gstBasis: 'Payment',
  provisionalTaxBasis: 'Ratio Option',
  provisionalTaxRatio: '12.5%',
  jobManager: 21,
  contacts: [{ number: 2_010, name: 'Walter Marsh', isPrimary: true }],
};

export const practiceSeed = {
  name: 'Contract Practice',
  accountKey: 'A000000000000000000000000000C002',
  apiKeys: ['0123456789ABCDEF0123456789ABCDEF'],
  practice: 'NZ',
  users: [{ name: 'Pia Owner', email: 'pia@practice.example' }],
  staff: [{ number: 21, name: 'Diane Ropata' }],
  businessStructures: [{ name: 'Company' }, { name: 'Individual' }],
  taxAgents: [{ name: 'River & Partners' }],
  clients: [
    {
      ...practiceClient,
      signedTaxAuthority: true,
      taxAgent: 'River & Partners',
      agencyStatus: 'With EOT',
      returnType: 'IR4',
      relationships: [
        { number: 901, type: 'Director', relatedClient: 2_000_001, startDate: '2019-04-01' },
        {
          number: 902,
          type: 'Shareholder',
          relatedClient: 2_000_001,
          numberOfShares: 1_000,
          endDate: '2030-01-01',
        },
        { number: 903, type: 'Partner', relatedClient: 2_000_001, percentage: '33.33' },
      ],
    },
    {
      number: 2_000_001,
      name: 'Marsh, Walter',
      firstName: 'Walter',
      lastName: 'Marsh',
      otherName: 'W.',
      dateOfBirth: '1961-07-23',
      taxNumber: '12',
      businessStructure: 'Individual',
    },
  ],
};

export const australiaSeed = {
  name: 'Contract Australia',
  accountKey: 'A000000000000000000000000000C003',
  apiKeys: ['0123456789ABCDEF0123456789ABCDEF'],
  practice: 'AU',
  users: [{ name: 'Oli Owner', email: 'oli@australia.example' }],
  staff: [{ number: 21, name: 'Diane Ropata' }],
  businessStructures: [{ name: 'Company' }],
  switches: { practiceVersion: '3.1' },
  clients: [
    {
      ...practiceClient,
      prepareActivityStatement: true,
      prepareTaxReturn: false,
      relationships: [{ number: 911, type: 'Shareholder', relatedClient: 2_000_001, numberOfShares: 7 }],
    },
    { number: 2_000_001, name: 'Marsh, Walter' },
  ],
};

/** So many clients that V3 shows them on several pages. */
export const longSeed = {
  name: 'Contract Long List',
  accountKey: 'A000000000000000000000000000C001',
  apiKeys: ['0123456789ABCDEF0123456789ABCDEF'],
  users: [{ name: 'Ana Owner', email: 'ana@studio.example' }],
  clients: Array.from({ length: 263 }, (_, index) => ({
    number: 1_000_000 + index,
    name: `Client ${String(index)} ${index % 7 === 0 ? 'größer' : 'plain'}`,
    isArchived: index % 11 === 3,
    isDeleted: index % 13 === 5,
    modifiedAt: new Date(Date.UTC(2026, 0, 1) + index * 86_400_000).toISOString(),
    contacts: [{ number: 5_000_000 + index, name: `Contact ${String(index)}`, isPrimary: true }],
  })),
};
