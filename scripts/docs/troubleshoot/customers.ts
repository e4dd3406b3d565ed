import type { CheckName } from '../../../src/features/cutover/checks.ts';
import type { ConsentRefusal } from '../../../src/features/consent/model.ts';
import type { StuckReason } from '../../../src/features/status/codes.ts';
import type { LossReason } from '../../../src/tokens/grant.ts';
import type { AdviceFor } from './advice.ts';

type Commands<Code extends string> = Readonly<Record<Code, string>>;

const AGAIN = '`causeway remind NAME`, or `causeway invite NAME --link`; the customer opens the link again';
const INVITE = '`causeway invite NAME`';
const CONSENTS = '`causeway consents list`, then `confirm` or `refuse`';
const SHOW = '`causeway accounts show NAME`';

/** What to do about a consent that connected nothing; its meaning is the bridge's own text. */
export const consentCommands: Commands<ConsentRefusal> = {
  denied: 'Ask the customer why; the link still works, so nothing has to be sent',
  declined: `Talk to the customer; ${INVITE} invites them again`,
  noPrivilege: 'An administrator with that privilege must open the link; the page has a text to forward',
  stateUnknown: AGAIN,
  foreignIssuer:
    'Compare `CAUSEWAY_AUTH_URL` with the issuer the service publishes; then the customer opens the link again',
  exchangeFailed:
    'The log line `consent.exchange` has the reason; `causeway doctor` checks the authorisation server',
  serviceSilent: '`causeway doctor`; the customer opens the link again later',
  noOfflineAccess:
    'The application must be allowed `offline_access` at the service; then the customer opens the link again',
  scopeMissing: 'Allow the application its scopes at the service; then the customer opens the link again',
  noOrganisation: 'The person opens the link again and ticks the organisation when approving',
  severalOrganisations: 'Nothing: the page asks the customer which one it is',
  organisationUnconfirmed:
    '`causeway accounts set NAME --organisation-id ID` sets the right one; the page asks the customer',
  organisationTaken:
    '`causeway accounts list --search ORGANISATION` shows the other account; the customer must approve another organisation',
  otherOrganisation:
    'The customer must approve the organisation the account is connected to; `causeway accounts show NAME` shows it. If the other one is right and the account has not moved: `causeway accounts set NAME --organisation-id ID`, then pass on the link of `causeway invite NAME --link`',
  foreignOrganisation: 'The customer must approve the organisation that has the account’s clients',
  choiceDeclined: AGAIN,
  choiceExpired: AGAIN,
  overtaken: `Nothing; ${SHOW} shows who consented`,
};

/** What to do about a stuck account; the meaning is the bridge's own text. */
export const stuckCommands: Commands<StuckReason> = {
  exported: `${SHOW} says when and for which key; if the customer approves again, it is reconnected here`,
  'grant-lost': `${SHOW} says why; the campaign writes to the customer, \`causeway remind NAME\` does so now`,
  'grant-unresolved': '`causeway grants list`; the bridge retries by itself, for 30 minutes',
  'grant-expiring': '`causeway grants refresh NAME`',
  'v1-refuses': `${INVITE}; \`causeway accounts set NAME --api-key -\` if its key has changed`,
  'calls-fail': `${SHOW}; [calls](../support/calls.md) shows how to find a single call`,
  flagged:
    '`causeway watch NAME` says what; if it is not a fault, `causeway watch NAME --dismiss --reason TEXT`',
  'consent-failed': `${SHOW} has the reason (below); if you refused the consent, the timeline says whether an e-mail has told the customer`,
  'wave-stopped':
    '`causeway waves` says why it was stopped; `causeway waves resume WAVE` sends the e-mails it holds back, `causeway waves remove WAVE` withdraws them',
  'mail-failed':
    '`causeway accounts set NAME --email ADDRESS`, then `causeway remind NAME`; or `causeway invite NAME --link`',
  'no-address': '`causeway accounts set NAME --email ADDRESS`, then `causeway invite NAME`',
  declined: `Talk to the customer; ${INVITE} invites them again`,
  expired: INVITE,
  withdrawn: INVITE,
  'no-answer': '`causeway remind NAME`, or pass on a link by other means: `causeway invite NAME --link`',
  unsubscribed: 'Pass on a link by other means: `causeway invite NAME --link`',
  'consent-unproved': CONSENTS,
  'no-api-key': '`causeway accounts set NAME --api-key -`',
  unlearned:
    '`causeway crosswalk learn NAME`; `causeway cutover NAME --accept-unlearned --yes` assigns new numbers',
  'checks-fail':
    '`causeway cutover NAME` shows each check; [cut-over](../campaign/migration.md#7-the-cut-over) says which ones you can override',
  'awaits-operator': '`causeway cutover NAME --yes`',
};

/** Why a consent ended (`causeway grants list`, `grant.lost`). */
export const lossAdvice: AdviceFor<LossReason> = {
  refused: {
    cause: 'The service refused the refresh token, its predecessor and every late pair',
    command: 'The campaign asks the customer to consent again; `causeway remind NAME` does so now',
  },
  expired: {
    cause: 'No refresh was answered before the tokens expired',
    command:
      '[reliability](../operate/reliability.md#when-a-grant-is-still-lost) explains how this happens; the customer consents again',
  },
  revoked: { cause: 'The consent was revoked', command: '`causeway accounts show NAME` has the timeline' },
  'no-offline-access': {
    cause: 'The service issued no refresh token',
    command: 'Allow the application `offline_access` at the service; the customer consents again',
  },
  exported: {
    cause: 'An operator exported its tokens to another program (`causeway grants export`)',
    command: SHOW,
  },
  disconnected: {
    cause:
      'The organisation was disconnected at the service, or a customer or operator ended the connection here',
    command: 'Ask the customer; `causeway invite NAME`',
  },
};

/** A check that fails before an account moves (`causeway cutover NAME`). */
export const checkAdvice: AdviceFor<CheckName> = {
  token: { cause: 'The tokens could not be renewed', command: '`causeway grants refresh NAME` says why' },
  scopes: {
    cause: 'A scope that the product needs was not granted',
    command: 'The customer consents again: `causeway invite NAME`',
  },
  organisation: {
    cause: 'The consent no longer covers the organisation, or you have entered another one since',
    command:
      'The customer consents again, with the right organisation ticked; if the connected one is right, `causeway accounts set NAME --organisation-id ID`',
  },
  v3: {
    cause: 'V3 does not answer a small read with these tokens',
    command: '`causeway doctor`; the detail has the service’s text',
  },
  readers: {
    cause: 'Two XML readers interpret V3’s reply differently, or V3 answers the second read with an error',
    command: 'Report a difference with the detail, which contains no values; `causeway doctor` for an error',
  },
  v2: {
    cause: 'V2 does not answer a small read',
    command: '`causeway doctor`; without V2, unset `CAUSEWAY_V2_BASE_URL`',
  },
  'api-key': {
    cause: 'No API key of the account is known, so its calls would be refused',
    command: '`causeway accounts set NAME --api-key -`',
  },
  identifiers: {
    cause: 'Records have no known V1 number, or V1 contradicts a known pair of number and UUID',
    command:
      '`causeway crosswalk learn NAME`, `causeway crosswalk import NAME FILE`, or `causeway cutover NAME --accept-unlearned --yes`; for a contradiction `causeway crosswalk learn NAME --correct`',
  },
  samples: {
    cause: 'V3 returns other clients than V1 did',
    command:
      'Check the organisation: `causeway accounts show NAME`; if it is the wrong one, refuse the consent; the customer consents again',
  },
  parity: {
    cause: 'V3 answers a read of its programs differently from V1, or the comparison has not run yet',
    command: '`causeway parity NAME` shows where; `causeway parity accept` accepts a difference by name',
  },
};
