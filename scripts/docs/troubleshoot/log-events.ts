import type { Advice } from './advice.ts';

/** For events that need no action. */
const NOTHING = 'nothing';
const ITSELF = 'nothing: it is tried again by itself; if it goes on, see what else the log says';
const DATABASE = 'see the database: [store](../operate/store.md)';
const SERVICE = '`causeway doctor`';
const DEPLOYMENT = '`causeway deployment show`';
const GRANTS = '`causeway grants list`';
const REPORT = 'report it, with the line: it holds no secret';

const row = (cause: string, command: string): Advice => ({ cause, command });

/** Every event of the log. The level is read from the code that writes the line. */
export const logAdvice: Readonly<Record<string, Advice>> = {
  'account.disconnected': row(
    'After a forbidden call, neither the list of connections nor V3 had the organisation of an account: the account is lost',
    'nothing: the campaign asks the customer to authorise again; `causeway remind NAME` does so out of turn',
  ),
  'account.discovered': row(
    'A call with an account key that nobody had added was accepted by V1',
    '`causeway accounts list --incomplete`',
  ),
  'account.no-api-key': row(
    'An account has moved and no API key of it is known: its calls are refused',
    '`causeway accounts set NAME --api-key -`',
  ),
  'account.not-noted': row(
    'What a call showed of an account (its API key, that V1 serves it) could not be stored',
    ITSELF,
  ),
  'admin.failed': row(
    'An action of console, API or command line ended in an unexpected error',
    '`error` has the reason; do it again',
  ),
  'api.cut': row('An answer of the API broke off while it was written', 'ask again; `error` has the reason'),
  'api.failed': row('The API answered 500', '`error` has the reason'),
  'rehearsal.done': row('The move of an account was rehearsed on a sandbox', NOTHING),
  'rehearsal.failed': row(
    'A rehearsal came to no end',
    '`error` has the reason; begin it again in the console or with `causeway rehearse`',
  ),
  'report.sent': row('The weekly report has left for one of its addresses', NOTHING),
  'report.not-sent': row(
    'The mail server did not take the weekly report for one of its addresses, or gave no answer (`unknown`: it may have it)',
    'nothing if `verdict` is `postponed`: it is tried again for a day; otherwise see `CAUSEWAY_REPORT_TO`; `causeway report send` sends it now',
  ),
  'report.failed': row('The weekly report could not be made', ITSELF),
  'application.missing': row(
    'Accounts belong to an OAuth application that is not in the settings, so nobody can connect them',
    'put it back into `CAUSEWAY_APPLICATIONS_FILE`, or give the accounts another ([applications](../deploy/applications.md))',
  ),
  'authority.available': row('The authorisation server answers again', NOTHING),
  'authority.unavailable': row(
    'The authorisation server refused the client (`invalid_client`), throttled it, or left ten refreshes unanswered',
    `${SERVICE}; correct the client ID or the secret of that \`application\` if they are refused`,
  ),
  'budget.alone': row(
    'Instances do not share the limit; each sends an equal part of it',
    'bring Redis back; `causeway doctor` says what is wrong ([instances](../deploy/instances.md#when-something-fails))',
  ),
  'worker.ended': row(
    'One of several worker processes ended by itself: its calls in progress were cut, and it is replaced',
    'see what the log says before it; `code` or `signal` says how it ended',
  ),
  'worker.ready': row('A worker process serves calls', NOTHING),
  'worker.replaced': row('A new worker serves in the place of one that ended', NOTHING),
  'budget.killed': row(
    'The process before was killed: the permits it may have used are counted as used for a while',
    NOTHING,
  ),
  'budget.no-register': row('The register of instances in the database could not be read', DATABASE),
  'budget.refused-upstream': row(
    'The service answered 429: something else uses the account’s limit, or the limit of the profile is too high',
    'stop the other program, or set the profile’s limit ([configuration](../reference/configuration.md#profiles))',
  ),
  'budget.shared': row('The instances share the limit again', NOTHING),
  'budget.unwritten': row(
    'Permits in use could not be stored; after a kill they would not be counted',
    DATABASE,
  ),
  call: row(
    'One call has ended: who answered, status, times; `failure` is its code in [calls](calls.md), `reason` the parser’s',
    'see [calls](calls.md) where `failure` is set',
  ),
  'bounces.confirm': row(
    'Amazon SNS asks whether it may post bounces to the bridge',
    'open the link in `address` once, if you have set that up',
  ),
  'bounces.not-read': row(
    'The mailbox for bounces cannot be read; said once for each reason',
    '`reason` says why; `causeway doctor` tries it, `causeway campaign mailbox` tells since when',
  ),
  'bounces.read': row('The mailbox for bounces was read, with how many messages were what', NOTHING),
  'bounces.read-again': row('The mailbox for bounces can be read again', NOTHING),
  'bounces.stopped': row('A message came back: nothing more is sent to that address', NOTHING),
  'bounces.unsigned': row(
    'What was posted as a bounce of Amazon SES was not believed: `CAUSEWAY_BOUNCES_SNS_TOPIC` is set',
    '`reason` says why. If the certificate cannot be had, let the bridge reach `sns.*.amazonaws.com`: SNS posts it again',
  ),
  'call.failed': row('A call ended in `internal` or `storeUnavailable`', '`error` has the reason'),
  'campaign.failed': row('The campaign of one account could not be continued', ITSELF),
  'campaign.fresh-failed': row(
    'A new link that a customer asked for could not be sent',
    '`causeway remind NAME`',
  ),
  'canary.kept': row(
    'A trial of a route has ended and the account keeps the route',
    '`causeway route canaries`',
  ),
  'canary.not-judged': row('The trials of routes could not be judged just now', ITSELF),
  'canary.returned': row(
    'A trial of a route failed, and the account has its former routes again',
    '`causeway route canaries` says why',
  ),
  configuration: row(
    'A setting is allowed but probably not intended',
    'see the text, and [configuration](../reference/configuration.md)',
  ),
  'consent.asked': row(
    'A customer approved something other than expected and was asked which organisation it is',
    NOTHING,
  ),
  'consent.awaiting': row(
    'Nothing proves that the organisation approved is the account’s',
    '`causeway consents list`',
  ),
  'consent.confirmed': row('An operator confirmed a consent', NOTHING),
  'consent.connected': row('A consent connected an account', NOTHING),
  'consent.connections': row(
    'The list of organisations could not be read after a consent',
    `${SERVICE}; \`CAUSEWAY_CONNECTIONS_URL\``,
  ),
  'consent.other-application': row(
    'A code came to the redirect address of another OAuth application than that of the account: somebody mixed them up, or its application was changed meanwhile',
    'nothing: it was refused; if it goes on, see that each application has its own redirect address at the service ([applications](../deploy/applications.md))',
  ),
  'consent.exchange': row(
    'The authorisation server did not exchange the code of a consent',
    '`error` has its code: `invalid_client` is a wrong secret, `invalid_grant` a code that was used or is too old',
  ),
  'connection.disconnected': row(
    'A customer ended the connection on its page; `outcome` says whether the service revoked the tokens',
    NOTHING,
  ),
  'connection.revocation': row(
    'A customer wanted to end the connection, and the service could not be asked: nothing has changed',
    'nothing, if the customer presses the button again; otherwise see why the authorisation server does not answer',
  ),
  'consent.explained': row('A person said why they did not approve', NOTHING),
  'consent.forgotten': row('Tokens that connect nothing were revoked and erased', NOTHING),
  'consent.kept': row(
    'Tokens were erased here and not revoked, because another account uses the same person’s',
    NOTHING,
  ),
  'consent.refused': row(
    'A consent came back and connected nothing',
    '`reason` is explained in [customers](customers.md#consents-that-connected-nothing)',
  ),
  'consent.refused-by-operator': row('An operator refused a consent', NOTHING),
  'consent.revocation': row('Tokens that connect nothing could not be revoked yet', ITSELF),
  'consent.revocation-failed': row(
    'The tokens of a refused consent could not be queued for revocation',
    ITSELF,
  ),
  'consent.sweep-failed': row('Consents that were never completed could not be cleared away', ITSELF),
  'console.failed': row('A page of the console answered 500', '`error` has the reason'),
  'console.refused': row(
    'Somebody tried to sign in with a wrong token',
    'if it repeats, limit who reaches the console',
  ),
  'console.openid-refused': row(
    'Somebody came back from the OpenID provider and was not signed in; `reason` and `detail` say why',
    'see [sign-in](../secure/sign-in.md#when-it-does-not-work); with `untrusted`, see the provider’s settings first',
  ),
  'console.throttled': row(
    'Too many wrong tokens came from one address',
    'as above; name the proxy in `CAUSEWAY_TRUSTED_PROXIES` if all come from it',
  ),
  'crosswalk.learn': row('The numbers of an account were learned from V1', NOTHING),
  'cutover.failed': row(
    'The checks before a move could not be carried out',
    '`causeway cutover NAME` shows them',
  ),
  'cutover.learned-again': row('Numbers were learned once more, right before a move', NOTHING),
  'cutover.migrated': row('An account has moved to V3', NOTHING),
  'cutover.resume-failed': row('A move that was begun could not be finished yet', ITSELF),
  'database.away': row(
    'The database cannot be reached or written',
    `${DATABASE}; reads go on from memory for \`CAUSEWAY_OUTAGE_SECONDS\``,
  ),
  'database.back': row('The database is back', NOTHING),
  'deployment.carried': row('A database that moved under running bridges was recognised', NOTHING),
  'deployment.clear': row('The deployment is no longer in doubt', NOTHING),
  'deployment.grants-withheld': row(
    'The database lacks renewals that an instance has seen: those grants are not renewed',
    `${DEPLOYMENT}, then acknowledge`,
  ),
  'deployment.in-doubt': row(
    'No token is renewed: an old backup or a copy may be in use',
    `${DEPLOYMENT} ([backup](../operate/backup.md#when-the-deployment-is-in-doubt))`,
  ),
  'deployment.not-looked-at': row('The state of the deployment could not be read just now', DATABASE),
  'disconnection.unclear': row(
    'Whether a forbidden call means that the organisation was disconnected could not be found out',
    'nothing: the next forbidden call an hour later asks again; `causeway doctor` checks the connections list',
  ),
  'document.failed': row('A document of a signed address could not be fetched from the service', SERVICE),
  'events.failed': row('Outgoing events could not be read from the database', DATABASE),
  'events.not-read': row('News for console and API could not be read', DATABASE),
  'events.sent': row(
    'An outgoing event was delivered or refused (`outcome`)',
    '[events](../reference/events.md#replies-and-retries)',
  ),
  'forecast.failed': row('What the rate limit would do to accounts could not be worked out', ITSELF),
  'fresh-link.failed': row('A page could not send a new link', '`causeway remind NAME`'),
  'grant.lost': row(
    'The service refuses a grant for good; its account is `lost`',
    `\`causeway status --stage lost\`; [customers](customers.md#why-a-consent-ended)`,
  ),
  'grants.exported': row(
    'An operator handed a grant over to another program; it is not refreshed here any more',
    '`causeway accounts show NAME` has who and when; [leave the bridge](../campaign/grants.md#leave-the-bridge)',
  ),
  'grants.export-expired': row(
    'Copies of exported grants were erased, because their tokens have expired unused by now',
    NOTHING,
  ),
  'grants.import-failed': row('An imported token could not be gone on with', ITSELF),
  'grants.import-waiting': row(
    'A new pair of an imported token waits for a decision: nothing proves that its organisation is the account’s',
    '`causeway grants imports`, then `causeway grants choose` or `causeway grants discard`',
  ),
  'grants.imported': row('An imported token has connected its account', NOTHING),
  'grants.importing': row('A refresh token was stored, and is about to be presented', NOTHING),
  'grants.job-failed': row('Imports that were left half-way could not be looked at', ITSELF),
  'grant.old': row(
    'A grant was not renewed for 45 days; refresh tokens end after 60',
    '`causeway grants refresh NAME`',
  ),
  'grant.unreadable': row(
    'A grant cannot be opened with the keys in `CAUSEWAY_ENCRYPTION_KEYS`',
    '`causeway keys status`; put the missing key back',
  ),
  'health.degraded': row('Something does not work as it should', 'see its code in [health](health.md)'),
  'health.failed': row('Health could not be worked out', '`error` has the reason'),
  'health.good': row('Nothing is degraded any more', NOTHING),
  'history.failed': row('The daily figures of the status report could not be stored', DATABASE),
  'job.not-claimed': row('A periodic job could not take its lease in the database', DATABASE),
  'late-pairs.dropped': row('Late tokens that can help no more were deleted', NOTHING),
  'learning.failed': row(
    'The numbers of an account could not be learned',
    '`causeway crosswalk learn NAME` says why',
  ),
  'outbox.failed': row('Messages could not be read from the database', DATABASE),
  'outbox.letter': row(
    'A message was sent or not (`outcome`)',
    '`causeway accounts show NAME` has the mail server’s words',
  ),
  'outbox.stranded': row(
    'Messages were being sent when a bridge died: they may have left',
    '`causeway remind NAME` for accounts whose last message *may have been sent* (`unknown` in CSV, JSON and API)',
  ),
  'page.failed': row(
    'A page answered 500, or console, API and docs could not be loaded (one line a minute for each reason)',
    '`error` has the reason; start the bridge again if it says that its files were replaced',
  ),
  'process.failed': row(
    'The process ends after an unexpected error',
    `the supervisor starts it again; ${REPORT}`,
  ),
  'process.unhandled': row('An error that nobody waited for', REPORT),
  'parity.compared': row('An account was compared with V3 before its move', NOTHING),
  'parity.failed': row('An account could not be compared with V3', ITSELF),
  'watch.flagged': row(
    'Something differs from before the move of the account',
    '`causeway watch NAME` says what',
  ),
  'drift.ended': row('A change of the service’s answers is over: the old form is back', NOTHING),
  'drift.failed': row('Changes of the service’s answers could not be looked for', ITSELF),
  'drift.raised': row(
    'Several accounts are shown another form of the service’s answers than before',
    '`causeway drift` says which, which rows of the mapping read it, and what callers notice',
  ),
  'waves.failed': row('Waves could not be judged or sent', ITSELF),
  'waves.good': row('A wave was good for the time that was set: the next one may go out', NOTHING),
  'waves.not-invited': row('A customer of a wave could not be invited, because something failed', ITSELF),
  'waves.sent': row('A wave went out: its customers are invited one after the other', NOTHING),
  'waves.stopped': row(
    'A wave was stopped by itself: too many of its accounts are flagged, differ, or have calls that fail',
    '`causeway waves list` says why; `causeway waves go-on NAME` lets the next one go out',
  ),
  'watch.failed': row('Accounts that have moved could not be watched', ITSELF),
  'readiness.failed': row('Whether accounts are ready for V3 and V2 could not be worked out', ITSELF),
  ready: row('The bridge has started and serves', NOTHING),
  'refresh.backlog': row(
    'More refreshes are open than can be finished before their deadlines',
    `start another instance; ${SERVICE}`,
  ),
  'refresh.backlog-in-time': row('The open refreshes will be finished in time', NOTHING),
  'refresh.fenced': row(
    'An answer came after another process had taken over; it is kept as a late pair',
    NOTHING,
  ),
  'refresh.lease-not-renewed': row('The right to refresh a grant could not be prolonged', DATABASE),
  'refresh.not-begun': row('A refresh was not sent, because its intent could not be stored', DATABASE),
  'refresh.recovered': row('Spilled tokens were moved to the database', NOTHING),
  'refresh.refused': row('The service refused a refresh token; the next fallback is tried', GRANTS),
  'refresh.renewed': row('Tokens were renewed', NOTHING),
  'refresh.spilled': row(
    'New tokens were written to `CAUSEWAY_SPILL_FOLDER`, because the database could not take them',
    `leave the folder as it is; ${DATABASE}`,
  ),
  'refresh.store-failed': row('New tokens could not be stored at the first attempt', DATABASE),
  'refresh.unanswered': row('A refresh got no usable answer; the same token is presented again', SERVICE),
  'refresh.unresolved': row(
    'A refresh has had no answer for 15 or 30 minutes',
    `${GRANTS}; ${SERVICE}. After 30 minutes the customer may have to consent again`,
  ),
  'refresh.unstored': row(
    'New tokens could be stored neither in the database nor in `CAUSEWAY_SPILL_FOLDER`; the former token is presented again, for 30 minutes',
    'make room or bring the database back within that time',
  ),
  'replica.unkept': row(
    'A list that a program has read could not be kept; the program got it',
    'nothing: the next reading asks for every page again; if it goes on, see the database: [store](../operate/store.md)',
  ),
  'reply.cut': row(
    'A reply was cut, because the service broke off or its answer turned out unusable',
    SERVICE,
  ),
  'snapshot.kept': row('What only V1 knows of an account was kept', NOTHING),
  'spill.not-recovered': row('Spilled tokens could not be moved to the database yet', DATABASE),
  'spill.unreadable': row(
    'Files in `CAUSEWAY_SPILL_FOLDER` cannot be opened with these keys',
    '`causeway keys status`; put the missing key back',
  ),
  stopped: row('The bridge has stopped', NOTHING),
  stopping: row('The bridge was asked to stop', NOTHING),
  'sweep.failed': row('The sweeper could not look after a grant just now', ITSELF),
  'texts.not-read': row(
    'The texts that operators changed could not be read; pages and mails use those read before',
    DATABASE,
  ),
  'traces.delivered-again': row('The receiver of traces takes spans again', NOTHING),
  'traces.undelivered': row(
    'The receiver of traces does not answer, or refuses spans: `reason` says how. Calls are not affected; spans are dropped when 4,096 wait',
    'see `CAUSEWAY_OTLP_URL` and `CAUSEWAY_OTLP_HEADERS`, and the receiver ([traces](../operate/traces.md))',
  ),
  'upstream.account-available': row('Calls of an account are sent to the service again', NOTHING),
  'upstream.account-unavailable': row(
    'Ten calls of one account failed in a row: it only gets a probe',
    `${SERVICE}; \`causeway accounts show NAME\``,
  ),
  'upstream.available': row('The service is asked again', NOTHING),
  'upstream.unavailable': row(
    'V1, V2 or V3 refuses connections or answers nobody: nothing is sent there but a probe',
    SERVICE,
  ),
  'write.joined': row('A repeat of a write got the first one’s answer', NOTHING),
  'write.not-looked-up': row('The outcome of a write could not be looked up yet', ITSELF),
  'write.not-recorded': row('The outcome of a write could not be stored yet', DATABASE),
  'write.settled': row('The outcome of a write is known now', NOTHING),
  'write.unknown': row(
    'The outcome of a write is unknown',
    '`causeway writes list` ([unsettled writes](../support/unsettled-writes.md))',
  ),
  'writes.left-open': row(
    'A bridge died while writes were under way: their outcome is looked up',
    '`causeway writes list` a quarter of an hour later',
  ),
  'writes.no-beat': row('The register of writes under way could not be kept', DATABASE),
  'writes.not-taken': row('Writes whose outcome has to be looked up could not be read', DATABASE),
  'writes.spool-not-cleared': row(
    'Documents of an earlier process could not be removed from `CAUSEWAY_SPOOL_FOLDER`',
    'correct the folder’s rights',
  ),
};
