import { spelledOut } from '../../lib/text/code.ts';

/**
 * Findings about whether an organisation is the account's, as texts for the operator. `proves`: sufficient by itself.
 * Nothing else is proof: a link does not say who holds it.
 */
export const findings = {
  bound: { speaks: 'for', proves: true, words: 'the account is already connected to it' },
  client: {
    speaks: 'for',
    proves: true,
    words: 'V3 shows clients that V1 showed under the account’s keys',
  },
  organisationId: { speaks: 'for', proves: true, words: 'it has the organisation id you expect' },
  contact: {
    speaks: 'for',
    proves: true,
    words: 'the names match, and the approver’s verified e-mail address is the contact’s',
  },
  neverOnV1: {
    speaks: 'for',
    proves: true,
    words: 'the account never had V1 keys, so its name or its contact’s address is enough',
  },
  name: { speaks: 'for', proves: false, words: 'the names match' },
  contactAddress: {
    speaks: 'for',
    proves: false,
    words: 'the approver’s e-mail address is the contact’s',
  },
  clientsMissing: {
    speaks: 'against',
    proves: false,
    words: 'V3 shows none of the clients that V1 showed under the account’s keys',
  },
  otherId: { speaks: 'against', proves: false, words: 'you expect another organisation id' },
  otherName: { speaks: 'against', proves: false, words: 'you expect an organisation with another name' },
  unlikeAccount: { speaks: 'against', proves: false, words: 'its name does not match the account’s' },
  otherBinding: {
    speaks: 'against',
    proves: false,
    words: 'the account has been connected to another organisation',
  },
  otherPerson: {
    speaks: 'against',
    proves: false,
    words: 'the approver’s e-mail address is not the contact’s',
  },
  addressUnverified: {
    speaks: 'against',
    proves: false,
    words: 'the service does not say that the approver’s e-mail address is verified',
  },
  nothingToCompare: {
    speaks: 'against',
    proves: false,
    words: 'V1 showed no client to compare',
  },
} as const satisfies Readonly<
  Record<string, { readonly speaks: 'for' | 'against'; readonly proves: boolean; readonly words: string }>
>;
/** A key of `findings`. */
export type ConsentFinding = keyof typeof findings;
/** The details of a finding; a later version's finding is unknown here, so it counts against the organisation. */
export const findingOf = (
  finding: ConsentFinding,
): { readonly speaks: 'for' | 'against'; readonly words: string } =>
  Object.hasOwn(findings, finding) ? findings[finding] : { speaks: 'against', words: spelledOut(finding) };
/** All findings, in order. */
export const findingNames = Object.keys(findings) as readonly ConsentFinding[];
