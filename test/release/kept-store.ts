/**
 * Stores of released versions, kept in `test/release/stores`: a database file (`VERSION.db.gz`), the same content as
 * PostgreSQL dumps it (`VERSION.sql`) and what a program finds in them (`VERSION.json`). `scripts/release/keep-store.ts`
 * makes those of this version; those of released versions are never changed.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Store } from '../../src/app/store.ts';
import type { Pair } from '../../src/mapping/crosswalk/identifier.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import { openPair } from '../../src/tokens/grant-row.ts';
import { KeyRing } from '../../src/tokens/sealing/keyring.ts';

export const STORES = join(import.meta.dirname, 'stores');

/** Whatever is sealed in them opens with it: it keeps nothing secret. */
export const STORE_KEY = `kept:${Buffer.alloc(32, 15).toString('base64')}`;

export interface Found {
  readonly accounts: readonly {
    readonly name: string;
    readonly stage: string;
    readonly events: number;
    readonly pairs: number;
  }[];
  /** Of each grant, whether its tokens can be opened. */
  readonly grants: readonly string[];
}

/** What is in a store, as its repositories and its key give it. */
export async function foundIn(store: Store): Promise<Found> {
  const seal = KeyRing.parse(new Secret(STORE_KEY));
  const accounts = [];
  for (const { id, name, life } of await store.accounts.list()) {
    const pairs: Pair[] = [];
    for await (const pair of store.crosswalk.export(id)) pairs.push(pair);
    const events = (await store.accounts.timeline(id)).length;
    accounts.push({ name, stage: life.stage, events, pairs: pairs.length });
  }
  const grants = (await store.grants.list()).map((grant) => {
    if (grant.state === 'lost') return grant.state;
    const { refreshToken } = openPair(seal, grant.id, grant.tokens);
    return `${grant.state}, generation ${grant.tokens.generation}, ${refreshToken.reveal().length} characters`;
  });
  return { accounts: accounts.toSorted((a, b) => (a.name < b.name ? -1 : 1)), grants };
}

/** The versions of which there is one. */
export const keptVersions = (): readonly string[] =>
  readdirSync(STORES)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.replace(/\.json$/, ''));

const kept = (name: string): Buffer => readFileSync(join(STORES, name));

export const keptFile = (version: string): Buffer => gunzipSync(kept(`${version}.db.gz`));

/** As SQL alone: newer versions of pg_dump write commands of psql beside it. */
export const keptDump = (version: string): string =>
  kept(`${version}.sql`)
    .toString('utf8')
    .replaceAll(/^\\.*$/gm, '');

export const keptFacts = (version: string): Found =>
  JSON.parse(kept(`${version}.json`).toString('utf8')) as Found;
