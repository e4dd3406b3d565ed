import type { OAuthSide } from '../wiring/services.ts';
import type { ApplicationFigures } from './application-metrics.ts';

/** The figures of each OAuth application of this process. */
export function applicationFigures({
  rateLimiter,
  applications,
  vault,
}: OAuthSide): readonly ApplicationFigures[] {
  const { uses } = rateLimiter;
  const { verdicts } = vault;
  return applications.all.map(({ name, clientId, breaker }) => {
    // A key of the rate limit is an organisation and the client ID of an application.
    const mine = uses.filter(({ key }) => key.endsWith(`\n${clientId}`));
    const refreshed = (verdict: string): number => verdicts.get(`${name} ${verdict}`) ?? 0;
    return {
      application: name,
      refreshes: {
        renewed: refreshed('renewed'),
        refused: refreshed('refused'),
        unanswered: refreshed('unanswered'),
      },
      isOpen: !breaker.isClosed,
      waiting: mine.reduce((sum, { waiting }) => sum + waiting, 0),
      keys: mine.filter(({ idle }) => !idle).length,
    };
  });
}
