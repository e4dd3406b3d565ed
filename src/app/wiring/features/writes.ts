import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import type { Account } from '../../../features/accounts/account.ts';
import { keyPlaces } from '../../../features/accounts/account-keys.ts';
import type { Keys } from '../../../features/accounts/keys.ts';
import { SpoolFolder } from '../../../features/writes/documents/spool.ts';
import { WriteLedger } from '../../../features/writes/ledger.ts';
import type { Settlement } from '../../../features/writes/model.ts';
import { Settler } from '../../../features/writes/settling/settler.ts';
import { DAY, SECOND } from '../../../lib/time/clock.ts';
import { pause } from '../../../lib/time/pause.ts';
import { wordsOf } from '../../../lib/log/log.ts';
import { STOPPED } from '../../../proxy/call/call.ts';
import { OwnReads } from '../../../proxy/writes/own-reads.ts';
import type { Routes } from '../../../proxy/routing.ts';
import type { Work } from '../jobs/claimed-job.ts';
import type { Services } from '../services.ts';
import { isSqlite } from '../../../lib/text/sqlite-address.ts';

/** A key, and the answer that belongs to it, are valid for a day. */
const ANSWERS_KEPT = DAY;

/** The ledger of this process. A database file has one bridge at a time, which may have several workers. */
export function ledgerOf({ store, ring, clock, log, settings }: Services, settler: Settler): WriteLedger {
  return new WriteLedger({
    settler,
    writes: store.writes,
    seal: ring,
    clock,
    log,
    owner: `${hostname()}-${process.pid}-${randomBytes(4).toString('hex')}`,
    alone: settings.workers === 1 && isSqlite(settings.database.reveal()),
    joinMs: (settings.profile.durations.upstreamTimeout + settings.waitSeconds) * SECOND,
    isStopping: (signal) => signal.reason === STOPPED,
  });
}

/** Finds out the outcome of writes, by reads along the accounts' own routes. */
export function settlerOf(
  services: Services,
  routes: Routes,
  onSettled: (settlement: Settlement) => void,
): Settler {
  const { store, ring, clock, log, settings, mapping } = services;
  const { profile } = settings;
  return new Settler({
    ...{ writes: store.writes, seal: ring, clock, log, pause, onSettled },
    reads: new OwnReads({
      routes,
      crosswalk: store.crosswalk,
      accountOf: (id) => store.accounts.byId(id),
      keysOf: (account) => keysOf(services, account),
    }),
    methods: new Map(mapping.methods.map((method) => [method.id, method])),
    latestMs: profile.durations.latestHandling * SECOND,
    ownNumbers: profile.v3.identifiers === 'number',
  });
}

/** The keys of the account's programs: the account's key, and the API key that was set or seen last. */
export async function keysOf({ store, ring }: Services, { id }: Account): Promise<Keys | undefined> {
  const sealed = await store.accounts.sealedKeys(id);
  if (sealed?.apiKey === undefined) return undefined;
  return {
    apiKey: ring.open(sealed.apiKey.sealed, sealed.apiKey.owner, keyPlaces.api.column),
    accountKey: ring.open(sealed.accountKey, id, keyPlaces.account.column),
  };
}

const MEGABYTE = 1024 * 1024;

/** Documents waiting on disk; files left there by an earlier process are removed in the background. */
export function spoolsOf({ settings: { spool }, log }: Services): SpoolFolder {
  const spools = new SpoolFolder(spool.folder, spool.megabytes * MEGABYTE);
  spools.clear().catch((error: unknown) => {
    log.warn('writes.spool-not-cleared', { error: wordsOf(error) });
  });
  return spools;
}

/** Deletes expired writes. */
export const retentionOf = ({ store, clock, settings }: Services): Work => ({
  async run() {
    const now = clock.now();
    await store.writes.forget({ answers: now - ANSWERS_KEPT, writes: now - settings.writesDays * DAY, now });
  },
});
