/**
 * The job that looks for drift: it finds the differences that several accounts show together (`rule.ts`), ends alarms
 * that are over, and accepts acknowledged changes as the normal form.
 */
import { wordsOf, type Log } from '../../../lib/log/log.ts';
import { DAY, type Clock } from '../../../lib/time/clock.ts';
import type { Mapping } from '../../../mapping/compile/model.ts';
import type { Departure } from './learning/departures.ts';
import { subjectOf, type DriftAlarm } from './model.ts';
import { methodsOf, OtherAccounts, type Change, type Likely, type UsersOf } from './other-accounts.ts';
import { effectOf, rowsConcerned, type SeenAt } from './rows-concerned.ts';
import { fewestOf, neededOf, raisedSince, type Showing } from './rule.ts';
import type { Departed, DriftEntry, StoredDrift } from './stored-drift.ts';
import { driftSentence } from './words.ts';

/** Parts and settings of the job. */
export interface DriftParts {
  readonly stored: StoredDrift;
  readonly mapping: Mapping;
  /** `CAUSEWAY_DRIFT_ACCOUNTS`; 0: nothing is learned. */
  readonly accounts: number;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * In milliseconds: a form that nobody was shown for this long is deleted, and so is an alarm that ended as long ago
 * as `ENDED_LASTS`.
 */
const FORMS_LAST = 35 * DAY;
const ENDED_LASTS = 90 * DAY;
/**
 * Limits, so that a hostile service cannot cause a flood: alarms of one run that get their own event, and alarms that
 * are open.
 */
const MOST = { events: 5, open: 100 };

/** The job; see the head of this file. */
export class Drift {
  readonly #parts: DriftParts;
  readonly #others: OtherAccounts;

  constructor(parts: DriftParts) {
    this.#parts = parts;
    this.#others = new OtherAccounts(parts.stored);
  }

  /** Never rejects: the next run catches up. */
  async run(): Promise<void> {
    const { stored, accounts, clock, log } = this.#parts;
    try {
      const now = clock.now();
      await stored.expire(now - FORMS_LAST, now - ENDED_LASTS);
      if (accounts === 0) return;
      const alarms = await stored.alarms();
      const departed = await this.#withoutAcknowledged(await stored.departed(), alarms);
      await this.#look(changesIn(departed), alarms, now);
    } catch (error) {
      log.error('drift.failed', { error: wordsOf(error) });
    }
  }

  /** Accepts acknowledged changes as normal, for accounts that are shown them later too. */
  async #withoutAcknowledged(
    departed: readonly Departed[],
    alarms: readonly DriftAlarm[],
  ): Promise<readonly Departed[]> {
    const accepted = new Set(alarms.flatMap(({ id, state }) => (state === 'acknowledged' ? [id] : [])));
    if (accepted.size === 0) return departed;
    const others: Departed[] = [];
    for (const one of departed) {
      const isMeant = (departure: Departure): boolean => accepted.has(subjectOf(one, departure).id);
      const departures = one.departures.filter((departure) => !isMeant(departure));
      if (departures.length < one.departures.length) await this.#parts.stored.accept(one, isMeant);
      others.push({ ...one, departures });
    }
    return others;
  }

  async #look(
    changes: ReadonlyMap<string, Change>,
    alarms: readonly DriftAlarm[],
    now: number,
  ): Promise<void> {
    const fewest = fewestOf(this.#parts.accounts);
    const open = new Map(alarms.filter(({ state }) => state === 'open').map((alarm) => [alarm.id, alarm]));
    for (const alarm of open.values()) {
      const change = changes.get(alarm.id);
      if (change === undefined || change.showing.size < fewest) await this.#end(alarm, change, now);
      else await this.#update(alarm, change);
    }
    const likely = await this.#likely(changes, open);
    const known = await this.#others.known(likely);
    let raised = 0;
    for (const one of likely)
      if (!known.has(one) && (await this.#raise(one, raised < MOST.events, now))) raised += 1;
  }

  /** The changes that enough accounts show, as many as alarms may be opened. */
  async #likely(
    changes: ReadonlyMap<string, Change>,
    open: ReadonlyMap<string, DriftAlarm>,
  ): Promise<readonly Likely[]> {
    const usersOf = this.#others.users();
    const likely: Likely[] = [];
    for (const change of changes.values()) {
      if (open.size + likely.length >= MOST.open) break;
      if (open.has(change.subject.id)) continue;
      const since = await this.#raisedSince(change, usersOf);
      if (since !== undefined && !this.#others.isRemembered({ change, since }))
        likely.push({ change, since });
    }
    return likely;
  }

  async #raise({ change, since }: Likely, hasEvent: boolean, now: number): Promise<boolean> {
    const { stored, log } = this.#parts;
    const showing = [...change.showing.values()].filter((one) => one.since >= since);
    const first = showing.find((one) => one.since === since);
    if (first === undefined) return false;
    const accounts = showing.length;
    const alarm = this.#alarm(change, { since, accounts, at: now });
    if (!(await stored.raise(alarm, hasEvent ? entryOf(first.accountId, alarm, now) : undefined)))
      return false;
    const { id, upstream, kind, area, name } = alarm;
    log.warn('drift.raised', { alarm: id, upstream, change: kind, area, name, accounts });
    return true;
  }

  /** Undefined if too few accounts show it. The others are counted only where enough could be enough. */
  async #raisedSince(change: Change, usersOf: UsersOf): Promise<number | undefined> {
    const { accounts } = this.#parts;
    const showing = [...change.showing.values()];
    if (raisedSince(showing, fewestOf(accounts)) === undefined) return undefined;
    return raisedSince(showing, neededOf(accounts, await usersOf(change)));
  }

  #alarm(
    change: Change,
    { since, accounts, at }: { readonly since: number; readonly accounts: number; readonly at: number },
  ): DriftAlarm {
    const { subject, seen } = change;
    const [first] = seen.toSorted((a, b) => a.departure.since - b.departure.since);
    return {
      ...subject,
      from: first?.departure.from ?? '',
      ...{ since, accounts },
      ...this.#reach(change),
      ...{ raisedAt: at, state: 'open', changedAt: at, acknowledged: undefined },
    };
  }

  /** The methods and rows concerned, as of now. */
  #reach({ subject, seen }: Change): Pick<DriftAlarm, 'methods' | 'rows' | 'effect'> {
    const concerned = placesIn(seen).flatMap((place) => rowsConcerned(this.#parts.mapping, place));
    return {
      methods: methodsOf(seen),
      rows: [...new Set(concerned.map(({ path }) => path))].toSorted(),
      effect: effectOf(subject.upstream, subject, concerned),
    };
  }

  async #update(alarm: DriftAlarm, change: Change): Promise<void> {
    const showing = [...change.showing.values()].filter(({ since }) => since >= alarm.since);
    const accounts = Math.max(showing.length, fewestOf(this.#parts.accounts));
    const updated = { ...alarm, accounts, ...this.#reach(change) };
    if (JSON.stringify(updated) !== JSON.stringify(alarm)) await this.#parts.stored.update(updated);
  }

  async #end(alarm: DriftAlarm, change: Change | undefined, now: number): Promise<void> {
    const { stored, log } = this.#parts;
    const accountId = change?.seen[0]?.accountId ?? (await this.#anyOf(alarm));
    const entry = accountId === undefined ? undefined : entryOf(accountId, alarm, now);
    if (await stored.close(alarm.id, { at: now }, entry))
      log.info('drift.ended', { alarm: alarm.id, upstream: alarm.upstream, name: alarm.name });
  }

  /** An account that uses it; its timeline gets the entry. */
  async #anyOf({ upstream, methods }: DriftAlarm): Promise<string | undefined> {
    const [form] = await this.#parts.stored.forms(upstream, methods, 1);
    return form?.accountId;
  }
}

const entryOf = (accountId: string, alarm: DriftAlarm, now: number): DriftEntry => ({
  accountId,
  detail: driftSentence(alarm, now),
});

/** The places where a change is seen, each once: many accounts show the same one, and its rows take long to find. */
const placesIn = (seen: Change['seen']): readonly SeenAt[] => [
  ...new Map(
    seen.map(({ upstream, method, operation, departure: { place } }) => [
      [method, operation, place].join('\n'),
      { upstream, method, operation, place },
    ]),
  ).values(),
];

/** Differences by subject; for each account the earliest counts. */
function changesIn(departed: readonly Departed[]): ReadonlyMap<string, Change> {
  const changes = new Map<string, Change>();
  for (const { departures, ...of } of departed)
    for (const departure of departures) {
      const subject = subjectOf(of, departure);
      const change = changes.get(subject.id) ?? { subject, showing: new Map<string, Showing>(), seen: [] };
      changes.set(subject.id, change);
      const { accountId } = of;
      const since = Math.min(departure.since, change.showing.get(accountId)?.since ?? Infinity);
      change.showing.set(accountId, { accountId, since });
      change.seen.push({ ...of, departure });
    }
  return changes;
}
