import type { Gauge } from 'prom-client';
import type { Census } from '../../features/status/census.ts';
import { SECOND } from '../../lib/time/clock.ts';
import { within } from '../../lib/time/within.ts';
import type { Instruments } from './instruments.ts';
import { WriteMetrics } from './write-metrics.ts';

/** Less than a primary waits for its workers, and than Prometheus waits (10 s): the other figures must get through. */
export const PATIENCE = 2 * SECOND;

/** Figures that a scrape asks the database for: accounts, invitations, e-mails, grants, events, writes. */
export class CensusMetrics {
  readonly #byState: readonly (readonly [
    Gauge<'state'>,
    (census: Census) => Readonly<Record<string, number>>,
  ])[];
  readonly #seconds: readonly (readonly [Gauge, (census: Census) => number | undefined])[];
  readonly #accounts;
  readonly #unlearned;
  readonly #flagged;
  readonly #drift;
  readonly #mailPaused;
  readonly #failed;
  readonly #writes;
  #taking: Promise<boolean> | undefined;

  constructor(instruments: Instruments) {
    this.#accounts = instruments.gauge('causeway_accounts', 'Accounts by stage', ['stage']);
    this.#byState = [
      [
        instruments.gauge('causeway_invitations', 'Invitations by state', ['state']),
        ({ invitations }) => invitations,
      ],
      [
        instruments.gauge('causeway_outbox_messages', 'E-mails by state', ['state']),
        ({ messages }) => messages,
      ],
      [instruments.gauge('causeway_grants', 'Grants by state', ['state']), ({ grants }) => grants],
      [
        instruments.gauge('causeway_deliveries', 'Outgoing events by state', ['state']),
        ({ deliveries }) => deliveries,
      ],
    ];
    this.#seconds = [
      [
        instruments.gauge(
          'causeway_oldest_grant_seconds',
          'Time since the least recently renewed grant was renewed',
          [],
        ),
        ({ oldestGrantAt }) => oldestGrantAt,
      ],
      [
        instruments.gauge(
          'causeway_oldest_unresolved_seconds',
          'Time since the oldest unanswered refresh was first attempted',
          [],
        ),
        ({ oldestUnresolvedAt }) => oldestUnresolvedAt,
      ],
      [
        instruments.gauge(
          'causeway_confirm_overdue_seconds',
          'Time by which the most overdue confirmation of a token pair is late',
          [],
        ),
        ({ firstConfirmAt }) => firstConfirmAt,
      ],
    ];
    this.#unlearned = instruments.gauge(
      'causeway_unlearned_identifiers',
      'Records whose V1 numbers are unknown, of accounts that have not left',
      [],
    );
    this.#flagged = instruments.gauge(
      'causeway_accounts_flagged',
      'Accounts for which something differs from before their move',
      [],
    );
    this.#drift = instruments.gauge(
      'causeway_drift_alarms',
      'Changes in the service’s replies that affect several accounts and have not been acknowledged',
      [],
    );
    this.#mailPaused = instruments.gauge(
      'causeway_outbox_paused',
      '1 while e-mails wait because the mail server accepts none: all sending pauses between single attempts',
      [],
    );
    this.#writes = new WriteMetrics(instruments);
    this.#failed = instruments.counter(
      'causeway_census_failed_total',
      'Scrapes for which the database could not be queried within two seconds',
      [],
    );
  }

  /** `done`, `not-done` or `undecidable`. */
  get settled(): (outcome: string) => void {
    return this.#writes.settled;
  }

  /**
   * If it fails or takes too long, the previous figures stay and the failure is counted. A census that a lock holds up
   * goes on, and no second one begins beside it.
   */
  async take(take: () => Promise<Census>, now: () => number): Promise<void> {
    this.#taking ??= take()
      .then((census) => {
        this.#enter(census, now());
        return true;
      })
      .finally(() => {
        this.#taking = undefined;
      });
    const isTaken = await within(PATIENCE, this.#taking).catch(() => false);
    if (isTaken !== true) this.#failed.inc();
  }

  #enter(census: Census, now: number): void {
    for (const [stage, count] of Object.entries(census.accounts)) this.#accounts.set({ stage }, count);
    for (const [gauge, countsOf] of this.#byState)
      for (const [state, count] of Object.entries(countsOf(census))) gauge.set({ state }, count);
    for (const [gauge, since] of this.#seconds)
      gauge.set(Math.max(0, (now - (since(census) ?? now)) / SECOND));
    this.#mailPaused.set(census.isMailPaused ? 1 : 0);
    this.#unlearned.set(census.unlearned);
    this.#flagged.set(census.flagged);
    this.#drift.set(census.drift);
    this.#writes.enter(census.writes, now);
  }
}
