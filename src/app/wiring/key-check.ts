import type { Clock } from '../../lib/time/clock.ts';
import { SealBroken } from '../../lib/secret/seal.ts';
import { Secret } from '../../lib/secret/secret.ts';
import type { Store } from '../store.ts';
import { missingKeys } from '../../tokens/sealing/key-rotation.ts';
import { KeyRing } from '../../tokens/sealing/keyring.ts';

/** The database was sealed with keys that are not in the configuration. */
export class WrongKeys extends Error {
  constructor(keyIds: readonly string[]) {
    super(
      `the database was sealed with the encryption ${keyIds.length > 1 ? 'keys' : 'key'} ${keyIds.join(', ')}, and no key of CAUSEWAY_ENCRYPTION_KEYS opens it; nothing was changed`,
    );
    this.name = 'WrongKeys';
  }
}

const MARK = 'sealed';
const SINCE = 'sealing-since';
const OWNER = 'database';

/**
 * Every database contains a value sealed with its keys. With other keys nothing in it could be opened, and new rows
 * would be lost to the owner of the right ones. Nor may a key that still seals something be removed. Returns since when
 * the first key has been the first. Throws `WrongKeys`.
 */
export async function checkKeys(store: Sealing, ring: KeyRing, clock: Clock): Promise<number> {
  const { settings } = store;
  const fresh = ring.seal(new Secret(OWNER), OWNER, MARK);
  const kept = await settings.claim(MARK, fresh);
  const lacking = await lackingKeys(store, ring);
  if (lacking.length > 0) throw new WrongKeys(lacking);
  const now = String(clock.now());
  if (KeyRing.keyIdOf(kept) === ring.ids[0]) return Number(await settings.claim(SINCE, now));
  // In this order: if the process dies in between, the next start does both again.
  await settings.set(SINCE, now);
  await settings.set(MARK, fresh);
  return Number(now);
}

type Sealing = Pick<Store, 'settings' | 'sealed'>;

/** The ids of the keys that the database needs and the ring lacks. Changes nothing. */
export async function lackingKeys({ settings, sealed }: Sealing, ring: KeyRing): Promise<readonly string[]> {
  const lacking = await keyOfAnother(settings, ring);
  return lacking === undefined ? missingKeys(sealed, ring) : [lacking];
}

/** The id of the key that seals the database if the ring lacks it. Works with every schema that has tables. Changes nothing. */
export async function keyOfAnother(
  settings: Pick<Store['settings'], 'get'>,
  ring: KeyRing,
): Promise<string | undefined> {
  const kept = await settings.get(MARK);
  try {
    if (kept !== undefined) ring.open(kept, OWNER, MARK);
    return undefined;
  } catch (error) {
    if (error instanceof SealBroken && kept !== undefined) return KeyRing.keyIdOf(kept);
    throw error;
  }
}
