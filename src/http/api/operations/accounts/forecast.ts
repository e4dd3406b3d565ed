import { z } from 'zod';
import { advices, type Advice, type Forecast } from '../../../../features/forecast/forecast.ts';
import { forecastWords } from '../../../../features/forecast/words.ts';
import { accountIn, endpoint, type Endpoint } from '../../endpoint.ts';
import { count, perhaps } from '../../shapes.ts';
import { iso, moment } from '../../../../lib/time/iso.ts';

const adviceNames = Object.keys(advices) as [Advice, ...Advice[]];

const forecastSchema = z.strictObject({
  from: moment,
  to: moment,
  calls: count,
  requests: count.describe('Requests that the calls would take at V3'),
  waited: count.describe('Calls that would have waited'),
  minutes: count.describe('Minutes of the clock in which a call would have waited or been refused'),
  waitedMillis: z.number().nonnegative().describe('Of all calls together'),
  longestMillis: z.number().nonnegative(),
  refused: count.describe('Calls that would have been answered 429, or cut'),
  words: z.string(),
  causes: z
    .array(
      z.strictObject({
        method: z.string(),
        hour: z.int().min(0).max(23).describe('Of the day in UTC, in which it made others wait most'),
        share: z
          .number()
          .min(0)
          .max(1)
          .describe('Of all waiting; a refused call counts as one that waited for a minute'),
        requests: count.describe('Of its largest call'),
        advice: z.enum(adviceNames),
      }),
    )
    .describe('Methods whose requests made calls wait or be refused, the largest share first; at most five'),
});

const forecastOf = (made: Forecast): z.infer<typeof forecastSchema> => ({
  ...made,
  from: iso(made.from),
  to: iso(made.to),
  words: forecastWords(made),
  causes: [...made.causes],
});

const show = endpoint({
  id: 'showForecast',
  verb: 'GET',
  path: '/accounts/{account}/forecast',
  area: 'Accounts',
  summary:
    'Shows the effect that V3’s rate limit would have had on the account’s calls of the last seven days; null: there were none',
  scope: 'read',
  reply: { name: 'AccountForecast', schema: z.strictObject({ forecast: perhaps(forecastSchema) }) },
  async handle({ admin, path }) {
    const made = await admin.forecast(await admin.accounts.find(accountIn(path)));
    return { forecast: made === undefined ? null : forecastOf(made) };
  },
});

export const forecastOperations: readonly Endpoint[] = [show];
