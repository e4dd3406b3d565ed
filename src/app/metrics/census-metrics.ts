import type { Gauge } from 'prom-client';
import type { Census } from '../../features/status/census.ts';
import { SECOND } from '../../lib/time/clock.ts';
import type { Instruments } from './instruments.ts';
import { WriteMetrics } from './write-metrics.ts';

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
  readonly #failed;
  readonly #writes;

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
      'Records whose V1 numbers are unknown',
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
    this.#writes = new WriteMetrics(instruments);
    this.#failed = instruments.counter(
      'causeway_census_failed_total',
      'Scrapes for which the database could not be queried',
      [],
    );
  }

  /** `done`, `not-done` or `undecidable`. */
  get settled(): (outcome: string) => void {
    return this.#writes.settled;
  }

  /** If it fails, the previous figures stay and the failure is counted. */
  async take(take: () => Promise<Census>, now: () => number): Promise<void> {
    try {
      this.#enter(await take(), now());
    } catch {
      this.#failed.inc();
    }
  }

  #enter(census: Census, now: number): void {
    for (const [stage, count] of Object.entries(census.accounts)) this.#accounts.set({ stage }, count);
    for (const [gauge, countsOf] of this.#byState)
      for (const [state, count] of Object.entries(countsOf(census))) gauge.set({ state }, count);
    for (const [gauge, since] of this.#seconds)
      gauge.set(Math.max(0, (now - (since(census) ?? now)) / SECOND));
    this.#unlearned.set(census.unlearned);
    this.#flagged.set(census.flagged);
    this.#drift.set(census.drift);
    this.#writes.enter(census.writes, now);
  }
}
