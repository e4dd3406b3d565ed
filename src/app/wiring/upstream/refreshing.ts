import type { Settings } from '../../settings/model.ts';
import { Breaker, type BreakerRules } from '../../../lib/circuit-breaker.ts';
import { SECOND, type Clock } from '../../../lib/time/clock.ts';
import type { Log } from '../../../lib/log/log.ts';
import type { Profile } from '../../../upstream/profile.ts';
import { longestGrace, longestRetryAfter } from '../../../tokens/refresh/timing.ts';
import { SpillFolder } from '../../../tokens/refresh/spill.ts';
import type { VaultParts } from '../../../tokens/vault.ts';

/**
 * Ten grants, because one may have a fault of its own, and because a server that leaves every second presentation
 * unanswered must still be asked: with four the breaker was open a third of the time, and grants were lost. The
 * failures of a silent server arrive together, each after its time-out, and belong to one window. A pause is short
 * compared with the grace of the tokens in use.
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

/**
 * Opens and closes for all grants of an application together: there is one authorisation server, and its refusals often
 * concern the application itself.
 */
export const breakerOf = (
  { profile }: Pick<Settings, 'profile'>,
  clock: Clock,
  log: Log,
  application: string,
): Breaker =>
  new Breaker({
    rules: rulesOf(profile),
    clock,
    onChange: (view) => {
      if (view.state === 'closed') log.info('authority.available', { application });
      else log.error('authority.unavailable', { application, reason: view.reason });
    },
  });

/** The needs of a refresh besides store and applications. */
export const refreshingOf = (settings: Pick<Settings, 'spillFolder'>): Pick<VaultParts, 'spill'> => ({
  spill: settings.spillFolder === undefined ? undefined : new SpillFolder(settings.spillFolder),
});
