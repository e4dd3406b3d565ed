import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import type { DatabaseSync, SQLInputValue } from 'node:sqlite';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { consent, migrate } from '../../src/features/accounts/account.ts';
import { DAY } from '../../src/lib/time/clock.ts';
import type { Pair } from '../../src/mapping/crosswalk/identifier.ts';
import { sealPair } from '../../src/tokens/grant-row.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import { openEngine } from '../../src/app/migration.ts';
import { openStore, type Store } from '../../src/app/store.ts';
import { KeyRing, newKeyLine } from '../../src/tokens/sealing/keyring.ts';
import { clientNumber, clientUuid, contactNumber, contactUuid, STAFF, staffUuid } from './documents.ts';

/** A database with accounts and grants, and the keys that open it. */
export interface Seeded {
  readonly database: string;
  readonly encryptionKeys: string;
  readonly accounts: number;
  /** Path of a profile like `spec`, except for its limit and its identifiers. */
  profile(identifiers: 'uuid' | 'number'): string;
}

export const API_KEY = 'bench-api-key';
export const PASSED_KEY = 'bench-passed';
/** The account key of a migrated account, counted from 0. */
export const accountKey = (index: number): string => `bench-account-${index}`;

/** So high that the rate limiter counts but never delays. */
const NO_LIMIT = 1_000_000_000;

export interface Wanted {
  readonly folder: string;
  readonly name: string;
  /** Migrated accounts, each with a grant of its own. */
  readonly accounts: number;
  /** Clients in the crosswalk of the first account. */
  readonly clients: number;
  /** An empty database; default: a file in the folder. */
  readonly database?: string | undefined;
}

/** Creates accounts that are all migrated, with tokens valid for days, and one more account that has not moved. */
export async function seed({ folder, name, accounts, clients, database: given }: Wanted): Promise<Seeded> {
  const database = given ?? `sqlite:${join(folder, `${name}.db`)}`;
  const encryptionKeys = newKeyLine();
  const ring = KeyRing.parse(new Secret(encryptionKeys));
  const store = await openStore(database);
  try {
    await addAccount(store, ring, PASSED_KEY);
    await migrated(store, ring, clients);
  } finally {
    await store.close();
  }
  if (accounts > 1) await multiply(database, ring, accounts);
  return {
    database,
    encryptionKeys,
    accounts,
    profile: (identifiers) => profileFile(folder, identifiers),
  };
}

/** Adds an account that has not moved, named after its key; returns its id. */
export async function addAccount(store: Store, ring: KeyRing, key: string): Promise<string> {
  const id = randomUUID();
  const secret = new Secret(key);
  await store.accounts.add({
    id,
    name: key,
    product: 'standard',
    application: 'default',
    origin: 'added',
    accountKeyIndex: indexOf(ring, key),
    accountKeySealed: ring.seal(secret, id, 'account-key'),
    apiKeyIndex: ring.index(new Secret(API_KEY), 'api-key')[0] ?? '',
    apiKeySealed: ring.seal(new Secret(API_KEY), id, 'api-key'),
    now: Date.now(),
    actor: 'bench',
  });
  return id;
}

/** The index by which an account key is found. */
export const indexOf = (ring: KeyRing, key: string): string =>
  ring.index(new Secret(key), 'account-key')[0] ?? '';

/** Makes the first account through the store's own repositories. */
async function migrated(store: Store, ring: KeyRing, clients: number): Promise<void> {
  const id = await addAccount(store, ring, accountKey(0));
  await move(store, ring, id);
  await store.crosswalk.learn(id, pairs(clients));
  await store.crosswalk.markComplete(id, ['client', 'contact', 'staff']);
}

/** Gives an account a grant and moves it. */
export async function move(store: Store, ring: KeyRing, id: string): Promise<void> {
  const grantId = randomUUID();
  const now = Date.now();
  await store.grants.create({
    id: grantId,
    consenter: { userId: 'bench', name: undefined, email: undefined },
    scope: 'service offline_access',
    tokens: pairOf(ring, grantId),
    now,
  });
  const event = { at: now, kind: 'migrated', actor: 'bench', detail: '' };
  const binding = { grantId, organisation: { id: randomUUID(), name: 'Bench' } };
  await store.accounts.change(id, (life) => migrate(consent(life, binding)), event);
}

/** Tokens that are valid for days; by default with an access token as long as the service's own. */
export const pairOf = (
  ring: KeyRing,
  grantId: string,
  accessToken = 'a'.repeat(1_100),
): ReturnType<typeof sealPair> =>
  sealPair(ring, grantId, {
    generation: 1,
    accessToken: new Secret(accessToken),
    accessExpiresAt: Date.now() + 30 * DAY,
    refreshToken: new Secret('r'.repeat(64)),
  });

function pairs(clients: number): Pair[] {
  const known: Pair[] = [{ kind: 'staff', number: STAFF, uuid: staffUuid }];
  for (let index = 0; index < clients; index += 1)
    known.push(
      { kind: 'client', number: clientNumber(index), uuid: clientUuid(index) },
      { kind: 'contact', number: contactNumber(index), uuid: contactUuid(index) },
    );
  return known;
}

/**
 * Makes further accounts like the first: rows copied in one transaction, because separate ones would each wait for the
 * disk.
 */
async function multiply(database: string, ring: KeyRing, accounts: number): Promise<void> {
  const { db } = await openEngine(database);
  try {
    await db.transaction().execute(async (trx) => {
      const account = await trx
        .selectFrom('accounts')
        .selectAll()
        .where('name', '=', accountKey(0))
        .executeTakeFirstOrThrow();
      const grant = await trx.selectFrom('grants').selectAll().executeTakeFirstOrThrow();
      for (let index = 1; index < accounts; index += 1) {
        const id = randomUUID();
        const tokens = pairOf(ring, id);
        const held = { access_token: tokens.accessToken, refresh_token: tokens.refreshToken };
        await trx
          .insertInto('grants')
          .values({ ...grant, id, ...held })
          .execute();
        const keyed = { name: accountKey(index), account_key_index: indexOf(ring, accountKey(index)) };
        const bound = { grant_id: id, organisation_id: randomUUID() };
        await trx
          .insertInto('accounts')
          .values({ ...account, id: randomUUID(), ...keyed, ...bound })
          .execute();
      }
    });
  } finally {
    await db.destroy();
  }
}

/** A row in the form of the database. */
export type Columns = Readonly<Record<string, SQLInputValue>>;

/** Writes a row unchanged. */
export function insert(database: DatabaseSync, table: string, row: Columns): void {
  const names = Object.keys(row);
  const places = names.map(() => '?').join(', ');
  database
    .prepare(`insert into ${table} (${names.join(', ')}) values (${places})`)
    .run(...Object.values(row));
}

/**
 * Writes a profile like `spec`, except for its limit and its identifiers, in which V2 serves every method routed there;
 * returns its path.
 */
export function profileFile(folder: string, identifiers: 'uuid' | 'number'): string {
  const base = join(import.meta.dirname, '..', '..', 'mappings', 'profiles', 'spec.yaml');
  const profile = parse(readFileSync(base, 'utf8')) as { v3: object };
  const path = join(folder, `profile-${identifiers}.yaml`);
  writeFileSync(
    path,
    stringify({
      ...profile,
      v3: { ...profile.v3, identifiers, standsInForV2: false },
      limits: { perMinute: NO_LIMIT },
    }),
  );
  return path;
}
