const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');

const keys = {
  accountKey: 'A000000000000000000000000000C001',
  apiKeys: ['0123456789ABCDEF0123456789ABCDEF'],
  users: [{ name: 'Ana Owner', email: 'ana@studio.example' }],
};

const shopFront = {
  number: 'J000159',
  internalId: 3_000_159,
  name: 'Shop front & van',
  description: 'Two windows,\none door',
  client: 1_000_000,
  clientOrderNumber: '00417',
  state: 'In Progress',
  category: 'Signs & lettering',
  budget: '596000.1',
  startDate: '2026-11-02',
  dueDate: '2026-12-18',
  contact: 193,
  manager: 7,
  partner: 8,
  createdAt: '2026-11-01T08:00:00Z',
  modifiedAt: '2026-11-10T08:00:00Z',
  assigned: [8],
  tasks: [
    {
      number: 401,
      name: 'Lettering',
      task: 71,
      description: 'Gold\non green',
      folder: 'Windows',
      estimatedMinutes: 480,
      startDate: '2026-11-03',
      dueDate: '2026-11-10',
      assigned: [{ staff: 7, allocatedMinutes: 300 }],
    },
    { number: 402, name: 'Clean up', completed: true, billable: false },
  ],
  milestones: [
    { number: 451, description: 'Half < done', date: '2026-11-20', completed: true, folder: 'All' },
  ],
  notes: [
    {
      number: 611,
      title: 'Colours & more',
      text: 'Line one\nline two',
      folder: 'Design',
      createdBy: 'Ada Example',
      date: '2026-11-04T09:15:00Z',
      comments: [{ number: 621, text: 'Agreed', createdBy: 'Bo Example', date: '2026-11-05T10:00:00Z' }],
    },
    { number: 612, title: 'Empty', date: '2026-11-06T00:00:00Z' },
  ],
  documents: [
    {
      number: 801,
      title: 'Plan',
      text: 'As <built>',
      folder: 'Drawings',
      createdBy: 'Ada Example',
      date: '2026-11-04',
      fileName: 'plan.txt',
      content: base64('Plan für Zoë\r\n'),
    },
  ],
  costs: [
    {
      number: 421,
      description: 'Paint & primer',
      supplier: 301,
      code: 'P-01',
      note: 'Two coats\nat least',
      date: '2026-11-05',
      quantity: '2.5',
      unitCost: '19.9',
      unitPrice: '-0.05',
    },
    { number: 422, description: 'Credit', billable: false },
  ],
};

/** Jobs with everything that belongs to them, and the settings they draw on. */
export const jobSeed = {
  name: 'Contract Jobs',
  ...keys,
  staff: [
    { number: 7, name: 'Ada Example' },
    { number: 8, name: 'Bo Example' },
    { number: 9, name: 'Cleo Example' },
  ],
  categories: [
    { number: 3, name: 'Signs & lettering' },
    { number: 4, name: 'Größer als A > B' },
  ],
  tasks: [
    { number: 71, name: 'Lettering', description: 'Foil, cut\nand applied', billableRate: 85 },
    { number: 72, name: 'Travel & set-up' },
  ],
  templates: [
    {
      number: 21,
      name: 'Shop front',
      tasks: [
        { name: 'Lettering', task: 71, estimatedMinutes: 60 },
        { name: 'Survey', folder: 'Site', billable: false },
      ],
      milestones: [{ description: 'Draft', daysAfterStart: 7 }],
      costs: [{ description: 'Foil', supplier: 301, quantity: 3, unitCost: '4.5', unitPrice: 9 }],
    },
    { number: 22, name: 'Year end "2026"' },
  ],
  suppliers: [{ number: 301, name: 'Paper & Co' }],
  clients: [
    {
      number: 1_000_000,
      name: 'Example & Sons',
      contacts: [
        { number: 193, name: 'Ben Example', isPrimary: true },
        { number: 194, name: 'Cleo Example' },
      ],
    },
    { number: 1_000_001, name: 'Łódź Holdings', contacts: [{ number: 195, name: 'Old Hand' }] },
    { number: 1_000_002, name: 'Without jobs' },
  ],
  jobs: [
    shopFront,
    {
      number: 'J000160',
      internalId: 3_000_160,
      name: 'Van',
      client: 1_000_001,
      state: 'Completed',
      budget: 0,
      startDate: '2026-10-01',
      completedDate: '2026-10-30',
      modifiedAt: '2026-10-30T00:00:00Z',
      tasks: [{ number: 403, name: 'Elsewhere', task: 72, dueDate: '2026-10-20' }],
    },
    {
      number: 'J000161',
      internalId: 3_000_161,
      name: 'Bare',
      client: 1_000_001,
      startDate: '2026-11-10',
      modifiedAt: '2026-11-12T00:00:00Z',
    },
  ],
  times: [{ number: 431, job: 'J000159', task: 401, staff: 7, date: '2026-11-04', minutes: 95 }],
};

/** So many jobs that V3 shows them on several pages. */
export const longJobSeed = {
  name: 'Contract Long Jobs',
  ...keys,
  clients: [{ number: 1_000_000, name: 'Example & Sons' }],
  jobs: Array.from({ length: 213 }, (_, index) => ({
    number: `J${String(100 + index).padStart(6, '0')}`,
    internalId: 3_000_100 + index,
    name: `Job ${String(index)}`,
    client: 1_000_000,
    startDate: '2026-11-02',
    modifiedAt: new Date(Date.UTC(2026, 0, 1) + index * 86_400_000).toISOString(),
    tasks: [{ number: 5_000_000 + index, name: `Task ${String(index)}` }],
  })),
};
