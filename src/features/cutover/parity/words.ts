/** The verdicts and the setting in words, for pages and reports. */
import { wordsIn } from '../../../lib/text/code.ts';
import type { ParityMode, ParityVerdict } from './model.ts';

/** Labels of the verdicts. */
export const verdictNames = wordsIn<ParityVerdict>({
  alike: 'alike',
  accepted: 'alike, except for accepted differences',
  different: 'different',
  incomplete: 'some reads not compared',
  undecided: 'undecided',
  'not-provable': 'not provable',
  unfinished: 'not finished',
  running: 'being compared',
  none: 'not compared',
});

/** Whether a verdict is good or bad news; empty: neither. */
export const parityPaint: Readonly<Record<ParityVerdict, 'good' | 'bad' | ''>> = {
  ...{ alike: 'good', accepted: 'good', different: 'bad', unfinished: '' },
  ...{ incomplete: '', undecided: '', 'not-provable': '', running: '', none: '' },
};

/** What the setting means for the move. */
export const parityModeWords = wordsIn<ParityMode>({
  required:
    'It does not move, not even manually, until everything is alike, or every difference and every read that cannot be compared has been accepted.',
  report:
    'A difference that nobody has accepted makes an automatic move wait for a person; a read without a comparison is shown.',
  off: 'Its move does not wait for a comparison: CAUSEWAY_PARITY is off.',
});
