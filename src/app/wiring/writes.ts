import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { WriteLedger } from '../../features/writes/ledger.ts';
import { DAY, SECOND } from '../../lib/clock.ts';
import { STOPPED } from '../../proxy/call.ts';
import type { Work } from './claimed-job.ts';
import type { Services } from './services.ts';

/** A key, and the answer that goes with it, are good for a day. */
const ANSWERS_KEPT = DAY;

/** The ledger of this process. A database file has one bridge at a time. */
export function ledgerOf({ store, ring, clock, log, settings }: Services): WriteLedger {
  return new WriteLedger({
    writes: store.writes,
    seal: ring,
    clock,
    log,
    owner: `${hostname()}-${process.pid}-${randomBytes(4).toString('hex')}`,
    alone: settings.database.reveal().startsWith('sqlite:'),
    joinMs: (settings.profile.durations.upstreamTimeout + settings.waitSeconds) * SECOND,
    isStopping: (signal) => signal.reason === STOPPED,
  });
}

/** Forgets writes that are over. */
export const retentionOf = ({ store, clock, settings }: Services): Work => ({
  async run() {
    const now = clock.now();
    await store.writes.forget({ answers: now - ANSWERS_KEPT, writes: now - settings.writesDays * DAY });
  },
});
