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
  denied: 'Ask the customer why; nothing has to be sent, the link keeps working',
  declined: `Talk to the customer; ${INVITE} begins again`,
  noPrivilege: 'An administrator with that privilege has to open the link; the page has a text to forward',
  stateUnknown: AGAIN,
  foreignIssuer:
    'Compare `CAUSEWAY_AUTH_URL` with the issuer the service publishes; then the customer opens the link again',
  exchangeFailed:
    'The log line `consent.exchange` has the reason; `causeway doctor` checks the authorisation server',
  serviceSilent: '`causeway doctor`; the customer opens the link again later',
  noOfflineAccess:
    'The application must be allowed `offline_access` at the service; then the customer opens the link again',
  scopeMissing: 'Allow the application its scopes at the service; then the customer opens the link again',
  noOrganisation: 'The person must tick the organisation when approving; they open the link again',
  severalOrganisations: 'Nothing: the page asks the customer',
  organisationUnconfirmed:
    '`causeway accounts set NAME --organisation-id ID` names the right one; the page asks the customer',
  organisationTaken:
    '`causeway accounts list --search ORGANISATION` shows the other account; the customer approves another organisation',
  otherOrganisation:
    'The customer approves the organisation the account belongs to; `causeway accounts show NAME` names it',
  foreignOrganisation: 'The customer approves the organisation whose clients the account has',
  choiceDeclined: AGAIN,
  choiceExpired: AGAIN,
  overtaken: `Nothing; ${SHOW} names who consented`,
};

/** What to do about a stuck account; the meaning is the bridge's own text. */
export const stuckCommands: Commands<StuckReason> = {
  exported: `${SHOW} says when and to which key; an approval of the customer connects it here again`,
  'grant-lost': `${SHOW} says why; the campaign writes to the customer, \`causeway remind NAME\` does so out of turn`,
  'grant-unresolved': '`causeway grants list`; the bridge asks again by itself, for 30 minutes',
  'grant-expiring': '`causeway grants refresh NAME`',
  'v1-refuses': `${INVITE}; \`causeway accounts set NAME --api-key -\` if its key has changed`,
  'calls-fail': `${SHOW}; [calls](../support/calls.md) finds single ones`,
  flagged:
    '`causeway watch NAME` says what; `causeway watch NAME --dismiss --reason TEXT`, if it is no fault',
  'consent-failed': `${SHOW} has the reason (below)`,
  'wave-stopped':
    '`causeway waves` says why it was stopped; `causeway waves go-on WAVE` sends what is held back, `causeway waves remove WAVE` withdraws it',
  'mail-failed':
    '`causeway accounts set NAME --email ADDRESS`, then `causeway remind NAME`; or `causeway invite NAME --link`',
  'no-address': '`causeway accounts set NAME --email ADDRESS`, then `causeway invite NAME`',
  declined: `Talk to the customer; ${INVITE} begins again`,
  expired: INVITE,
  withdrawn: INVITE,
  'no-answer': '`causeway remind NAME`, or another way: `causeway invite NAME --link`',
  unsubscribed: '`causeway invite NAME --link`, passed on by other means',
  'consent-unproved': CONSENTS,
  'no-api-key': '`causeway accounts set NAME --api-key -`',
  unlearned:
    '`causeway crosswalk learn NAME`; `causeway cutover NAME --accept-unlearned --yes` gives new numbers',
  'checks-fail': '`causeway cutover NAME` shows each check',
  'awaits-operator': '`causeway cutover NAME --yes`',
};

/** Why a consent ended (`causeway grants list`, `grant.lost`). */
export const lossAdvice: AdviceFor<LossReason> = {
  refused: {
    cause: 'The service refused the refresh token, its predecessor and every late one',
    command: 'The campaign asks the customer again; `causeway remind NAME` does so out of turn',
  },
  expired: {
    cause: 'No refresh was answered before the tokens ended',
    command:
      '[reliability](../operate/reliability.md#when-a-grant-is-still-lost) has the reasons; the customer consents again',
  },
  revoked: { cause: 'It was revoked', command: '`causeway accounts show NAME` has the timeline' },
  'no-offline-access': {
    cause: 'The service gave no refresh token',
    command: 'Allow the application `offline_access` at the service; the customer consents again',
  },
  exported: {
    cause: 'An operator handed its tokens over to another program (`causeway grants export`).',
    command: 'causeway accounts show NAME',
  },
  disconnected: {
    cause:
      'The organisation was disconnected at the service; or somebody ended the connection here, and the service was not asked to revoke because other connections rest on the same approval',
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
    cause: 'The consent does not reach the organisation any more',
    command: 'The customer consents again, with that organisation ticked',
  },
  v3: {
    cause: 'V3 does not answer a small read with these tokens',
    command: '`causeway doctor`; the detail has the service’s text',
  },
  readers: {
    cause: 'Two XML readers understand V3’s reply differently',
    command: 'Report it with the detail: values are not in it',
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
    cause: 'Records have no known V1 number',
    command:
      '`causeway crosswalk learn NAME`, `causeway crosswalk import NAME FILE`, or `causeway cutover NAME --accept-unlearned --yes`',
  },
  samples: {
    cause: 'The clients that V3 shows are not those that V1 showed',
    command:
      'Check the organisation: `causeway accounts show NAME`; a wrong one is refused, and the customer consents again',
  },
  parity: {
    cause: 'V3 answers a read of its programs differently from V1, or it is not compared yet',
    command: '`causeway parity NAME` shows where; `causeway parity accept` accepts it by name',
  },
};
