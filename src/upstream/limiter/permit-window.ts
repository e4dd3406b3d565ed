/**
 * The rolling minute of one key of the rate limiter: the permits in use, the calls that wait for one, and the pace.
 *
 * Half of the limit may go at once; the other half is spread over the rest of the minute (pacing.ts), so that the next
 * turn is always near. `wait` refuses calls at once that would wait in vain, with the seconds after which a retry makes
 * sense. If several instances share the limit, the shared store keeps the pace for all of them
 * (docs/decisions/limits/0008-shared-permits.md).
 */
import type { PermitClaim } from './permit-pool.ts';
import { HOUR, type Clock } from '../../lib/time/clock.ts';
import type { PermitsInUse } from './written-permits.ts';
import type { Slot } from './slot.ts';
import type { Timer } from '../../lib/time/timer.ts';
import type { PermitsHeld } from './permits-held.ts';
import { Forecast } from './waiting/forecast.ts';
import { nextTurn } from './waiting/pacing.ts';
import type { PermitReserve } from './permit-reserve.ts';
import { Permit, Permits, type PermitParts } from './permits.ts';
import { exhausted, gone, WaitingLine, type Wait, type Waiter } from './waiting/waiting-line.ts';

/** Dependencies of a window. */
export interface PermitWindowParts {
  readonly clock: Clock;
  readonly limit: number;
  /** Requests in progress at once; undefined: any number. */
  readonly concurrent: number | undefined;
  /** How many calls go at once before any has to wait; default: half of the limit. */
  readonly burst?: number | undefined;
  /** Requests that may wait. */
  readonly queue: number;
  readonly timer: Timer;
  /** How long after it left a request may still be handled, in milliseconds. */
  readonly latestHandling: number;
  /** Undefined: the whole limit is here. */
  readonly permitsHeld: PermitsHeld | undefined;
  /** Undefined: what is in use is not stored in case this process dies. */
  readonly reserve: PermitReserve | undefined;
  readonly key: string;
}

/** The longest pause that the service may ask for, in milliseconds. */
export const LONGEST_BLOCK = HOUR;
/** In milliseconds: even a call without patience waits until the shared store was asked, or a permit recorded. */
const ASKING = 250;

/** The window of one key. */
export class PermitWindow {
  readonly #parts: PermitWindowParts;
  readonly #permits: Permits;
  readonly #permit: PermitParts;
  readonly #forecast: Forecast;
  readonly #line = new WaitingLine();
  /** Of the whole limit. */
  readonly #ownBurst: number;
  #blockedUntil = 0;
  #cancelTimer: (() => void) | undefined;

  constructor(parts: PermitWindowParts) {
    this.#parts = parts;
    const { clock, permitsHeld, limit, burst } = parts;
    this.#permits = new Permits(clock, parts.latestHandling, parts.concurrent);
    this.#permit = { permits: this.#permits, clock, permitsHeld, ended: this.#ended };
    this.#forecast = new Forecast({ permits: this.#permits, permitsHeld, limit, burst });
    this.#ownBurst = this.#forecast.burst(limit);
    this.#permits.inherit(parts.reserve?.inherited(parts.key) ?? []);
  }

  /** What this process uses. */
  get use(): PermitsInUse {
    this.#now();
    return this.#permits.own;
  }

  /** Requests that wait for a permit. */
  get waiting(): number {
    return this.#line.length;
  }

  get held(): number {
    this.#now();
    this.#forecast.cap();
    return this.#parts.permitsHeld?.held ?? 0;
  }

  /** Gives up every permit that is not in use, and reports the others, if any. */
  freeze(): readonly PermitClaim[] {
    const { permitsHeld, key, limit } = this.#parts;
    const now = this.#now();
    if (permitsHeld === undefined) return [];
    const { inUse } = this.#permits;
    permitsHeld.shrink(inUse);
    if (inUse === 0) return [];
    const permits = {
      key,
      limit,
      burst: this.#forecast.burst(limit),
      held: inUse,
      busyFor: this.#permits.busyFor(now),
    };
    return [{ ...permits, unused: 0, waiting: [], isBusy: false }];
  }

  /** What may be held has changed. Returns the remaining pause the service asked for, in milliseconds. */
  changed(): number {
    this.#turn();
    return this.#blockedUntil - this.#parts.clock.now();
  }

  /** Returns what is not in use; whether there is anything left to look after. */
  tidy(): boolean {
    const { permitsHeld, clock } = this.#parts;
    if (permitsHeld === undefined) return false;
    if (permitsHeld.isAtRest(clock.now())) return true;
    const now = this.#now();
    this.#forecast.cap();
    const { inUse } = this.#permits;
    if (this.#wanted(now) <= 0 && permitsHeld.isUntidy(inUse, now)) this.#ask(now);
    return permitsHeld.isKnown || inUse > 0;
  }

  idle(): boolean {
    const now = this.#now();
    return (
      this.#permits.isIdle &&
      this.#line.length === 0 &&
      this.#blockedUntil <= now &&
      this.#parts.permitsHeld?.isKnown !== true
    );
  }

  /** How long something here may still count at the service, in milliseconds. */
  get countsFor(): number {
    return this.#permits.countsFor(this.#now());
  }

  /** A slot, if a request may go at once; nobody overtakes those that wait. */
  takeAtOnce(): Slot | undefined {
    const now = this.#now();
    const { inUse, open, concurrent } = this.#permits;
    if (this.#line.length > 0 || this.#blockedUntil > now || open >= concurrent) return undefined;
    if (this.#turnsNow(now) === 0) return undefined;
    const { reserve } = this.#parts;
    const isAmple = reserve === undefined || inUse < reserve.ample;
    if (!isAmple && this.#capacity() <= 0) return undefined;
    return new Permit(this.#permit, now);
  }

  readonly #ended = (): void => {
    if (this.#line.length > 0 || this.#cancelTimer !== undefined) this.#turn();
  };

  /** The service wants a pause; a shorter one never replaces a longer one. */
  block(millis: number): void {
    this.#blockedUntil = Math.max(this.#blockedUntil, this.#parts.clock.now() + millis);
    this.#turn();
  }

  wait({ millis, priority, signal }: Wait): Promise<Slot> {
    const { permitsHeld, reserve } = this.#parts;
    const now = this.#now();
    const earliest = this.#turns(now)(this.#line.placeOf(priority, now));
    if (earliest > now + millis || this.#line.length >= this.#parts.queue)
      return Promise.reject(exhausted(earliest - now));
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#line.remove(waiter);
        waiter.refuse(gone());
        this.#turn();
      };
      const waiter: Waiter = {
        since: now,
        priority,
        until: now + Math.max(millis, permitsHeld === undefined && reserve === undefined ? 0 : ASKING),
        grant: (slot) => {
          signal?.removeEventListener('abort', leave);
          resolve(slot);
        },
        refuse: (failure) => {
          signal?.removeEventListener('abort', leave);
          reject(failure);
        },
      };
      signal?.addEventListener('abort', leave);
      this.#line.add(waiter);
      this.#turn();
      if (this.#line.length === 1) this.#askFor(now);
    });
  }

  /** Lets calls go whose turn it is, refuses those that would wait in vain, and sets a timer for the next change. */
  #turn(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    if (this.#line.length === 0) return;
    const { clock, permitsHeld } = this.#parts;
    const now = this.#now();
    for (;;) {
      const going = this.#line.take(this.#goesNow(now));
      for (const waiter of going) waiter.grant(new Permit(this.#permit, clock.now()));
      if (going.length === 0) break;
    }
    this.#refuseHopeless(now);
    if (permitsHeld?.askIn(now) === 0) this.#askFor(now);
    this.#setAlarm(now);
  }

  /** How many may be let through at this moment. */
  #goesNow(now: number): number {
    if (this.#blockedUntil > now) return 0;
    const going = Math.min(this.#turnsNow(now), this.#permits.slots);
    return going === 0 ? 0 : Math.min(going, this.#capacity());
  }

  /** How many of them are stored. */
  #capacity(): number {
    const { reserve, key } = this.#parts;
    return reserve?.capacity(key, this.#permits.own, Math.max(1, this.#line.length)) ?? Infinity;
  }

  #turnsNow(now: number): number {
    // The usual case needs no list of times.
    const free = this.#ownBurst - this.#permits.inUse;
    if (this.#parts.permitsHeld === undefined && free > 0) return free;
    const cap = this.#forecast.cap();
    const { inUse } = this.#permits;
    if (this.#parts.permitsHeld?.isShared === true) return Math.max(0, cap - inUse);
    const burst = Math.min(cap, this.#forecast.burst(cap)) - inUse;
    if (burst > 0) return burst;
    return cap > inUse && nextTurn(this.#forecast.pacing(now)) <= now ? 1 : 0;
  }

  /** Asks the shared store for permits for those that wait, and returns what is not in use. */
  #askFor(now: number): void {
    const { permitsHeld } = this.#parts;
    if (this.#wanted(now) > 0 && this.#blockedUntil <= now && permitsHeld?.askIn(now) !== undefined)
      this.#ask(now);
  }

  /** Permits that are missing for the requests that may be in progress besides. */
  #wanted(now: number): number {
    return Math.min(this.#line.length, this.#permits.slots) - this.#turnsNow(now);
  }

  #ask(now: number): void {
    const { permitsHeld, clock, limit } = this.#parts;
    permitsHeld?.ask(
      {
        busy: this.#permits.inUse,
        burst: this.#forecast.burst(limit),
        busyFor: this.#permits.busyFor(now),
        waiting: this.#line.waits(now).slice(0, Math.max(0, this.#wanted(now))),
      },
      () => clock.now(),
      (blockedFor) => {
        if (blockedFor > 0) this.#blockedUntil = Math.max(this.#blockedUntil, clock.now() + blockedFor);
        this.#turn();
      },
    );
  }

  #refuseHopeless(now: number): void {
    const turns = this.#turns(now);
    const hopeless = this.#line.sift(({ until }, place) => turns(place) > until);
    for (const { waiter, place } of hopeless) waiter.refuse(exhausted(turns(place) - now));
  }

  #setAlarm(now: number): void {
    if (this.#line.length === 0) return;
    const change = Math.max(this.#nextChange(now), this.#blockedUntil);
    const wait = Math.max(1, Math.min(change, this.#line.firstEnd + 1) - now);
    this.#cancelTimer = this.#parts.timer(wait, () => {
      this.#turn();
    });
  }

  #nextChange(now: number): number {
    const { permitsHeld } = this.#parts;
    if (permitsHeld?.isShared === true) {
      const isAsking = this.#blockedUntil > now || this.#wanted(now) > 0;
      return isAsking ? now + (permitsHeld.askIn(now) ?? Infinity) : Infinity;
    }
    // A call that waits only for something to be stored is called when it is.
    const isWritten = this.#blockedUntil > now || this.#turnsNow(now) === 0;
    return isWritten ? nextTurn(this.#forecast.pacing(now)) : Infinity;
  }

  /** Returns a lower bound for when the waiter at a position in the queue can go. */
  #turns(now: number): (place: number) => number {
    return this.#forecast.turns(now, Math.max(now, this.#blockedUntil));
  }

  /** The current time; also frees what has expired by then. */
  #now(): number {
    const now = this.#parts.clock.now();
    this.#permits.expire(now);
    this.#blockedUntil = Math.min(this.#blockedUntil, now + LONGEST_BLOCK);
    return now;
  }
}
