import type { Seal } from '../../../src/lib/secret/seal.ts';
import { only } from '../../support/applications.ts';
import { describe, expect, it } from '@jest/globals';
import { DAY, HOUR, MINUTE } from '../../../src/lib/time/clock.ts';
import type { Entry, CampaignFacts } from '../../../src/features/campaign/model.ts';
import { silentLog, type Log } from '../../../src/lib/log/log.ts';
import { Secret } from '../../../src/lib/secret/secret.ts';
import { AuthorityRefused } from '../../../src/upstream/model.ts';
import { AwaitingConsents, reasonsOf } from '../../../src/features/consent/awaiting.ts';
import { TokenRevocations } from '../../../src/features/consent/token-revocations.ts';
import {
  addAccount,
  arrive,
  browser,
  connection,
  depart,
  linkFor,
  openVillage,
  wordFor,
  type Village,
  type VillageOptions,
} from '../harness.ts';
import { approve } from '../../support/awaiting.ts';
import { except, ListLog } from '../../tokens/harness.ts';

const MILL = 'Old Mill Engineering';
const org = (n: number, name = MILL) => ({ id: `org-${n}`, name });

function connects(village: Village, { id, name }: { id: string; name: string }, user = 'user-1'): void {
  village.authority.organisationIds = [id];
  village.authority.known = [connection(id, name, 'event-1')];
  village.authority.userId = user;
  village.authority.refreshToken = new Secret(`REFRESH of ${user}`);
}

function revocationsOf(village: Village, awaiting = village.store.awaiting, seal: Seal = village.ring) {
  const { store, clock, authority } = village;
  const { accounts: repository, grants } = store;
  const applications = only({ authority, revoker: authority });
  return new TokenRevocations({ repository, grants, awaiting, seal, applications, clock, log: silentLog });
}

function operatorOf(
  village: Village,
  notice: (facts: CampaignFacts) => Entry | undefined = () => undefined,
  log: Log = silentLog,
) {
  const { store, clock } = village;
  const { awaiting, consents, accounts: repository } = store;
  const revocations = revocationsOf(village);
  const refusal = (_: CampaignFacts, now: number): Entry => ({ now });
  return new AwaitingConsents({
    ...{ awaiting, consents, repository, revocations, notice, refusal, clock, log },
  });
}

/** An account whose organisation nothing proves, and whose customer has approved one of its name. */
async function approved(options: VillageOptions = {}) {
  const village = await openVillage({ withoutV1: true, ...options });
  const operator = operatorOf(village);
  const { id } = await addAccount(village, MILL);
  const link = await linkFor(village, id);
  connects(village, org(1));
  const outcome = await arrive(village, await depart(village, link));
  const life = async () => (await village.store.accounts.byId(id))?.life;
  const seen = async () => {
    const found = await operator.find(id);
    if (typeof found === 'string') throw new Error(found);
    return found;
  };
  return { village, operator, id, link, outcome, life, seen };
}

const kindsOf = async (village: Village, id: string) =>
  (await village.store.accounts.timeline(id)).map(({ kind, actor }) => `${kind} ${actor}`);

const refusalOf = async (village: Village, id: string) =>
  (await village.store.accounts.timeline(id)).find(({ kind }) => kind === 'consent.refused')?.detail;

describe('a consent without proof', () => {
  it('binds nothing, keeps its tokens, and leaves the link valid', async () => {
    const { village, id, link, outcome, life } = await approved();
    expect(outcome).toEqual({
      outcome: 'awaiting',
      account: MILL,
      organisation: MILL,
      origin: 'added',
      by: 'Ada Miller',
      at: village.clock.now(),
      connections: [],
    });
    expect(await life()).toMatchObject({ stage: 'awaiting-operator', proposal: { organisation: org(1) } });
    expect(await village.store.accounts.byOrganisation('org-1', 'default')).toBeUndefined();
    expect((await village.store.grants.list()).map(({ state }) => state)).toEqual(['held']);
    expect(await village.consent.look(link)).toMatchObject({ account: { id }, awaiting: org(1) });
    expect(village.authority.revoked).toEqual([]);
    expect(village.told).toEqual(['awaiting']);
    await village.cutover.check(id);
    expect((await life())?.stage).toBe('awaiting-operator');
  });

  it('is not removed with unanswered questions, however long the operator takes', async () => {
    const { village, life, seen } = await approved();
    village.clock.advance(DAY);
    await village.consent.sweep();
    expect((await life())?.stage).toBe('awaiting-operator');
    expect(await village.store.grants.find((await seen()).id)).toBeDefined();
  });

  it('is listed with organisation, person, address, and the evidence for and against it', async () => {
    const { operator, id } = await approved();
    expect(await operator.list()).toMatchObject([
      {
        accountId: id,
        account: MILL,
        organisation: org(1),
        by: { name: 'Ada Miller', email: 'ada@example.com' },
        findings: ['name', 'nothingToCompare'],
        takenBy: undefined,
        rivals: [],
      },
    ]);
  });

  it('does not block the organisation: an account that proves it is connected, and the list says so', async () => {
    const { village, operator, id } = await approved();
    const owner = await addAccount(village, 'The Owner');
    await village.accounts.set(owner.id, { organisationId: 'org-1' });
    connects(village, org(1), 'user-2');
    const outcome = await arrive(village, await depart(village, await linkFor(village, owner.id)));
    expect(wordFor(outcome)).toBe('connected');
    const [waiting] = await operator.list();
    expect(waiting).toMatchObject({ accountId: id, takenBy: 'The Owner' });
    expect(waiting && (await operator.confirm(waiting, 'Kim'))).toBe('organisationTaken');
    expect((await village.store.accounts.byId(id))?.life.stage).toBe('awaiting-operator');
  });

  it('is listed beside another for the same organisation, and each names the other', async () => {
    const { village, operator } = await approved();
    const other = await addAccount(village, MILL);
    connects(village, org(1), 'user-2');
    await arrive(village, await depart(village, await linkFor(village, other.id)));
    expect((await operator.list()).map(({ rivals }) => rivals)).toEqual([[MILL], [MILL]]);
  });

  it('is listed with the account whose organisation it is by its name or id, unless that one never was on V1', async () => {
    const { village, operator, id: mill } = await approved();
    const smith = await addAccount(village, 'Smith & Co');
    await approve(village, smith.id, { organisation: org(2, 'Old Mill Engineering Ltd') });
    const byName = (await operator.list()).find(({ accountId }) => accountId === smith.id);
    const words = `by its name it is the organisation of the account ${MILL} (${mill})`;
    expect(byName?.elsewhere).toEqual([words]);
    expect(byName && reasonsOf(byName).against[0]).toBe(words);
    await village.accounts.set(mill, { organisationId: 'org-2' });
    const byId = (await operator.list()).find(({ accountId }) => accountId === smith.id);
    expect(byId?.elsewhere).toEqual([words.replace('by its name', 'by its id')]);
    await village.accounts.set(mill, { organisationId: 'org-7' });
    expect((await operator.list()).map(({ elsewhere }) => elsewhere)).toEqual([[], []]);
  });

  it('for an organisation that is already connected is refused at once', async () => {
    const { village } = await approved({ proofMode: 'name' });
    const other = await addAccount(village, MILL);
    connects(village, org(1), 'user-2');
    const outcome = await arrive(village, await depart(village, await linkFor(village, other.id)));
    expect(wordFor(outcome)).toBe('organisationTaken');
  });

  it('is replaced by a newer one, whose tokens alone are kept', async () => {
    const { village, operator, link, life } = await approved();
    connects(village, org(2), 'user-2');
    await arrive(village, await depart(village, link));
    expect(await life()).toMatchObject({ stage: 'awaiting-operator', proposal: { organisation: org(2) } });
    await village.consent.sweep();
    expect(village.authority.revoked).toEqual(['REFRESH of user-1']);
    expect(await operator.list()).toHaveLength(1);
    expect(await village.store.grants.list()).toHaveLength(1);
  });

  it('is replaced by a proven one, which needs no operator', async () => {
    const { village, id, link, life } = await approved();
    await village.accounts.set(id, { organisationId: 'org-2' });
    connects(village, org(2), 'user-2');
    expect(wordFor(await arrive(village, await depart(village, link)))).toBe('connected');
    expect(await life()).toMatchObject({ binding: { organisation: org(2) } });
    await village.consent.sweep();
    expect(village.authority.revoked).toEqual(['REFRESH of user-1']);
  });

  it('ends if the service refuses its tokens', async () => {
    const { village, operator, life, seen } = await approved();
    const { id: grantId } = await seen();
    const begun = await village.store.grants.begin({
      grantId,
      holder: 'test',
      generation: 1,
      leaseMs: 1_000,
      longestLease: 1_000,
      now: village.clock.now(),
    });
    if (begun.outcome !== 'begun') throw new Error(begun.outcome);
    await village.store.grants.lost(begun.lease, 'refused', village.clock.now());
    expect(await life()).toEqual({ stage: 'legacy' });
    expect(await operator.list()).toEqual([]);
  });
});

describe('the decision of the operator', () => {
  it.each([
    ['confirm', 'consent.confirmed'],
    ['refuse', 'consent.refused-by-operator'],
  ] as const)('to %s is logged with the name of the person, without the address', async (decide, event) => {
    const { village, seen } = await approved({ mode: 'manual' });
    const log = new ListLog();
    await operatorOf(village, undefined, log)[decide](await seen(), 'Kim Lee <kim@example.com>');
    expect(log.named(event)).toMatchObject([{ who: 'Kim Lee' }]);
  });
});

describe('the confirmation by the operator', () => {
  it('connects the account, and uses the link', async () => {
    const { village, operator, id, link, life, seen } = await approved({ mode: 'manual' });
    expect(await operator.confirm(await seen(), 'Kim')).toBeUndefined();
    expect(await life()).toMatchObject({ stage: 'consented', binding: { organisation: org(1) } });
    expect(await village.consent.look(link)).toBeUndefined();
    expect(await operator.list()).toEqual([]);
    expect(await kindsOf(village, id)).toEqual([
      'added operator',
      'invited operator',
      'consent.awaiting customer',
      'consent.confirmed Kim',
      'consented Kim',
    ]);
    await village.consent.sweep();
    expect(village.authority.revoked).toEqual([]);
  });

  it('is stored with the notice to the contact, or neither is', async () => {
    const { village, life, seen } = await approved();
    const stages: string[] = [];
    const notice = ({ account }: CampaignFacts): undefined => {
      stages.push(account.life.stage);
      if (stages.length === 1) throw new Error('killed');
      return undefined;
    };
    const operator = operatorOf(village, notice);
    await expect(operator.confirm(await seen(), 'Kim')).rejects.toThrow('killed');
    expect((await life())?.stage).toBe('awaiting-operator');
    await operator.confirm(await seen(), 'Kim');
    expect(stages).toEqual(['consented', 'consented']);
  });

  it('applies to the consent that was shown, not to a later one', async () => {
    const { village, operator, link, id, life, seen } = await approved();
    const old = await seen();
    connects(village, org(2), 'user-2');
    await arrive(village, await depart(village, link));
    expect(await operator.find(id, [old.id])).toBe('otherConsent');
    expect(await operator.confirm(old, 'Kim')).toBe('otherConsent');
    expect(await operator.refuse(old, 'Kim')).toBe('otherConsent');
    expect(await life()).toMatchObject({ proposal: { organisation: org(2) } });
  });

  it('happens once, however many operators confirm at once', async () => {
    const { operator, seen } = await approved();
    const consent = await seen();
    const said = await Promise.all([
      operator.confirm(consent, 'Kim'),
      operator.refuse(consent, 'Lee'),
      operator.confirm(consent, 'Max'),
    ]);
    expect(said.filter((one) => one === undefined || one === 'untold')).toHaveLength(1);
    expect(said.filter((one) => one === 'otherConsent')).toHaveLength(2);
  });

  it('can be a refusal, which revokes the tokens and leaves the link valid', async () => {
    const { village, operator, id, link, life, seen } = await approved();
    expect(await operator.refuse(await seen(), 'Kim')).toBe('untold');
    expect(await life()).toEqual({ stage: 'legacy' });
    await operator.revoke();
    expect(village.authority.revoked).toEqual(['REFRESH of user-1']);
    expect(await refusalOf(village, id)).toMatch(/: refused; its tokens are revoked$/);
    expect(await village.store.grants.list()).toEqual([]);
    expect(await operator.find(id)).toBe('notAwaiting');
    expect(await kindsOf(village, id)).toContain('consent.refused Kim');
    await village.accounts.set(id, { organisationId: 'org-2' });
    connects(village, org(2), 'user-2');
    expect(wordFor(await arrive(village, await depart(village, link)))).toBe('connected');
  });
});

describe('a consent that somebody with the link gives for a connected account', () => {
  /** Confirmed by the operator, not moved yet; then a stranger approves another organisation with a new link. */
  async function replaced(answer?: (village: Village) => void) {
    const consented = await approved({ mode: 'manual' });
    const { village, operator, id, seen } = consented;
    await operator.confirm(await seen(), 'Kim');
    const [confirmed] = await village.store.grants.list();
    connects(village, org(2, 'Evil Pty'), 'user-2');
    answer?.(village);
    const outcome = await arrive(village, await depart(village, await linkFor(village, id)));
    return { ...consented, confirmed, outcome };
  }

  it('does not end the connection without proof: its grant stays in use, and the operator is told', async () => {
    const { village, operator, id, life, confirmed, outcome } = await replaced();
    expect(outcome).toMatchObject({
      ...{ outcome: 'refused', reason: 'otherOrganisation' },
      ...{ found: ['Evil Pty'], expected: MILL },
    });
    expect(await life()).toEqual({
      stage: 'consented',
      binding: { grantId: confirmed?.id, organisation: org(1) },
    });
    expect(await village.store.grants.list()).toEqual([confirmed]);
    expect(village.authority.revoked).toEqual(['REFRESH of user-2']);
    expect(await operator.list()).toEqual([]);
    const told = await village.store.accounts.timeline(id);
    expect(told.find(({ kind }) => kind === 'consent.unproved')).toMatchObject({
      actor: 'customer',
      detail: `Evil Pty (org-2) approved by Ada Miller (ada@example.com): nothing proves that it is the account's, so ${MILL} stays connected; if it is right, set its id as the organisation id that you expect, and pass on a new link (causeway invite --link) before the account moves`,
    });
  });

  it('replaces the connection if it has the organisation id that the operator has entered since', async () => {
    const { village, id, life, outcome } = await replaced();
    expect(wordFor(outcome)).toBe('otherOrganisation');
    await village.accounts.set(id, { organisationId: 'org-2' });
    const again = await arrive(village, await depart(village, await linkFor(village, id)));
    if (again.outcome !== 'asked') throw new Error(wordFor(again));
    const answer = { organisationId: 'org-2', companions: [] };
    expect(await village.consent.choose(again.key.reveal(), browser, answer)).toMatchObject({
      outcome: 'connected',
    });
    expect(await life()).toMatchObject({ stage: 'consented', binding: { organisation: org(2, 'Evil Pty') } });
  });

  it('does not offer an unproved organisation beside others, and proposes none that a question offered', async () => {
    const { village, life, outcome, confirmed } = await replaced(({ authority }) => {
      authority.organisationIds = ['org-2', 'org-3'];
      authority.known = [connection('org-2', 'Evil Pty', 'event-1'), connection('org-3', MILL, 'event-1')];
    });
    expect(outcome).toMatchObject({ outcome: 'refused', reason: 'otherOrganisation' });
    expect(await life()).toMatchObject({ binding: { grantId: confirmed?.id } });
    expect(village.told).toEqual(['awaiting', 'otherOrganisation']);
  });

  it('is refused in the transaction that would propose it, if the question was asked before', async () => {
    const village = await openVillage({ withoutV1: true, mode: 'manual' });
    const { id } = await addAccount(village, MILL);
    await village.accounts.set(id, { organisationId: 'org-1' });
    const link = await linkFor(village, id);
    connects(village, org(1));
    expect(wordFor(await arrive(village, await depart(village, link)))).toBe('connected');
    const [held] = await village.store.grants.list();
    await village.accounts.set(id, { organisationId: 'org-2' });
    connects(village, org(2, 'Evil Pty'), 'user-2');
    const asked = await arrive(village, await depart(village, await linkFor(village, id)));
    if (asked.outcome !== 'asked') throw new Error(wordFor(asked));
    const event = { at: village.clock.now(), kind: 'set', actor: 'operator', detail: '' };
    await village.store.accounts.set(id, { organisationId: undefined }, event);
    const answer = { organisationId: 'org-2', companions: [] };
    expect(await village.consent.choose(asked.key.reveal(), browser, answer)).toMatchObject({
      ...{ outcome: 'refused', reason: 'otherOrganisation' },
    });
    expect((await village.store.accounts.byId(id))?.life).toMatchObject({ binding: { grantId: held?.id } });
    expect(await village.store.grants.list()).toEqual([held]);
  });
});

describe('tokens of refused consents', () => {
  it('are revoked by another process if the one that refused them died', async () => {
    const { village, operator, seen } = await approved();
    await operator.refuse(await seen(), 'Kim');
    // Nothing more of that process. A sweep of orphans does not take them for forgotten ones.
    expect(village.authority.revoked).toEqual([]);
    await village.consent.sweep();
    expect(village.authority.revoked).toEqual(['REFRESH of user-1']);
    expect(await village.store.awaiting.revocations(village.clock.now() + DAY)).toEqual([]);
  });

  it('are revoked again at longer and longer intervals until the server accepts', async () => {
    const { village, operator, seen } = await approved();
    await operator.refuse(await seen(), 'Kim');
    village.authority.revocationFault = 'unavailable';
    const due = async () => (await village.store.awaiting.revocations(village.clock.now())).length;
    await village.consent.sweep();
    for (const pause of [1, 2, 4]) {
      expect(await due()).toBe(0);
      village.clock.advance(pause * MINUTE);
      expect(await due()).toBe(1);
      await village.consent.sweep();
    }
    expect(await village.store.grants.list()).toHaveLength(1);
    village.authority.revocationFault = undefined;
    village.clock.advance(6 * HOUR);
    await village.consent.sweep();
    expect(village.authority.revoked).toEqual(['REFRESH of user-1']);
    expect(await village.store.grants.list()).toEqual([]);
  });

  it('are revoked although the clock was set back since', async () => {
    const { village, operator, seen } = await approved();
    village.clock.advance(30 * DAY);
    await operator.refuse(await seen(), 'Kim');
    village.clock.advance(-30 * DAY);
    await village.consent.sweep();
    expect(village.authority.revoked).toEqual(['REFRESH of user-1']);
  });

  it('of a server that does not answer are revoked one at a time, so that nobody waits for all', async () => {
    const { village, operator, seen } = await approved();
    await operator.refuse(await seen(), 'Kim');
    for (let n = 2; n < 6; n += 1) {
      const { id } = await addAccount(village, MILL);
      connects(village, org(n), `user-${n}`);
      await arrive(village, await depart(village, await linkFor(village, id)));
      const consent = await operator.find(id);
      if (typeof consent !== 'string') await operator.refuse(consent, 'Kim');
    }
    let asked = 0;
    const revoke = village.authority.revoke.bind(village.authority);
    village.authority.revoke = async () => {
      asked += 1;
      throw new AuthorityRefused('unavailable');
    };
    for (let times = 1; times <= 5; times += 1) {
      await operator.revoke();
      expect(asked).toBe(times);
    }
    village.authority.revoke = revoke;
    village.clock.advance(HOUR);
    await operator.revoke();
    expect(village.authority.revoked).toHaveLength(5);
  });

  it('are revoked although those of another consent cannot be opened', async () => {
    const { village, operator, seen } = await approved();
    await operator.refuse(await seen(), 'Kim');
    const [damaged] = await village.store.grants.list();
    const { id } = await addAccount(village, MILL);
    connects(village, org(2), 'user-2');
    await arrive(village, await depart(village, await linkFor(village, id)));
    const consent = await operator.find(id);
    if (typeof consent !== 'string') await operator.refuse(consent, 'Kim');
    const seal = except<Seal>(village.ring, {
      open: (sealed, owner, column) => village.ring.open(sealed, owner === damaged?.id ? '' : owner, column),
    });
    await revocationsOf(village, undefined, seal).run();
    expect(village.authority.revoked).toEqual(['REFRESH of user-2']);
    expect(await village.store.grants.list()).toMatchObject([{ id: damaged?.id }]);
  });

  it('are revoked even if the account is closed while they wait', async () => {
    const { village, id } = await approved();
    await village.accounts.close(id);
    await village.consent.sweep();
    expect(village.authority.revoked).toEqual(['REFRESH of user-1']);
    expect(await village.store.grants.list()).toEqual([]);
  });

  it('are dropped at some point if the server supports no revocation', async () => {
    const { village, operator, seen } = await approved();
    await operator.refuse(await seen(), 'Kim');
    village.authority.revocationFault = 'unsupported_token_type';
    for (let times = 0; times < 60; times += 1) {
      await village.consent.sweep();
      village.clock.advance(6 * HOUR);
    }
    expect(await village.store.grants.list()).toEqual([]);
    expect(await village.store.awaiting.revocations(village.clock.now())).toEqual([]);
  });

  it('are kept if an account uses the very same grant', async () => {
    const village = await openVillage();
    const { id } = await addAccount(village, MILL);
    connects(village, org(1));
    await arrive(village, await depart(village, await linkFor(village, id)));
    const grants = await village.store.grants.list();
    const struck: string[] = [];
    const awaiting = except(village.store.awaiting, {
      revocations: async () => grants.map(({ id: grantId }) => ({ grantId, attempts: 0 })),
      strike: async (grantId) => {
        struck.push(grantId);
      },
    });
    await revocationsOf(village, awaiting).run();
    expect(grants).toHaveLength(1);
    expect(village.authority.revoked).toEqual([]);
    expect(await village.store.grants.list()).toEqual(grants);
    expect(struck).toEqual(grants.map((grant) => grant.id));
  });

  it('are only forgotten while the same person’s tokens serve another account', async () => {
    const { village, operator, seen, id } = await approved();
    const other = await addAccount(village, 'Other');
    await village.accounts.set(other.id, { organisationId: 'org-9' });
    connects(village, org(9, 'Nine'));
    await arrive(village, await depart(village, await linkFor(village, other.id)));
    await operator.refuse(await seen(), 'Kim');
    await operator.revoke();
    expect(village.authority.revoked).toEqual([]);
    expect(await village.store.grants.list()).toHaveLength(1);
    expect(await refusalOf(village, id)).toMatch(
      /: refused; its tokens are deleted here, not revoked, because/,
    );
  });
});

describe('five hundred consents, when V1 has ended for everybody', () => {
  it('are all on one list, and are confirmed from it one by one', async () => {
    const village = await openVillage({ withoutV1: true, mode: 'manual' });
    const operator = operatorOf(village);
    for (let n = 0; n < 500; n += 1) {
      const { id } = await addAccount(village, `Account ${n}`);
      connects(village, org(n, `Account ${n}`), `user-${n}`);
      await arrive(village, await depart(village, await linkFor(village, id)));
    }
    const all = await operator.list();
    expect(all).toHaveLength(500);
    for (const consent of all) expect(await operator.confirm(consent, 'Kim')).toBeUndefined();
    expect(await operator.list()).toEqual([]);
    expect(await village.store.accounts.list(['consented'])).toHaveLength(500);
  });
});
