import type { Consenter } from '../../../upstream/organisation.ts';
import { judged } from './match.ts';
import {
  consentRefusals,
  type ConsentRefusal,
  type JudgedOrganisation,
  type PresentAccount,
  type ProofMode,
} from '../model.ts';
import type { Proof } from '../../organisation/proof.ts';

/** The earlier findings, compared with the account as it is now; those that no longer hold are dropped. */
function judgedAgain(
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
function hindranceIn({ standing }: JudgedOrganisation): ConsentRefusal | undefined {
  if (standing === 'other') return 'otherOrganisation';
  return standing === 'foreign' ? 'foreignOrganisation' : undefined;
}

/** The organisation can no longer be the account's. */
export class RuledOut extends Error {
  readonly reason: ConsentRefusal;

  constructor(reason: ConsentRefusal) {
    super(consentRefusals[reason]);
    this.name = 'RuledOut';
    this.reason = reason;
  }
}

/** The organisation as it is judged by now. Throws `RuledOut` if it can no longer be the account's. */
export function judgedStill(
  present: PresentAccount,
  organisation: JudgedOrganisation,
  by: Consenter,
  mode: ProofMode,
): JudgedOrganisation {
  const again = judgedAgain(present, organisation, by, mode);
  const reason = hindranceIn(again);
  if (reason !== undefined) throw new RuledOut(reason);
  return again;
}

/** The service's data does not change while a customer thinks; it is asked only once. */
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
