/** The outcomes of rehearsals in words, for pages. */
import { wordsIn } from '../../../lib/text/code.ts';
import type { RehearsalVerdict } from './model.ts';
import type { RehearsalState } from './rehearsals.ts';

/** Labels of the verdicts. */
export const rehearsalNames = wordsIn<RehearsalVerdict>({
  ready: 'ready to move',
  overridden: 'ready, if a check is overridden',
  unsure: 'it would move, but too few calls could be played as V1 answers them',
  different: 'some calls are answered differently',
  stuck: 'it would not move',
  nothing: 'it would move; none of its calls is known',
});

/** Whether a verdict is good or bad news; empty: neither. */
export const rehearsalPaint: Readonly<Record<RehearsalVerdict, 'good' | 'bad' | ''>> = {
  ...{ ready: 'good', overridden: '', unsure: 'bad', different: 'bad', stuck: 'bad', nothing: '' },
};

/** The state of the last attempt, where its report does not say enough. */
export const rehearsalStateNames = wordsIn<RehearsalState>({
  none: 'never rehearsed',
  running: 'under way',
  interrupted: 'interrupted: the process that ran it has ended',
  failed: 'it did not finish',
  done: 'done',
});
