import type { DemoOrganisation } from './demo-organisation.ts';
import { harbourLane } from './harbour-lane.ts';
import { users } from './users.ts';

/** One application, shared by all accounts: the account key alone selects the account. */
export const API_KEY = '0123456789ABCDEF0123456789ABCDEF';

const twoRivers: DemoOrganisation = {
  name: 'Two Rivers Accounting',
  accountKey: 'A0000000000000000000000000000002',
  product: 'practice',
  contact: { contactName: 'Diane Ropata', email: 'diane.ropata@tworivers.example' },
  seed: {
    practice: 'NZ',
    users,
    businessStructures: [{ name: 'Company' }, { name: 'Trust' }, { name: 'Individual' }],
    taxAgents: [{ name: 'Two Rivers Accounting' }],
    groups: [{ number: 601, name: 'Riverbend family', taxable: true }],
    staff: [{ number: 211, name: 'Diane Ropata', email: 'diane.ropata@tworivers.example' }],
    clients: [
      {
        number: 2_000_000,
        name: 'Riverbend Holdings Ltd',
        email: 'office@riverbend.example',
        city: 'Blenheim',
        country: 'New Zealand',
        taxNumber: '123-456-782',
        companyNumber: '1234567',
        businessNumber: '9429000000000',
        businessStructure: 'Company',
        balanceMonth: 'Mar',
        gstRegistered: true,
        prepareGst: true,
        gstPeriod: '2 Monthly',
        gstBasis: 'Payment',
        taxAgent: 'Two Rivers Accounting',
        agencyStatus: 'With EOT',
        returnType: 'IR4',
        jobManager: 'Diane Ropata',
        groups: ['Riverbend family'],
        contacts: [{ number: 2_000_010, name: 'Walter Marsh', position: 'Director', isPrimary: true }],
        relationships: [
          { number: 2_000_020, type: 'Director', relatedClient: 2_000_001, startDate: '2019-04-01' },
          {
            number: 2_000_021,
            type: 'Shareholder',
            relatedClient: 2_000_001,
            numberOfShares: 1_000,
            startDate: '2019-04-01',
          },
        ],
      },
      {
        number: 2_000_001,
        name: 'Marsh, Walter',
        firstName: 'Walter',
        lastName: 'Marsh',
        dateOfBirth: '1961-07-23',
        taxNumber: '098-765-431',
        businessStructure: 'Individual',
        balanceMonth: 'Mar',
        returnType: 'IR3',
        groups: ['Riverbend family'],
        contacts: [{ number: 2_000_011, name: 'Walter Marsh', isPrimary: true }],
      },
    ],
  },
};

const oldMill: DemoOrganisation = {
  name: 'Old Mill Engineering',
  accountKey: 'A0000000000000000000000000000003',
  product: 'standard',
  contact: { contactName: 'Tama Wiremu', email: 'tama@oldmill.example' },
  seed: {
    // The hard case: its V1 numbers are readable only until a user consents.
    switches: { v1AfterConsent: 'refuses' },
    users,
    clients: [
      {
        number: 3_000_000,
        name: 'Southern Pump & Valve',
        email: 'stores@southernpump.example',
        city: 'Timaru',
        country: 'New Zealand',
        contacts: [{ number: 3_000_010, name: 'Ngaire Black', isPrimary: true }],
      },
      { number: 3_000_001, name: 'Waitaki Dairy Co-op', city: 'Ōamaru', country: 'New Zealand' },
    ],
  },
};

const northgate: DemoOrganisation = {
  name: 'Northgate Legal',
  accountKey: 'A0000000000000000000000000000004',
  product: 'standard',
  contact: { contactName: 'Grace Northcott', email: 'grace@northgate.example' },
  seed: {
    users,
    clients: [
      {
        number: 4_000_000,
        name: 'Estate of R. J. Fairweather',
        city: 'Auckland',
        country: 'New Zealand',
        contacts: [{ number: 4_000_010, name: 'Rose Fairweather', position: 'Executor', isPrimary: true }],
      },
    ],
  },
};

/** Without a client there is nothing to compare, so the operator has to confirm any approval. */
const kauriLane: DemoOrganisation = {
  name: 'Kauri Lane Joinery',
  accountKey: 'A0000000000000000000000000000005',
  product: 'standard',
  contact: { contactName: 'Mere Tautahi', email: 'mere@kaurilane.example' },
  seed: { users, clients: [] },
};

export interface DemoOrganisations {
  readonly harbourLane: DemoOrganisation;
  readonly twoRivers: DemoOrganisation;
  readonly oldMill: DemoOrganisation;
  readonly northgate: DemoOrganisation;
  readonly kauriLane: DemoOrganisation;
}

/** The seed of the sandbox: one organisation per account. */
export const demoOrganisations = (clients: number): DemoOrganisations => ({
  harbourLane: harbourLane(clients),
  twoRivers,
  oldMill,
  northgate,
  kauriLane,
});
