/**
 * Generates what other records refer to: staff, suppliers, catalogue, settings and custom fields of all nine
 * kinds.
 */
import type { SeedOrganisation } from '../schema.ts';
import { address, person } from './people.ts';
import type { SeededRandom } from './seeded-random.ts';
import { awkwardAddresses, awkwardTexts } from './words.ts';

export const staffNames = [
  'Ada Example',
  'Bjørn Åkesson',
  'Chidi Okonkwo',
  "Dervla O'Neill",
  '林 美玲',
] as const;
export const groupNames = ['Retainer', 'Key <accounts> & partners', 'Dormant'] as const;
export const taskNames = ['Design', 'Site visit', 'Review & sign-off', 'Administration'] as const;
export const supplierNames = ['Harbour Timber', 'Æther Print & Copy', '0800-TOOLS'] as const;
export const HOURLY_RATE = 120;

export const clientTypes = ['Standard', 'Wholesale'] as const;
export const priorities = ['Low', 'High', '1.10', 'Très élevée'] as const;

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

/** Must be written before the records that refer to it. */
export function generateFoundation(random: SeededRandom): SeedOrganisation {
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
