import { describe, expect, it } from '@jest/globals';
import { DuplicateAccount } from '../../../src/features/accounts/model.ts';
import { DAY } from '../../../src/lib/time/clock.ts';
import { secondIn } from '../../../src/lib/time/zone.ts';
import { close, consent } from '../../../src/features/accounts/account.ts';
import { Secret } from '../../../src/lib/secret/secret.ts';
import { UnusableAccount } from '../../../src/features/accounts/unusable-account.ts';
import { newAccount } from '../../db/records.ts';
import { addAccount, openVillage } from '../harness.ts';

const key = (text: string) => new Secret(text);

describe('an account that two people change at once', () => {
  it('keeps both changes', async () => {
    const { accounts, store } = await openVillage();
    const { id } = await accounts.add({ name: 'Old name', accountKey: key('K1') });
    await accounts.set(id, { tags: 'old' });
    await Promise.all([
      accounts.set(id, { name: 'New name' }, 'ada'),
      accounts.set(id, { addTags: 'vip' }, 'bob'),
      accounts.set(id, { notes: 'Call first' }, 'cyd'),
    ]);
    const [details, account] = [await store.accounts.details(id), await store.accounts.byId(id)];
    expect([account?.name, details.tags, details.notes]).toEqual(['New name', 'old vip', 'Call first']);
  });

  it('keeps its product if its customer consents between the look and the change', async () => {
    const { accounts, store } = await openVillage();
    const { id } = await accounts.add({ name: 'Mill', accountKey: key('K1') });
    const event = { at: 1, kind: 'changed', actor: 'ada', detail: 'product' };
    const binding = { grantId: 'g', organisation: { id: 'o', name: 'O' } };
    await store.accounts.change(id, (life) => consent(life, binding), { ...event, kind: 'consented' });
    await expect(store.accounts.set(id, { product: 'practice' }, event)).rejects.toThrow(
      'the product of an account that is consented cannot be changed',
    );
    expect((await store.accounts.byId(id))?.product).toBe('standard');
  });
});

describe('an account that is added', () => {
  it('is found by its keys, which are stored sealed', async () => {
    const village = await openVillage();
    const added = await village.accounts.add({
      name: ' Old Mill ',
      accountKey: key('K1'),
      apiKey: key('A1'),
      product: 'practice',
    });
    expect(added).toMatchObject({
      name: 'Old Mill',
      product: 'practice',
      application: 'default',
      origin: 'added',
      life: { stage: 'legacy' },
    });
    const found = await village.store.accounts.byKeyIndex(village.ring.index(key('K1'), 'account-key'));
    expect(found).toMatchObject({
      account: { id: added.id },
      apiKeyIndex: village.ring.index(key('A1'), 'api-key')[0],
    });
    const sealed = await village.store.accounts.sealedKeys(added.id);
    expect(village.ring.open(sealed?.accountKey ?? '', added.id, 'account-key').reveal()).toBe('K1');
    expect(
      village.ring.open(sealed?.apiKey?.sealed ?? '', sealed?.apiKey?.owner ?? '', 'api-key').reveal(),
    ).toBe('A1');
  });

  it('has its own key', async () => {
    const village = await openVillage();
    await village.accounts.add({ name: 'One', accountKey: key('K1') });
    await expect(village.accounts.add({ name: 'Two', accountKey: key('K1') })).rejects.toThrow(
      DuplicateAccount,
    );
  });

  it('for another application needs issued keys where the customer has an account, and the refusal says so', async () => {
    const { accounts, store, ring } = await openVillage();
    const [index = ''] = ring.index(key('K1'), 'account-key');
    await store.accounts.add(newAccount({ name: 'Mill', application: 'payroll', accountKeyIndex: index }));
    await expect(accounts.add({ name: 'Mill 2', accountKey: key('K1') })).rejects.toThrow(
      'an account with this account key already exists: Mill, of the application payroll. The account for default needs issued keys (--new)',
    );
    const { account } = await accounts.issue({ name: 'Mill 2' });
    expect(account).toMatchObject({ application: 'default', origin: 'issued' });
  });

  it.each([
    ['no name', { name: ' ', accountKey: key('K') }],
    ['a name of two lines', { name: 'a\nb', accountKey: key('K') }],
    ['an empty key', { name: 'a', accountKey: key('') }],
    ['a key with a space', { name: 'a', accountKey: key('a b') }],
    ['a key that is too long', { name: 'a', accountKey: key('k'.repeat(129)) }],
    ['an API key with a control character', { name: 'a', accountKey: key('k'), apiKey: key('a\0') }],
  ])('is refused with %s, without quoting the key', async (_name, account) => {
    const village = await openVillage();
    const refusal = await village.accounts.add(account).catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(UnusableAccount);
    expect(await village.accounts.list()).toEqual([]);
  });
});

describe('an account that is discovered', () => {
  it('exists once, however often its key is seen', async () => {
    const village = await openVillage();
    const keys = { accountKey: key('K1'), apiKey: key('A1') };
    const accounts = await Promise.all([1, 2, 3].map(() => village.accounts.discover(keys)));
    expect(new Set(accounts.map(({ id }) => id)).size).toBe(1);
    expect(await village.accounts.list()).toMatchObject([{ origin: 'discovered' }]);
  });

  it('accepts any API key later, and keeps the one V1 accepted for the bridge’s own calls', async () => {
    const village = await openVillage();
    const { id } = await village.accounts.discover({ accountKey: key('K1'), apiKey: key('A1') });
    const found = await village.store.accounts.byKeyIndex(village.ring.index(key('K1'), 'account-key'));
    expect(found?.apiKeyIndex).toBeUndefined();
    const sealed = await village.store.accounts.sealedKeys(id);
    expect(
      village.ring.open(sealed?.apiKey?.sealed ?? '', sealed?.apiKey?.owner ?? '', 'api-key').reveal(),
    ).toBe('A1');
  });

  it('is the existing one if the key is known', async () => {
    const village = await openVillage();
    const { id } = await village.accounts.add({ name: 'One', accountKey: key('K1') });
    expect((await village.accounts.discover({ accountKey: key('K1'), apiKey: key('A') })).id).toBe(id);
  });
});

describe('the operators’ view of an account', () => {
  it('contains no key', async () => {
    const village = await openVillage();
    const { id } = await village.accounts.add({
      name: 'One',
      accountKey: key('CANARY-1'),
      apiKey: key('CANARY-2'),
    });
    await village.accounts.invite(id);
    const shown = [
      await village.accounts.show(id),
      await village.accounts.show('One'),
      await village.accounts.list(),
    ];
    expect(JSON.stringify(shown)).not.toMatch(/CANARY|sealed/i);
    expect(shown[0]).toMatchObject({
      account: { id },
      timeline: [{ kind: 'added' }, { kind: 'invited' }],
      grant: undefined,
    });
  });

  it('does not exist for an unknown id', async () => {
    const village = await openVillage();
    expect(await village.accounts.show('nobody')).toBeUndefined();
  });
});

describe('an invitation', () => {
  it('has a link that works until the end of the day on the clock of the customer', async () => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    await village.accounts.set(id, { zone: 'Pacific/Auckland' });
    const { invitation } = await village.accounts.invite(id);
    const end = '2026-12-20 23:59:59';
    expect(secondIn('Pacific/Auckland', village.clock.now() + 30 * DAY)).toMatch(/^2026-12-20 /);
    expect(secondIn('Pacific/Auckland', invitation.expiresAt)).toBe(end);
  });

  it('has a link of 256 random bits, valid for 30 days and stored nowhere', async () => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    const [one, two] = [await village.accounts.invite(id), await village.accounts.invite(id)];
    expect(one.path).toMatch(/^\/_causeway\/connect\/[A-Za-z0-9_-]{43}$/);
    expect(one.path).not.toBe(two.path);
    expect(one.invitation.expiresAt).toBe(village.clock.now() + 30 * DAY);
    const link = one.path.slice(-43);
    expect(JSON.stringify(await village.accounts.show(id))).not.toContain(link);
  });

  it('is not created for an account that is closed or unknown', async () => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    const event = { at: village.clock.now(), kind: 'closed', actor: 'operator', detail: '' };
    await village.store.accounts.change(id, close, event);
    await expect(village.accounts.invite(id)).rejects.toThrow(UnusableAccount);
    await expect(village.accounts.invite('nobody')).rejects.toThrow(UnusableAccount);
  });
});

describe('details of an account', () => {
  it('complete an account that was discovered', async () => {
    const village = await openVillage();
    const { id } = await village.accounts.discover({ accountKey: key('K1'), apiKey: key('A1') });
    expect(await village.accounts.set(id, { name: 'Old Mill', email: 'ada@example.com' })).toEqual([
      'name',
      'e-mail',
    ]);
    expect(await village.accounts.set(id, { name: 'Old Mill', email: 'ada@example.com' })).toEqual([]);
    expect(await village.store.accounts.byId(id)).toMatchObject({ name: 'Old Mill', origin: 'discovered' });
    expect((await village.store.accounts.timeline(id)).filter(({ kind }) => kind === 'changed')).toHaveLength(
      1,
    );
  });

  it('have the usual spelling of a time zone', async () => {
    const village = await openVillage();
    const { id } = await addAccount(village, 'One', 'A1');
    const stored = async (zone: string): Promise<string | undefined> => {
      await village.accounts.set(id, { zone });
      return (await village.store.accounts.details(id)).zone;
    };
    expect(await stored('europe/berlin')).toBe('Europe/Berlin');
    // Another name of it stays.
    expect(await stored('NZ')).toBe('NZ');
  });

  it('can require another API key, which is then the only one', async () => {
    const village = await openVillage();
    const { id } = await addAccount(village, 'One', 'A1');
    expect(await village.accounts.set(id, { apiKey: key('A1') })).toEqual([]);
    expect(await village.accounts.set(id, { apiKey: key('A2') })).toEqual(['API key']);
    const sealed = await village.store.accounts.sealedKeys(id);
    expect(
      village.ring.open(sealed?.apiKey?.sealed ?? '', sealed?.apiKey?.owner ?? '', 'api-key').reveal(),
    ).toBe('A2');
  });

  it('cannot change the product of a connected account', async () => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    await village.store.accounts.change(
      id,
      (life) => consent(life, { grantId: 'g', organisation: { id: 'o', name: 'O' } }),
      { at: 1, kind: 'consented', actor: 'customer', detail: '' },
    );
    await expect(village.accounts.set(id, { product: 'practice' })).rejects.toThrow(UnusableAccount);
    expect(await village.accounts.set(id, { product: 'standard', language: 'DE' })).toEqual(['language']);
  });

  it.each([
    'a@b@example.com',
    'a@example.com, b@example.com',
    'Ada <a@example.com>',
    'a@example',
    '"a b"@example.com',
    'a@[127.0.0.1]',
    'a\u0000@example.com',
    'a@exa\u200bmple.com',
    'a@example.com\r\nBcc: b@example.com',
    '.a@example.com',
    'a..b@example.com',
    `${'a'.repeat(65)}@example.com`,
    `a@${'a.'.repeat(130)}com`,
    'a@-example.com',
  ])('allow no address like %j', async (email) => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    await expect(village.accounts.set(id, { email })).rejects.toThrow('one plain address');
  });

  it.each(["o'brien+x@example.co.uk", 'ADA@EXAMPLE.COM', 'a@xn--mller-kva.example'])(
    'allow an address like %j unchanged',
    async (email) => {
      const village = await openVillage();
      const { id } = await addAccount(village);
      await village.accounts.set(id, { email: ` ${email} ` });
      expect(await village.store.accounts.details(id)).toMatchObject({ email });
    },
  );
});
