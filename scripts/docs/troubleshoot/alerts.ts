/** What to run for each alert of docs/operate/alerts.yaml; cause and background are in the rule itself. */
export const alertCommands: Readonly<Record<string, string>> = {
  CausewayAccountLost: '`causeway status --stage lost`',
  CausewayAuthorisationServer: '`causeway doctor`',
  CausewayBounceMailbox: '`causeway doctor`; the user and password of `CAUSEWAY_BOUNCES_MAILBOX_URL`',
  CausewayBudgetShort:
    '`causeway accounts show NAME` for the busiest account; reduce its calls, or raise `CAUSEWAY_WAIT_SECONDS`',
  CausewayCallsFail: 'look for `call` lines with `failure` in the log: [calls](calls.md)',
  CausewayCallsLimited:
    'look for `call` lines with the status 429 in the log; spread the calls of this account: `causeway accounts show NAME`',
  CausewayConnectionsShort:
    '`causeway doctor`; if the service is not the cause, raise `CAUSEWAY_UPSTREAM_CONNECTIONS`',
  CausewayConsentWaits: '`causeway consents list`',
  CausewayConsentsRefused:
    '`causeway status --reason consent-failed`; [customers](customers.md#consents-that-connected-nothing)',
  CausewayDatabase: 'bring the database back: [store](../operate/store.md)',
  CausewayDatabaseAway: 'bring the database back: [store](../operate/store.md)',
  CausewayDegraded: '`curl http://127.0.0.1:8080/_causeway/health/ready`; [health](health.md)',
  CausewayDeploymentInDoubt: '`causeway deployment show`',
  CausewayDisconnectionsHeld:
    'look for `disconnection.held` in the log; ask the service whether its gateway is at fault; `causeway accounts disconnect NAME` for a customer who has really disconnected',
  CausewayEventsGivenUp: 'the *Events* page of the console shows the replies and can send the events again',
  CausewayGrantLost: '`causeway status --stage lost`',
  CausewayGrantOld: '`causeway grants refresh NAME`',
  CausewayLimitNotShared: '`causeway doctor`',
  CausewayMailPaused: '`causeway doctor`',
  CausewayMailStuck: '`causeway doctor`',
  CausewayNothingServed: '`curl http://127.0.0.1:8080/_causeway/health/ready`',
  CausewayProofOverdue: '`causeway grants list`; check that a bridge is running',
  CausewayRefreshBacklog: 'start another instance; `causeway doctor`',
  CausewayRefreshHalfTime: '`causeway grants list`',
  CausewayRefreshUnanswered: '`causeway doctor`',
  CausewayRootAway: '`causeway doctor`',
  CausewayDown:
    '`curl http://127.0.0.1:8080/_causeway/health/live`; `systemctl status causeway`, or the log of the container',
  CausewayDrift: '`causeway drift`',
  CausewayRouteReturned: '`causeway route canaries`',
  CausewaySlow:
    'compare `upstreamMs` (the service’s share) and `waitedMs` (the wait for its rate limit) with `ms` in the `call` lines of the log',
  CausewaySpilled: 'free space for the database; do not change `CAUSEWAY_SPILL_FOLDER`',
  CausewayStoreUnwritable:
    'free space, or end the program that holds the lock: [store](../operate/store.md#when-the-disk-is-full-or-nearly)',
  CausewayUnlearned: '`causeway crosswalk learn NAME`',
  CausewayWorkerRestarts:
    'look for `worker.` lines in the log; raise the memory limit or lower `CAUSEWAY_WORKERS`',
  CausewayWritesUndecidable: '`causeway writes list --state undecidable`',
  CausewayWritesUnknown: '`causeway writes list --state unknown`',
};
