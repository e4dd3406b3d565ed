import type { Advice } from './advice.ts';

/** For events that need no action. */
const NOTHING = 'nothing';
const ITSELF = 'nothing: the bridge retries; if it keeps failing, see the other lines of the log';
const DATABASE = 'check the database: [store](../operate/store.md)';
const SERVICE = '`causeway doctor`';
const DEPLOYMENT = '`causeway deployment show`';
const GRANTS = '`causeway grants list`';
const REPORT = 'report it with the log line, which contains no secret';

const row = (cause: string, command: string): Advice => ({ cause, command });

/** Every event of the log. The level is read from the code that writes the line. */
export const logAdvice: Readonly<Record<string, Advice>> = {
  'account.disconnected': row(
    'After a call was refused with 403, neither the list of connections nor V3 had the account’s organisation, twice within minutes: the account is lost',
    'nothing: the campaign asks the customer to authorise again; `causeway remind NAME` sends the message now',
  ),
  'account.discovered': row(
    'V1 accepted a call with an unknown account key',
    '`causeway accounts list --incomplete`',
  ),
  'account.no-api-key': row(
    'An account has moved but its API key is unknown: its calls are refused',
    '`causeway accounts set NAME --api-key -`',
  ),
  'account.not-noted': row(
    'Something learned from a call (the account’s API key, or that V1 serves the account) could not be stored',
    ITSELF,
  ),
  'admin.failed': row(
    'An action in the console, the API or the command line failed unexpectedly',
    '`error` gives the reason; try again',
  ),
  'api.cut': row(
    'A response of the API was cut off while it was being sent',
    'repeat the request; `error` gives the reason',
  ),
  'api.failed': row('The API returned 500', '`error` gives the reason'),
  'rehearsal.done': row('The rehearsal of an account’s move on a sandbox has finished', NOTHING),
  'rehearsal.failed': row(
    'A rehearsal failed before it finished',
    '`error` gives the reason; start it again in the console or with `causeway rehearse`',
  ),
  'report.sent': row('The weekly report was sent to one of its recipients', NOTHING),
  'report.not-sent': row(
    'The mail server did not accept the weekly report for one of its recipients, or did not answer (`unknown`: the report may have been sent)',
    'nothing if `verdict` is `postponed`: the bridge retries for a day; otherwise check `CAUSEWAY_REPORT_TO`; `causeway report send` sends it now',
  ),
  'report.failed': row('The weekly report could not be generated', ITSELF),
  'application.missing': row(
    'Some accounts belong to an OAuth application that is not configured, so their customers cannot connect them',
    'add it to `CAUSEWAY_APPLICATIONS_FILE` again, or assign the accounts to another application ([applications](../deploy/applications.md))',
  ),
  'authority.available': row('The authorisation server answers again', NOTHING),
  'authority.unavailable': row(
    'The authorisation server rejected the client (`invalid_client`), throttled it, or did not answer ten refreshes',
    `${SERVICE}; if the client is rejected, correct the client ID or secret of that \`application\``,
  ),
  'budget.alone': row(
    'The instances cannot share the rate limit; each uses an equal part of it',
    'restore Redis; `causeway doctor` shows what is wrong ([instances](../deploy/instances.md#when-something-fails))',
  ),
  'worker.answers': row('A worker process that had not answered for half a minute answers again', NOTHING),
  'worker.ended': row(
    'One of several worker processes ended unexpectedly: its calls in progress were cut off, and a new worker replaces it',
    'see the log lines before it; `code` or `signal` shows how it ended',
  ),
  'worker.not-started': row(
    'A worker process could not be started, so one that ended is not replaced yet; the others serve, and it is tried again after a growing pause',
    '`error` has the reason: `EAGAIN` means too many processes, `ENOMEM` too little memory, and `ENOENT` that Node was removed or moved',
  ),
  'worker.ready': row('A worker process is ready to serve calls; `digest` is that of its mapping', NOTHING),
  'worker.replaced': row('A new worker has replaced one that ended', NOTHING),
  'worker.silent': row(
    'A worker process has not answered for half a minute; after a minute it is killed and replaced',
    'if it happens repeatedly, report it with the log lines before it',
  ),
  'budget.concurrent': row(
    'The service returned 429 because too many calls of the organisation were in progress at once; the call is repeated after `millis` while its waiting time lasts',
    'set `limits.concurrent` of the profile ([configuration](../reference/configuration.md#profiles)); if it is set, several workers or instances share the limit (give each its part of it), or another program calls too',
  ),
  'budget.killed': row(
    'The previous process was killed: permits it may have used count as used for a while',
    NOTHING,
  ),
  'budget.no-register': row('The register of instances in the database could not be read', DATABASE),
  'budget.refused-upstream': row(
    'The service returned 429: another program uses the account’s limit, or the limit in the profile is too high',
    'stop the other program, or lower the limit in the profile ([configuration](../reference/configuration.md#profiles))',
  ),
  'budget.shared': row('The instances share the rate limit again', NOTHING),
  'budget.unwritten': row(
    'Permits in use could not be stored; if the process were killed, they would not be counted',
    DATABASE,
  ),
  call: row(
    'A call has ended. The line has who answered, status and times; `failure` is the code in [calls](calls.md), `reason` the parser’s, or `PIPELINED` (too many calls at once on one connection) or `ADDRESS_SHARE` (too many connections from one address)',
    'see [calls](calls.md) if `failure` is set',
  ),
  'bounces.confirm': row(
    'Amazon SNS asks for confirmation before it posts bounces to the bridge, and `CAUSEWAY_BOUNCES_SNS_TOPIC` is not set',
    'if `topic` is yours, set it there, restart the bridge, and choose *Request confirmation* for the subscription in SNS',
  ),
  'bounces.confirmed': row(
    'The bridge has confirmed the subscription of the SNS topic: bounces of Amazon SES arrive from now on',
    NOTHING,
  ),
  'bounces.not-confirmed': row(
    'The subscription of the SNS topic could not be confirmed, so no bounce of Amazon SES arrives',
    '`reason` says why. Allow the bridge to reach `sns.<region>.amazonaws.com`; if SNS does not post its request again, choose *Request confirmation* for the subscription in SNS',
  ),
  'bounces.not-read': row(
    'The mailbox for bounces cannot be read; logged once for each reason',
    '`reason` says why; `causeway doctor` tests the mailbox, `causeway campaign mailbox` shows since when',
  ),
  'bounces.read': row('The mailbox for bounces was read; the line counts the messages of each kind', NOTHING),
  'bounces.read-again': row('The mailbox for bounces can be read again', NOTHING),
  'bounces.stopped': row('A message bounced: no more messages are sent to that address', NOTHING),
  'bounces.unsigned': row(
    'A bounce posted as coming from Amazon SES was rejected, because `CAUSEWAY_BOUNCES_SNS_TOPIC` is set',
    '`reason` says why. If the certificate could not be fetched, allow the bridge to reach `sns.<region>.amazonaws.com`: SNS posts the bounce again',
  ),
  'call.failed': row(
    'A call failed with `internal`, or calls failed with `storeUnavailable`: at once and then once a minute for each reason, with the number of `calls` since the last such line; the last of these calls is the one that is named',
    '`error` gives the reason',
  ),
  'call.not-begun': row(
    'A call that waited for an earlier one on the same connection was not carried out and gets no reply: the connection was lost (`CONNECTION_LOST`), the reply before it ended the connection (`CONNECTION_ENDED`), or the bridge stopped (`STOPPED`)',
    'nothing: its program sends it again on a new connection',
  ),
  'campaign.failed': row('The campaign could not be continued for one account', ITSELF),
  'campaign.fresh-failed': row(
    'A new link requested by a customer could not be sent',
    '`causeway remind NAME`',
  ),
  'canary.ended': row('A trial of a route ended: an operator set its routes again', NOTHING),
  'canary.kept': row(
    'A trial of a route ended, and the account keeps the route',
    '`causeway route canaries`',
  ),
  'canary.not-judged': row('The trials of routes could not be evaluated', ITSELF),
  'canary.returned': row(
    'A trial of a route failed, and the account is back on its former routes',
    '`causeway route canaries` says why',
  ),
  configuration: row(
    'A setting is allowed but probably not intended',
    'read the message and [configuration](../reference/configuration.md)',
  ),
  'consent.asked': row(
    'A customer approved something unexpected and was asked which organisation it is',
    NOTHING,
  ),
  'consent.awaiting': row(
    'Nothing proves that the approved organisation belongs to the account',
    '`causeway consents list`',
  ),
  'consent.confirmed': row('An operator confirmed a consent', NOTHING),
  'consent.connected': row('A consent connected an account', NOTHING),
  'consent.connections': row(
    'After a consent, the list of organisations could not be read',
    `${SERVICE}; check \`CAUSEWAY_CONNECTIONS_URL\``,
  ),
  'consent.other-application': row(
    'A code arrived at the redirect address of a different OAuth application from the account’s: the addresses are mixed up, or the account’s application was changed in the meantime',
    'nothing: the code was refused; if it happens again, check that each application has its own redirect address at the service ([applications](../deploy/applications.md))',
  ),
  'consent.exchange': row(
    'The authorisation server did not exchange the code from a consent',
    '`error` has the server’s error code: `invalid_client` means a wrong secret, `invalid_grant` a code that was already used or has expired',
  ),
  'connection.disconnected': row(
    'A customer on its status page, or an operator, ended the connection; `outcome` says whether the service revoked the tokens',
    NOTHING,
  ),
  'connection.revocation': row(
    'A connection was ended here, but the service did not accept the revocation',
    'nothing: the bridge asks again for a week; if `consent.revocation` follows again and again, find out why the authorisation server does not answer',
  ),
  'consent.elsewhere': row(
    'A customer approved an organisation that belongs, by its id or name, to another account (`other`): V1 may refuse that account’s keys now',
    'invite the other account’s customer if its calls fail',
  ),
  'consent.explained': row('A person gave a reason for not approving', NOTHING),
  'consent.forgotten': row('Tokens that connect no account were revoked and erased', NOTHING),
  'consent.kept': row(
    'Tokens were erased here but not revoked, because another account relies on an approval by the same person',
    NOTHING,
  ),
  'consent.later': row(
    'A customer pressed the button and was asked to try again later. `reason`: `unread` (V1 could not be read), `slow` (V1 has not shown all numbers yet), `application` (the account’s OAuth application is not configured)',
    '`unread`: `causeway doctor`; if V1 has ended, remove `CAUSEWAY_V1_BASE_URL`. `application`: as for `application.missing`. `slow`: nothing, V1 is read on; if it happens again, `causeway crosswalk learn NAME`',
  ),
  'consent.unread': row(
    'V1 has answered nobody for an hour or more, but all numbers of the account are known: its customer was let on to the consent',
    'if V1 has ended, remove `CAUSEWAY_V1_BASE_URL`',
  ),
  'consent.refused': row(
    'A customer returned from the consent page, but no account was connected',
    '`reason` is explained in [customers](customers.md#consents-that-connected-nothing)',
  ),
  'consent.refused-by-operator': row('An operator refused a consent', NOTHING),
  'consent.revocation': row('Tokens that connect no account could not be revoked yet', ITSELF),
  'consent.revocation-failed': row(
    'The tokens of a refused consent could not be queued for revocation',
    ITSELF,
  ),
  'consent.sweep-failed': row('Consents that were never completed could not be deleted', ITSELF),
  'console.failed': row('A page of the console returned 500', '`error` gives the reason'),
  'console.refused': row(
    'Somebody tried to sign in with a wrong token',
    'if it happens repeatedly, restrict access to the console',
  ),
  'console.openid-refused': row(
    'Somebody returned from the OpenID provider but was not signed in; `reason` and `detail` say why',
    'see [sign-in](../secure/sign-in.md#when-it-does-not-work); for `untrusted`, check the provider’s settings first',
  ),
  'console.throttled': row(
    'Too many wrong tokens came from one address',
    'restrict access to the console; if the address is a proxy’s, add it to `CAUSEWAY_TRUSTED_PROXIES`',
  ),
  'crosswalk.learn': row('The numbers of an account were learned from V1', NOTHING),
  'cutover.failed': row('The checks before a move could not be run', '`causeway cutover NAME` shows them'),
  'cutover.learned-again': row(
    'V1 was asked for the numbers of an account once more after its move; `outcome` gives the result',
    'nothing: if it `failed`, the bridge retries for a day',
  ),
  'cutover.migrated': row('An account has moved to V3', NOTHING),
  'cutover.resume-failed': row('What follows a move could not be stored yet', ITSELF),
  'database.away': row(
    'The database cannot be reached or written to',
    `${DATABASE}; reads are served from memory for \`CAUSEWAY_OUTAGE_SECONDS\``,
  ),
  'database.created': row(
    'There was no database at `path`, so a new one was created: right at a first start',
    'otherwise correct `CAUSEWAY_DATABASE_URL`, the working directory or the mount: [backup](../operate/backup.md#when-the-deployment-is-in-doubt)',
  ),
  'database.back': row('The database is available again', NOTHING),
  'deployment.carried': row(
    'The bridge recognised that its database was moved while bridges were running',
    NOTHING,
  ),
  'deployment.clear': row('The deployment is no longer in doubt', NOTHING),
  'deployment.grants-withheld': row(
    'The database lacks renewals that an instance has seen: the grants concerned are not renewed',
    `${DEPLOYMENT}, then \`causeway deployment acknowledge\``,
  ),
  'deployment.in-doubt': row(
    'No token is renewed: an old backup or a copy of the database may be in use',
    `${DEPLOYMENT} ([backup](../operate/backup.md#when-the-deployment-is-in-doubt))`,
  ),
  'deployment.not-looked-at': row('The state of the deployment could not be read', DATABASE),
  'deployment.numbers-not-skipped': row(
    'Numbers that the database may lack could not be left out; tried again with the next look',
    DATABASE,
  ),
  'disconnection.held': row(
    'Neither the list of connections nor V3 has the organisations of more than three accounts of an application: no more are lost, and the bridge asks about them every hour',
    'ask the service whether its gateway is at fault; a customer who has really disconnected: `causeway accounts disconnect NAME`',
  ),
  'disconnection.unclear': row(
    'A call was refused with 403, and the bridge could not determine whether the organisation was disconnected',
    'nothing: it is checked again later; `causeway doctor` tests the list of connections',
  ),
  'document.failed': row(
    'A document requested through a signed link could not be fetched from the service',
    SERVICE,
  ),
  'events.expired': row(
    'Outgoing events had waited for 30 days without a receiver and were deleted (`unsent`: how many)',
    '[events](../reference/events.md)',
  ),
  'events.failed': row('Outgoing events could not be read from the database', DATABASE),
  'events.not-read': row('New events for the console and the API could not be read', DATABASE),
  'events.sent': row(
    'An outgoing event was delivered or refused (`outcome`)',
    '[events](../reference/events.md#replies-and-retries)',
  ),
  'forecast.failed': row('The effect of the rate limit on accounts could not be calculated', ITSELF),
  'fresh-link.failed': row('A page could not send a new link', '`causeway remind NAME`'),
  'grant.lost': row(
    'The service refuses a grant permanently; its account is `lost`',
    `\`causeway status --stage lost\`; [customers](customers.md#why-a-consent-ended)`,
  ),
  'grants.exported': row(
    'An operator handed a grant over to another program; the bridge no longer refreshes it',
    '`causeway accounts show NAME` shows who and when; [leave the bridge](../campaign/grants.md#leave-the-bridge)',
  ),
  'grants.export-expired': row(
    'Copies of exported grants were erased, because their tokens have expired',
    NOTHING,
  ),
  'grants.import-failed': row('The import of a token could not be continued', ITSELF),
  'grants.import-waiting': row(
    'The new token pair from an import awaits a decision: nothing proves that its organisation belongs to the account',
    '`causeway grants imports`, then `causeway grants choose` or `causeway grants discard`',
  ),
  'grants.imported': row('An imported token has connected its account', NOTHING),
  'grants.importing': row('A refresh token to import was stored and is about to be used', NOTHING),
  'grants.job-failed': row('Unfinished imports could not be checked', ITSELF),
  'grant.old': row(
    'A grant has not been renewed for 45 days; refresh tokens expire after 60',
    '`causeway grants refresh NAME`',
  ),
  'grant.unreadable': row(
    'A grant cannot be decrypted with the keys in `CAUSEWAY_ENCRYPTION_KEYS`',
    '`causeway keys status`; put the missing key back',
  ),
  'health.degraded': row('Something is not working properly', 'look up the code in [health](health.md)'),
  'health.failed': row('The state of health could not be determined', '`error` gives the reason'),
  'health.good': row('Nothing is degraded any longer', NOTHING),
  'history.failed': row('The daily figures of the status report could not be stored', DATABASE),
  'job.not-claimed': row('A periodic job could not take its lease in the database', DATABASE),
  'keys.missed': row(
    'The encryption key `keyId` is no longer in `CAUSEWAY_ENCRYPTION_KEYS`, and something still needs it: the numbers say how many sealed `values`, `writes` that may be repeated, links (`invitations`, `pages`), `samples`, `tokens`, `acceptances`, `imports`, `erased` accounts; the last of those that end needs it `until` then',
    'put the key back behind the others, and see `causeway keys status` ([keys](../secure/keys.md)); or do without what the line names',
  ),
  'keys.unchecked': row(
    'Whether something still needs an encryption key that is no longer configured could not be determined; the next start tries again',
    '`error` gives the reason; `causeway keys status` counts the same things',
  ),
  'late-pairs.dropped': row('Late token pairs that are no longer of use were deleted', NOTHING),
  'learning.failed': row(
    'The numbers of an account could not be learned',
    '`causeway crosswalk learn NAME` says why',
  ),
  'log.dropped': row(
    'The program that reads standard output had stopped reading; `lines` is the number of lines that were dropped meanwhile',
    'check the collector of the log: it hangs or is too slow',
  ),
  'migration.waits': row(
    'The start waits because of `reason`: at most a minute for a table that somebody holds, without a limit for another process that changes the schema, and on SQLite ten seconds for another program that writes',
    'wait; after a backup or a long query has ended, start again if the bridge has exited',
  ),
  'outbox.failed': row('Messages could not be read from the database', DATABASE),
  'outbox.letter': row(
    'An attempt to send a message has ended; `outcome` says how',
    '`causeway accounts show NAME` shows the mail server’s reply',
  ),
  'outbox.stranded': row(
    'A bridge died while sending messages: they may have been sent',
    '`causeway remind NAME` for accounts whose last message *may have been sent* (`unknown` in CSV, JSON and the API)',
  ),
  'page.failed': row(
    'A page returned 500, or the console, the API and the docs could not be loaded (one line a minute for each reason)',
    '`error` gives the reason; restart the bridge if it says that its files were replaced',
  ),
  'process.failed': row(
    'The process is exiting after an unexpected error',
    `the supervisor restarts it; ${REPORT}`,
  ),
  'process.unhandled': row('An unhandled promise rejection', REPORT),
  'parity.compared': row('V3’s replies for an account were compared with V1’s before its move', NOTHING),
  'parity.failed': row('V3’s replies for an account could not be compared with V1’s', ITSELF),
  'watch.flagged': row(
    'Something differs for an account from before its move',
    '`causeway watch NAME` shows what',
  ),
  'drift.ended': row('A change in the service’s replies has been reversed', NOTHING),
  'drift.failed': row('The check for changes in the service’s replies failed', ITSELF),
  'drift.raised': row(
    'The service’s replies have changed for several accounts',
    '`causeway drift` shows the changes, the rows of the mapping affected, and what callers notice',
  ),
  'waves.failed': row('Waves could not be evaluated or sent', ITSELF),
  'waves.good': row('A wave has gone well for the configured time: the next one may go out', NOTHING),
  'waves.not-invited': row('A customer in a wave could not be invited because of an error', ITSELF),
  'waves.sent': row('A wave went out: its customers are being invited, one after another', NOTHING),
  'waves.stopped': row(
    'A wave was stopped automatically: too many of its accounts are flagged, differ or have lost their connection, or too many of their calls fail',
    '`causeway waves list` says why; deal with the cause, then `causeway waves resume NAME`; `causeway waves go-on NAME` counts it as good whatever the cause, which cannot be undone',
  ),
  'watch.failed': row('Accounts that have moved could not be checked', ITSELF),
  'readiness.failed': row('The readiness of accounts for V3 and V2 could not be determined', ITSELF),
  ready: row('The bridge has started and is serving calls', NOTHING),
  'refresh.backlog': row(
    'More refreshes are pending than can be finished before their deadlines',
    `start another instance; ${SERVICE}`,
  ),
  'refresh.backlog-in-time': row('The pending refreshes will be finished in time', NOTHING),
  'refresh.fenced': row(
    'An answer to a refresh arrived after another process had taken over; its tokens are kept as a late pair',
    NOTHING,
  ),
  'refresh.lease-not-renewed': row('The lease for refreshing a grant could not be extended', DATABASE),
  'refresh.no-connection': row(
    'A refresh was not sent, because all connections to the authorisation server were in use; it is tried again',
    'nothing, unless it goes on: the authorisation server answers slowly; `causeway doctor`',
  ),
  'refresh.not-begun': row('A refresh was not sent, because it could not be recorded first', DATABASE),
  'refresh.odd-answer': row(
    'New tokens were stored, although other fields of the answer, named in `fields`, were not as expected. ' +
      '`token_type`: the access token cannot be used',
    'ask the service’s support about the fields; if calls fail, `causeway doctor`',
  ),
  'refresh.recovered': row('Spilled tokens were moved to the database', NOTHING),
  'refresh.refused': row('The service refused a refresh token; the next fallback is tried', GRANTS),
  'refresh.renewed': row('Tokens were renewed', NOTHING),
  'refresh.spilled': row(
    'New tokens were written to `CAUSEWAY_SPILL_FOLDER`, because the database could not take them',
    `leave the folder as it is; ${DATABASE}`,
  ),
  'refresh.store-failed': row('New tokens could not be stored at the first attempt', DATABASE),
  'refresh.unanswered': row('A refresh got no usable answer; the same token is tried again', SERVICE),
  'refresh.unresolved': row(
    'A refresh has been unanswered for 15 or 30 minutes',
    `${GRANTS}; ${SERVICE}. After 30 minutes the customer may have to consent again`,
  ),
  'refresh.unstored': row(
    'New tokens could be stored neither in the database nor in `CAUSEWAY_SPILL_FOLDER`; the bridge keeps trying the former token for 30 minutes',
    'free disk space or restore the database within that time',
  ),
  'replica.unkept': row(
    'A list of clients could not be stored; the program that asked for it received it',
    'nothing: the next read requests every page again; if it keeps failing, check the database: [store](../operate/store.md)',
  ),
  'reply.cut': row(
    'A reply was cut off, because the service’s reply ended early or turned out to be unusable',
    SERVICE,
  ),
  'server.not-accepted': row(
    'A connection could not be accepted; `error` is the code of the system',
    'if it happens repeatedly, check memory and network of the machine',
  ),
  'snapshot.kept': row('Data that only V1 has about an account was stored', NOTHING),
  'spill.not-recovered': row(
    'Spilled tokens could not be moved to the database yet, or their file could not be removed',
    DATABASE,
  ),
  'spill.unreadable': row(
    'Files in `CAUSEWAY_SPILL_FOLDER` cannot be decrypted with the keys in `CAUSEWAY_ENCRYPTION_KEYS`',
    '`causeway keys status`; put the missing key back',
  ),
  stopped: row('The bridge has stopped', NOTHING),
  stopping: row('The bridge was asked to stop', NOTHING),
  'sweep.failed': row('The sweeper could not process a grant', ITSELF),
  'texts.not-read': row(
    'The texts changed by operators could not be read; pages and e-mails use the texts read before',
    DATABASE,
  ),
  'traces.delivered-again': row('The receiver of traces accepts spans again', NOTHING),
  'traces.dropped': row(
    'The bridge stopped before the receiver of traces had confirmed these `spans`',
    'check the receiver if it happens at every stop ([traces](../operate/traces.md))',
  ),
  'traces.undelivered': row(
    'The receiver of traces does not answer, or refuses some or all spans; `reason` says which. Calls are not affected; spans are dropped once 4,096 are waiting',
    'check `CAUSEWAY_OTLP_URL`, `CAUSEWAY_OTLP_HEADERS` and the receiver ([traces](../operate/traces.md))',
  ),
  'upstream.account-available': row('An account’s calls are sent to the service again', NOTHING),
  'upstream.account-unavailable': row(
    'Ten calls of one account failed in a row: only probes are sent for it',
    `${SERVICE}; \`causeway accounts show NAME\``,
  ),
  'upstream.available': row('V1, V2 or V3 answers again, and calls are sent to it', NOTHING),
  'upstream.unavailable': row(
    'V1, V2 or V3 refuses connections or does not answer: only probes are sent to it',
    SERVICE,
  ),
  'write.joined': row('A repeated write got the reply to the first one', NOTHING),
  'write.not-looked-up': row('The outcome of a write could not be looked up yet', ITSELF),
  'write.not-recorded': row('The outcome of a write could not be stored yet', DATABASE),
  'write.settled': row('The outcome of a write is now known', NOTHING),
  'write.unknown': row(
    'The outcome of a write is unknown',
    '`causeway writes list` ([unsettled writes](../support/unsettled-writes.md))',
  ),
  'writes.left-open': row(
    'A bridge died while writes were in progress: their outcomes are being looked up',
    '`causeway writes list` after a quarter of an hour',
  ),
  'writes.no-beat': row('The register of writes in progress could not be updated', DATABASE),
  'writes.not-taken': row(
    'Writes whose outcome must be looked up could not be read from the database',
    DATABASE,
  ),
  'writes.spool-not-cleared': row(
    'Documents left by an earlier process could not be removed from `CAUSEWAY_SPOOL_FOLDER`',
    'correct the folder’s permissions',
  ),
};
