import { studioSeed } from './seed.ts';

/**
 * Who a studio deals with and what it writes down: groups, leads, time, and suppliers and costs enough for several
 * pages of V3.
 */
export const tradeSeed = {
  ...studioSeed,
  groups: [
    { number: 61, name: 'Friends' },
    { number: 62, name: 'A < B', taxable: true },
    { number: 63, name: 'Größe & 日本 😀' },
  ],
  templates: [{ number: 91, name: 'Sign' }],
  leadCategories: [
    { number: 3, name: 'Referral' },
    { number: 4, name: 'Trade & fairs' },
  ],
  leadStatuses: [
    { number: 81, name: 'Current', type: 'open' },
    { number: 82, name: 'Won', type: 'won' },
    { number: 83, name: 'Lost', type: 'lost' },
  ],
  leads: [
    {
      number: 441,
      name: 'New sign',
      client: 1_000_000,
      contact: 193,
      owner: 8,
      description: 'over the door\nin gold & silver',
      state: 'Current',
      category: 'Referral',
      estimatedValue: '1500',
      date: '2026-11-01',
      activities: [
        { subject: 'Call back', date: '2026-11-05', responsible: 7 },
        { subject: 'Nobody’s', completed: true },
      ],
      history: [{ date: '2026-11-01T09:15:00Z', type: 'Created', staff: 'Bo Example', detail: 'a < b' }],
      customFields: [{ name: 'Choice', value: 'Red' }],
    },
    { number: 442, name: 'Van', client: 1_000_001, owner: 7, state: 'Current', date: '2026-11-02' },
    {
      number: 443,
      name: 'Done',
      client: 1_000_004,
      owner: 7,
      state: 'Won',
      estimatedValue: '-0.05',
      date: '2026-10-01',
      dateWonLost: '2026-10-18',
    },
  ],
  suppliers: [
    {
      number: 301,
      name: 'Paper & Co',
      address: '1 Mill Lane\nUnit 2',
      city: 'Ōamaru',
      postCode: '09400',
      phone: '+64 3 555 0100',
      website: 'https://paper.example/?a=1&b=2',
      contacts: [
        {
          number: 311,
          name: 'Rewi Tane',
          mobile: '021 555',
          email: 'rewi@paper.example',
          phone: '1e5',
          position: 'Sales',
        },
        { number: 312, name: 'Second' },
      ],
      notes: [{ title: 'First', text: 'a\nb', date: '2026-10-30T09:15:00Z', createdBy: 'Ada Example' }],
    },
    { number: 302, name: 'Archived', isArchived: true },
    ...Array.from({ length: 205 }, (_, index) => ({
      number: 5_000 + index,
      name: `Supplier ${String(index)}`,
    })),
  ],
  costs: [
    {
      number: 21,
      description: 'Paint & primer',
      code: '00123',
      note: 'two\ncoats',
      unitCost: '1.10',
      unitPrice: '2000',
      incomeAccount: '200',
      costOfSaleAccount: '310',
      supplier: 301,
    },
    { number: 22, description: 'Rebate', unitCost: '-12.5' },
    ...Array.from({ length: 230 }, (_, index) => ({
      number: 6_000 + index,
      description: `Cost ${String(index)}`,
      unitCost: `${String(index)}.05`,
    })),
  ],
  jobs: [
    {
      number: 'J000101',
      name: 'Shop front',
      client: 1_000_000,
      tasks: [
        { number: 401, name: 'Lettering', billable: true },
        { number: 402, name: 'Cleaning', billable: false },
      ],
    },
    { number: 'J000102', name: 'Kiosk', client: 1_000_001, tasks: [{ number: 403, name: 'Kiosk' }] },
    { number: 'J000103', name: 'Nothing yet', client: 1_000_001 },
  ],
  times: [
    {
      number: 431,
      job: 'J000101',
      task: 401,
      staff: 7,
      date: '2026-11-02',
      minutes: 90,
      note: 'Zoë: 5 < 6\nsecond line',
      start: '09:05',
      end: '10:35',
    },
    {
      number: 432,
      job: 'J000101',
      task: 402,
      staff: 8,
      date: '2026-11-03',
      minutes: 0,
      billable: false,
    },
    { number: 433, job: 'J000102', task: 403, staff: 7, date: '2026-12-24', minutes: 600 },
  ],
};
