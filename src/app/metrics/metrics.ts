/**
 * The metrics of one process, as Prometheus text.
 *
 * Counters and histograms are updated when the event happens (`consent`, …), those of every call only when they are
 * scraped (`call-metrics.ts`). Gauges are read at each scrape through the functions passed to `watches…`, so that
 * nothing is counted twice and nothing runs between scrapes. Names and labels are public: alerts and dashboards rely on
 * them. No label ever names an account, a key or an address.
 */
import type { Census } from '../../features/status/census.ts';
import { SECOND } from '../../lib/time/clock.ts';
import { within } from '../../lib/time/within.ts';
import { refreshAlarms, type RefreshAlarm } from '../../tokens/grant.ts';
import { knownReasons, type Health } from '../health/health-check.ts';
import type { CallFigures } from '../../http/legacy/call-figures.ts';
import type { Spared } from '../../proxy/sparing/sparing-upstream.ts';
import { ApplicationMetrics, type ApplicationFigures } from './application-metrics.ts';
import { CallMetrics } from './call-metrics.ts';
import { CensusMetrics, PATIENCE } from './census-metrics.ts';
import { Instruments } from './instruments.ts';
import { RootMetrics, type RootFigures } from './root-metrics.ts';

/**
 * The figures of the bridge. Methods, sources, verdicts and OAuth applications are few and known; no account, key or
 * address is ever a label.
 */
export class Metrics {
  readonly #instruments = new Instruments();
  readonly #calls = new CallMetrics(this.#instruments);
  readonly #census = new CensusMetrics(this.#instruments);
  readonly #roots = new RootMetrics(this.#instruments);
  readonly #refreshAlarms = this.#instruments.counter(
    'causeway_refresh_alarms_total',
    'Refreshes that need attention: half-time and deadline (no answer), lost, spilled, old, backlog',
    ['alarm'],
  );
  readonly #breakers = this.#instruments.gauge(
    'causeway_breaker_open',
    '1 while only occasional probes are sent to the other side',
    ['breaker', 'application'],
  );
  readonly #applications = new ApplicationMetrics(this.#instruments, this.#breakers);
  readonly #spilled = this.#instruments.gauge(
    'causeway_spilled_pairs',
    'Token pairs kept outside the database because it could not store them',
    [],
  );
  readonly #refreshesLate = this.#instruments.gauge(
    'causeway_refresh_backlog_late',
    '1 while more refreshes are due than can be finished before their deadlines',
    [],
  );
  readonly #consents = this.#instruments.counter(
    'causeway_consents_total',
    'Customers’ returns from the consent page, by outcome',
    ['outcome'],
  );
  readonly #held = this.#instruments.counter(
    'causeway_disconnections_held_total',
    'Accounts that kept their consent although the service denied their organisation twice, because it denied too many at once',
    [],
  );
  readonly #trials = this.#instruments.counter(
    'causeway_route_trials_ended_total',
    'Trials of routes on one account that have ended, by outcome: kept, returned because calls failed or lost data, or ended by an operator in console or API',
    ['outcome'],
  );
  readonly #spared = this.#instruments.counter(
    'causeway_upstream_calls_spared_total',
    'Requests to the service that were avoided, by joining an identical request or by using a stored reply',
    ['by'],
  );
  readonly #rateLimitSeconds = this.#instruments.histogram(
    'causeway_budget_wait_seconds',
    'Time that calls waited for the rate limit',
  );
  readonly #ready = this.#instruments.gauge('causeway_ready', '1 while any call can be served', [], 'min');
  readonly #degraded = this.#instruments.gauge(
    'causeway_degraded',
    '1 for each reason of degradation that /_causeway/health/ready reports',
    ['reason'],
  );
  readonly #databaseAway = this.#instruments.gauge(
    'causeway_database_away',
    '1 while the database does not answer or cannot be written to',
    [],
  );
  readonly #bookkeepingWaiting = this.#instruments.gauge(
    'causeway_bookkeeping_waiting',
    'Calls and notes about accounts waiting in memory to be written',
    [],
    'sum',
  );
  readonly #bookkeepingDropped = this.#instruments.counter(
    'causeway_bookkeeping_dropped_total',
    'Calls and notes about accounts dropped because too many were waiting',
    [],
  );
  readonly #inDoubt = this.#instruments.gauge(
    'causeway_deployment_in_doubt',
    '1 while token renewal is suspended until an operator acknowledges the deployment',
    [],
  );
  #looks: readonly (() => Promise<void>)[] = [];

  constructor() {
    // An alert on an increase must find the series before its first event.
    for (const alarm of refreshAlarms) this.#refreshAlarms.inc({ alarm }, 0);
    for (const outcome of ['kept', 'returned'] as const) this.#trials.inc({ outcome }, 0);
  }

  /** Called by the legacy endpoint. */
  get call(): (figures: CallFigures) => void {
    return this.#calls.record;
  }

  /** Called by vault and sweeper, for events that an operator must know of. */
  readonly refreshAlarm = (alarm: RefreshAlarm): void => {
    this.#refreshAlarms.inc({ alarm });
  };

  /** Called by the consent: `connected`, or the reason why not. */
  readonly consent = (outcome: string): void => {
    this.#consents.inc({ outcome });
  };

  /** Called by the check of forbidden calls. */
  readonly held = (): void => {
    this.#held.inc();
  };

  /** Called by the trials of routes. */
  readonly trialEnded = (outcome: 'kept' | 'returned' | 'ended'): void => {
    this.#trials.inc({ outcome });
  };

  /** Called by the exporter of spans, if calls are traced; otherwise the figure does not exist. */
  countsSpans(): (outcome: 'delivered' | 'dropped', spans: number) => void {
    const total = this.#instruments.counter(
      'causeway_spans_total',
      'Spans of traced calls, by whether the receiver of traces accepted them',
      ['outcome'],
    );
    for (const outcome of ['delivered', 'dropped']) total.inc({ outcome }, 0);
    return (outcome, spans) => {
      total.inc({ outcome }, spans);
    };
  }

  /** Read at each scrape if a mailbox is read for bounces; otherwise the figure does not exist. */
  watchesMailbox(failingSince: () => Promise<number | undefined>, now: () => number): void {
    const failing = this.#instruments.gauge(
      'causeway_bounce_mailbox_failing_seconds',
      'Time since the mailbox for bounces became unreadable; 0: it can be read',
      [],
    );
    this.#look(async () => {
      // While the database does not answer, the previous figure stays.
      const read = failingSince().then((since) => ({ since }));
      const found = await within(PATIENCE, read).catch(() => undefined);
      if (found !== undefined) failing.set(found.since === undefined ? 0 : (now() - found.since) / SECOND);
    });
  }

  /** Called by the reads of programs for each request that was not sent. */
  readonly spared = (by: Spared): void => {
    this.#spared.inc({ by });
  };

  /** Called by the settler: `done`, `not-done` or `undecidable`. */
  get settled(): (outcome: string) => void {
    return this.#census.settled;
  }

  /** Called by the rate limiter with the time a request waited for its turn, in milliseconds. */
  readonly rateLimitWait = (millis: number): void => {
    this.#rateLimitSeconds.observe(millis / SECOND);
  };

  /** Read at each scrape. If it fails or takes too long, the previous figures stay and the failure is counted. */
  takesCensus(take: () => Promise<Census>, now: () => number): void {
    this.#look(() => this.#census.take(take, now));
  }

  /** Read at each scrape: the current faults. */
  watchesHealth(read: () => Health): void {
    this.#look(async () => {
      const { serves, degraded } = read();
      this.#ready.set(serves ? 1 : 0);
      this.#degraded.reset();
      for (const reason of knownReasons) this.#degraded.set({ reason }, 0);
      for (const reason of Object.keys(degraded)) this.#degraded.set({ reason }, 1);
    });
  }

  /** Read at each scrape: whether the database is away, and what waits for it. */
  watchesDatabase(
    read: () => { readonly isAway: boolean; readonly waiting: number; readonly dropped: number },
  ): void {
    let told = 0;
    this.#look(async () => {
      const { isAway, waiting, dropped } = read();
      this.#databaseAway.set(isAway ? 1 : 0);
      this.#bookkeepingWaiting.set(waiting);
      this.#bookkeepingDropped.inc(dropped - told);
      told = dropped;
    });
  }

  /** Read at each scrape: whether this deployment may refresh tokens. */
  watchesDeployment(isInDoubt: () => boolean): void {
    this.#look(async () => {
      this.#inDoubt.set(isInDoubt() ? 1 : 0);
    });
  }

  /** Read at each scrape if several instances share the limit; otherwise these figures do not exist. */
  watchesSharing(
    read: () => { readonly shared: boolean; readonly reaches: boolean; readonly instances: number },
  ): void {
    const redisUp = this.#instruments.gauge(
      'causeway_redis_up',
      '1 while this instance can reach Redis',
      [],
      'min',
    );
    const isShared = this.#instruments.gauge(
      'causeway_budget_shared',
      '1 while all instances share the limit, 0 while each uses an equal part of it',
      [],
      'min',
    );
    const known = this.#instruments.gauge(
      'causeway_instances',
      'Instances known to this one, including itself',
      [],
    );
    this.#look(async () => {
      const { shared, reaches, instances } = read();
      redisUp.set(reaches ? 1 : 0);
      isShared.set(shared ? 1 : 0);
      known.set(instances);
    });
  }

  /** Read at each scrape: refreshes, breaker and use of the rate limit of each OAuth application. */
  watchesApplications(read: () => readonly ApplicationFigures[]): void {
    this.#look(async () => {
      this.#applications.enter(read());
    });
  }

  /** Read at each scrape: which breakers are open. */
  watchesBreakers(read: () => Readonly<Record<string, boolean>>): void {
    this.#look(async () => {
      for (const [breaker, open] of Object.entries(read())) this.#breakers.set({ breaker }, open ? 1 : 0);
    });
  }

  /** Read at each scrape: connections and retries of each upstream root. */
  watchesRoots(read: () => readonly RootFigures[]): void {
    this.#look(async () => {
      this.#roots.enter(read());
    });
  }

  /** Read at each scrape: token pairs stored outside the database, and whether refreshes come too late. */
  watchesSweeper(read: () => { readonly spilled: number; readonly isBehind: boolean }): void {
    this.#look(async () => {
      const { spilled, isBehind } = read();
      this.#spilled.set(spilled);
      this.#refreshesLate.set(isBehind ? 1 : 0);
    });
  }

  async text(): Promise<string> {
    await Promise.all(this.#looks.map((look) => look()));
    return this.#instruments.text();
  }

  /** As data, for a process that adds up the figures of several. */
  async data(): Promise<readonly object[]> {
    await Promise.all(this.#looks.map((look) => look()));
    return this.#instruments.data();
  }

  get contentType(): string {
    return this.#instruments.contentType;
  }

  #look(look: () => Promise<void>): void {
    this.#looks = [...this.#looks, look];
  }
}
