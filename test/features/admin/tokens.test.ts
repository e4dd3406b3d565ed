import { describe, expect, it } from '@jest/globals';
import { MINUTE } from '../../../src/lib/time/clock.ts';
import { Secret } from '../../../src/lib/secret/secret.ts';
import { systemRandom } from '../../../src/lib/secret/random.ts';
import { Tokens } from '../../../src/features/admin/tokens/tokens.ts';
import type { Store } from '../../../src/app/store.ts';
import { openMemoryStore } from '../../support/store.ts';
import { KeyRing } from '../../../src/tokens/sealing/keyring.ts';

const key = (id: string, fill: number): string => `${id}:${Buffer.alloc(32, fill).toString('base64')}`;

async function admin(
  work: (
    tokens: Tokens,
    rest: { readonly store: Store; readonly later: (millis: number) => void; readonly rotated: Tokens },
  ) => Promise<void>,
): Promise<void> {
  const store = await openMemoryStore();
  let now = 1_800_000_000_000;
  const made = (keys: string): Tokens =>
    new Tokens({
      tokens: store.tokens,
      sessions: store.sessions,
      audit: store.audit,
      seal: KeyRing.parse(new Secret(keys)),
      clock: { now: () => now },
      random: systemRandom,
    });
  try {
    await work(made(key('k1', 1)), {
      store,
      later: (millis) => {
        now += millis;
      },
      rotated: made(`${key('k2', 2)},${key('k1', 1)}`),
    });
  } finally {
    await store.close();
  }
}

describe('console tokens', () => {
  it('open a new session at each sign-in, until it is ended', async () => {
    await admin(async (tokens) => {
      const { secret, token } = await tokens.create('Anna', 'read', 'test');
      const [one, other] = [await tokens.signIn(secret), await tokens.signIn(secret)];
      if (one === undefined || other === undefined) throw new Error('not signed in');
      expect(one.cookie.reveal()).not.toBe(other.cookie.reveal());
      const session = await tokens.session(one.cookie);
      expect(session?.token).toMatchObject({ id: token.id, scope: 'read' });
      expect(session?.csrf).not.toBe((await tokens.session(other.cookie))?.csrf);
      await tokens.signOut(one.cookie);
      expect(await tokens.session(one.cookie)).toBeUndefined();
      expect(await tokens.session(other.cookie)).toBeDefined();
    });
  });

  it('are refused if they are unknown, and a cookie is not a token', async () => {
    await admin(async (tokens) => {
      const { secret } = await tokens.create('Anna', 'read', 'test');
      const signedIn = await tokens.signIn(secret);
      if (signedIn === undefined) throw new Error('not signed in');
      expect(await tokens.signIn(new Secret('cwt_nobody'))).toBeUndefined();
      expect(await tokens.recognise(signedIn.cookie)).toBeUndefined();
      expect(await tokens.session(secret)).toBeUndefined();
    });
  });

  it('end with their sessions when they are revoked', async () => {
    await admin(async (tokens) => {
      const { secret } = await tokens.create('Anna', 'operate', 'test');
      const signedIn = await tokens.signIn(secret);
      await tokens.revoke('Anna', 'test');
      expect(await tokens.recognise(secret)).toBeUndefined();
      expect(await tokens.session(signedIn?.cookie ?? secret)).toBeUndefined();
    });
  });

  it('end a session after half an hour without use', async () => {
    await admin(async (tokens, { later }) => {
      const { secret } = await tokens.create('Anna', 'operate', 'test');
      const signedIn = await tokens.signIn(secret);
      later(31 * MINUTE);
      expect(await tokens.session(signedIn?.cookie ?? secret)).toBeUndefined();
      expect(await tokens.recognise(secret)).toBeDefined();
    });
  });

  it('work after the encryption keys were rotated', async () => {
    await admin(async (tokens, { rotated }) => {
      const { secret } = await tokens.create('Anna', 'operate', 'test');
      const signedIn = await tokens.signIn(secret);
      expect(await rotated.recognise(secret)).toMatchObject({ name: 'Anna' });
      expect(await rotated.session(signedIn?.cookie ?? secret)).toBeDefined();
    });
  });

  it('start with the one from the settings, once', async () => {
    await admin(async (tokens, { store }) => {
      const given = new Secret('a-long-random-text');
      expect(await tokens.begin(given)).toBe(true);
      expect(await tokens.begin(new Secret('another'))).toBe(false);
      expect(await tokens.recognise(given)).toMatchObject({ name: 'admin', scope: 'administer' });
      await tokens.revoke('admin', 'test');
      expect(await tokens.begin(given)).toBe(false);
      expect(JSON.stringify(await store.audit.list({ limit: 9 }))).not.toContain('random');
    });
  });
});
