import type { Campaign } from '../../../features/campaign/campaign.ts';
import { Consent } from '../../../features/consent/consent.ts';
import type { ConsentOutcome } from '../../../features/consent/parts.ts';
import type { Cutover } from '../../../features/cutover/cutover.ts';
import type { IdentifierSync } from '../../../features/identifiers/identifier-sync.ts';
import type { Services, OAuthSide } from '../services.ts';
import { proofOf } from './moving.ts';

/** Called by a consent: identifier sync, cut-over, messages. */
export interface ConsentNeeds {
  readonly identifierSync: IdentifierSync;
  readonly cutover: Cutover;
  readonly told: (outcome: ConsentOutcome) => void;
  readonly campaign: Campaign;
}

/** The steps of a consent, and the sweep of abandoned ones. */
export function consentOf(
  services: Services,
  side: OAuthSide,
  { identifierSync, cutover, told, campaign }: ConsentNeeds,
): Consent {
  const { settings, store, ring, clock, random, log } = services;
  return new Consent({
    repository: store.accounts,
    invitations: store.invitations,
    choices: store.choices,
    consents: store.consents,
    awaiting: store.awaiting,
    grants: store.grants,
    applications: side.applications,
    identifierSync,
    cutover,
    proof: proofOf(services, side),
    proofMode: settings.consentProof,
    seal: ring,
    profile: settings.profile,
    issuerOrigin: new URL(side.settings.authUrl).origin,
    clock,
    random,
    log,
    told,
    notice: (facts, by) => campaign.notice(facts, by),
  });
}
