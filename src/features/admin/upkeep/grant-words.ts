import { refusalWords, type ConsentRefusal } from '../../consent/model.ts';
import type { ImportProgress, Unchosen } from '../../consent/grants/importing.ts';
import { importHindrances, importReasons } from '../../consent/grants/model.ts';

/** The outcome of an imported token, as text. */
export function progressWords(progress: ImportProgress): string {
  switch (progress.outcome) {
    case 'left':
      return importHindrances[progress.hindrance];
    case 'granted':
      return `connected to ${progress.organisation.name}`;
    case 'waiting':
      return `${importReasons[progress.reason]}: choose its organisation, or discard it`;
    case 'refused':
      return importReasons[progress.reason];
    case 'importing':
      return `not done yet, but continues automatically: ${progress.why}`;
  }
}

/** Why an operator's choice was not carried out, as text. */
export function unchosenWords(fault: Unchosen): string {
  if (fault === 'gone') return 'nothing is waiting for that decision any more';
  if (fault === 'notOffered') return 'the token is not for that organisation, or it cannot be the account’s';
  return refusalWords(fault satisfies ConsentRefusal);
}
