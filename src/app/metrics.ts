/**
 * The metrics of one process, as Prometheus text.
 *
 * Counters and histograms are raised where something happens (`call`, `refresh`, …); gauges are asked for at each
 * scrape, through the functions handed to `watches…`, so that nothing is counted twice and nothing runs while nobody
 * looks. Names and labels are public: alerts and dashboards rely on them. No label ever names an account, a key or an
 * address.
 */
import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Census } from '../features/status/census.ts';
import { SECOND } from '../lib/time/clock.ts';
import { refreshAlarms, type RefreshAlarm } from '../tokens/grant.ts';
import { knownReasons, type Health } from './health/health-check.ts';
import { WriteMetrics } from './write-metrics.ts';

/** Figures of one legacy call; times in milliseconds. */
export interface CallFigures {
  readonly method: string;
  readonly source: string;
  readonly status: number;
  readonly millis: number;
  readonly upstreamMillis: number | undefined;
  /** Elements of the request that went no further. */
  readonly dropped: number;
  /** Places in what was sent that got a default. */
  readonly defaulted: number;
  /** Elements of the reply that the service has no place for. */
  readonly absent: number;
  /** Elements of the reply that say less than the service's value did. */
  readonly rounded: number;
  /** Characters of the reply that XML 1.0 forbids. */
  readonly replaced: number;
  /** What V2 would have lost, where V3 served the call in its place. */
  readonly rerouted?: string | undefined;
}

/** One upstream root at a scrape. */
export interface RootFigures {
  readonly name: string;
  readonly accountsOpen: number;
  readonly connections: { readonly used: number; readonly waiting: number; readonly refused: number };
  readonly retriesRefused: number;
}

const durations = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60];

/**
 * What the bridge counts. Methods, sources and verdicts are few and known; no account, key or address is ever a
 * label.
 */
export class Metrics {
  readonly #registry = new Registry();
  readonly #calls = this.#counter('causeway_calls_total', 'Legacy calls', ['method', 'lane', 'status']);
  readonly #notPermitted = this.#counter(
    'causeway_calls_not_permitted_total',
    'Calls that the service refused with 403: scope, or access to the organisation',
    ['method', 'lane'],
  );
  readonly #losses = this.#counter(
    'causeway_losses_total',
    'Elements that were lost on the way, and characters',
    ['method', 'loss'],
  );
  readonly #rerouted = this.#counter(
    'causeway_calls_rerouted_total',
    'Calls that V3 served in the place of V2: reason is the element that V2 would have lost, or reply',
    ['method', 'reason'],
  );
  readonly #callSeconds = this.#histogram('causeway_call_seconds', 'Legacy calls, whole', ['lane']);
  readonly #upstreamSeconds = this.#histogram('causeway_upstream_seconds', 'What the service took of them', [
    'lane',
  ]);
  readonly #refreshes = this.#counter('causeway_refreshes_total', 'Presentations of refresh tokens', [
    'verdict',
  ]);
  readonly #refreshAlarms = this.#counter(
    'causeway_refresh_alarms_total',
    'Refreshes somebody should look at: half-time and deadline (no answer), lost, spilled, old, backlog',
    ['alarm'],
  );
  readonly #breakers = this.#gauge(
    'causeway_breaker_open',
    '1 while nothing is sent to the other side but a probe now and then',
    ['breaker'],
  );
  readonly #accountBreakers = this.#gauge(
    'causeway_account_breakers_open',
    'Accounts to which only a probe is sent now and then, by upstream root',
    ['root'],
  );
  readonly #connections = this.#gauge('causeway_connections', 'Connections in use, by upstream root', [
    'root',
  ]);
  readonly #connectionsWaiting = this.#gauge(
    'causeway_connections_waiting',
    'Calls that wait for a connection now, by upstream root',
    ['root'],
  );
  readonly #connectionsRefused = this.#gauge(
    'causeway_connections_refused',
    'Calls that no connection came free for in time since the start, by upstream root',
    ['root'],
  );
  readonly #retriesRefused = this.#gauge(
    'causeway_retries_refused',
    'Repeats that the budget of a tenth did not allow since the start, by upstream root',
    ['root'],
  );
  readonly #spilled = this.#gauge(
    'causeway_spilled_pairs',
    'Pairs of tokens that lie outside the database because it could not take them',
    [],
  );
  readonly #refreshesLate = this.#gauge(
    'causeway_refresh_backlog_late',
    '1 while more refreshes are due than can be finished before their deadlines',
    [],
  );
  readonly #unresolvedSeconds = this.#gauge(
    'causeway_oldest_unresolved_seconds',
    'Since the oldest refresh that has no answer was first asked for',
    [],
  );
  readonly #confirmOverdue = this.#gauge(
    'causeway_confirm_overdue_seconds',
    'Since the pair that waits longest for its proof should have been proved',
    [],
  );
  readonly #consents = this.#counter('causeway_consents_total', 'Consents that came back, by outcome', [
    'outcome',
  ]);
  readonly #rateLimitSeconds = this.#histogram(
    'causeway_budget_wait_seconds',
    'Time calls waited for the rate limit',
    [],
  );
  readonly #rateLimitWaiting = this.#gauge(
    'causeway_budget_waiting',
    'Requests now waiting for the rate limit',
    [],
  );
  readonly #rateLimitKeys = this.#gauge(
    'causeway_budget_keys',
    'Accounts with requests within the rate limit’s window',
    [],
  );
  readonly #accounts = this.#gauge('causeway_accounts', 'Accounts by stage', ['stage']);
  readonly #invitations = this.#gauge('causeway_invitations', 'Invitations by state', ['state']);
  readonly #messages = this.#gauge('causeway_outbox_messages', 'Mails by state', ['state']);
  readonly #grants = this.#gauge('causeway_grants', 'Grants by state', ['state']);
  readonly #oldestGrant = this.#gauge(
    'causeway_oldest_grant_seconds',
    'Since the grant that waits longest was renewed',
    [],
  );
  readonly #deliveries = this.#gauge('causeway_deliveries', 'Outgoing events by state', ['state']);
  readonly #unlearned = this.#gauge(
    'causeway_unlearned_identifiers',
    'Records whose V1 numbers are not known',
    [],
  );
  readonly #writes = new WriteMetrics(this.#registry);
  readonly #censusFailed = this.#counter(
    'causeway_census_failed_total',
    'Scrapes for which the database could not be asked',
    [],
  );
  readonly #ready = this.#gauge('causeway_ready', '1 while any call can be served', []);
  readonly #degraded = this.#gauge(
    'causeway_degraded',
    '1 for what does not work as it should, as /_causeway/health/ready says it',
    ['reason'],
  );
  readonly #databaseAway = this.#gauge(
    'causeway_database_away',
    '1 while the database does not answer, or cannot be written to',
    [],
  );
  readonly #bookkeepingWaiting = this.#gauge(
    'causeway_bookkeeping_waiting',
    'Calls and notes about accounts that wait in memory until they are written',
    [],
  );
  readonly #bookkeepingDropped = this.#counter(
    'causeway_bookkeeping_dropped_total',
    'Those that were given up because too many waited',
    [],
  );
  readonly #inDoubt = this.#gauge(
    'causeway_deployment_in_doubt',
    '1 while no token is renewed until an operator acknowledges the deployment',
    [],
  );
  #looks: readonly (() => Promise<void>)[] = [];

  constructor() {
    // Whoever asks for an increase must find the count before the first one.
    for (const alarm of refreshAlarms) this.#refreshAlarms.inc({ alarm }, 0);
  }

  /** For the legacy endpoint. */
  readonly call = (figures: CallFigures): void => {
    const lane = figures.source;
    this.#calls.inc({ method: figures.method, lane, status: `${Math.floor(figures.status / 100)}xx` });
    if (figures.status === 403 && lane !== 'bridge') this.#notPermitted.inc({ method: figures.method, lane });
    for (const loss of ['dropped', 'defaulted', 'absent', 'rounded', 'replaced'] as const)
      if (figures[loss] > 0) this.#losses.inc({ method: figures.method, loss }, figures[loss]);
    const { method, rerouted: reason } = figures;
    if (reason !== undefined) this.#rerouted.inc({ method, reason });
    this.#callSeconds.observe({ lane }, figures.millis / SECOND);
    if (figures.upstreamMillis !== undefined)
      this.#upstreamSeconds.observe({ lane }, figures.upstreamMillis / SECOND);
  };

  /** For the vault: `renewed`, `refused`, `unanswered`. */
  readonly refresh = (verdict: string): void => {
    this.#refreshes.inc({ verdict });
  };

  /** For vault and sweeper: what an operator has to hear of. */
  readonly refreshAlarm = (alarm: RefreshAlarm): void => {
    this.#refreshAlarms.inc({ alarm });
  };

  /** For the consent: `connected`, or the reason why not. */
  readonly consent = (outcome: string): void => {
    this.#consents.inc({ outcome });
  };

  /** For the settler: `done`, `not-done` or `undecidable`. */
  get settled(): (outcome: string) => void {
    return this.#writes.settled;
  }

  /** For the rate limiter: how long a request waited for its turn, in milliseconds. */
  readonly rateLimitWait = (millis: number): void => {
    this.#rateLimitSeconds.observe(millis / SECOND);
  };

  /** Asked at each scrape. Where it fails its figures are those of the time before, and the failure is counted. */
  takesCensus(take: () => Promise<Census>, now: () => number): void {
    this.#look(async () => {
      try {
        this.#enter(await take(), now());
      } catch {
        this.#censusFailed.inc();
      }
    });
  }

  /** Asked at each scrape: what does not work as it should. */
  watchesHealth(read: () => Health): void {
    this.#look(async () => {
      const { serves, degraded } = read();
      this.#ready.set(serves ? 1 : 0);
      this.#degraded.reset();
      for (const reason of knownReasons) this.#degraded.set({ reason }, 0);
      for (const reason of Object.keys(degraded)) this.#degraded.set({ reason }, 1);
    });
  }

  /** Asked at each scrape: whether the database is away, and what waits for it. */
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

  /** Asked at each scrape: whether this deployment may renew tokens. */
  watchesDeployment(isInDoubt: () => boolean): void {
    this.#look(async () => {
      this.#inDoubt.set(isInDoubt() ? 1 : 0);
    });
  }

  /** Asked at each scrape, where several instances share the limit; elsewhere these figures are not there. */
  watchesSharing(
    read: () => { readonly shared: boolean; readonly reaches: boolean; readonly instances: number },
  ): void {
    const redisUp = this.#gauge('causeway_redis_up', '1 while this instance reaches Redis', []);
    const isShared = this.#gauge(
      'causeway_budget_shared',
      '1 while the limit is shared by all instances, 0 while each has an equal part of it',
      [],
    );
    const known = this.#gauge('causeway_instances', 'Instances this one knows of, itself included', []);
    this.#look(async () => {
      const { shared, reaches, instances } = read();
      redisUp.set(reaches ? 1 : 0);
      isShared.set(shared ? 1 : 0);
      known.set(instances);
    });
  }

  /** Asked at each scrape: requests that wait, and accounts that have sent something within the last minute. */
  watchesRateLimiter(read: () => { readonly waiting: number; readonly keys: number }): void {
    this.#look(async () => {
      const { waiting, keys } = read();
      this.#rateLimitWaiting.set(waiting);
      this.#rateLimitKeys.set(keys);
    });
  }

  /** Asked at each scrape: which breakers stand open. */
  watchesBreakers(read: () => Readonly<Record<string, boolean>>): void {
    this.#look(async () => {
      for (const [breaker, open] of Object.entries(read())) this.#breakers.set({ breaker }, open ? 1 : 0);
    });
  }

  /** Asked at each scrape: connections and repeats of each upstream root. */
  watchesRoots(read: () => readonly RootFigures[]): void {
    this.#look(async () => {
      for (const { name: root, accountsOpen, connections, retriesRefused } of read()) {
        this.#accountBreakers.set({ root }, accountsOpen);
        this.#connections.set({ root }, connections.used);
        this.#connectionsWaiting.set({ root }, connections.waiting);
        this.#connectionsRefused.set({ root }, connections.refused);
        this.#retriesRefused.set({ root }, retriesRefused);
      }
    });
  }

  /** Asked at each scrape: pairs that lie outside the database, and whether refreshes come too late. */
  watchesSweeper(read: () => { readonly spilled: number; readonly isBehind: boolean }): void {
    this.#look(async () => {
      const { spilled, isBehind } = read();
      this.#spilled.set(spilled);
      this.#refreshesLate.set(isBehind ? 1 : 0);
    });
  }

  async text(): Promise<string> {
    await Promise.all(this.#looks.map((look) => look()));
    return this.#registry.metrics();
  }

  get contentType(): string {
    return this.#registry.contentType;
  }

  #look(look: () => Promise<void>): void {
    this.#looks = [...this.#looks, look];
  }

  #enter(census: Census, now: number): void {
    for (const [stage, count] of Object.entries(census.accounts)) this.#accounts.set({ stage }, count);
    const byState = [
      [this.#invitations, census.invitations],
      [this.#messages, census.messages],
      [this.#grants, census.grants],
      [this.#deliveries, census.deliveries],
    ] as const;
    for (const [gauge, counts] of byState)
      for (const [state, count] of Object.entries(counts)) gauge.set({ state }, count);
    const { oldestGrantAt } = census;
    this.#oldestGrant.set(oldestGrantAt === undefined ? 0 : Math.max(0, (now - oldestGrantAt) / SECOND));
    const { oldestUnresolvedAt = now, firstConfirmAt = now } = census;
    this.#unresolvedSeconds.set(Math.max(0, (now - oldestUnresolvedAt) / SECOND));
    this.#confirmOverdue.set(Math.max(0, (now - firstConfirmAt) / SECOND));
    this.#unlearned.set(census.unlearned);
    this.#writes.enter(census.writes, now);
  }

  #gauge<Label extends string>(name: string, help: string, labelNames: readonly Label[]): Gauge<Label> {
    return new Gauge({ name, help, labelNames, registers: [this.#registry] });
  }

  #counter<Label extends string>(name: string, help: string, labelNames: readonly Label[]): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.#registry] });
  }

  #histogram<Label extends string>(
    name: string,
    help: string,
    labelNames: readonly Label[],
  ): Histogram<Label> {
    return new Histogram({ name, help, labelNames, buckets: durations, registers: [this.#registry] });
  }
}
