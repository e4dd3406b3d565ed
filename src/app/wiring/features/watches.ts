import { Watches } from '../../../features/cutover/watch/watches.ts';
import type { Services } from '../services.ts';

/** Watches accounts after their move. */
export const watchesOf = ({ settings, store, clock, log }: Services): Watches =>
  new Watches({
    stored: store.watches,
    days: settings.watchDays,
    use: async (accountId) => {
      await store.usage.recorder.flush(accountId);
      return store.usage.stored.find(accountId);
    },
    hours: (accountId, since) => store.calls.hours(accountId, since),
    unlearned: async (accountId) => {
      const counts = await store.crosswalk.report(accountId);
      return counts.reduce((sum, { unlearned }) => sum + unlearned, 0);
    },
    clock,
    log,
  });
