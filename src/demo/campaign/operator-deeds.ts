/**
 * The operators' deeds in the past of a demo with many accounts: actions of the console, which write the same
 * audit log and the same timelines.
 */
import type { Services } from '../../app/wiring/services.ts';
import type { Account } from '../../features/accounts/account.ts';
import type { AccountColumn } from '../../features/accounts/import/columns.ts';
import type { AdminService } from '../../features/admin/admin.ts';
import type { Campaign } from '../../features/campaign/campaign.ts';
import { API_KEY } from '../seed/organisations.ts';
import { tagsOf, waveTags, type Customer } from './customers.ts';

/** The operators of the campaign, by the names of their tokens. */
export const operators = ['mara', 'jonah'] as const;
const [LEAD, PHONE] = operators;

/** Notes of telephone calls. */
const notes = [
  'Will do it next week, after the tax return.',
  'Left a message with reception.',
  'Wants a call when the office manager is back from leave.',
  'Did not get the e-mail; asked to look in the spam folder. Will authorise today.',
  'Has questions about what the connection may read. Sent the privacy sheet.',
] as const;

/** Dependencies of the deeds. */
export interface OperatorParts {
  readonly services: Services;
  readonly campaign: Campaign;
  readonly admin: AdminService;
}

/** The actions of operators. */
export class OperatorDeeds {
  readonly #parts: OperatorParts;

  constructor(parts: OperatorParts) {
    this.#parts = parts;
  }

  /**
   * Imports the list of all customers. Throws if a line is rejected, which would be an error in this seed.
   */
  async imports(customers: readonly Customer[]): Promise<void> {
    const lines = customers.map((customer, place) => ({ line: place + 2, cells: cellsOf(customer) }));
    const verdicts = await this.#parts.admin.accounts.import(lines, false, LEAD);
    const faulty = verdicts.find(({ verdict }) => verdict === 'faulty');
    if (faulty !== undefined) throw new Error(`line ${faulty.line} of the demo's list cannot be imported`);
  }

  /** Starts the pilot, which goes out at once. */
  async startsPilot(): Promise<void> {
    const { waves } = this.#parts.admin;
    await waves.save({ name: 'Pilot', query: `tag=${waveTags.pilot}`, mostTroubledPercent: 10 }, LEAD);
    await waves.act('Pilot', 'start', LEAD);
  }

  /** Plans the other two waves for these days. */
  async plansWaves(second: string, third: string): Promise<void> {
    const { waves } = this.#parts.admin;
    const wave = (tag: string, day: string, holdHours: number) => ({
      ...{ query: `tag=${tag}`, start: `${day}T09:00`, holdHours, mostTroubledPercent: 15 },
    });
    await waves.save({ name: 'Second wave', ...wave(waveTags.second, second, 96) }, LEAD);
    await waves.save({ name: 'Third wave', ...wave(waveTags.third, third, 48) }, LEAD);
  }

  async invites({ id }: Account): Promise<void> {
    await this.#parts.campaign.invite(id, LEAD);
  }

  /** Notes a telephone call with a customer who has not answered. */
  async calls({ id }: Account, { number }: Customer): Promise<void> {
    await this.#parts.admin.sending.talked(id, notes[number % notes.length] ?? notes[0], PHONE);
  }

  /** Closes the account of a customer who has left. */
  async closes({ id }: Account): Promise<void> {
    const { services, campaign } = this.#parts;
    await services.accounts.close(id, LEAD);
    await campaign.withdraw(id, LEAD);
  }
}

/** The customer's line in the import file. */
function cellsOf(customer: Customer): Readonly<Partial<Record<AccountColumn, string>>> {
  const { name, accountKey, product, contactName, email, language, zone, phone, behaviour } = customer;
  return {
    ...{ name, accountKey, product, contactName, language, zone, phone, tags: tagsOf(customer) },
    ...(behaviour.isKeyless === true ? {} : { apiKey: API_KEY }),
    ...(email === undefined ? {} : { email }),
    organisationName: name,
  };
}
