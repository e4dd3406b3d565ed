import type { RefreshVerdict } from '../../upstream/model.ts';
import type { Instruments } from './instruments.ts';

/** One OAuth application at a scrape. */
export interface ApplicationFigures {
  readonly application: string;
  /** Presentations of refresh tokens so far. */
  readonly refreshes: Readonly<Record<RefreshVerdict['verdict'], number>>;
  /** Whether the breaker keeps calls away from the authorisation server. */
  readonly isOpen: boolean;
  /** Requests that wait for the rate limit. */
  readonly waiting: number;
  /** Accounts with requests within the limit's window. */
  readonly keys: number;
}

/** Refreshes, breaker and use of the rate limit by OAuth application. */
export class ApplicationMetrics {
  readonly #refreshes: ReturnType<Instruments['counter']>;
  readonly #waiting: ReturnType<Instruments['gauge']>;
  readonly #keys: ReturnType<Instruments['gauge']>;
  readonly #breakers: ReturnType<Instruments['gauge']>;
  readonly #told = new Map<string, number>();

  /** `breakers`: the gauge of all circuit breakers. */
  constructor(instruments: Instruments, breakers: ReturnType<Instruments['gauge']>) {
    this.#breakers = breakers;
    this.#refreshes = instruments.counter(
      'causeway_refreshes_total',
      'Attempts to use a refresh token, by verdict',
      ['verdict', 'application'],
    );
    this.#waiting = instruments.gauge(
      'causeway_budget_waiting',
      'Requests currently waiting for the rate limit',
      ['application'],
      'sum',
    );
    this.#keys = instruments.gauge(
      'causeway_budget_keys',
      'Accounts with requests within the rate limit’s window',
      ['application'],
    );
  }

  enter(all: readonly ApplicationFigures[]): void {
    for (const { application, refreshes, isOpen, waiting, keys } of all) {
      this.#waiting.set({ application }, waiting);
      this.#keys.set({ application }, keys);
      this.#breakers.set({ breaker: 'authority', application }, isOpen ? 1 : 0);
      for (const [verdict, count] of Object.entries(refreshes)) {
        const key = `${application} ${verdict}`;
        this.#refreshes.inc({ verdict, application }, count - (this.#told.get(key) ?? 0));
        this.#told.set(key, count);
      }
    }
  }
}
