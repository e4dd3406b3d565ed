import { SealBroken } from '../domain/seal.ts';
import { Secret } from '../domain/secret.ts';
import type { Settings } from '../store/settings.ts';
import { KeyRing } from '../vault/keyring.ts';

/** The database was sealed with keys that are not among those of the configuration. */
export class WrongKeys extends Error {
  constructor(keyId: string) {
    super(
      `the database was sealed with the encryption key ${keyId}, and no key of CAUSEWAY_ENCRYPTION_KEYS opens it; nothing was changed`,
    );
    this.name = 'WrongKeys';
  }
}

const MARK = 'sealed';
const OWNER = 'database';

/**
 * Every database carries a value sealed with its keys: with other keys nothing in it could be opened, and what is
 * written would be lost to those who have the right ones. Throws `WrongKeys`.
 */
export async function checkKeys(settings: Settings, ring: KeyRing): Promise<void> {
  const fresh = ring.seal(new Secret(OWNER), OWNER, MARK);
  const kept = await settings.claim(MARK, fresh);
  try {
    ring.open(kept, OWNER, MARK);
  } catch (error) {
    if (error instanceof SealBroken) throw new WrongKeys(KeyRing.keyIdOf(kept));
    throw error;
  }
  if (KeyRing.keyIdOf(kept) !== ring.ids[0]) await settings.set(MARK, fresh);
}
