import { DAY } from '../../lib/clock.ts';
import type { Services } from './services.ts';
import type { Work } from './claimed-job.ts';

/** A key, and the answer that goes with it, are good for a day. */
const ANSWERS_KEPT = DAY;

/** Forgets writes that are over. */
export const retentionOf = ({ store, clock, settings }: Services): Work => ({
  async run() {
    const now = clock.now();
    await store.writes.forget({ answers: now - ANSWERS_KEPT, writes: now - settings.writesDays * DAY });
  },
});
