import { afterEach, describe, expect, it } from '@jest/globals';
import { close } from '../../src/features/accounts/account.ts';
import {
  ask,
  closeWorlds,
  LIFETIME,
  ok,
  pair,
  refusal,
  uuid,
  world,
  type Setting,
  type World,
} from './world.ts';

afterEach(closeWorlds);

const CLIENT = uuid('c1', 1);
const LIST = 'GET client.api/get/1';
const DELETE = 'DELETE client.api/delete/1';
const NOTHING_SENT = {
  code: 'databaseAway',
  text: 'The bridge cannot reach its database at the moment, and nothing was sent to the service; try again later',
  retryAfter: 5,
};

const stage = (setting: Setting): Promise<World> =>
  world({
    pairs: [pair('client', 1, CLIENT)],
    v1: () => ok('<Client><ID>1</ID></Client>'),
    v3: () => ok(`<Client><UUID>${CLIENT}</UUID></Client>`),
    ...setting,
  });

const sent = ({ v1, v3 }: World): number => v1.requests.length + v3.requests.length;

describe.each(['legacy', 'consented', 'migrated'] as const)(
  'a call during a database outage (%s)',
  (name) => {
    /** With an account that has called before, and whose identifiers were read. */
    async function away(): Promise<World> {
      const to = await stage({ stage: name });
      await ask(to, LIST);
      to.outage.away = true;
      return to;
    }

    it('reads an account in memory', async () => {
      const to = await away();
      const before = sent(to);
      expect(await ask(to, LIST)).toContain('<ID>1</ID>');
      expect(sent(to)).toBe(before + 1);
    });

    it('reads it until ten minutes after its row was confirmed', async () => {
      const to = await away();
      to.clock.time += LIFETIME - 1;
      await ask(to, LIST);
      to.clock.time += 1;
      expect(await refusal(to, LIST)).toMatchObject(NOTHING_SENT);
      to.clock.time -= 10 * LIFETIME; // a clock that was put back
      expect(await refusal(to, LIST)).toMatchObject(NOTHING_SENT);
    });

    it('is refused with the statement that nothing was sent, if it is a write', async () => {
      const to = await away();
      const before = sent(to);
      expect(await refusal(to, DELETE)).toMatchObject(NOTHING_SENT);
      expect(sent(to)).toBe(before);
    });

    it('works again by itself', async () => {
      const to = await away();
      await refusal(to, DELETE);
      to.outage.away = false;
      expect(await ask(to, DELETE)).toContain('<Status>OK</Status>');
    });

    it('with a key that is not in memory is not told that the key is wrong', async () => {
      const to = await away();
      expect(await refusal(to, LIST, { accountKey: 'K-nobody' })).toMatchObject(NOTHING_SENT);
      const before = sent(to);
      expect(await refusal(to, DELETE, { accountKey: 'K-nobody' })).toMatchObject(NOTHING_SENT);
      expect(sent(to)).toBe(before);
    });
  },
);

describe('a call after a database outage', () => {
  it('is refused if another instance has closed the account meanwhile', async () => {
    const to = await stage({ stage: 'legacy' });
    await ask(to, LIST);
    to.outage.away = true;
    await to.store.accounts.change('account-1', close, { at: 1, kind: 'closed', actor: 'test', detail: '' });
    await ask(to, LIST);
    to.outage.away = false;
    expect(await refusal(to, LIST)).toMatchObject({ code: 'keysRefused' });
    to.outage.away = true;
    expect(await refusal(to, LIST)).toMatchObject({ code: 'keysRefused' });
  });

  it('can read documents of an account that has called, even during the outage', async () => {
    const to = await stage({ stage: 'migrated' });
    await ask(to, LIST);
    to.outage.away = true;
    const { accounts } = to;
    expect(await accounts.byId('account-1')).toMatchObject({ life: { stage: 'migrated' } });
    await expect(accounts.byId('account-2')).rejects.toMatchObject({ kind: 'unavailable' });
    to.clock.time += LIFETIME;
    await expect(accounts.byId('account-1')).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('has its API key compared, even during the outage', async () => {
    const to = await stage({ stage: 'migrated', boundApiKey: true });
    await ask(to, LIST);
    to.outage.away = true;
    await ask(to, LIST);
    expect(await refusal(to, LIST, { apiKey: 'K-other' })).toMatchObject({ code: 'keysRefused' });
  });
});
