/** A series and its values minute by minute, as promtool writes them. */
export type Series = Readonly<Record<string, string>>;

const always = (value: number): string => `${value}+0x180`;
const growing = (perMinute: number): string => `0+${perMinute}x180`;

/** 100 observations a minute, so many of them within ten seconds. */
const histogram = (name: string, within: number): Series => ({
  [`${name}{le="10"}`]: growing(within),
  [`${name}{le="30"}`]: growing(100),
  [`${name}{le="+Inf"}`]: growing(100),
});

const calls = (failed: number): Series => ({
  'causeway_calls_total{status="5xx"}': growing(failed),
  'causeway_calls_total{status="2xx"}': growing(100 - failed),
});

/** For each alert what makes it fire. */
export const faults: Readonly<Record<string, Series>> = {
  CausewayAccountLost: { 'causeway_accounts{stage="lost"}': always(1) },
  CausewayDatabaseAway: { causeway_database_away: always(1) },
  CausewayNothingServed: { causeway_ready: always(0) },
  CausewayDown: { causeway_ready: always(1), 'up{job="causeway"}': always(0) },
  CausewayStoreUnwritable: { 'causeway_degraded{reason="disk-full"}': always(1) },
  CausewayDegraded: { 'causeway_degraded{reason="clock"}': always(1) },
  CausewayConsentWaits: { 'causeway_accounts{stage="awaiting-operator"}': always(1) },
  CausewayDeploymentInDoubt: { causeway_deployment_in_doubt: always(1) },
  CausewayLimitNotShared: { causeway_budget_shared: always(0) },
  CausewayRefreshUnanswered: { causeway_oldest_unresolved_seconds: always(301) },
  CausewayRefreshHalfTime: { causeway_oldest_unresolved_seconds: always(901) },
  CausewayProofOverdue: { causeway_confirm_overdue_seconds: always(301) },
  CausewayGrantLost: { 'causeway_refresh_alarms_total{alarm="lost"}': growing(1) },
  CausewayRefreshBacklog: { causeway_refresh_backlog_late: always(1) },
  CausewaySpilled: { causeway_spilled_pairs: always(1) },
  CausewayAuthorisationServer: { 'causeway_breaker_open{breaker="authority"}': always(1) },
  CausewayRootAway: { 'causeway_breaker_open{breaker="v3"}': always(1) },
  CausewayConnectionsShort: { 'causeway_connections_refused{root="v3"}': growing(2) },
  CausewayGrantOld: { causeway_oldest_grant_seconds: always(45 * 86_400 + 1) },
  CausewayCallsFail: calls(6),
  CausewaySlow: histogram('causeway_call_seconds_bucket', 94),
  CausewayBudgetShort: histogram('causeway_budget_wait_seconds_bucket', 94),
  CausewayCallsLimited: { causeway_calls_limited_total: growing(3) },
  CausewayConsentsRefused: { 'causeway_consents_total{outcome="refused"}': growing(1) },
  CausewayDisconnectionsHeld: { causeway_disconnections_held_total: growing(1) },
  CausewayMailStuck: { 'causeway_outbox_messages{state="failed"}': always(21) },
  CausewayMailPaused: { causeway_outbox_paused: always(1) },
  CausewayBounceMailbox: { causeway_bounce_mailbox_failing_seconds: always(3601) },
  CausewayWorkerRestarts: { causeway_worker_restarts_total: growing(1) },
  // Ten older ones are deleted half an hour before another is given up.
  CausewayEventsGivenUp: { 'causeway_deliveries{state="given-up"}': '10+0x120 0+0x30 1+0x30' },
  CausewayWritesUndecidable: { 'causeway_writes{state="undecidable"}': always(1) },
  CausewayWritesUnknown: { causeway_writes_unknown_oldest_seconds: always(901) },
  CausewayDrift: { causeway_drift_alarms: '1x180' },
  CausewayRouteReturned: { 'causeway_route_trials_ended_total{outcome="returned"}': growing(1) },
  CausewayUnlearned: { causeway_unlearned_identifiers: always(1) },
  CausewayDatabase: { causeway_census_failed_total: growing(1) },
};

/** What every alert looks at, as bad as it may be without one. */
export const health: Series = {
  'causeway_accounts{stage="lost"}': always(0),
  'causeway_accounts{stage="disconnected"}': always(1),
  'causeway_accounts{stage="awaiting-operator"}': always(0),
  causeway_database_away: always(0),
  causeway_ready: always(1),
  'up{job="causeway",instance="a"}': always(1),
  'causeway_degraded{reason="disk-full"}': always(0),
  'causeway_degraded{reason="clock"}': always(0),
  causeway_deployment_in_doubt: always(0),
  causeway_budget_shared: always(1),
  causeway_oldest_unresolved_seconds: always(300),
  causeway_confirm_overdue_seconds: always(300),
  'causeway_refresh_alarms_total{alarm="lost"}': always(3),
  causeway_refresh_backlog_late: always(0),
  causeway_spilled_pairs: always(0),
  'causeway_breaker_open{breaker="authority"}': always(0),
  'causeway_breaker_open{breaker="v3"}': always(0),
  'causeway_connections_refused{root="v3"}': growing(1),
  causeway_oldest_grant_seconds: always(45 * 86_400),
  ...calls(5),
  ...histogram('causeway_call_seconds_bucket', 95),
  ...histogram('causeway_budget_wait_seconds_bucket', 95),
  'causeway_consents_total{outcome="refused"}': always(9),
  'causeway_consents_total{outcome="connected"}': growing(1),
  'causeway_consents_total{outcome="awaiting"}': growing(1),
  causeway_calls_limited_total: growing(2),
  'causeway_outbox_messages{state="failed"}': always(20),
  'causeway_deliveries{state="given-up"}': always(4),
  'causeway_writes{state="undecidable"}': always(0),
  causeway_writes_unknown_oldest_seconds: always(900),
  causeway_disconnections_held_total: always(4),
  'causeway_route_trials_ended_total{outcome="returned"}': always(2),
  'causeway_route_trials_ended_total{outcome="kept"}': growing(1),
  causeway_unlearned_identifiers: always(0),
  // A census that met a lock a few minutes ago.
  causeway_census_failed_total: '2x152 3x30',
  causeway_outbox_paused: always(0),
  causeway_bounce_mailbox_failing_seconds: always(3600),
  causeway_worker_restarts_total: always(1),
};
