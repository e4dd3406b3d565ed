import type { Settings } from '../../settings/model.ts';
import type { Product } from '../../../upstream/organisation.ts';
import { SECOND, type Clock } from '../../../lib/time/clock.ts';
import type { Log } from '../../../lib/log/log.ts';
import { HostLookup } from '../../../lib/net/host-lookup.ts';
import { rootOf } from '../../../upstream/address.ts';
import { Bulkhead, type BulkheadView } from '../../../upstream/transport/bulkhead.ts';
import type { TransportLimits } from '../../../upstream/transport/exchange.ts';
import { Transport } from '../../../upstream/transport/transport.ts';

interface Needs extends Pick<TransportLimits, 'dates'> {
  readonly clock: Clock;
  readonly log: Log;
}

/** A bulkhead for each upstream root in use. */
export class Bulkheads {
  /** Also for the authorisation server. */
  readonly lookup = new HostLookup().lookup;
  readonly #settings: Settings;
  readonly #surroundings: { readonly clock: Clock; readonly log: Log };
  readonly #dates: TransportLimits['dates'];
  readonly #all: Bulkhead[] = [];

  constructor(settings: Settings, { clock, log, dates }: Needs) {
    this.#settings = settings;
    this.#surroundings = { clock, log };
    this.#dates = dates;
  }

  get views(): readonly BulkheadView[] {
    return this.#all.map(({ view }) => view);
  }

  /** How many calls and probes the roots with this name have answered so far. */
  answers(name: string): number {
    const named = this.#all.filter(({ view }) => view.name === name);
    return named.reduce((sum, { answers }) => sum + answers, 0);
  }

  open(name: string, root: string): Bulkhead {
    const { profile, connections } = this.#settings;
    const { size, share, waitSeconds } = connections;
    // A reply that stalls for as long as its first byte may take will not come.
    const millis = profile.durations.upstreamTimeout * SECOND;
    const bulkhead = new Bulkhead({
      name,
      root: rootOf(root),
      transport: new Transport({
        ...{ answerMs: millis, stallMs: millis, connections: size },
        ...{ dates: this.#dates, lookup: this.lookup },
      }),
      lookup: this.lookup,
      limits: { size, share, waitMs: waitSeconds * SECOND },
      ...this.#surroundings,
    });
    this.#all.push(bulkhead);
    return bulkhead;
  }

  /** The same bulkhead for both products if they have the same root. */
  openEach(
    name: string,
    { standard, practice }: Readonly<Record<Product, string>>,
  ): Readonly<Record<Product, Bulkhead>> {
    const first = this.open(name, standard);
    return {
      standard: first,
      practice: practice === standard ? first : this.open(`${name}-practice`, practice),
    };
  }

  async close(millis: number): Promise<void> {
    await Promise.all(this.#all.map((bulkhead) => bulkhead.close(millis)));
  }
}

/** Which breakers are open, for the metrics. */
export const openBreakers = (views: readonly BulkheadView[]): Readonly<Record<string, boolean>> =>
  Object.fromEntries(views.map(({ name, breaker }) => [name, breaker.state !== 'closed']));

/** For the health report: the roots that receive no calls. */
export function rootTroubles(views: readonly BulkheadView[]): Readonly<Record<string, string>> | undefined {
  const troubles = views.flatMap(({ name, breaker }) =>
    breaker.state === 'closed'
      ? []
      : [
          [
            name,
            `nothing is sent since ${new Date(breaker.since).toISOString()}: ${breaker.reason}`,
          ] as const,
        ],
  );
  return troubles.length === 0 ? undefined : Object.fromEntries(troubles);
}
