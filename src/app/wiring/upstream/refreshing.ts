import type { Settings } from '../../settings/model.ts';
import { Breaker, type BreakerRules, type BreakerView } from '../../../lib/circuit-breaker.ts';
import { SECOND, type Clock } from '../../../lib/time/clock.ts';
import type { Log } from '../../../lib/log/log.ts';
import type { Profile } from '../../../upstream/profile.ts';
import { longestGrace, longestRetryAfter } from '../../../tokens/refresh/timing.ts';
import { SpillFolder } from '../../../tokens/refresh/spill.ts';
import type { VaultParts } from '../../../tokens/vault.ts';

/**
 * Ten grants, because one may have a fault of its own, and because a server that leaves every second
 * presentation unanswered must still be asked: with four the breaker was open a third of the time, and grants
 * were lost. The failures of a silent server arrive together, each after its time-out, and belong to one
 * window. A pause is short compared with the grace of the tokens in use.
 */
const rulesOf = (profile: Profile): BreakerRules => {
  const grace = longestGrace(profile);
  return {
    failures: 10,
    window: Math.max(grace / 10, 2 * profile.durations.refreshTimeout * SECOND),
    pause: grace / 360,
    longestPause: grace / 30,
    longestRetryAfter: longestRetryAfter(profile),
    probe: profile.durations.lease * SECOND,
  };
};

/** Opens and closes for all grants together: there is one authorisation server. */
export const breakerOf = ({ profile }: Pick<Settings, 'profile'>, clock: Clock, log: Log): Breaker =>
  new Breaker({
    rules: rulesOf(profile),
    clock,
    onChange: (view) => {
      if (view.state === 'closed') log.info('authority.available');
      else log.error('authority.unavailable', { reason: view.reason });
    },
  });

/** What a refresh needs besides store and authority. */
export const refreshingOf = (
  settings: Pick<Settings, 'spillFolder'>,
  breaker: Breaker,
): Pick<VaultParts, 'breaker' | 'spill'> => ({
  breaker,
  spill: settings.spillFolder === undefined ? undefined : new SpillFolder(settings.spillFolder),
});

/** For the health report. */
export const authorityTrouble = (
  view: BreakerView | undefined,
): { readonly authority: string } | undefined =>
  view === undefined || view.state === 'closed'
    ? undefined
    : {
        authority: `no tokens are renewed since ${new Date(view.since).toISOString()}: ${view.reason}`,
      };
