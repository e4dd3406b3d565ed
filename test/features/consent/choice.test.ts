import { SealBroken } from '../../../src/lib/secret/seal.ts';
import { describe, expect, it } from '@jest/globals';
import { HOUR, MINUTE } from '../../../src/lib/time/clock.ts';
import { Secret } from '../../../src/lib/secret/secret.ts';
import type { Answer, Outcome } from '../../../src/features/consent/parts.ts';
import {
  addAccount,
  answer,
  arrive,
  browser,
  connection,
  depart,
  knowsNoClient,
  linkFor,
  ok,
  openVillage,
  refusal,
  REFUSED,
  uuid,
  wordFor,
  type Village,
  type VillageOptions,
  shownClient,
} from '../harness.ts';

const stageOf = async (village: Village, id: string) => (await village.store.accounts.byId(id))?.life;
const events = async (village: Village, id: string) =>
  (await village.store.accounts.timeline(id))
    .filter(({ kind }) => kind.startsWith('consent'))
    .map(({ kind, detail }) => `${kind} ${detail}`);

function keyOf(outcome: Outcome): string {
  if (outcome.outcome !== 'asked') throw new Error(`not asked: ${wordFor(outcome)}`);
  return outcome.key.reveal();
}

/** Organisations the person ticks at the service. */
function connects(village: Village, ...names: readonly string[]): void {
  village.authority.organisationIds = names.map((_, index) => `org-${String(index + 1)}`);
  village.authority.known = names.map((name, index) =>
    connection(`org-${String(index + 1)}`, name, 'event-1'),
  );
}

/** A customer nothing is known of but the name, who comes back with these organisations. */
async function returned(names: readonly string[], options: VillageOptions = { withoutV1: true }) {
  const village = await openVillage(options);
  const { id } = await addAccount(village);
  const link = await linkFor(village, id);
  connects(village, ...names);
  const outcome = await arrive(village, await depart(village, link));
  return { village, id, link, outcome };
}

const choose = (village: Village, key: string, chosen: Partial<Answer>, from: Secret | undefined = browser) =>
  village.consent.choose(key, from, { organisationId: undefined, companions: [], ...chosen });

const expecting = (
  village: Village,
  id: string,
  change: { organisationId?: string; organisationName?: string; application?: string },
) =>
  village.store.accounts.set(id, change, {
    at: village.clock.now(),
    kind: 'set',
    actor: 'operator',
    detail: '',
  });

describe('an organisation in doubt', () => {
  it('is asked about, and the answer waits for the operator', async () => {
    const { village, id, outcome } = await returned(['Somebody Else Ltd']);
    const key = keyOf(outcome);
    expect(await stageOf(village, id)).toEqual({ stage: 'legacy' });
    expect(await village.consent.question(key, browser)).toMatchObject({
      account: { id },
      expected: 'Old Mill Engineering',
      organisations: [{ id: 'org-1', name: 'Somebody Else Ltd', standing: 'open' }],
      companions: [],
      by: 'Ada Miller',
    });
    expect(await choose(village, key, { organisationId: 'org-1' })).toMatchObject({
      outcome: 'awaiting',
      account: 'Old Mill Engineering',
      organisation: 'Somebody Else Ltd',
      by: 'Ada Miller',
      connections: [],
    });
    expect(await stageOf(village, id)).toMatchObject({
      stage: 'awaiting-operator',
      proposal: { organisation: { id: 'org-1' } },
    });
    expect(await events(village, id)).toEqual([
      'consentAsked organisationUnconfirmed',
      'consent.awaiting Somebody Else Ltd approved by Ada Miller: the operator confirms or refuses it',
    ]);
    expect(village.told).toEqual(['organisationUnconfirmed', 'awaiting']);
  });

  it('is released if the person says no, and the link stays valid', async () => {
    const { village, id, link, outcome } = await returned(['Somebody Else Ltd']);
    expect(await choose(village, keyOf(outcome), {})).toMatchObject({
      ...refusal('choiceDeclined'),
      found: ['Somebody Else Ltd'],
    });
    expect(village.authority.revoked).toEqual(['REFRESH-CANARY']);
    expect(await village.store.grants.list()).toEqual([]);
    expect(await stageOf(village, id)).toEqual({ stage: 'legacy' });
    connects(village, 'Old Mill Engineering');
    expect(wordFor(await arrive(village, await depart(village, link)))).toBe('awaiting');
  });

  it('is released although its tokens cannot be opened', async () => {
    const { village } = await returned(['Somebody Else Ltd']);
    village.ring.open = (_, owner, column) => {
      throw new SealBroken(owner, column);
    };
    village.clock.advance(HOUR);
    await village.consent.sweep();
    expect(await village.store.grants.list()).toEqual([]);
  });

  it('is released if nobody answers', async () => {
    const { village, id, outcome } = await returned(['Somebody Else Ltd']);
    await village.consent.sweep();
    expect(await village.store.grants.list()).toHaveLength(1);
    village.clock.advance(HOUR);
    await village.consent.sweep();
    await village.consent.sweep();
    expect(await village.store.grants.list()).toEqual([]);
    expect(village.authority.revoked).toEqual(['REFRESH-CANARY']);
    expect(await events(village, id)).toEqual([
      'consentAsked organisationUnconfirmed',
      'consentRefused choiceExpired',
    ]);
    expect(await choose(village, keyOf(outcome), { organisationId: 'org-1' })).toMatchObject(
      refusal('stateUnknown'),
    );
  });

  it('can be confirmed once, in time, and by the browser that was asked', async () => {
    const { village, outcome } = await returned(['Somebody Else Ltd']);
    const key = keyOf(outcome);
    const chosen = { organisationId: 'org-1' };
    const other = new Secret('c'.repeat(43));
    expect(await village.consent.question(key, other)).toBeUndefined();
    expect(await village.consent.question('k'.repeat(43), browser)).toBeUndefined();
    for (const from of [other, undefined])
      expect(await village.consent.choose(key, from, { ...chosen, companions: [] })).toMatchObject(
        refusal('stateUnknown'),
      );
    const answers = await Promise.all([choose(village, key, chosen), choose(village, key, chosen)]);
    expect(answers.map((one) => wordFor(one as Outcome)).sort()).toEqual(['awaiting', 'stateUnknown']);
    expect(await choose(village, key, chosen)).toMatchObject(refusal('stateUnknown'));
  });

  it('is not connected if the account was moved to another application meanwhile', async () => {
    const { village, id, outcome } = await returned(['Somebody Else Ltd']);
    await expecting(village, id, { application: 'payroll' });
    const chosen = await choose(village, keyOf(outcome), { organisationId: 'org-1' });
    expect(chosen).toMatchObject(refusal('overtaken'));
    expect(await stageOf(village, id)).toEqual({ stage: 'legacy' });
    expect(await village.store.grants.list()).toEqual([]);
  });

  it('is asked about for a quarter of an hour', async () => {
    const { village, outcome } = await returned(['Somebody Else Ltd']);
    village.clock.advance(15 * MINUTE);
    expect(await village.consent.question(keyOf(outcome), browser)).toBeUndefined();
  });

  it('cannot be replaced by an organisation that was not offered', async () => {
    const { village, id, outcome } = await returned(['Somebody Else Ltd']);
    const key = keyOf(outcome);
    expect(await choose(village, key, { organisationId: 'org-7' })).toEqual({ outcome: 'again' });
    expect(await choose(village, key, { organisationId: 'org-1', companions: ['somebody'] })).toEqual({
      outcome: 'again',
    });
    expect(await stageOf(village, id)).toEqual({ stage: 'legacy' });
    expect(wordFor((await choose(village, key, { organisationId: 'org-1' })) as Outcome)).toBe('awaiting');
  });

  it('is not bound after a faster consent', async () => {
    const { village, id, outcome } = await returned(['Somebody Else Ltd']);
    await expecting(village, id, { organisationId: 'org-5' });
    village.authority.organisationIds = ['org-5'];
    village.authority.known = [connection('org-5', 'Old Mill Engineering', 'event-1')];
    await arrive(village, await depart(village, await linkFor(village, id)));
    expect(await choose(village, keyOf(outcome), { organisationId: 'org-1' })).toMatchObject(
      refusal('stateUnknown'),
    );
    expect(await stageOf(village, id)).toMatchObject({ binding: { organisation: { id: 'org-5' } } });
  });

  it('is not bound if another account has taken it meanwhile', async () => {
    const { village, id, outcome } = await returned(['Somebody Else Ltd']);
    const other = await addAccount(village, 'Somebody Else');
    village.authority.userId = 'user-2';
    await expecting(village, other.id, { organisationId: 'org-1' });
    await arrive(village, await depart(village, await linkFor(village, other.id)));
    expect(await choose(village, keyOf(outcome), { organisationId: 'org-1' })).toMatchObject(
      refusal('organisationTaken'),
    );
    expect(await stageOf(village, id)).toEqual({ stage: 'legacy' });
    expect(await village.store.grants.list()).toHaveLength(1);
  });
});

describe('a grant that is lost while its question is open', () => {
  it.each([
    ['bound', {}],
    ['proposed to the operator', { withoutV1: true }],
  ])('is not %s by the answer, and the link stays valid', async (_, options) => {
    const { village, id, link, outcome } = await returned(['Old Mill Engineering', 'Two'], options);
    const [held] = await village.store.grants.list();
    const beginning = await village.store.grants.begin({
      ...{ grantId: held?.id ?? '', holder: 'test', generation: 1 },
      ...{ leaseMs: 1_000, longestLease: 1_000, now: village.clock.now() },
    });
    if (beginning.outcome !== 'begun') throw new Error(beginning.outcome);
    await village.store.grants.lost(beginning.lease, 'refused', village.clock.now());
    expect(await choose(village, keyOf(outcome), { organisationId: 'org-1' })).toMatchObject(
      refusal('exchangeFailed'),
    );
    expect(await stageOf(village, id)).toEqual({ stage: 'legacy' });
    expect(await village.store.grants.list()).toEqual([]);
    expect(await village.consent.look(link)).toMatchObject({ account: { id }, awaiting: undefined });
  });
});

describe("the evidence of an account's organisation", () => {
  it.each([
    ['old mill  engineering LIMITED', 'awaiting'],
    ['Öld Mill & Engineering', 'asked'],
    ['Old Mill Engineering (2019)', 'asked'],
  ])('compares its name with %s', async (name, word) => {
    const { outcome } = await returned([name]);
    expect(wordFor(outcome)).toBe(word);
  });

  it('is sufficient with its name alone if the operator allows that', async () => {
    const options = { withoutV1: true, proofMode: 'name' } as const;
    for (const [name, word] of [
      ['old mill  engineering LIMITED', 'connected'],
      ['Old Mill Engineering (2019)', 'asked'],
    ] as const) {
      const { village, outcome } = await returned([name], options);
      expect(wordFor(outcome)).toBe(word);
      if (outcome.outcome !== 'asked') continue;
      const chosen = await choose(village, keyOf(outcome), { organisationId: 'org-1' });
      expect(wordFor(chosen as Outcome)).toBe('awaiting');
    }
  });

  it.each([
    [{ organisationId: 'org-1' }, 'connected'],
    [{ organisationId: 'org-9' }, 'asked'],
    [{ organisationName: 'Trading Name' }, 'awaiting'],
    [{ organisationName: 'Quite Another' }, 'asked'],
  ])("follows the operator's expectation %j before its name", async (expected, word) => {
    const village = await openVillage({ withoutV1: true });
    const { id } = await addAccount(village);
    await expecting(village, id, expected);
    connects(village, 'Trading Name Ltd');
    expect(wordFor(await arrive(village, await depart(village, await linkFor(village, id))))).toBe(word);
  });

  it('is proof by its clients under any name', async () => {
    const { outcome } = await returned(['Quite Another Name'], {});
    expect(wordFor(outcome)).toBe('connected');
  });

  it('leads to a question if the operator expected another organisation than its clients prove', async () => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    await expecting(village, id, { organisationName: 'Quite Another' });
    const outcome = await arrive(village, await depart(village, await linkFor(village, id)));
    expect(await village.consent.question(keyOf(outcome), browser)).toMatchObject({
      expected: 'Quite Another',
      organisations: [{ standing: 'doubtful' }],
    });
  });

  it("allows a person to confirm an organisation with the operator's id but none of the clients", async () => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    await expecting(village, id, { organisationId: 'org-1' });
    knowsNoClient(village);
    expect(wordFor(await arrive(village, await depart(village, await linkFor(village, id))))).toBe('asked');
  });
});

describe('a new account, with keys that the bridge made,', () => {
  async function approvedBy(organisation: string, email: string) {
    const village = await openVillage();
    const { account } = await village.accounts.issue({ name: 'Harbour Lane Studio', details: { email } });
    connects(village, organisation);
    const link = await linkFor(village, account.id);
    return { village, id: account.id, outcome: await arrive(village, await depart(village, link)) };
  }

  it('waits for the operator if a stranger approves an organisation of another name', async () => {
    const { village, id, outcome } = await approvedBy('Evil Pty', 'pat@example.com');
    const chosen = await choose(village, keyOf(outcome), { organisationId: 'org-1' });
    expect(wordFor(chosen as Outcome)).toBe('awaiting');
    expect((await stageOf(village, id))?.stage).toBe('awaiting-operator');
    const [waiting] = await village.store.awaiting.list();
    expect(waiting?.findings).toEqual(['unlikeAccount', 'otherPerson', 'nothingToCompare']);
  });

  it('moves at once with an organisation of its name', async () => {
    const { outcome } = await approvedBy('Harbour Lane Studio Ltd', 'pat@example.com');
    expect(outcome).toMatchObject({ outcome: 'connected', connections: [{ migrated: true }] });
  });

  it('moves with an organisation of another name if its contact chooses that', async () => {
    const { village, outcome } = await approvedBy('Harbour Holdings', 'Ada@example.com');
    expect(await choose(village, keyOf(outcome), { organisationId: 'org-1' })).toMatchObject({
      ...{ outcome: 'connected', connections: [{ migrated: true }] },
    });
  });
});

describe('without known identifiers', () => {
  const clients = (...names: readonly string[]): string =>
    `<Clients>${names.map((name, index) => `<Client><ID>${String(index + 1)}</ID><Name>${name}</Name></Client>`).join('')}</Clients>`;

  /** V1 lists names and knows no identifiers; V3 finds these names. */
  async function named(found: readonly string[], known: readonly string[] = ['Pump', 'Valve', 'Cash']) {
    const village = await openVillage({ plan: { kinds: [], parts: [] } });
    village.v1.answers = { 'client.api/list': () => ok(clients(...known)) };
    village.v3.answer = () => {
      const wanted = village.v3.asked.at(-1)?.[1].query.find(([name]) => name === 'query')?.[1];
      return ok(wanted !== undefined && found.includes(wanted) ? clients(wanted) : '<Clients />');
    };
    const { id } = await addAccount(village);
    connects(village, 'A Name Nobody Knows');
    return arrive(village, await depart(village, await linkFor(village, id)));
  }

  it.each([
    [['Pump', 'Valve'], 'connected'],
    [['Cash'], 'asked'],
    [[], 'foreignOrganisation'],
  ])(
    'the names of clients are compared with the organisation, which has %j of three',
    async (found, word) => {
      expect(wordFor(await named(found))).toBe(word);
    },
  );

  it('the name of an only client is no proof', async () => {
    expect(wordFor(await named(['Cash'], ['Cash']))).toBe('asked');
    expect(wordFor(await named(['Cash', 'Pump'], ['Cash', 'Pump']))).toBe('connected');
  });
});

describe('several organisations', () => {
  it('are offered to the person, with those ticked that have evidence', async () => {
    const { village, id, outcome } = await returned(['Something Else', 'Old Mill Engineering']);
    const key = keyOf(outcome);
    expect((await village.consent.question(key, browser))?.organisations).toEqual([
      {
        id: 'org-1',
        name: 'Something Else',
        standing: 'open',
        proved: false,
        findings: ['unlikeAccount', 'nothingToCompare'],
      },
      {
        id: 'org-2',
        name: 'Old Mill Engineering',
        standing: 'likely',
        proved: false,
        findings: ['name', 'nothingToCompare'],
      },
    ]);
    expect(await events(village, id)).toEqual(['consentAsked severalOrganisations']);
    await choose(village, key, { organisationId: 'org-2' });
    expect(await stageOf(village, id)).toMatchObject({ proposal: { organisation: { id: 'org-2' } } });
  });

  it('show those already connected and foreign ones, which cannot be chosen', async () => {
    const village = await openVillage();
    const first = await addAccount(village, 'First');
    connects(village, 'First');
    await arrive(village, await depart(village, await linkFor(village, first.id)));
    const second = await addAccount(village, 'Second');
    village.v3.answer = (asked) => {
      const [to, request] = village.v3.asked.at(-1) ?? [];
      const foreign = to?.organisationId === 'org-3' && request?.segments.includes('get') === true;
      return foreign ? answer(200, REFUSED) : shownClient(asked);
    };
    connects(village, 'First', 'Second', 'Third');
    const outcome = await arrive(village, await depart(village, await linkFor(village, second.id)));
    const key = keyOf(outcome);
    expect(
      (await village.consent.question(key, browser))?.organisations.map(({ standing }) => standing),
    ).toEqual(['taken', 'same', 'foreign']);
    for (const organisationId of ['org-1', 'org-3'])
      expect(await choose(village, key, { organisationId })).toEqual({ outcome: 'again' });
    expect(wordFor((await choose(village, key, { organisationId: 'org-2' })) as Outcome)).toBe('connected');
  });
});

describe('the organisation of another account', () => {
  it('is noted on both accounts, with whose link approved it, and the note is erased with either', async () => {
    const village = await openVillage();
    const mine = await addAccount(village);
    const other = await addAccount(village, 'Harbour Lane Studio');
    knowsNoClient(village);
    connects(village, 'Harbour Lane Studio Ltd', 'Old Mill Engineering');
    await arrive(village, await depart(village, await linkFor(village, mine.id)));
    expect(await events(village, other.id)).toEqual([
      `consent.elsewhere Harbour Lane Studio Ltd was approved with the link of Old Mill Engineering (${mine.id}): if V1 refuses the keys of this account now, invite its customer`,
    ]);
    const approved = async () =>
      (await village.store.statusReport.readOne(other.id, village.clock.now())).approvedElsewhere.size;
    expect(await approved()).toBe(1);
    expect(await events(village, mine.id)).toEqual([
      `consent.foreign Harbour Lane Studio Ltd was approved, by its name the organisation of Harbour Lane Studio (${other.id}): V1 may refuse that account's keys now`,
      'consentRefused foreignOrganisation',
    ]);
    await arrive(village, await depart(village, await linkFor(village, mine.id)));
    expect(await events(village, other.id)).toHaveLength(1);
    await village.accounts.close(mine.id);
    await village.store.forget(mine.id);
    expect(await events(village, other.id)).toEqual(['consent.elsewhere ']);
    expect(await approved()).toBe(0);
  });

  it('is not noted if it is known by another id, or is on V3', async () => {
    const village = await openVillage({ proofMode: 'name' });
    const mine = await addAccount(village);
    const moved = await addAccount(village, 'Harbour Lane Studio');
    connects(village, 'Harbour Lane Studio');
    await arrive(village, await depart(village, await linkFor(village, moved.id)));
    const known = await addAccount(village, 'Third');
    await expecting(village, known.id, { organisationId: 'org-9' });
    connects(village, 'Harbour Lane Studio', 'Third');
    await arrive(village, await depart(village, await linkFor(village, mine.id)));
    const elsewhere = [await events(village, moved.id), await events(village, known.id)].flat();
    expect(elsewhere.filter((event) => event.startsWith('consent.'))).toEqual([]);
  });
});

describe('unwanted tokens', () => {
  it('are only forgotten while the same person’s tokens serve another account', async () => {
    const { village } = await returned(['Old Mill Engineering'], { withoutV1: true, proofMode: 'name' });
    const other = await addAccount(village, 'Other');
    connects(village, 'Old Mill Engineering');
    await arrive(village, await depart(village, await linkFor(village, other.id)));
    expect(village.told.at(-1)).toBe('organisationTaken');
    expect(village.authority.revoked).toEqual([]);
    expect(await village.store.grants.list()).toHaveLength(1);
  });

  it('of another person are revoked', async () => {
    const { village } = await returned(['Old Mill Engineering'], { withoutV1: true, proofMode: 'name' });
    const other = await addAccount(village, 'Other');
    village.authority.userId = 'user-2';
    village.authority.refreshToken = new Secret('SECOND');
    await arrive(village, await depart(village, await linkFor(village, other.id)));
    expect(village.authority.revoked).toEqual(['SECOND']);
  });

  it('are forgotten even if the server does not revoke them', async () => {
    const { village, outcome } = await returned(['Somebody Else']);
    village.authority.revocationFault = 'unavailable';
    await choose(village, keyOf(outcome), {});
    expect(await village.store.grants.list()).toEqual([]);
  });
});

describe('one consent for several accounts', () => {
  /** Two accounts invited to one address; the records of each are in the organisation of its number. */
  async function two() {
    const village = await openVillage();
    const ids: string[] = [];
    for (const [index, name] of ['Mill', 'Legal'].entries()) {
      const { id } = await addAccount(village, name);
      ids.push(id);
      await village.store.accounts.set(
        id,
        { email: index === 0 ? 'ada@example.com' : 'ADA@example.com' },
        { at: village.clock.now(), kind: 'set', actor: 'operator', detail: '' },
      );
      await village.store.crosswalk.learn(id, [
        { kind: 'client', number: 50 + index, uuid: uuid(50 + index) },
      ]);
    }
    village.v1.answers = { 'uuid.api/maps': () => answer(403, '') };
    village.v3.answer = (asked) => {
      const [to, request] = village.v3.asked.at(-1) ?? [];
      if (request?.segments.includes('get') !== true) return shownClient(asked);
      const record = { 'org-1': uuid(50), 'org-2': uuid(51) }[to?.organisationId ?? ''];
      return request.segments.at(-1) === record ? shownClient(asked) : answer(200, REFUSED);
    };
    connects(village, 'One', 'Two');
    const [mill = '', legal = ''] = ids;
    const link = await linkFor(village, mill);
    const otherLink = await linkFor(village, legal);
    return { village, mill, legal, link, otherLink };
  }

  it('offers the other account if it is proved, and connects both when both are confirmed', async () => {
    const { village, mill, legal, link, otherLink } = await two();
    const key = keyOf(await arrive(village, await depart(village, link)));
    expect(await village.consent.question(key, browser)).toMatchObject({
      organisations: [{ standing: 'same' }, { standing: 'foreign' }],
      companions: [{ id: legal, account: 'Legal', organisation: { id: 'org-2', name: 'Two' } }],
    });
    const outcome = await choose(village, key, { organisationId: 'org-1', companions: [legal] });
    expect(outcome).toMatchObject({
      connections: [
        { account: 'Mill', organisation: 'One' },
        { account: 'Legal', organisation: 'Two' },
      ],
    });
    const lives = [await stageOf(village, mill), await stageOf(village, legal)];
    expect(lives).toMatchObject([
      { binding: { organisation: { id: 'org-1' } } },
      { binding: { organisation: { id: 'org-2' } } },
    ]);
    expect(await village.store.grants.list()).toHaveLength(1);
    expect(await village.consent.look(otherLink)).toBeUndefined();
  });

  it('notes no mistake on the other account if the same customer may connect both', async () => {
    const { village, legal, link } = await two();
    connects(village, 'One', 'Legal');
    expect(await arrive(village, await depart(village, link))).toMatchObject({ outcome: 'asked' });
    expect(await events(village, legal)).toEqual([]);
  });

  it('offers no account of another product, whose scopes were not requested', async () => {
    const { village, legal, link } = await two();
    await village.store.accounts.set(
      legal,
      { product: 'practice' },
      { at: village.clock.now(), kind: 'set', actor: 'operator', detail: '' },
    );
    const key = keyOf(await arrive(village, await depart(village, link)));
    expect((await village.consent.question(key, browser))?.companions).toEqual([]);
  });

  it.each(['One', 'Legal'])(
    'offers no account by its name alone: an organisation %s that knows none of its clients, nor V1 any',
    async (name) => {
      const { village, mill, link } = await two();
      const third = await addAccount(village, 'Legal');
      const event = { at: village.clock.now(), kind: 'set', actor: 'operator', detail: '' };
      await village.store.accounts.set(third.id, { email: 'ada@example.com', organisationName: name }, event);
      await linkFor(village, third.id);
      connects(village, 'One', 'Two', name, 'Legal');
      const key = keyOf(await arrive(village, await depart(village, link)));
      const { companions } = (await village.consent.question(key, browser)) ?? { companions: [] };
      expect(companions.map(({ id }) => id)).not.toContain(third.id);
      // Nor is it bound by an answer that was made up.
      expect(await choose(village, key, { organisationId: 'org-1', companions: [third.id] })).toEqual({
        outcome: 'again',
      });
      expect(await stageOf(village, mill)).toEqual({ stage: 'legacy' });
    },
  );

  it('leaves unconfirmed accounts unchanged', async () => {
    const { village, mill, legal, link, otherLink } = await two();
    const key = keyOf(await arrive(village, await depart(village, link)));
    await choose(village, key, { organisationId: 'org-1' });
    expect((await stageOf(village, mill))?.stage).toBe('consented');
    expect((await stageOf(village, legal))?.stage).toBe('legacy');
    expect(await village.consent.look(otherLink)).toBeDefined();
  });

  it('offers nothing to another address, nor after the link was withdrawn', async () => {
    const { village, legal, link } = await two();
    const [invitation] = await village.store.invitations.ofAccount(legal);
    await village.store.invitations.setState(invitation?.id ?? '', 'withdrawn', village.clock.now());
    const key = keyOf(await arrive(village, await depart(village, link)));
    expect((await village.consent.question(key, browser))?.companions).toEqual([]);
  });

  it('skips an account whose invitation is withdrawn while the question waits', async () => {
    const { village, mill, legal, link } = await two();
    const key = keyOf(await arrive(village, await depart(village, link)));
    const [invitation] = await village.store.invitations.ofAccount(legal);
    await village.store.invitations.setState(invitation?.id ?? '', 'withdrawn', village.clock.now());
    expect(await choose(village, key, { organisationId: 'org-1', companions: [legal] })).toMatchObject({
      connections: [{ account: 'Mill', organisation: 'One' }],
    });
    expect((await stageOf(village, mill))?.stage).toBe('consented');
    expect(await stageOf(village, legal)).toEqual({ stage: 'legacy' });
  });

  it('waits for an operator who meanwhile expects another organisation', async () => {
    const { village, mill, link } = await two();
    const key = keyOf(await arrive(village, await depart(village, link)));
    await expecting(village, mill, { organisationId: 'org-9' });
    expect(wordFor((await choose(village, key, { organisationId: 'org-1' })) as Outcome)).toBe('awaiting');
    expect((await stageOf(village, mill))?.stage).toBe('awaiting-operator');
    expect(await village.store.awaiting.ofAccount(mill)).toMatchObject({
      findings: expect.arrayContaining(['client', 'otherId']),
    });
  });

  it('skips another account for which the operator meanwhile expects something else', async () => {
    const { village, legal, link } = await two();
    const key = keyOf(await arrive(village, await depart(village, link)));
    await expecting(village, legal, { organisationId: 'org-9' });
    expect(await choose(village, key, { organisationId: 'org-1', companions: [legal] })).toMatchObject({
      connections: [{ account: 'Mill', organisation: 'One' }],
    });
    expect(await stageOf(village, legal)).toEqual({ stage: 'legacy' });
    expect((await events(village, legal)).at(-1)).toBe('consentRefused organisationUnconfirmed');
  });

  it('is bound without confirmation if the operator has meanwhile entered its id', async () => {
    const { village, id, outcome } = await returned(['Somebody Else Ltd']);
    await expecting(village, id, { organisationId: 'org-1' });
    const answered = await choose(village, keyOf(outcome), { organisationId: 'org-1' });
    expect(wordFor(answered as Outcome)).toBe('connected');
  });

  it('is checked in the transaction that binds it: earlier changes count', async () => {
    const { village, mill, legal, link } = await two();
    const key = keyOf(await arrive(village, await depart(village, link)));
    const { consents } = village.store;
    const bind = consents.bind.bind(consents);
    Object.assign(consents, {
      bind: async (binding: Parameters<typeof bind>[0]) => {
        await expecting(village, binding.accountId, { organisationId: 'org-9' });
        return bind(binding);
      },
    });
    const answered = await choose(village, key, { organisationId: 'org-1', companions: [legal] });
    expect(wordFor(answered as Outcome)).toBe('awaiting');
    expect((await stageOf(village, mill))?.stage).toBe('awaiting-operator');
    expect(await stageOf(village, legal)).toEqual({ stage: 'legacy' });
  });

  it('repairs all accounts that shared a grant', async () => {
    const { village, mill, legal, link } = await two();
    const key = keyOf(await arrive(village, await depart(village, link)));
    await choose(village, key, { organisationId: 'org-1', companions: [legal] });
    for (const id of [mill, legal])
      await village.store.accounts.change(
        id,
        (life) => ('binding' in life ? { stage: 'migrated', binding: life.binding } : life),
        { at: village.clock.now(), kind: 'migrated', actor: 'operator', detail: '' },
      );
    const [grant] = await village.store.grants.list();
    const beginning = await village.store.grants.begin({
      grantId: grant?.id ?? '',
      holder: 'test',
      generation: 1,
      leaseMs: 1_000,
      longestLease: 1_000,
      now: village.clock.now(),
    });
    if (beginning.outcome !== 'begun') throw new Error(beginning.outcome);
    await village.store.grants.lost(beginning.lease, 'refused', village.clock.now());
    const again = keyOf(await arrive(village, await depart(village, await linkFor(village, mill))));
    await choose(village, again, { organisationId: 'org-1', companions: [legal] });
    expect((await stageOf(village, mill))?.stage).toBe('migrated');
    expect((await stageOf(village, legal))?.stage).toBe('migrated');
    expect(await village.store.grants.list()).toHaveLength(1);
  });
});
