/**
 * The report's view of an account's life on V3: what its programs need, what the rate limit would do to them, whether
 * V3 answers as V1 does, and what differs since the move. Each is worked out elsewhere and only formatted here.
 */
import { parityShown } from '../../cutover/parity/shown.ts';
import { watchShown } from '../../cutover/watch/shown.ts';
import type { Forecast } from '../../forecast/forecast.ts';
import { forecastWords } from '../../forecast/words.ts';
import { SECOND } from '../../../lib/time/clock.ts';
import type { ReportedAccount } from '../model.ts';
import type { Case } from './judge.ts';
import { iso } from '../../../lib/time/iso.ts';

/** The findings about its life on V3, before its move and since. */
export const foreseen = ({
  verdict,
  forecast,
  parity,
  watch,
}: Case): Pick<ReportedAccount, 'readiness' | 'forecast' | 'parity' | 'watch'> => ({
  readiness: verdict ?? null,
  forecast: forecast === undefined ? null : forecastShown(forecast),
  parity: parity === undefined ? null : parityShown(parity),
  watch: watch === undefined ? null : watchShown(watch),
});

const forecastShown = (forecast: Forecast): ReportedAccount['forecast'] => ({
  from: iso(forecast.from),
  to: iso(forecast.to),
  minutes: forecast.minutes,
  waited: forecast.waited,
  longestSeconds: Math.round(forecast.longestMillis / SECOND),
  refused: forecast.refused,
  words: forecastWords(forecast),
});
