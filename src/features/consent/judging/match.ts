import { hasMoved, type Account } from '../../accounts/account.ts';
import type { Organisation } from '../../../upstream/organisation.ts';
import type { ConsentFinding } from '../findings.ts';
import type { JudgedOrganisation, ProofMode } from '../model.ts';
import { addressKey, type ExpectedOrganisation } from '../../accounts/details.ts';
import { placeholderName } from '../../accounts/accounts.ts';
import { isUuid } from '../../../lib/text/uuid.ts';
import type { Proof } from '../../organisation/proof.ts';

/** The facts about the person who approved that indicate whose organisation it is. */
export interface Approver {
  readonly email: string | undefined;
  /** The service confirms that the address is the person's. */
  readonly emailVerified: boolean;
}

/** The facts about an account's organisation before the service is asked. */
export interface Knowledge {
  readonly account: Account;
  readonly expected: ExpectedOrganisation;
  readonly contactEmail: string | undefined;
  readonly approver: Approver;
}

/** Words that name a legal form rather than a company. */
const legalForms = new Set(
  'ab ag as asbl bv co company corp corporation gmbh inc incorporated kg limited llc llp lp ltd nv oy plc pty pvt sa sarl srl the trust'.split(
    ' ',
  ),
);

/**
 * A name as people compare it: without case, punctuation and legal form. Marks count (UAX 15, NFKC): in many
 * scripts they are vowels, and two names that differ only by an accent may be two companies.
 */
function core(name: string): string {
  const words = caseFolded(name.normalize('NFKC'))
    .normalize('NFKC')
    .replaceAll('&', ' and ')
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== '');
  const telling = words.filter((word) => !legalForms.has(word));
  return (telling.length > 0 ? telling : words).join(' ');
}

/** ß and ss, ς and σ: they are equal in upper case, but not in lower case. */
const caseFolded = (text: string): string => text.toUpperCase().toLowerCase();

/** Two spellings of one name. Names without a significant part are equal to none. */
export const alike = (one: string, other: string): boolean => core(one) !== '' && core(one) === core(other);

/** A UUID that was copied may be in capitals (RFC 9562, section 4). */
export const isExpectedId = ({ id: expected = '' }: ExpectedOrganisation, id: string): boolean =>
  isUuid(expected) ? expected.toLowerCase() === id.toLowerCase() : expected === id;

/**
 * Whether the organisation is the one that the operator expects; undefined without an expectation. The id takes
 * precedence over the name.
 */
export function asExpected(expected: ExpectedOrganisation, { id, name }: Organisation): boolean | undefined {
  if (expected.id !== undefined) return isExpectedId(expected, id);
  return expected.name === undefined ? undefined : alike(expected.name, name);
}

/** Id and name of an organisation in the form for comparing; names without a significant part are equal to none. */
export function keysOf({ id, name }: Organisation): readonly string[] {
  const telling = core(name);
  return telling === '' ? [idKey(id)] : [idKey(id), nameKey(telling)];
}

const idKey = (id: string): string => `id ${isUuid(id) ? id.toLowerCase() : id}`;
const nameKey = (telling: string): string => `name ${telling}`;

/** The key of the organisation known for an account, its id if there is one: `keysOf` has it for that organisation. */
export function keyOf({ account, expected }: Pick<Knowledge, 'account' | 'expected'>): string {
  if (expected.id !== undefined) return idKey(expected.id);
  return nameKey(core(expected.name ?? (hasName(account) ? account.name : '')));
}

/**
 * Finds the organisation whose id or name is the one known for an account, which proves nothing. For many accounts: each
 * name is brought into the form for comparing once.
 */
export function namedFor(
  organisations: readonly Organisation[],
): (known: Pick<Knowledge, 'account' | 'expected'>) => Organisation | undefined {
  const byKey = new Map(organisations.flatMap((one) => keysOf(one).map((key) => [key, one] as const)));
  return (known) => byKey.get(keyOf(known));
}

/** Decided without asking the service; undefined if only a proof can tell. */
export function standingBefore(
  { account, expected }: Pick<Knowledge, 'account' | 'expected'>,
  organisation: Organisation,
): 'same' | 'other' | undefined {
  const { life } = account;
  if (!('binding' in life)) return undefined;
  if (life.binding.organisation.id === organisation.id) return 'same';
  return hasMoved(account) || asExpected(expected, organisation) === false ? 'other' : undefined;
}

/** `findings[…].proves` says which of these suffice by themselves. */
function findingsOf(known: Knowledge, organisation: Organisation, proof: Proof): readonly ConsentFinding[] {
  const { account, expected, contactEmail, approver } = known;
  const { id, name } = organisation;
  const isNamed = isAlike(known, organisation);
  const isContact =
    approver.email !== undefined &&
    contactEmail !== undefined &&
    addressKey(approver.email) === addressKey(contactEmail);
  const isVerified = isContact && approver.emailVerified;
  const isNew = isNewCustomer(account, isNamed, isContact);
  const found: readonly (readonly [ConsentFinding, boolean])[] = [
    ['client', proof === 'same'],
    ['organisationId', isExpectedId(expected, id)],
    ['neverOnV1', isNew],
    ['contact', isNamed && isVerified],
    ['name', isNamed && !isVerified],
    ['contactAddress', isContact && !(isNamed && isVerified)],
    ['clientsMissing', proof === 'different'],
    ['otherId', expected.id !== undefined && !isExpectedId(expected, id)],
    // The id takes precedence over the name.
    ['otherName', expected.id === undefined && expected.name !== undefined && !alike(expected.name, name)],
    ['otherBinding', 'binding' in account.life],
    ['unlikeAccount', expected.name === undefined && hasName(account) && !alike(account.name, name)],
    ['otherPerson', approver.email !== undefined && contactEmail !== undefined && !isContact],
    ['addressUnverified', isContact && !isVerified],
    ['nothingToCompare', proof === 'unknown' && !isNew],
  ];
  return found.filter(([, holds]) => holds).map(([finding]) => finding);
}

/** Nothing of V1 could prove its organisation; the choice of whoever has the link does not, either. */
const isNewCustomer = ({ origin }: Account, isNamed: boolean, isContact: boolean): boolean =>
  origin === 'issued' && (isNamed || isContact);

/** A given name, not the placeholder of an account discovered by its first call. */
const hasName = ({ id, name, origin }: Account): boolean =>
  origin !== 'discovered' || name !== placeholderName(id);

/** A name that the operator expects takes precedence over the account's. */
function isAlike({ account, expected }: Knowledge, { name }: Organisation): boolean {
  if (expected.name !== undefined) return alike(expected.name, name);
  return hasName(account) && alike(account.name, name);
}

/** Evidence of another organisation, from the operator or from the clients that the keys have shown. */
const objections: ReadonlySet<ConsentFinding> = new Set([
  'clientsMissing',
  'otherId',
  'otherName',
  'otherBinding',
]);

type Judged = Pick<JudgedOrganisation, 'standing' | 'proved' | 'findings'>;

/**
 * Weighs all findings. A name never outweighs anything. It proves nothing, unless the approver is the
 * account's contact or the operator lets names count (`mode`). If two strong findings contradict each other,
 * nothing is proved and a person has to decide.
 */
export function judged(known: Knowledge, organisation: Organisation, proof: Proof, mode: ProofMode): Judged {
  const before = standingBefore(known, organisation);
  if (before === 'same') return { standing: 'same', proved: true, findings: ['bound'] };
  const found = findingsOf(known, organisation, proof);
  const has = (...some: readonly ConsentFinding[]): boolean => some.some((one) => found.includes(one));
  const findings = found;
  if (before !== undefined) return { standing: before, proved: false, findings };
  if (has('clientsMissing') && !has('organisationId'))
    return { standing: 'foreign', proved: false, findings };
  const named = mode === 'name' && has('name');
  if (found.some((one) => objections.has(one))) {
    const proved = (has('client', 'organisationId') || named) && !has('clientsMissing', 'otherId');
    return { standing: 'doubtful', proved, findings };
  }
  if (has('client', 'organisationId', 'contact') || named)
    return { standing: 'same', proved: true, findings };
  const proved = has('neverOnV1');
  if (has('name')) return { standing: proved ? 'same' : 'likely', proved, findings };
  return { standing: 'open', proved, findings };
}
