import { describe, expect, it } from '@jest/globals';
import type { Account, Stage } from '../../../src/features/accounts/account.ts';
import { findings, type ConsentFinding } from '../../../src/features/consent/findings.ts';
import type { ProofMode, Standing } from '../../../src/features/consent/model.ts';
import { judged, type Knowledge } from '../../../src/features/consent/judging/match.ts';
import type { Proof } from '../../../src/features/organisation/proof.ts';

const account = (changes: Partial<Account> = {}): Account => ({
  id: 'a1',
  name: 'Old Mill Engineering',
  product: 'standard',
  application: 'default',
  origin: 'added',
  createdAt: 0,
  stageSince: 0,
  lastCallAt: undefined,
  life: { stage: 'legacy' },
  ...changes,
});

const bound = (stage: 'consented' | 'migrated', id: string): Stage => ({
  stage,
  binding: { grantId: 'g', organisation: { id, name: 'Bound' } },
});

interface Given {
  readonly account?: Partial<Account>;
  readonly expected?: Partial<Knowledge['expected']>;
  readonly contact?: string;
  /** With a `!` the service says that it is verified. */
  readonly by?: string;
  /** Id of its organisation. */
  readonly id?: string;
  readonly name?: string;
  readonly proof?: Proof;
  readonly mode?: ProofMode;
}

function judge({ account: changes, expected, contact, by, id, name, proof, mode }: Given) {
  return judged(
    {
      account: account(changes),
      expected: { id: undefined, name: undefined, ...expected },
      contactEmail: contact,
      approver: { email: by?.replace('!', ''), emailVerified: by?.endsWith('!') === true },
    },
    { id: id ?? 'org-1', name: name ?? 'Quite Another' },
    proof ?? 'unknown',
    mode ?? 'required',
  );
}

const UUID = '3f0c2b7e-5a41-4b8e-9c55-0f6d2a1b7c93';
const MILL = 'Old Mill Engineering Ltd';
const named = (name: string): Given => ({ account: { name } });
type Row = readonly [what: string, given: Given, standing: Standing, proved: boolean];

const rules: readonly Row[] = [
  ['nothing at all', {}, 'open', false],
  // Each proof by itself.
  ['a client of both sides', { proof: 'same' }, 'same', true],
  ['the expected id', { expected: { id: 'org-1' } }, 'same', true],
  ['the expected id, a UUID in capitals', { expected: { id: UUID.toUpperCase() }, id: UUID }, 'same', true],
  [
    'an alike name and the contact’s verified address',
    { name: MILL, contact: 'A@b.nz', by: 'a@B.nz!' },
    'same',
    true,
  ],
  ['a new account and an alike name', { account: { origin: 'issued' }, name: MILL }, 'same', true],
  [
    'a new account and its contact’s address',
    { account: { origin: 'issued' }, contact: 'a@b.nz', by: 'A@b.nz' },
    'open',
    true,
  ],
  ['the organisation it has moved with', { account: { life: bound('migrated', 'org-1') } }, 'same', true],
  ['the organisation it is connected to', { account: { life: bound('consented', 'org-1') } }, 'same', true],
  // Whoever has the link of a new account can choose any organisation.
  ['an account that never had V1 keys', { account: { origin: 'issued' } }, 'open', false],
  [
    'a new account and somebody else’s verified address',
    { account: { origin: 'issued' }, contact: 'a@b.nz', by: 'c@b.nz!' },
    'open',
    false,
  ],
  // A name proves nothing, wherever it comes from.
  ['an alike name', { name: MILL }, 'likely', false],
  [
    'an alike name in another form of Unicode',
    { ...named('Cafe\u0301 \uff21'), name: 'CAFÉ a' },
    'likely',
    false,
  ],
  ['an alike name in other case', { ...named('Strasse Ltd'), name: 'STRAßE' }, 'likely', false],
  ['a name that differs by an accent', { ...named('Resume'), name: 'Résumé' }, 'open', false],
  ['a name that differs by a vowel sign', { ...named('कम'), name: 'काम' }, 'open', false],
  ['an alike name of an import', { name: 'Trading', expected: { name: 'Trading Ltd' } }, 'likely', false],
  [
    'an alike name and an address that is not verified',
    { name: MILL, contact: 'a@b.nz', by: 'a@b.nz' },
    'likely',
    false,
  ],
  [
    'an alike name and somebody else’s verified address',
    { name: MILL, contact: 'a@b.nz', by: 'c@b.nz!' },
    'likely',
    false,
  ],
  ['the contact’s verified address and another name', { contact: 'a@b.nz', by: 'a@b.nz!' }, 'open', false],
  [
    'an alike name that was made up for a discovered account',
    {
      account: { id: 'abcdefgh-1', origin: 'discovered', name: 'Discovered abcdefgh' },
      name: 'Discovered abcdefgh',
    },
    'open',
    false,
  ],
  // The setting.
  ['an alike name, where names count', { name: MILL, mode: 'name' }, 'same', true],
  ['another name, where names count', { mode: 'name' }, 'open', false],
  // A name outweighs no contrary proof.
  ['an alike name, clients that are not found', { name: MILL, proof: 'different' }, 'foreign', false],
  ['the same, where names count', { name: MILL, proof: 'different', mode: 'name' }, 'foreign', false],
  [
    'an expected name, clients that are not found',
    { name: MILL, expected: { name: MILL }, proof: 'different' },
    'foreign',
    false,
  ],
  [
    'an expected name and the contact, clients that are not found',
    { name: MILL, contact: 'a@b.nz', by: 'a@b.nz!', proof: 'different' },
    'foreign',
    false,
  ],
  [
    'an alike name, another id expected',
    { name: MILL, expected: { id: 'org-9' }, mode: 'name' },
    'doubtful',
    false,
  ],
  [
    'the contact’s verified address, another id expected',
    { name: MILL, expected: { id: 'org-9' }, contact: 'a@b.nz', by: 'a@b.nz!' },
    'doubtful',
    false,
  ],
  [
    'an account without V1 keys, another name expected',
    { account: { origin: 'issued' }, expected: { name: 'Trading' } },
    'doubtful',
    false,
  ],
  // Two words of weight that contradict each other.
  [
    'the expected id, clients that are not found',
    { expected: { id: 'org-1' }, proof: 'different' },
    'doubtful',
    false,
  ],
  [
    'a client of both sides, another id expected',
    { proof: 'same', expected: { id: 'org-9' } },
    'doubtful',
    false,
  ],
  // A person is asked, and his word is enough, because a proof stands behind it.
  [
    'a client of both sides, another name expected',
    { proof: 'same', expected: { name: 'Trading' } },
    'doubtful',
    true,
  ],
  [
    'a client of both sides, connected to another',
    { proof: 'same', account: { life: bound('consented', 'org-7') } },
    'doubtful',
    true,
  ],
  [
    'an alike name, connected to another',
    { name: MILL, account: { life: bound('consented', 'org-7') } },
    'doubtful',
    false,
  ],
  // For good.
  [
    'a client of both sides, moved with another',
    { proof: 'same', account: { life: bound('migrated', 'org-7') } },
    'other',
    false,
  ],
  [
    'not the expected id, connected to another',
    { expected: { id: 'org-7' }, account: { life: bound('consented', 'org-7') } },
    'other',
    false,
  ],
];

describe('an organisation compared with the account', () => {
  it.each(rules)('is judged by %s', (_what, given, standing, proved) => {
    expect(judge(given)).toMatchObject({ standing, proved });
  });

  it('is never proved by findings of which none is proof, in any combination', () => {
    for (const mode of ['required', 'name'] as const)
      for (const [, given] of rules) {
        const { proved, findings: found } = judge({ ...given, mode });
        const isProof = (one: ConsentFinding): boolean =>
          findings[one].proves || (mode === 'name' && one === 'name');
        if (proved) expect(found.some(isProof)).toBe(true);
      }
  });
});

describe("the operator's explanation of a match", () => {
  it.each<readonly [Given, readonly ConsentFinding[]]>([
    [{ name: MILL, contact: 'a@b.nz', by: 'c@b.nz!' }, ['name', 'otherPerson', 'nothingToCompare']],
    [
      { name: MILL, contact: 'a@b.nz', by: 'a@b.nz' },
      ['name', 'contactAddress', 'addressUnverified', 'nothingToCompare'],
    ],
    [{ contact: 'a@b.nz' }, ['unlikeAccount', 'nothingToCompare']],
    [{ expected: { name: 'Trading' } }, ['otherName', 'nothingToCompare']],
    [{ expected: { id: 'org-9', name: 'Quite Another' } }, ['name', 'otherId', 'nothingToCompare']],
    [{ account: { origin: 'issued' }, name: MILL }, ['neverOnV1', 'name']],
    [
      { account: { origin: 'issued' }, contact: 'a@b.nz', by: 'c@b.nz!' },
      ['unlikeAccount', 'otherPerson', 'nothingToCompare'],
    ],
    [{ proof: 'same', name: MILL }, ['client', 'name']],
    [
      { proof: 'different', expected: { id: 'org-1' } },
      ['organisationId', 'clientsMissing', 'unlikeAccount'],
    ],
  ])('for %j contains %j', (given, found) => {
    expect(judge(given).findings).toEqual(found);
  });
});
