import type { Consenter } from '../../../upstream/organisation.ts';
import { judged } from './match.ts';
import type { ConsentRefusal, JudgedOrganisation, PresentAccount, ProofMode } from '../model.ts';
import type { Proof } from '../../organisation/proof.ts';

/** The earlier findings, compared with the account as it is now; those that no longer hold are dropped. */
export function judgedAgain(
  { account, details }: PresentAccount,
  organisation: JudgedOrganisation,
  { email }: Consenter,
  mode: ProofMode,
): JudgedOrganisation {
  const approver = { email, emailVerified: wasVerified(organisation) };
  const known = { account, expected: details.expected, contactEmail: details.email, approver };
  return { ...organisation, ...judged(known, organisation, proofIn(organisation), mode) };
}

/** Why an organisation can no longer be the account's, whoever confirms it. */
export function hindranceIn({ standing }: JudgedOrganisation): ConsentRefusal | undefined {
  if (standing === 'other') return 'otherOrganisation';
  return standing === 'foreign' ? 'foreignOrganisation' : undefined;
}

/** What the service has shown does not change while a customer thinks; it is asked only once. */
function proofIn({ findings }: JudgedOrganisation): Proof {
  if (findings.includes('client')) return 'same';
  return findings.includes('clientsMissing') ? 'different' : 'unknown';
}

/**
 * Only the service knows this, and it is not asked again: if the address was not the contact's then, nothing
 * is known about it.
 */
const wasVerified = ({ findings }: JudgedOrganisation): boolean =>
  findings.includes('contact') ||
  (findings.includes('contactAddress') && !findings.includes('addressUnverified'));
