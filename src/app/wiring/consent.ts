import type { Campaign } from '../../features/campaign/campaign-service.ts';
import { Consent } from '../../features/consent/consent.ts';
import type { ConsentOutcome } from '../../features/consent/parts.ts';
import type { Cutover } from '../../features/cutover/cutover.ts';
import type { Learner } from '../../features/identifiers/identifier-sync.ts';
import { CALLBACK_PATH, publicUrl } from './addresses.ts';
import type { House, OAuthSide } from './house.ts';
import { proofOf } from './moving.ts';

export interface ConsentNeeds {
  readonly learner: Learner;
  readonly cutover: Cutover;
  readonly told: (outcome: ConsentOutcome) => void;
  /** Undefined where no mail can be sent. */
  readonly campaign: Pick<Campaign, 'notice'> | undefined;
}

/** From the invitation to the authorisation server and back, and the sweeping of what nobody came back for. */
export function consentOf(
  house: House,
  side: OAuthSide,
  { learner, cutover, told, campaign }: ConsentNeeds,
): Consent {
  const { settings, store, ring, clock, chance, log } = house;
  return new Consent({
    book: store.accounts,
    invitations: store.invitations,
    choices: store.choices,
    consents: store.consents,
    awaiting: store.awaiting,
    grants: store.grants,
    authority: side.authority,
    revoker: side.revoker,
    learner,
    cutover,
    proof: proofOf(house, side),
    proofMode: settings.consentProof,
    seal: ring,
    profile: settings.profile,
    scopes: side.settings.scopes,
    redirectUri: `${publicUrl(settings)}${CALLBACK_PATH}`,
    issuerOrigin: new URL(side.settings.authUrl).origin,
    clock,
    chance,
    log,
    told,
    notice: campaign && ((standing) => campaign.notice(standing)),
  });
}
