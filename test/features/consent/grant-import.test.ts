import { describe, expect, it } from '@jest/globals';
import type { Account } from '../../../src/features/accounts/account.ts';
import type { ImportProgress } from '../../../src/features/consent/grants/importing.ts';
import { Failure } from '../../../src/lib/failure.ts';
import type { Secret } from '../../../src/lib/secret/secret.ts';
import { MINUTE } from '../../../src/lib/time/clock.ts';
import { except, refused, unanswered } from '../../tokens/harness.ts';
import { openSetting, type Setting } from './grants-setting.ts';

const brought = (account: Account, token: Secret, more: { given?: string; replace?: boolean } = {}) => ({
  account,
  token,
  given: more.given,
  replace: more.replace ?? false,
});

const taken = async (setting: Setting, account: Account, token: Secret, given?: string) =>
  setting.importing().take(brought(account, token, given === undefined ? {} : { given }), 'Kim');

const stateOf = async ({ village }: Setting, { id }: Account) => village.store.imports.ofAccount(id);

const refreshTokenOf = async ({ village }: Setting, id: string | undefined): Promise<string | undefined> => {
  const grant = await village.store.grants.find(id ?? '');
  if (grant === undefined || grant.state === 'lost') return undefined;
  return village.ring.open(grant.tokens.refreshToken, grant.id, 'refresh_token').reveal();
};

const never = (): Promise<never> => new Promise(() => undefined);

/** Runs until the process would have died: at a step that never ends. */
async function dead(work: Promise<unknown>, reached: () => boolean): Promise<void> {
  work.catch(() => undefined);
  while (!reached()) await new Promise((resolve) => setImmediate(resolve));
}

describe('an imported token', () => {
  it('connects its account if the organisation is proved, and records who imported it', async () => {
    const setting = await openSetting();
    const account = await setting.account('Mill 1', 'org-1');
    expect(await taken(setting, account, setting.authority.issue('rt', 'org-1'))).toMatchObject({
      outcome: 'granted',
      organisation: { id: 'org-1' },
    });
    expect(setting.authority.presented).toEqual(['rt']);
    const { life } = await setting.now(account);
    expect(life).toMatchObject({ stage: 'consented', binding: { organisation: { id: 'org-1' } } });
    const one = await stateOf(setting, account);
    expect(one).toMatchObject({ state: 'granted', who: 'Kim' });
    expect(await refreshTokenOf(setting, one?.id)).toBe('rt+');
    const timeline = await setting.village.store.accounts.timeline(account.id);
    expect(timeline.map(({ kind, actor }) => `${kind} ${actor}`)).toContain('consented Kim');
    await setting.village.consent.sweep();
    expect(await setting.village.store.grants.find(one?.id ?? '')).toBeDefined();
    expect(JSON.stringify([timeline, setting.log.lines, one])).not.toContain('rt+');
  });

  it('is logged with the name of the person who imported it, without the address', async () => {
    const setting = await openSetting();
    const account = await setting.account('Mill 1', 'org-1');
    const token = brought(account, setting.authority.issue('rt', 'org-1'), {});
    await setting.importing().take(token, 'Kim Lee <kim@example.com>');
    expect(setting.log.named('grants.imported')).toMatchObject([{ who: 'Kim Lee' }]);
  });

  it('waits for the operator if nothing proves the organisation, and is kept', async () => {
    const setting = await openSetting();
    const account = await setting.account('Mill 1');
    expect(await taken(setting, account, setting.authority.issue('rt', 'org-1'))).toEqual({
      outcome: 'waiting',
      reason: 'organisationUnconfirmed',
    });
    expect((await setting.now(account)).life.stage).toBe('legacy');
    await setting.village.consent.sweep();
    const one = await stateOf(setting, account);
    expect(await refreshTokenOf(setting, one?.id)).toBe('rt+');
    if (one === undefined) throw new Error('no import');
    expect(await setting.importing().choose(one, 'org-9', 'Kim')).toBe('notOffered');
    expect(await setting.importing().choose(one, 'org-1', 'Kim')).toBeUndefined();
    expect((await setting.now(account)).life.stage).toBe('consented');
    expect(await setting.importing().choose(one, 'org-1', 'Kim')).not.toBeUndefined();
  });

  it('never connects another organisation, whatever was given with it', async () => {
    const setting = await openSetting();
    const [mine, theirs] = [
      await setting.account('Mill 1', 'org-1'),
      await setting.account('Mill 2', 'org-2'),
    ];
    await taken(setting, theirs, setting.authority.issue('two', 'org-2'));
    const outcomes: ImportProgress[] = [];
    // Of another account; of nobody's; of several; not the one that was given.
    for (const [token, organisations, given] of [
      ['a', ['org-2'], undefined],
      ['b', ['org-3'], undefined],
      ['c', ['org-2', 'org-3'], undefined],
      ['d', ['org-1', 'org-3'], 'org-2'],
    ] as const) {
      outcomes.push(await taken(setting, mine, setting.authority.issue(token, ...organisations), given));
      const one = await stateOf(setting, mine);
      expect((await setting.now(mine)).life.stage).toBe('legacy');
      await setting.village.store.imports.discard(one?.id ?? '', 'Kim', setting.village.clock.now());
    }
    expect(outcomes).toEqual(
      ['organisationTaken', 'organisationUnconfirmed', 'severalOrganisations', 'otherThanGiven'].map(
        (reason) => ({
          outcome: 'waiting',
          reason,
        }),
      ),
    );
    expect(
      await taken(setting, mine, setting.authority.issue('e', 'org-1', 'org-3'), 'Mill 1'),
    ).toMatchObject({
      outcome: 'granted',
    });
  });

  it('can be discarded, and its tokens are revoked', async () => {
    const setting = await openSetting();
    const { village, authority } = setting;
    const account = await setting.account();
    await taken(setting, account, authority.issue('rt', 'org-1'));
    const one = await stateOf(setting, account);
    expect(await village.store.imports.discard(one?.id ?? '', 'Kim', village.clock.now())).toBe(true);
    expect(await village.store.awaiting.revocations(village.clock.now())).toEqual([
      { grantId: one?.id, attempts: 0 },
    ]);
    expect(await stateOf(setting, account)).toBeUndefined();
    await village.consent.sweep();
    expect(village.authority.revoked).toEqual(['rt+']);
    expect(await village.store.grants.find(one?.id ?? '')).toBeUndefined();
  });

  it('that is discarded while it is examined connects nothing, and is revoked', async () => {
    const setting = await openSetting();
    const { village, authority } = setting;
    const account = await setting.account('Mill 1', 'org-1');
    const connections = authority.connections.bind(authority);
    authority.connections = async () => {
      const one = await stateOf(setting, account);
      expect(await village.store.imports.discard(one?.id ?? '', 'Lee', village.clock.now())).toBe(true);
      return connections();
    };
    expect(await taken(setting, account, authority.issue('rt', 'org-1'))).toEqual({
      outcome: 'importing',
      why: 'it was discarded in the meantime',
    });
    expect((await setting.now(account)).life).toEqual({ stage: 'legacy' });
    await village.consent.sweep();
    expect(village.authority.revoked).toEqual(['rt+']);
    expect(await village.store.grants.list()).toEqual([]);
  });

  it('cannot be discarded once it has connected its account', async () => {
    const setting = await openSetting();
    const { village, authority } = setting;
    const account = await setting.account('Mill 1', 'org-1');
    const consents = except(village.store.consents, {
      async bind(binding) {
        await village.store.consents.bind(binding);
        const one = await stateOf(setting, account);
        expect(await village.store.imports.discard(one?.id ?? '', 'Lee', village.clock.now())).toBe(false);
      },
    });
    const work = setting.importing({ consents });
    expect((await work.take(brought(account, authority.issue('rt', 'org-1')), 'Kim')).outcome).toBe(
      'granted',
    );
    expect(await stateOf(setting, account)).toMatchObject({ state: 'granted' });
  });

  it('is refused with a reason, raises no alarm, and can be tried again', async () => {
    const setting = await openSetting();
    const account = await setting.account();
    setting.authority.fault = () => refused;
    const token = setting.authority.issue('rt', 'org-1');
    expect(await taken(setting, account, token)).toEqual({ outcome: 'refused', reason: 'tokenRefused' });
    expect(setting.log.named('grant.lost')).toEqual([]);
    expect(await setting.village.store.grants.list()).toEqual([]);
    setting.authority.fault = undefined;
    expect((await taken(setting, account, token)).outcome).toBe('waiting');
  });

  it('is not imported twice, for two accounts, or over a live grant unless requested', async () => {
    const setting = await openSetting();
    const [one, two] = [await setting.account('Mill 1', 'org-1'), await setting.account('Mill 2')];
    const token = setting.authority.issue('rt', 'org-1');
    const both = await Promise.all([taken(setting, one, token), taken(setting, two, token)]);
    expect(both.map((each) => (each.outcome === 'left' ? each.hindrance : 'taken')).sort()).toEqual([
      'sameToken',
      'taken',
    ]);
    expect(setting.authority.presented).toEqual(['rt']);
    if (both[0].outcome === 'left') return;
    const other = setting.authority.issue('other', 'org-1');
    expect(await taken(setting, one, other)).toEqual({ outcome: 'left', hindrance: 'living' });
    const before = await stateOf(setting, one);
    const replaced = await setting.importing().take(brought(one, other, { replace: true }), 'Kim');
    expect(replaced.outcome).toBe('granted');
    expect(await setting.village.store.grants.find(before?.id ?? '')).toBeUndefined();
    const { life } = await setting.now(one);
    expect('binding' in life && (await refreshTokenOf(setting, life.binding.grantId))).toBe('other+');
  });

  it('of two operators for one account is imported once; the other is told', async () => {
    const setting = await openSetting();
    const account = await setting.account();
    const outcomes = await Promise.all(
      ['a', 'b'].map((token) => taken(setting, account, setting.authority.issue(token, 'org-1'))),
    );
    expect(outcomes.filter(({ outcome }) => outcome === 'left')).toEqual([
      { outcome: 'left', hindrance: 'underWay' },
    ]);
    expect(setting.authority.presented).toHaveLength(1);
  });
});

describe('a process that dies during an import', () => {
  it('before the request leaves the token stored, and another process presents it', async () => {
    const setting = await openSetting();
    const account = await setting.account('Mill 1', 'org-1');
    let reached = false;
    const vault = except(setting.vault(), {
      prove: () => {
        reached = true;
        return never();
      },
    });
    const token = setting.authority.issue('rt', 'org-1');
    await dead(setting.importing({ vault }).take(brought(account, token), 'Kim'), () => reached);
    expect(setting.authority.presented).toEqual([]);
    expect(await stateOf(setting, account)).toMatchObject({ state: 'importing' });
    await setting.village.consent.sweep();
    expect(await setting.importing().resume()).toEqual([]);
    setting.village.clock.advance(2 * MINUTE);
    expect(await setting.importing().resume()).toMatchObject([{ outcome: 'granted', account: 'Mill 1' }]);
    expect(setting.authority.presented).toEqual(['rt']);
  });

  it('after the request leaves the same token to be presented again within the grace period', async () => {
    const setting = await openSetting();
    const { village, authority } = setting;
    const account = await setting.account('Mill 1', 'org-1');
    let reached = false;
    const repository = except(village.store.grants, {
      renewed: () => {
        reached = true;
        return never();
      },
    });
    const vault = setting.vault({ repository });
    const token = authority.issue('rt', 'org-1');
    await dead(setting.importing({ vault }).take(brought(account, token), 'Kim'), () => reached);
    const one = await stateOf(setting, account);
    expect(await village.store.grants.find(one?.id ?? '')).toMatchObject({
      state: 'unresolved',
      presentations: 1,
    });
    // The lease is the database's: as long as it runs, nobody else presents the token.
    expect(await setting.importing().resume(true)).toMatchObject([{ outcome: 'importing' }]);
    expect(authority.presented).toEqual(['rt']);
    expect(await refreshTokenOf(setting, one?.id)).toBe('rt');
    await expireLease(setting, one?.id ?? '');
    expect(await setting.importing().resume(true)).toMatchObject([{ outcome: 'granted' }]);
    expect(authority.presented).toEqual(['rt', 'rt']);
  });

  it('after the answer is stored leaves the new pair to be checked, without a second presentation', async () => {
    const setting = await openSetting();
    const account = await setting.account('Mill 1', 'org-1');
    let reached = false;
    const imports = except(setting.village.store.imports, {
      learned: () => {
        reached = true;
        return never();
      },
    });
    const token = setting.authority.issue('rt', 'org-1');
    await dead(setting.importing({ imports }).take(brought(account, token), 'Kim'), () => reached);
    expect((await setting.now(account)).life.stage).toBe('legacy');
    expect(await setting.importing().resume(true)).toMatchObject([{ outcome: 'granted' }]);
    expect(setting.authority.presented).toEqual(['rt']);
  });

  it('of an earlier release, after the account was connected, leaves only the event to be written', async () => {
    const setting = await openSetting();
    const account = await setting.account('Mill 1', 'org-1');
    let reached = false;
    // It settled the import in another transaction than the one that connected the account.
    const consents = except(setting.village.store.consents, {
      async bind(binding) {
        await setting.village.store.consents.bind({ ...binding, imported: false });
        reached = true;
        return never();
      },
    });
    const token = setting.authority.issue('rt', 'org-1');
    await dead(setting.importing({ consents }).take(brought(account, token), 'Kim'), () => reached);
    expect((await setting.now(account)).life.stage).toBe('consented');
    expect(await setting.importing().resume(true)).toMatchObject([{ outcome: 'granted' }]);
    expect(await stateOf(setting, account)).toMatchObject({ state: 'granted' });
  });

  it('leaves nothing to a closed account: its token is dropped', async () => {
    const setting = await openSetting();
    const account = await setting.account();
    await taken(setting, account, setting.authority.issue('rt', 'org-1'));
    await setting.village.accounts.close(account.id, 'Kim');
    await setting.importing().resume(true);
    expect(await stateOf(setting, account)).toBeUndefined();
    await setting.village.consent.sweep();
    expect(setting.village.authority.revoked).toEqual(['rt+']);
  });
});

/** Nobody can wait for a lease in a test: the sandbox's clock does not move the database's. */
async function expireLease({ village }: Setting, id: string): Promise<void> {
  const grant = await village.store.grants.find(id);
  if (grant?.state !== 'unresolved') throw new Error('no lease');
  // The holder of the first presentation has fence 1; the holder's name is the first instance's.
  await village.store.grants.unanswered({ grantId: id, holder: 'instance 1', fence: 1 }, village.clock.now());
}

describe('an authorisation server that does not answer, or answers with nonsense', () => {
  it.each([
    ['nothing', unanswered],
    ['what cannot be read', { verdict: 'unanswered', cause: 'unreadable' } as const],
    ['no new refresh token', { verdict: 'unanswered', cause: 'no refresh_token' } as const],
    [
      'that the client is unknown',
      { verdict: 'unanswered', cause: 'invalid_client', everybody: true } as const,
    ],
  ])('leaves the import open: %s', async (_, fault) => {
    const setting = await openSetting();
    const account = await setting.account('Mill 1', 'org-1');
    setting.authority.fault = () => fault;
    const token = setting.authority.issue('rt', 'org-1');
    expect(await taken(setting, account, token)).toMatchObject({ outcome: 'importing' });
    const one = await stateOf(setting, account);
    expect(await refreshTokenOf(setting, one?.id)).toBe('rt');
    setting.authority.fault = undefined;
    setting.village.clock.advance(5 * MINUTE);
    expect(await setting.importing().resume()).toMatchObject([{ outcome: 'granted' }]);
    expect(setting.authority.presented).toEqual(['rt', 'rt']);
  });

  it.each([
    ['names no organisation', [], 'noOrganisation'],
    ['names a hundred', Array.from({ length: 100 }, (_, n) => `org-${n + 10}`), 'severalOrganisations'],
  ] as const)('leaves a pair that %s to the operator', async (_, organisations, reason) => {
    const setting = await openSetting();
    setting.authority.known = [];
    const account = await setting.account();
    expect(await taken(setting, account, setting.authority.issue('rt', ...organisations))).toEqual({
      outcome: 'waiting',
      reason,
    });
  });

  it('is asked again later if the service does not say which organisation it is', async () => {
    const setting = await openSetting();
    const account = await setting.account('Mill 1', 'org-1');
    await taken(setting, account, setting.authority.issue('first', 'org-1'));
    const { answer } = setting.village.v3;
    setting.village.v3.answer = () => {
      throw new Failure('upstreamTimeout');
    };
    const again = brought(account, setting.authority.issue('rt', 'org-1'), { replace: true });
    expect(await setting.importing().take(again, 'Kim')).toMatchObject({ outcome: 'importing' });
    setting.village.v3.answer = answer;
    expect(await setting.importing().resume(true)).toMatchObject([{ outcome: 'granted' }]);
    expect(setting.authority.presented).toEqual(['first', 'rt']);
  });
});
