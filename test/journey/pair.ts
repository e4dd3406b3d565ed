/**
 * Two bridges on one database, called all the time at both while something is done to it: customers that have moved and
 * one that V1 serves, reads on V3 and V2, and records that are added, each under a name of its own. Afterwards what the
 * callers were told is compared with what the service has, and every grant is looked at.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { giveConsent } from '../../src/replay/consent.ts';
import { eventually } from '../support/clock.ts';
import type { Answered } from '../support/http.ts';
import { API_KEY, LegacyProgram } from '../support/legacy.ts';
import type { RunningProcess } from '../support/process.ts';
import { Mortal, type Customer } from './killed.ts';

const CLIENT = 1_000_000;
/** Longer than an access token lives, in seconds. */
const LATER = 1_860;
/** Between two calls of one caller, in milliseconds. */
const PAUSE = 10;

const customerOf = (index: number): Customer => ({
  name: `Paired Studio ${index}`,
  accountKey: `E00000000000000000000000000000${String(index).padStart(2, '0')}`,
  person: `Owner ${index}`,
});

const seedOf = ({ name, accountKey, person }: Customer, index: number): unknown => ({
  name,
  accountKey,
  apiKeys: [API_KEY],
  users: [{ name: person, email: `owner${index}@paired.example` }],
  clients: [{ number: CLIENT + index, name: 'Seeded' }],
});

/** What a call came to, as its caller was told. */
export const outcomes = [
  'served',
  'not sent',
  /** 504 for a write; or its caller heard nothing. */
  'unknown',
  /** A list that could not be finished: never passed for a whole one. */
  'cut off',
  'other',
] as const;
export type Outcome = (typeof outcomes)[number];

interface Write {
  readonly customer: Customer;
  readonly name: string;
  outcome: Outcome;
}

export interface Judged {
  readonly reads: Readonly<Record<Outcome, number>>;
  readonly writes: Readonly<Record<Outcome, number>>;
  /** Told as done, and not there. */
  readonly absent: number;
  /** There more than once. */
  readonly doubled: number;
  /** Told as not sent, and there. */
  readonly untrue: number;
  readonly grants: number;
  readonly lostGrants: number;
  /** Words of the calls that came to something else. */
  readonly odd: readonly string[];
}

const none = (): Record<Outcome, number> => ({
  ...{ served: 0, 'not sent': 0, unknown: 0, 'cut off': 0, other: 0 },
});

export class PairOfBridges {
  readonly mortal: Mortal;
  readonly #sibling: { readonly url: string; readonly process: RunningProcess };
  readonly #customers: readonly Customer[];
  readonly #programs: readonly LegacyProgram[][];
  readonly #writes: Write[] = [];
  readonly #reads = none();
  readonly #odd: string[] = [];
  readonly #callers: Promise<void>[] = [];
  #going = true;

  private constructor(
    mortal: Mortal,
    sibling: { readonly url: string; readonly process: RunningProcess },
    customers: readonly Customer[],
  ) {
    this.mortal = mortal;
    this.#sibling = sibling;
    this.#customers = customers;
    this.#programs = [mortal.bridge, sibling.url].map((url) =>
      customers.map(({ accountKey }) => new LegacyProgram(url, accountKey)),
    );
  }

  /** `moved`: how many customers have moved, besides the first, which V1 serves. */
  static async start(env: Readonly<Record<string, string>>, moved: number): Promise<PairOfBridges> {
    const customers = Array.from({ length: moved + 1 }, (_, index) => customerOf(index));
    const mortal = await Mortal.start(customers.map(seedOf), undefined, {
      CAUSEWAY_ROUTES: 'client.get=v2',
      ...env,
    });
    try {
      await mortal.rise();
      const sibling = await mortal.sibling();
      for (const customer of customers) await mortal.add(customer);
      for (const { name, person } of customers.slice(1)) {
        await giveConsent({ link: await mortal.link(name), person, organisation: name });
        await mortal.moved(name);
      }
      return new PairOfBridges(mortal, sibling, customers);
    } catch (error) {
      await mortal.end().catch(() => undefined);
      throw error;
    }
  }

  /** Programs of the customers that have moved: those of the first bridge, and of the second. */
  get programs(): readonly (readonly LegacyProgram[])[] {
    return this.#programs.map((all) => all.slice(1));
  }

  /** A caller for each customer at each bridge, until `rest`. */
  begin(): void {
    for (const [bridge, programs] of this.#programs.entries())
      for (const [index, program] of programs.entries())
        this.#callers.push(this.#call(bridge, index, program));
  }

  /** Every access token has ended: the next call of each customer renews. */
  expire(): Promise<void> {
    return this.mortal.control.advance(LATER);
  }

  /** So many writes of customers that have moved, and so many reads, have been served since now. */
  async more(count: number): Promise<void> {
    const before = { writes: this.#served(), reads: this.#reads.served };
    await eventually(`${count} more calls are served`, () =>
      this.#served() >= before.writes + count && this.#reads.served >= before.reads + count
        ? true
        : undefined,
    );
  }

  /** Renewals so far, of all grants. */
  async renewals(): Promise<number> {
    const families = await Promise.all(
      this.#customers.slice(1).map(({ name }) => this.mortal.control.family(name)),
    );
    return families.reduce((sum, { generations }) => sum + generations.length - 1, 0);
  }

  /** Every customer's read and write is served at both bridges. Milliseconds until it was so. */
  async served(): Promise<number> {
    const begun = performance.now();
    for (const programs of this.#programs)
      for (const [index, program] of programs.entries())
        await this.mortal.comes(`customer ${index} is served again`, async () => {
          const read = await program.get('client.api/list').catch(() => undefined);
          if (read?.status !== 200) return undefined;
          return (await this.#write(index, program)) === 'served' ? true : undefined;
        });
    return performance.now() - begun;
  }

  async rest(): Promise<void> {
    this.#going = false;
    await Promise.all(this.#callers);
  }

  /** Once all rest. */
  async judge(): Promise<Judged> {
    const writes = none();
    const found = { absent: 0, doubled: 0, untrue: 0 };
    for (const [index, customer] of this.#customers.entries()) {
      const there = await this.#namesOf(index);
      for (const { name, outcome } of this.#writes.filter((one) => one.customer === customer)) {
        const count = there.get(name) ?? 0;
        writes[outcome] += 1;
        if (count > 1) found.doubled += 1;
        if (count === 0 && outcome === 'served') found.absent += 1;
        if (count > 0 && outcome === 'not sent') found.untrue += 1;
      }
    }
    const moved = this.#customers.slice(1);
    const lost = await Promise.all(moved.map((customer) => this.#isLost(customer)));
    return {
      ...{ reads: this.#reads, writes, ...found, grants: moved.length, odd: this.#odd },
      lostGrants: lost.filter(Boolean).length,
    };
  }

  async end(): Promise<void> {
    await this.rest();
    for (const program of this.#programs.flat()) program.close();
    await this.#sibling.process.kill();
    await this.mortal.end();
  }

  #served(): number {
    const [stayed] = this.#customers;
    return this.#writes.filter(({ outcome, customer }) => outcome === 'served' && customer !== stayed).length;
  }

  async #call(bridge: number, index: number, program: LegacyProgram): Promise<void> {
    for (let turn = bridge; this.#going; turn += 1) {
      if (turn % 3 === 0) await this.#write(index, program);
      else await this.#read(turn % 3 === 1 ? 'client.api/list' : `client.api/get/${CLIENT + index}`, program);
      await delay(PAUSE);
    }
  }

  async #read(path: string, program: LegacyProgram): Promise<void> {
    this.#reads[await this.#outcome(() => program.get(path), 'cut off')] += 1;
  }

  async #write(index: number, program: LegacyProgram): Promise<Outcome> {
    const customer = this.#customers[index] ?? customerOf(index);
    // Whoever never hears an answer does not know.
    const write: Write = { customer, name: `Pair ${this.#writes.length}`, outcome: 'unknown' };
    this.#writes.push(write);
    const body = `<Client><Name>${write.name}</Name></Client>`;
    write.outcome = await this.#outcome(() => program.post('client.api/add', body), 'unknown');
    return write.outcome;
  }

  /** `broken`: what a connection that broke means. */
  async #outcome(call: () => Promise<Answered>, broken: Outcome): Promise<Outcome> {
    const answer = await call().catch(() => undefined);
    if (answer === undefined) return broken;
    const outcome = outcomeOf(answer);
    if (outcome === 'other') this.#odd.push(`${answer.status} ${answer.text.slice(0, 300)}`);
    return outcome;
  }

  async #namesOf(index: number): Promise<ReadonlyMap<string, number>> {
    const program = this.#programs[0]?.[index];
    const { text } = (await program?.get('client.api/list')) ?? { text: '' };
    const counts = new Map<string, number>();
    for (const [, name = ''] of text.matchAll(/<Name>([^<]*)<\/Name>/g))
      counts.set(name, (counts.get(name) ?? 0) + 1);
    if (!counts.has('Seeded')) throw new Error(`the list of customer ${index} cannot be read: ${text}`);
    return counts;
  }

  async #isLost({ name }: Customer): Promise<boolean> {
    const { revoked } = await this.mortal.control.family(name);
    return revoked !== null || (await this.mortal.stage(name)) !== 'migrated';
  }
}

// The last: no token may be presented before all bridges have reached the new server.
const NOT_SENT = /nothing was (?:sent|done|carried out)|cannot serve calls at the moment/;

function outcomeOf({ status, text }: Answered): Outcome {
  if (status === 200 && text.includes('<Status>OK</Status>')) return 'served';
  if (status === 503 && NOT_SENT.test(text)) return 'not sent';
  return status === 504 && text.includes('is unknown') ? 'unknown' : 'other';
}
