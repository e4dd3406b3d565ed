/** The form with the plan of a wave. It carries the plan it showed (`shown-values.ts`). */
import type { Wave } from '../../features/campaign/waves/model.ts';
import { filterNames } from '../../features/status/report/filters.ts';
import { filterWords } from '../../lib/text/address-text.ts';
import { sentenceOf } from '../../lib/text/sentence.ts';
import { clashWords, shownIn } from './shown-values.ts';

/** The fields of the form of a wave. */
export type Given = Readonly<Record<string, string>>;

/** A planned wave in the fields of its form. */
export const givenOf = (wave: Wave): Given => ({
  ready: 'any',
  ...Object.fromEntries(new URLSearchParams(wave.query)),
  ...{ name: wave.name, replace: 'yes', start: wave.start ?? '' },
  ...{ most: wave.most === undefined ? '' : String(wave.most) },
  hold: String(wave.brake.holdHours),
  errors: String(wave.brake.mostErrorPercent),
  troubled: String(wave.brake.mostTroubledPercent),
  shown: JSON.stringify(planOf(wave)),
});

/** The accounts of a wave: any filter of the list of accounts. An unknown value is refused when the wave is saved. */
export function queryOf(form: URLSearchParams): string {
  const query = new URLSearchParams();
  for (const name of [...filterNames, 'stuck', 'search']) {
    const value = (form.get(name) ?? '').trim();
    if (value !== '' && value !== 'any') query.set(name, value);
  }
  return query.toString();
}

/** The plan by the labels of the form. */
const planOf = ({ query, most, start, brake }: Wave): Given => ({
  'Which accounts': filterWords(query),
  'At most': most === undefined ? 'all' : String(most),
  Start: start?.replace('T', ' ') ?? 'not set',
  'Hours good before the next wave': String(brake.holdHours),
  'Failed calls allowed': `${brake.mostErrorPercent} %`,
  'Accounts with problems allowed': `${brake.mostTroubledPercent} %`,
});

/**
 * What another person has changed since the form showed the plan; undefined if nothing. A form that does not carry a plan
 * is taken as it is.
 */
export function planClash(form: URLSearchParams, wave: Wave): string | undefined {
  const shown = shownIn(form);
  const changes = Object.entries(planOf(wave)).filter(
    ([label, value]) => Object.hasOwn(shown, label) && shown[label] !== value,
  );
  return changes.length === 0 ? undefined : sentenceOf(clashWords('this wave', changes));
}
