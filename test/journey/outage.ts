import { setTimeout as delay } from 'node:timers/promises';
import { giveConsent } from '../../src/replay/consent.ts';
import { eventually } from '../support/clock.ts';
import type { Answered } from '../support/http.ts';
import { API_KEY, LegacyProgram } from '../support/legacy.ts';
import { Mortal, type Customer } from './killed.ts';

const stayed: Customer = {
  name: 'Old Ways Ltd',
  accountKey: 'D0000000000000000000000000000001',
  person: 'Una Owner',
};
const moved: Customer = {
  name: 'New Ways Ltd',
  accountKey: 'D0000000000000000000000000000002',
  person: 'Ida Owner',
};
/** Has moved, too: lists of whom nobody writes to hold no identifier that is not in memory. */
const written: Customer = {
  name: 'Busy Ways Ltd',
  accountKey: 'D0000000000000000000000000000003',
  person: 'Eva Owner',
};
const customers = [stayed, moved, written];
const CLIENT = 1_000_000;

const seedOf = ({ name, accountKey, person }: Customer, index: number): unknown => ({
  name,
  accountKey,
  apiKeys: [API_KEY],
  users: [{ name: person, email: `owner${index}@outage.example` }],
  clients: [{ number: CLIENT, name: 'Seeded' }],
});

export const kinds = ['V1 read', 'V3 read', 'V2 read', 'V1 write', 'V3 write', 'unknown key'] as const;
export type Kind = (typeof kinds)[number];
export const isRead = (kind: Kind): boolean => kind.endsWith('read');

/** What calls of one kind came to. */
export interface Tally {
  calls: number;
  served: number;
  /** 503 that says that nothing was sent, and when to try again. */
  nothingSent: number;
  /** Anything else, by status and words. */
  readonly other: Map<string, number>;
  /** In milliseconds. */
  slowest: number;
}

const emptyTally = (): Tally => ({ calls: 0, served: 0, nothingSent: 0, other: new Map(), slowest: 0 });

export type Tallies = ReadonlyMap<Kind, Tally>;

/** A bridge as a process, called all the time while something is done to its database. */
export class Outage {
  readonly mortal: Mortal;
  readonly #programs: Readonly<Record<'stayed' | 'moved' | 'written' | 'nobody', LegacyProgram>>;
  #phase = new Map<Kind, Tally>();
  readonly #served = new Map<Kind, number>();
  #going = true;
  readonly #workers: Promise<void>[] = [];
  readonly #inFlight = new Set<Tally | undefined>();
  /** Names of the clients that were made, as the callers were told. */
  readonly made: string[] = [];
  readonly tried: string[] = [];
  /** Those of which nobody knows, as the callers were told. */
  readonly unknown: string[] = [];

  private constructor(mortal: Mortal) {
    this.mortal = mortal;
    this.#programs = {
      stayed: new LegacyProgram(mortal.bridge, stayed.accountKey),
      moved: new LegacyProgram(mortal.bridge, moved.accountKey),
      written: new LegacyProgram(mortal.bridge, written.accountKey),
      nobody: new LegacyProgram(mortal.bridge, 'D00000000000000000000000000000FF'),
    };
  }

  /** With one account that V1 serves and two that have moved. */
  static async start(database: string): Promise<Outage> {
    const mortal = await Mortal.start(customers.map(seedOf), undefined, {
      CAUSEWAY_DATABASE_URL: database,
      CAUSEWAY_ROUTES: 'client.get=v2',
    });
    await mortal.rise();
    for (const customer of customers) await mortal.add(customer);
    for (const { name, person } of [moved, written]) {
      await giveConsent({ link: await mortal.link(name), person, organisation: name });
      await mortal.moved(name);
    }
    return new Outage(mortal);
  }

  /** Calls of every kind in a row, until the end. */
  begin(): void {
    for (const kind of kinds) this.#work(kind, () => true);
  }

  /** What has been counted since the last time; a call belongs to the phase in which it began. */
  async next(): Promise<Tallies> {
    const ended = this.#phase;
    const begun = new Map<Kind, Tally>();
    this.#phase = begun;
    // A write that has left is waited for while the database is away: the others of its kind go on.
    this.#work('V3 write', () => this.#phase === begun);
    await eventually('the reads under way have ended', () =>
      kinds.every((kind) => !isRead(kind) || !this.#inFlight.has(ended.get(kind))) ? true : undefined,
    );
    return ended;
  }

  #work(kind: Kind, isWanted: () => boolean): void {
    const loop = async (): Promise<void> => {
      for (let turn = 0; this.#going && isWanted(); turn += 1) {
        await this.#count(kind, this.#phase, () => this.#call(kind, turn));
        // An unknown key is a guess, and guesses are counted.
        await delay(kind === 'unknown key' ? 3_000 : 20);
      }
    };
    this.#workers.push(loop());
  }

  /** So many more calls of every kind, but for guesses. */
  async more(count: number): Promise<void> {
    const enough = (kind: Kind): boolean =>
      kind === 'unknown key' || (this.#phase.get(kind)?.calls ?? 0) >= count;
    await eventually(`${count} more calls`, () => (kinds.every(enough) ? true : undefined), 300);
  }

  /** Until writes are taken again. */
  async back(): Promise<void> {
    await eventually('writes are taken again', async () => {
      const name = this.#name('back', this.tried.length);
      return this.#said(await this.#add(this.#programs.written, name), name) ? true : undefined;
    });
  }

  /** Calls of these kinds that were served, in all phases. */
  served(of: readonly Kind[]): number {
    return of.reduce((sum, kind) => sum + (this.#served.get(kind) ?? 0), 0);
  }

  async rest(): Promise<void> {
    this.#going = false;
    await Promise.all(this.#workers);
  }

  async end(): Promise<void> {
    await this.rest();
    for (const program of Object.values(this.#programs)) program.close();
    await this.mortal.end();
  }

  /** Of those that were tried, how often each is at the service: none twice, and none that was told as not sent. */
  async clients(): Promise<readonly string[]> {
    const lists = await Promise.all(
      [this.#programs.stayed, this.#programs.written].map((program) => program.get('client.api/list')),
    );
    return lists.flatMap(({ text }) =>
      [...text.matchAll(/<Name>([^<]*)<\/Name>/g)].map(([, name = '']) => name),
    );
  }

  readonly names = { stayed: stayed.name, moved: moved.name };

  #call(kind: Kind, turn: number): Promise<Answered> {
    const { stayed: old, moved: fresh, written: busy, nobody } = this.#programs;
    switch (kind) {
      case 'V1 read':
        return old.get('client.api/list');
      case 'V3 read':
        return fresh.get('client.api/list');
      case 'V2 read':
        return fresh.get(`client.api/get/${CLIENT}`);
      case 'V1 write':
      case 'V3 write':
        return this.#write(kind === 'V1 write' ? old : busy, this.#name(kind, turn));
      case 'unknown key':
        return nobody.get('client.api/list');
    }
  }

  async #write(program: LegacyProgram, name: string): Promise<Answered> {
    const answer = await this.#add(program, name);
    this.#said(answer, name);
    return answer;
  }

  #said(answer: Answered, name: string): boolean {
    const isMade = answer.text.includes('<Status>OK</Status>');
    if (isMade) this.made.push(name);
    else if (answer.status === 504 && answer.text.includes('is unknown')) this.unknown.push(name);
    return isMade;
  }

  #name(kind: string, turn: number): string {
    const name = `${kind} ${turn} ${this.tried.length}`;
    this.tried.push(name);
    return name;
  }

  #add(program: LegacyProgram, name: string): Promise<Answered> {
    return program.post('client.api/add', `<Client><Name>${name}</Name></Client>`);
  }

  async #count(kind: Kind, phase: Map<Kind, Tally>, call: () => Promise<Answered>): Promise<void> {
    const tally = phase.get(kind) ?? emptyTally();
    phase.set(kind, tally);
    const begun = performance.now();
    this.#inFlight.add(tally);
    const answer = await call().catch((error: unknown) => (error instanceof Error ? error.message : 'cut'));
    this.#inFlight.delete(tally);
    tally.calls += 1;
    tally.slowest = Math.max(tally.slowest, performance.now() - begun);
    if (typeof answer === 'string') more(tally.other, answer);
    else if (answer.status === 200 && answer.text.includes('<Status>OK</Status>')) {
      tally.served += 1;
      this.#served.set(kind, (this.#served.get(kind) ?? 0) + 1);
    } else if (isNothingSent(answer)) tally.nothingSent += 1;
    else more(tally.other, `${answer.status} ${answer.text.slice(0, 200)}`);
  }
}

const isNothingSent = ({ status, text, headers }: Answered): boolean =>
  status === 503 && text.includes('nothing was sent') && headers['retry-after'] !== undefined;

const more = (counts: Map<string, number>, what: string): void => {
  counts.set(what, (counts.get(what) ?? 0) + 1);
};
