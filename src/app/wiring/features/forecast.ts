import { Forecasts } from '../../../features/forecast/forecasts.ts';
import { SECOND } from '../../../lib/time/clock.ts';
import { CONTINUED_WAIT } from '../../../upstream/client.ts';
import type { Services } from '../services.ts';

/** Forecasts the effect of the limit on accounts, as this bridge is configured. */
export const forecastsOf = ({ settings, store, mapping, clock, log }: Services): Forecasts =>
  new Forecasts({
    calls: store.calls,
    use: async (accountId) => {
      await store.usage.recorder.flush(accountId);
      return store.usage.stored.find(accountId);
    },
    methods: () => mapping.methods,
    profile: settings.profile,
    limit: {
      perMinute: settings.profile.limits.perMinute,
      concurrent: settings.profile.limits.concurrent,
      waitMs: settings.waitSeconds * SECOND,
      continuedWaitMs: CONTINUED_WAIT,
    },
    stored: store.forecasts,
    clock,
    log,
  });
