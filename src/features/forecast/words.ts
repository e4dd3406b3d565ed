import { SECOND } from '../../lib/time/clock.ts';
import { counted } from '../../lib/text/counted.ts';
import { advices, type Cause, type Forecast } from './forecast.ts';

/** `would have waited in 14 minutes, 22 s at the longest; 3 calls refused; mostly because of client.list at 02:00 UTC`. */
export function forecastWords({ waited, minutes, longestMillis, refused, causes }: Forecast): string {
  if (waited + refused === 0) return 'no call would have waited';
  const [first] = causes;
  const refusals = counted(refused, 'call');
  return [
    ...(waited === 0
      ? [`${refusals} would have been refused`]
      : [`would have waited in ${counted(minutes, 'minute')}, ${seconds(longestMillis)} at the longest`]),
    ...(waited === 0 || refused === 0 ? [] : [`${refusals} refused`]),
    ...(first === undefined ? [] : [`mainly because of ${causeWords(first)}`]),
  ].join('; ');
}

/** `client.list at 02:00 UTC`, `client.get at 09:00 UTC, too many at once`. */
const causeWords = ({ method, hour, advice }: Cause): string =>
  `${method} at ${String(hour).padStart(2, '0')}:00 UTC${advice === 'together' ? ', too many at once' : ''}`;

/** `client.list at 02:00 UTC: 62 % of the waiting, 20 requests a call; ask for …`. */
export const adviceWords = (cause: Cause): string =>
  `${causeWords(cause)}: ${Math.round(cause.share * 100)} % of the waiting, ${counted(cause.requests, 'request')} a call; ${advices[cause.advice]}`;

const seconds = (millis: number): string =>
  millis < 10 * SECOND ? `${(millis / SECOND).toFixed(1)} s` : `${Math.round(millis / SECOND)} s`;
