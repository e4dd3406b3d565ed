import type { Instruments } from './instruments.ts';

/** One upstream root at a scrape. */
export interface RootFigures {
  readonly name: string;
  readonly accountsOpen: number;
  readonly connections: { readonly used: number; readonly waiting: number; readonly refused: number };
  readonly retriesRefused: number;
}

/** Connections and retries of the upstream roots. */
export class RootMetrics {
  readonly #gauges: readonly ((figures: RootFigures) => void)[];

  constructor(instruments: Instruments) {
    const gauge = (name: string, help: string, figure: (figures: RootFigures) => number) => {
      const made = instruments.gauge(name, help, ['root'], 'sum');
      return (figures: RootFigures): void => {
        made.set({ root: figures.name }, figure(figures));
      };
    };
    this.#gauges = [
      gauge(
        'causeway_account_breakers_open',
        'Accounts for which only occasional probes are sent, by upstream root',
        ({ accountsOpen }) => accountsOpen,
      ),
      gauge(
        'causeway_connections',
        'Connections in use, by upstream root',
        ({ connections }) => connections.used,
      ),
      gauge(
        'causeway_connections_waiting',
        'Calls currently waiting for a connection, by upstream root',
        ({ connections }) => connections.waiting,
      ),
      gauge(
        'causeway_connections_refused',
        'Calls since the start that got no connection in time, by upstream root',
        ({ connections }) => connections.refused,
      ),
      gauge(
        'causeway_retries_refused',
        'Retries since the start that the retry budget (a tenth) did not allow, by upstream root',
        ({ retriesRefused }) => retriesRefused,
      ),
    ];
  }

  enter(roots: readonly RootFigures[]): void {
    for (const root of roots) for (const set of this.#gauges) set(root);
  }
}
