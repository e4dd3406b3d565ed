import type { CallFigures } from '../../http/legacy/call-figures.ts';
import type { Source } from '../../lib/failure.ts';
import { SECOND } from '../../lib/time/clock.ts';
import { BOUNDS, type Instruments, type Tally } from './instruments.ts';

type Seconds = Map<Source, Tally>;

const losses = ['dropped', 'defaulted', 'absent', 'rounded', 'replaced'] as const;

/**
 * Counts each call in plain numbers, which prom-client gets at each scrape, because it hashes the labels of every
 * single observation. Only rare figures are counted by prom-client itself.
 */
export class CallMetrics {
  readonly #refusals;
  readonly #losses;
  readonly #rerouted;
  /** By method and source, one entry for each class of statuses. */
  readonly #calls = new Map<string, Map<Source, number[]>>();
  readonly #fast = new Map<string, number>();
  readonly #whole: Seconds = new Map();
  readonly #upstream: Seconds = new Map();

  constructor(instruments: Instruments) {
    const calls = instruments.counter(
      'causeway_calls_total',
      'Legacy calls',
      ['method', 'lane', 'status'],
      () => {
        calls.reset();
        for (const [method, bySource] of this.#calls)
          for (const [lane, counts] of bySource)
            counts.forEach((count, hundreds) => {
              if (count > 0) calls.inc({ method, lane, status: `${hundreds}xx` }, count);
            });
      },
    );
    this.#refusals = new Refusals(instruments);
    this.#losses = instruments.counter(
      'causeway_losses_total',
      'Elements and characters lost in translation',
      ['method', 'loss'],
    );
    this.#rerouted = instruments.counter(
      'causeway_calls_rerouted_total',
      'Calls that V3 served instead of V2; reason is the element that V2 would have lost, or reply',
      ['method', 'reason'],
    );
    const fast = instruments.counter(
      'causeway_fast_calls_total',
      'Legacy calls served on the fast path: from memory alone, without waiting',
      ['method'],
      () => {
        fast.reset();
        for (const [method, count] of this.#fast) fast.inc({ method }, count);
      },
    );
    instruments.tallied('causeway_call_seconds', 'Total duration of legacy calls', 'lane', this.#whole);
    instruments.tallied(
      'causeway_upstream_seconds',
      'Time legacy calls spent waiting for the service',
      'lane',
      this.#upstream,
    );
  }

  /** Called by the legacy endpoint. */
  readonly record = (figures: CallFigures): void => {
    const { method, source, status, millis, upstreamMillis, rerouted: reason } = figures;
    const hundreds = Math.floor(status / 100);
    let bySource = this.#calls.get(method);
    if (bySource === undefined) this.#calls.set(method, (bySource = new Map<Source, number[]>()));
    let counts = bySource.get(source);
    if (counts === undefined) bySource.set(source, (counts = [0, 0, 0, 0, 0, 0]));
    counts[hundreds] = (counts[hundreds] ?? 0) + 1;
    if (figures.isFast === true) this.#fast.set(method, (this.#fast.get(method) ?? 0) + 1);
    observe(this.#whole, source, millis);
    observe(this.#upstream, source, upstreamMillis);
    if (hundreds === 4) this.#refusals.record(figures);
    for (const loss of losses) if (figures[loss] > 0) this.#losses.inc({ method, loss }, figures[loss]);
    if (reason !== undefined) this.#rerouted.inc({ method, reason });
  };
}

/** Calls refused for a reason that an operator can remove. */
class Refusals {
  readonly #notPermitted;
  readonly #limited;

  constructor(instruments: Instruments) {
    this.#notPermitted = instruments.counter(
      'causeway_calls_not_permitted_total',
      'Calls that the service refused with 403, for lack of a scope or of access to the organisation',
      ['method', 'lane'],
    );
    this.#limited = instruments.counter(
      'causeway_calls_limited_total',
      'Calls of accounts answered 429, because the rate limit left no room for them within CAUSEWAY_WAIT_SECONDS',
      [],
    );
  }

  /** Whoever tries many unknown keys gets 429 as well. */
  record({ method, source, status, isUnknown }: CallFigures): void {
    if (status === 403 && source !== 'bridge') this.#notPermitted.inc({ method, lane: source });
    if (status === 429 && isUnknown !== true) this.#limited.inc();
  }
}

function observe(into: Seconds, source: Source, millis: number | undefined): void {
  if (millis === undefined) return;
  const seconds = millis / SECOND;
  let tally = into.get(source);
  if (tally === undefined) into.set(source, (tally = { counts: BOUNDS.map(() => 0), count: 0, sum: 0 }));
  tally.count += 1;
  tally.sum += seconds;
  for (let at = 0; at < BOUNDS.length; at += 1)
    if (seconds <= (BOUNDS[at] ?? 0)) {
      tally.counts[at] = (tally.counts[at] ?? 0) + 1;
      return;
    }
}
