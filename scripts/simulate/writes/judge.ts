/**
 * Compares the answers to callers, and the ledger, with the service's actions.
 *
 * Requests with the same bytes of one account are judged together: their effects cannot be told apart, least of all by
 * the bridge. The promises are worded in docs/support/writes.md.
 */
import type { Write } from '../../../src/features/writes/model.ts';
import { MINUTE, SECOND } from '../../../src/lib/time/clock.ts';
import { contentOf, isAdd, type Attempt, type Heard, type Intent } from './intent.ts';
import type { Effect } from './service.ts';

export interface Evidence {
  readonly intents: readonly Intent[];
  readonly effects: ReadonlyMap<string, readonly Effect[]>;
  readonly rows: readonly Write[];
  /** Contents for which a similar record was made by hand. */
  readonly resembled: ReadonlySet<string>;
  /** The record behind a number that a caller got. */
  readonly recordOf: (intent: Intent, number: string) => string | undefined;
  readonly latestHandling: number;
}

export type Charge = 'superfluous' | 'absent' | 'wrong' | 'broken';

export interface Fault {
  readonly charge: Charge;
  readonly words: string;
  readonly history: readonly string[];
}

export interface Verdict {
  readonly faults: readonly Fault[];
  readonly unknown: number;
  readonly decidable: number;
  /** The decidable ones that are settled: at the end, and within two minutes of the latest possible handling. */
  readonly settled: number;
  readonly inTime: number;
  readonly joined: number;
}

/** A decidable outcome must be settled this long after the latest possible handling. */
const SETTLED_WITHIN = 2 * MINUTE;
/** Longer than any outage of the database. */
const WRITTEN_DOWN = 30 * SECOND;
/** The longest time until a live process has proved itself to another one. */
const PROVED = 7 * SECOND;

/** Judges everything at the end, when nothing can change any more. */
export function judged(evidence: Evidence): Verdict {
  const groups = Map.groupBy(evidence.intents, contentOf);
  const rows = new Map(evidence.rows.map((row) => [row.id, row]));
  const faults: Fault[] = [];
  const sum = { unknown: 0, decidable: 0, settled: 0, inTime: 0, joined: 0 };
  for (const intents of groups.values()) {
    const group = new Group(intents, rows, evidence);
    faults.push(...group.faults());
    const { unknown, decidable, settled, inTime, joined } = group.figures();
    sum.unknown += unknown;
    sum.decidable += decidable;
    sum.settled += settled;
    sum.inTime += inTime;
    sum.joined += joined;
  }
  return { faults, ...sum };
}

type Told = Heard & { readonly how: 'ok' };

/** All requests with the same bytes of one account. */
class Group {
  readonly #intents: readonly Intent[];
  readonly #evidence: Evidence;
  readonly #attempts: readonly Attempt[];
  readonly #effects: readonly Effect[];
  readonly #rows: readonly Write[];

  constructor(intents: readonly Intent[], rows: ReadonlyMap<string, Write>, evidence: Evidence) {
    this.#intents = intents;
    this.#evidence = evidence;
    this.#attempts = intents.flatMap(({ attempts }) => attempts);
    this.#effects = this.#attempts.flatMap((attempt) => this.#effectsOf(attempt));
    this.#rows = this.#attempts.flatMap(({ write }) => rows.get(write) ?? []);
  }

  faults(): readonly Fault[] {
    const found: (readonly [Charge, string])[] = [
      ...this.#superfluous(),
      ...this.#absent(),
      ...this.#refusedThoughDone(),
      ...this.#oneForTwo(),
      ...this.#differentNumbers(),
      ...this.#settledWrongly(),
    ];
    if (found.length === 0) return [];
    const history = this.#history();
    return found.map(([charge, words]) => ({ charge, words, history }));
  }

  /**
   * An unknown outcome is decidable if the service's records allow only one explanation:
   *
   * - all writes of the same bytes whose outcome is unknown were carried out, or none was;
   * - if none was, no record was made by hand that resembles the one sent, which the service may have created again;
   * - if they were carried out, a list shows that the record was not there before: V1's list of time entries does not.
   */
  #isDecidable(doubtful: readonly Write[]): boolean {
    const [intent] = this.#intents;
    const done = doubtful.filter(({ id }) => (this.#evidence.effects.get(id)?.length ?? 0) > 0).length;
    if (intent === undefined || (done > 0 && done < doubtful.length)) return false;
    if (done === 0) return !this.#evidence.resembled.has(contentOf(intent));
    return intent.method !== 'time.add' || intent.account.route !== 'v1';
  }

  figures(): Omit<Verdict, 'faults'> {
    const doubtful = this.#rows.filter(({ state }) => state === 'unknown' || state === 'settled');
    const isDecidable = this.#isDecidable(doubtful);
    const joined = this.#attempts.filter(({ heard }) => heard?.how === 'ok' && heard.joined !== undefined);
    return {
      unknown: doubtful.length,
      decidable: isDecidable ? doubtful.length : 0,
      settled: isDecidable ? doubtful.filter(isSettled).length : 0,
      inTime: isDecidable ? doubtful.filter((row) => isSettled(row) && this.#isInTime(row)).length : 0,
      joined: joined.length,
    };
  }

  /** Counted from when the ledger knew that the outcome was unknown; when the bytes left is not recorded. */
  #isInTime({ createdAt, unknownAt, settledAt = Infinity }: Write): boolean {
    return settledAt <= (unknownAt ?? createdAt) + this.#evidence.latestHandling + SETTLED_WITHIN;
  }

  *#superfluous(): Generator<readonly [Charge, string]> {
    const meant = this.#intents.filter(({ asksAgain, misuses }) => !asksAgain && !misuses);
    for (let more = this.#effects.length - meant.length; more > 0; more -= 1)
      yield ['superfluous', `${this.#effects.length} were made where ${meant.length} were meant`];
    for (const { key, attempts, name } of meant)
      if (key !== undefined && attempts.flatMap((attempt) => this.#effectsOf(attempt)).length > 1)
        yield ['superfluous', `${name} has one key, and more than one effect`];
  }

  *#absent(): Generator<readonly [Charge, string]> {
    for (const [intent, { number }] of this.#told()) {
      if (intent.misuses)
        yield ['broken', `${intent.name} carries another body under a used key, and got OK`];
      if (!isAdd(intent)) {
        if (this.#effects.length === 0) yield ['absent', `${intent.name} got OK, and nothing was changed`];
        continue;
      }
      const uuid = number === undefined ? undefined : this.#evidence.recordOf(intent, number);
      if (!this.#effects.some(({ made }) => made !== undefined && made.uuid === uuid))
        yield ['absent', `${intent.name} got OK with ${String(number)}, which none of these requests made`];
    }
  }

  /** A caller that gets any other answer than OK or 504 assumes that nothing was done. */
  *#refusedThoughDone(): Generator<readonly [Charge, string]> {
    for (const attempt of this.#attempts) {
      const { heard, write } = attempt;
      if (heard === undefined || !['refused', 'unsent', 'failed'].includes(heard.how)) continue;
      if (this.#effectsOf(attempt).length > 0)
        yield ['broken', `${write} was done, and its caller was told ${heard.how}`];
    }
  }

  /**
   * Two identical intents that were both meant create two records, if the first caller was still waiting or had been
   * answered.
   */
  *#oneForTwo(): Generator<readonly [Charge, string]> {
    for (const intent of this.#intents) {
      const { twinOf, final } = intent;
      if (twinOf === undefined || final?.how !== 'ok' || twinOf.final?.how !== 'ok') continue;
      if (final.number === twinOf.final.number && this.#isApart(twinOf, intent))
        yield ['broken', `${intent.name} and ${twinOf.name} were both meant, and got one number`];
    }
  }

  /**
   * Whether the process of the first one kept running until it had recorded that its caller was told: if it stops at
   * that moment, it is unknown whether the caller was.
   */
  #isApart({ attempts: [first] }: Intent, { attempts: [later] }: Intent): boolean {
    if (first?.heard?.how !== 'ok' || first.endedAt === undefined || later === undefined) return false;
    const from = Math.min(first.endedAt, later.began);
    const until = first.endedAt + WRITTEN_DOWN;
    if (first.process.stops.some(([stop, end]) => stop <= until && end >= from)) return false;
    return later.began >= first.endedAt || first.endedAt >= later.began + PROVED;
  }

  /** Callers that joined a write got the same answer. */
  *#differentNumbers(): Generator<readonly [Charge, string]> {
    const told = [...this.#told()].flatMap(([, heard]) => (heard.joined === undefined ? [] : [heard]));
    for (const [joined, all] of Map.groupBy(told, ({ joined }) => joined))
      if (new Set(all.map(({ number }) => number)).size > 1)
        yield ['broken', `who joined ${String(joined)} was told different numbers`];
  }

  /** Settled as done are as many as the service has done, each with a record of its own. */
  *#settledWrongly(): Generator<readonly [Charge, string]> {
    const bySettling = this.#rows.filter(
      ({ settlement, settledBy }) => settlement !== undefined && settledBy === undefined,
    );
    const notDone = bySettling.filter(({ settlement }) => settlement === 'not-done').length;
    const open = this.#rows.filter(isOpen).length;
    const done = this.#rows.filter(
      ({ state, settlement }) => state === 'done' || settlement === 'done',
    ).length;
    if (bySettling.length === 0) return;
    // A change counts as done if the record shows it, whoever made it.
    const isMore = this.#intents.some(isAdd)
      ? done > this.#effects.length
      : done > 0 && this.#effects.length === 0;
    if (isMore) yield ['wrong', `${done} are said to be done, and ${this.#effects.length} were`];
    const lasting = this.#effects.filter((effect) => !this.#isChangedSince(effect)).length;
    if (notDone > 0 && done + open < lasting)
      yield ['wrong', `${notDone} are said to be not done; ${done} done, and ${lasting} were`];
    for (const { id, made, settlement } of bySettling) {
      const intent = this.#intents.find(({ attempts }) => attempts.some(({ write }) => write === id));
      if (settlement !== 'done' || intent === undefined || !isAdd(intent)) continue;
      const uuid = made === undefined ? undefined : this.#evidence.recordOf(intent, made);
      if (!this.#effects.some((effect) => effect.made !== undefined && effect.made.uuid === uuid))
        yield ['wrong', `${id} was settled as done with ${String(made)}, which is of something else`];
    }
  }

  /** Whether another write has changed or deleted it, so that no read shows what it was (docs/support/writes.md). */
  #isChangedSince({ made }: Effect): boolean {
    const { intents, effects, recordOf } = this.#evidence;
    return intents.some((intent) => {
      const number = isAdd(intent) ? undefined : /<ID>(\d+)<\/ID>/.exec(intent.body)?.[1];
      const isDone = intent.attempts.some(({ write }) => effects.has(write));
      return made !== undefined && number !== undefined && isDone && recordOf(intent, number) === made.uuid;
    });
  }

  *#told(): Generator<readonly [Intent, Told]> {
    for (const intent of this.#intents)
      for (const { heard } of intent.attempts) if (heard?.how === 'ok') yield [intent, heard];
  }

  #effectsOf({ write }: Attempt): readonly Effect[] {
    return this.#evidence.effects.get(write) ?? [];
  }

  #history(): readonly string[] {
    const lines = this.#intents.flatMap((intent) => [
      [
        0,
        `${intent.name}: ${intent.method} on ${intent.account.route} of ${intent.account.id}: ${intent.body}`,
      ] as const,
      ...intent.attempts.flatMap((attempt) => this.#linesOf(intent, attempt)),
    ]);
    const rows = this.#rows.map((row) => [Infinity, rowWords(row)] as const);
    return [...lines, ...rows]
      .toSorted(([one], [other]) => one - other)
      .map(([at, words]) =>
        at === 0 || at === Infinity ? words : `${new Date(at).toISOString().slice(11, 23)} ${words}`,
      );
  }

  #linesOf({ name }: Intent, attempt: Attempt): readonly (readonly [number, string])[] {
    const { write, process, began, heard, endedAt } = attempt;
    return [
      [began, `${name} sends ${write} to ${process.name}`],
      ...this.#effectsOf(attempt).map(
        ({ at, made }) =>
          [
            at,
            `the service carries ${write} out${made ? `: ${made.kind} ${made.number} ${made.uuid}` : ''}`,
          ] as const,
      ),
      ...(heard === undefined
        ? []
        : [[endedAt ?? began, `${name} hears of ${write}: ${heardWords(heard)}`] as const]),
    ];
  }
}

const isSettled = ({ settlement }: Write): boolean =>
  settlement !== undefined && settlement !== 'undecidable';

const isOpen = ({ state, settlement }: Write): boolean =>
  state === 'open' || state === 'unknown' || settlement === 'undecidable';

const heardWords = (heard: Heard): string =>
  heard.how === 'ok'
    ? `OK ${String(heard.number)}${heard.joined === undefined ? '' : `, joined ${heard.joined}`}`
    : `${heard.how} (${heard.words})`;

const rowWords = ({ id, state, settlement, caller, made, note, repeats, owner }: Write): string =>
  `row ${id} of ${owner}: ${state} ${settlement ?? ''} ${caller} ${made ?? ''} ${repeats === undefined ? '' : `repeats ${repeats}`} ${note}`;
