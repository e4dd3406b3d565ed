import type { Consenter } from '../../../upstream/organisation.ts';
import { judged } from './match.ts';
import type { ConsentRefusal, JudgedOrganisation, PresentAccount, ProofMode } from '../model.ts';
import type { Proof } from '../../organisation/proof.ts';

/** What was found then, held against the account as it is now. A finding that no longer holds is not among it. */
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

/** What the service has shown does not change while a person thinks; it is asked once. */
function proofIn({ findings }: JudgedOrganisation): Proof {
  if (findings.includes('client')) return 'same';
  return findings.includes('clientsMissing') ? 'different' : 'unknown';
}

/** Only the service knows, and it is not asked again: of an address that was not the contact's then, nothing is known. */
const wasVerified = ({ findings }: JudgedOrganisation): boolean =>
  findings.includes('contact') ||
  (findings.includes('contactAddress') && !findings.includes('addressUnverified'));
