import { createPrivateKey, generateKeyPairSync, type KeyPairKeyObjectResult } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { lostFailure, migrate, type Account } from '../../../src/features/accounts/account.ts';
import { openSealed, recipientOf, sealFor, UnusableKey } from '../../../src/lib/secret/recipient.ts';
import { describeOnBoth } from '../../db/engines.ts';
import { NOW, anna, begunOf, event, newAccount, newGrant, pair } from '../../db/records.ts';
import { except, unanswered } from '../../tokens/harness.ts';
import { openSetting, type Setting } from './grants-setting.ts';

const pem = (key: { export(how: object): string | Buffer }, type: 'spki' | 'pkcs8') =>
  key.export({ format: 'pem', type }).toString();

function keys(made: KeyPairKeyObjectResult = generateKeyPairSync('x25519')) {
  return { public: pem(made.publicKey, 'spki'), private: pem(made.privateKey, 'pkcs8') };
}

/** An account that has moved, with the token `rt+`. */
async function moved(setting: Setting, n = 1): Promise<Account> {
  const account = await setting.account(`Mill ${n}`, `org-${n}`);
  const token = setting.authority.issue(`rt${n}`, `org-${n}`);
  await setting.importing().take({ account, token, given: undefined, replace: false }, 'Kim');
  await setting.village.store.accounts.change(account.id, migrate, event('migrated'));
  return setting.now(account);
}

const openedIn = async (document: string | undefined, key: string) =>
  JSON.parse(await openSealed(document ?? '', key)) as {
    readonly grants: readonly { readonly account: { readonly id: string }; readonly refreshToken: string }[];
  };

describe('an export', () => {
  it('ends the grant here without reporting it lost, and is opened with the key alone', async () => {
    const setting = await openSetting();
    const { store, clock } = setting.village;
    const account = await moved(setting);
    const key = keys();
    const recipient = await recipientOf(key.public);
    const { document, accounts } = await setting.exporting().perform([account], recipient, 'Kim');
    expect(accounts).toMatchObject([{ outcome: 'exported' }]);
    // A character that no base64url has: three letters might be in the sealed text by chance.
    expect(document).not.toContain('rt1+');
    expect((await openedIn(document, key.private)).grants).toMatchObject([
      { account: { id: account.id }, organisation: { id: 'org-1' }, refreshToken: 'rt1+' },
    ]);
    await expect(openSealed(document ?? '', keys().private)).rejects.toThrow(UnusableKey);
    const { life } = await setting.now(account);
    expect(life).toMatchObject({ stage: 'lost', reason: 'exported' });
    expect(lostFailure('exported').text).toContain('handed over to another program');
    const [entry] = await store.audit.list({ limit: 1 });
    expect(entry).toMatchObject({ who: 'Kim', action: 'grants.export', accountIds: [account.id] });
    expect(await store.campaign.lostWithoutRun()).toEqual([]);
    // Neither a call nor the sweeper presents anything any more, and the copy outlives the sweep of orphans.
    const id = 'binding' in life ? life.binding.grantId : '';
    await expect(setting.vault().accessToken(id)).rejects.toMatchObject({ code: 'consentNeeded' });
    expect(await setting.vault().keepAlive(id, Infinity)).toBe('lost');
    expect(await setting.vault().drive(id)).toBe('lost');
    await setting.village.consent.sweep();
    expect(setting.authority.presented).toEqual(['rt1']);
    expect(JSON.stringify([entry, setting.log.lines])).not.toContain('rt1');
    expect(await store.exports.drop(clock.now())).toBe(0);
  });

  it('is logged with the name of the person who exported it, without the address', async () => {
    const setting = await openSetting();
    const recipient = await recipientOf(keys().public);
    await setting.exporting().perform([await moved(setting)], recipient, 'Kim Lee <kim@example.com>');
    expect(setting.log.named('grants.exported')).toMatchObject([{ who: 'Kim Lee' }]);
  });

  it('whose file was never written can be repeated, until the customer approves again', async () => {
    const setting = await openSetting();
    const account = await moved(setting);
    const [first, second] = [keys(), keys()];
    await setting.exporting().perform([account], await recipientOf(first.public), 'Kim');
    const again = await setting.exporting().perform([account], await recipientOf(second.public), 'Kim');
    expect(again.accounts).toMatchObject([{ outcome: 'again' }]);
    expect((await openedIn(again.document, second.private)).grants).toMatchObject([{ refreshToken: 'rt1+' }]);
    const token = setting.authority.issue('anew', 'org-1');
    await setting.importing().take({ account, token, given: undefined, replace: false }, 'Kim');
    expect((await setting.now(account)).life.stage).toBe('migrated');
    const third = await setting.exporting().perform([account], await recipientOf(first.public), 'Kim');
    expect(third.accounts).toMatchObject([{ outcome: 'exported' }]);
    expect((await openedIn(third.document, first.private)).grants).toMatchObject([{ refreshToken: 'anew+' }]);
  });

  it('skips accounts without a grant, with a shared grant, or with an open refresh', async () => {
    const setting = await openSetting();
    const { store, clock } = setting.village;
    const [none, one, two, three] = [
      await setting.account('Nobody'),
      await moved(setting, 1),
      await moved(setting, 2),
      await setting.account('Mill 4'),
    ];
    const shared = 'binding' in two.life ? two.life.binding.grantId : '';
    await store.accounts.change(
      three.id,
      () => ({
        stage: 'consented',
        binding: { grantId: shared, organisation: { id: 'org-4', name: 'Mill 4' } },
      }),
      event('consented'),
    );
    const id = 'binding' in one.life ? one.life.binding.grantId : '';
    setting.authority.fault = () => unanswered;
    await setting.vault().keepAlive(id, Infinity);
    const recipient = await recipientOf(keys().public);
    const { document, accounts } = await setting.exporting().perform([none, one, two], recipient, 'Kim');
    expect(document).toBeUndefined();
    expect(accounts.map(({ outcome }) => outcome)).toEqual(['left', 'left', 'left']);
    expect(accounts.map(({ words }) => words).join()).toMatch(
      /no grant.*no answer yet.*shares its grant with Mill 4/s,
    );
    expect((await setting.now(two)).life.stage).toBe('migrated');
    const together = await setting.exporting().perform([two, three], recipient, 'Kim');
    expect(together.accounts.map(({ outcome }) => outcome)).toEqual(['exported', 'exported']);
    expect((await setting.now(three)).life.stage).toBe('legacy');
    expect(await store.campaign.lostWithoutRun()).toEqual([]);
    expect(await store.exports.drop(clock.now() + 1)).toBe(2);
  });

  it('takes the newer pair if another instance refreshes meanwhile', async () => {
    const setting = await openSetting();
    const account = await moved(setting);
    const id = 'binding' in account.life ? account.life.binding.grantId : '';
    const key = keys();
    let looks = 0;
    const exporting = setting.exporting({
      vault: except(setting.vault(), {}),
    });
    const find = setting.village.store.grants.find.bind(setting.village.store.grants);
    setting.village.store.grants.find = async (grantId) => {
      const found = await find(grantId);
      looks += 1;
      // The second read is the export's own: what it saw is old at once.
      if (looks === 2) await setting.vault().keepAlive(id, Infinity);
      return found;
    };
    const { document } = await exporting.perform([account], await recipientOf(key.public), 'Kim');
    expect((await openedIn(document, key.private)).grants).toMatchObject([{ refreshToken: 'rt1++' }]);
  });
});

describe('the key of a recipient', () => {
  it.each([
    ['X25519', () => generateKeyPairSync('x25519')],
    ['P-256', () => generateKeyPairSync('ec', { namedCurve: 'P-256' })],
    ['RSA', () => generateKeyPairSync('rsa', { modulusLength: 2_048 })],
  ] as const)('can be %s, in PEM and in JWK', async (_, make) => {
    const key = keys(make());
    const jwk = createPrivateKey(key.private).export({ format: 'jwk' });
    const sealed = await sealFor(await recipientOf(key.public), 'text');
    expect(await openSealed(`${sealed}\n`, key.private)).toBe('text');
    expect(await openSealed(sealed, JSON.stringify(jwk))).toBe('text');
    const open = Object.fromEntries(Object.entries(jwk).filter(([name]) => 'kty crv x y n e'.includes(name)));
    expect((await recipientOf(JSON.stringify(open))).id).toBe((await recipientOf(key.public)).id);
  });

  it.each([
    ['a private key', () => keys().private, /private key/],
    ['a private JWK', () => '{"kty":"OKP","crv":"X25519","x":"AA","d":"AA"}', /private key/],
    ['a key that only signs', () => pem(generateKeyPairSync('ed25519').publicKey, 'spki'), /ed25519/],
    [
      'a short RSA key',
      () => pem(generateKeyPairSync('rsa', { modulusLength: 1_024 }).publicKey, 'spki'),
      /rsa/,
    ],
    ['nonsense', () => 'nonsense', /cannot be read/],
    ['broken JSON', () => '{', /cannot be read/],
  ])('is refused if it is %s, without quoting it', async (_, make, words) => {
    const key = make();
    const refusal = await recipientOf(key).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(UnusableKey);
    expect((refusal as Error).message).toMatch(words);
  });
});

describeOnBoth('an exported grant in the store', (bench) => {
  it('cannot be refreshed by another instance, whichever of the two comes first', async () => {
    const [mine, theirs] = await bench.twoStores();
    const bound = async () => {
      const grant = await newGrant(mine);
      const account = await mine.accounts.add(newAccount());
      const organisation = { id: `org-${account.id}`, name: 'Mill' };
      await mine.accounts.change(
        account.id,
        () => ({ stage: 'migrated', binding: { grantId: grant.id, organisation } }),
        event('migrated'),
      );
      const copy = {
        ...{
          id: `copy-${account.id}`,
          account: { ...account, organisation },
          ...{ grantId: grant.id, application: 'default' },
          consenter: anna,
        },
        ...{ scope: 'service', tokens: pair(1), exportedAt: NOW, who: 'Kim', recipient: 'key' },
      };
      return {
        grant,
        account,
        taking: { grantId: grant.id, refreshToken: pair(1).refreshToken, copies: [copy] },
      };
    };
    const begin = (grantId: string) =>
      theirs.grants.begin({
        grantId,
        holder: 'two',
        generation: 1,
        leaseMs: 60_000,
        longestLease: 60_000,
        now: NOW,
      });

    const first = await bound();
    expect(await mine.exports.take(first.taking)).toBe(true);
    expect(await begin(first.grant.id)).toEqual({ outcome: 'lost', reason: 'exported' });
    expect((await theirs.exports.of([first.account.id])).get(first.account.id)).toMatchObject({
      tokens: pair(1),
    });
    expect(await theirs.accounts.byId(first.account.id)).toMatchObject({
      life: { stage: 'lost', reason: 'exported' },
    });
    expect(await mine.exports.take(first.taking)).toBe(false);

    const second = await bound();
    const { lease } = begunOf(await begin(second.grant.id));
    expect(await mine.exports.take(second.taking)).toBe(false);
    expect(await theirs.grants.renewed(lease, pair(2), NOW)).toBe(true);
    expect(await mine.exports.take(second.taking)).toBe(false);
    expect(await mine.accounts.byId(second.account.id)).toMatchObject({ life: { stage: 'migrated' } });

    // Somebody else uses the grant: nothing of the export remains.
    const third = await bound();
    const other = await mine.accounts.add(newAccount());
    await mine.accounts.change(
      other.id,
      () => ({
        stage: 'consented',
        binding: { grantId: third.grant.id, organisation: { id: `org-${other.id}`, name: 'Mill' } },
      }),
      event('consented'),
    );
    expect(await mine.exports.take(third.taking)).toBe(false);
    expect(await mine.grants.find(third.grant.id)).toMatchObject({ state: 'held' });

    const races = await Promise.all(Array.from({ length: 6 }, bound));
    const ends = await Promise.all(
      races.map(async ({ grant, taking }) => Promise.all([mine.exports.take(taking), begin(grant.id)])),
    );
    for (const [taken, beginning] of ends) expect(taken).toBe(beginning.outcome !== 'begun');
  });
});
