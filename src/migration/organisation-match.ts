import type { Account, Organisation } from '../domain/account.ts';
import type { Standing } from '../domain/consent.ts';
import type { ExpectedOrganisation } from '../domain/details.ts';
import type { Proof } from './organisation-proof.ts';

/** What is known of the organisation of an account before anybody is asked. */
export interface Knowledge {
  readonly account: Account;
  readonly expected: ExpectedOrganisation;
}

/** Words that say what a company is in law, not which one it is. */
const legalForms = new Set(
  'ab ag as asbl bv co company corp corporation gmbh inc incorporated kg limited llc llp lp ltd nv oy plc pty pvt sa sarl srl the trust'.split(
    ' ',
  ),
);

/** A name as people compare it: without case, accents, punctuation and legal form. */
function core(name: string): string {
  const words = name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .replaceAll('&', ' and ')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
  const telling = words.filter((word) => !legalForms.has(word));
  return (telling.length > 0 ? telling : words).join(' ');
}

/** Two spellings of one name. Names that say nothing are alike to none. */
export const alike = (one: string, other: string): boolean => core(one) !== '' && core(one) === core(other);

/** What the operator said of the organisation; undefined where nothing was said. The id goes before the name. */
function asExpected(expected: ExpectedOrganisation, { id, name }: Organisation): boolean | undefined {
  if (expected.id !== undefined) return expected.id === id;
  return expected.name === undefined ? undefined : alike(expected.name, name);
}

/** Whether the connection of an account may no longer change its organisation: it cannot go back to V1. */
export const hasMoved = ({ life }: Account): boolean => life.stage === 'migrated' || life.stage === 'lost';

/** Without asking the service; undefined where only a proof can tell. */
export function standingBefore(
  { account, expected }: Knowledge,
  organisation: Organisation,
): Standing | undefined {
  const { life } = account;
  if (!('binding' in life)) return undefined;
  if (life.binding.organisation.id === organisation.id) return 'same';
  return hasMoved(account) || asExpected(expected, organisation) === false ? 'other' : undefined;
}

/**
 * All there is, held together. A word of the operator's, by id, outweighs clients that are not found (all of them may
 * be gone), but then a person has to confirm it; nothing else does.
 */
export function standingOf(
  { account, expected }: Knowledge,
  organisation: Organisation,
  proof: Proof,
): Standing {
  const before = standingBefore({ account, expected }, organisation);
  if (before !== undefined) return before;
  const wanted = asExpected(expected, organisation);
  if (proof === 'different') return wanted === true && expected.id !== undefined ? 'doubtful' : 'foreign';
  if ('binding' in account.life || wanted === false) return 'doubtful';
  return proof === 'same' || wanted === true || alike(account.name, organisation.name) ? 'same' : 'open';
}
