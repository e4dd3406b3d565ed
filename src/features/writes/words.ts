import { wordsIn } from '../../lib/text/code.ts';
import type { CallerState, Write, WriteState } from './model.ts';
import { doneWords, isComplete, uncertainIn, type WriteStep } from './steps.ts';

type Progress = Pick<Write, 'state' | 'settlement' | 'made'> & Partial<Pick<Write, 'stepsSealed'>>;

const words = wordsIn<Exclude<WriteState, 'settled'>>({
  open: 'under way',
  done: 'carried out',
  refused: 'refused by the service',
  unknown: 'outcome unknown',
});

/** The state of a write, for people. */
export function writeWords(
  { state, settlement, made, stepsSealed }: Progress,
  steps: readonly WriteStep[] = [],
): string {
  if (state !== 'settled') return words(state);
  if (settlement === 'undecidable') return 'undecidable';
  if (settlement === 'not-done' && isComplete(steps)) return 'settled: carried out, without its reply';
  if (settlement === 'not-done')
    return stepsSealed === undefined ? 'settled: not carried out' : 'settled: not carried out in full';
  return made === undefined ? 'settled: carried out' : `settled: carried out, number ${made}`;
}

/** What the calling program knows of a write, for people. */
export const callerWords = wordsIn<CallerState>({
  waits: 'waits for the answer',
  told: 'has received the outcome',
  untold: 'got no answer, or was told that the outcome is unknown',
});

/** Whether an operator may decide its outcome. */
export const isUnsettled = ({ state, settlement }: Pick<Write, 'state' | 'settlement'>): boolean =>
  state === 'unknown' || settlement === 'undecidable';

const LOOK =
  'look in the service for the record that the values of this write describe. If it is there, mark the write as done, with the number legacy programs know it by; if it is not, mark it as not done';

/** What an operator should do about a write. */
export function adviceOf(write: Progress & Pick<Write, 'caller'>, steps: readonly WriteStep[] = []): string {
  if (isUnsettled(write) && steps.length > 0) return adviceAbout(steps);
  if (write.state === 'unknown')
    return `Nothing yet: the bridge looks it up automatically. To settle it now, ${LOOK}`;
  if (isUnsettled(write)) return `L${LOOK.slice(1)}`;
  if (write.state === 'open') return 'Nothing: a process is working on it';
  return write.caller === 'untold' ? newsOf(write, steps) : 'Nothing: its outcome is known';
}

/** What the customer must hear of a write whose outcome is known, but not to its program. */
function newsOf({ state, settlement, made, stepsSealed }: Progress, steps: readonly WriteStep[]): string {
  const done = doneWords(steps);
  if (state === 'refused')
    return 'The service refused it, and its program does not know. Tell the customer: it must be corrected and sent again';
  if (settlement === 'not-done' && isComplete(steps))
    return 'Every step was done, and its program does not know. Tell the customer: exactly the same request gets the reply and repeats nothing; it must not be sent in another form';
  if (settlement === 'not-done' && stepsSealed !== undefined)
    return `${done === undefined ? 'It was not carried out in full' : `Only this was done for certain: ${done}`}, and its program does not know. Tell the customer: exactly the same request must be sent again, unless that has happened. It does the rest and repeats nothing`;
  if (settlement === 'not-done')
    return 'It was not carried out, and its program does not know. Tell the customer: it must be sent again, unless that has happened';
  const number = made === undefined ? '' : ` with the number ${made}`;
  return `It was carried out${number}, and its program does not know. Tell the customer: it must not be sent again`;
}

/**
 * An operator decides the step whose outcome is unknown; a repeat of the call does not do the others again.
 */
function adviceAbout(steps: readonly WriteStep[]): string {
  const done = doneWords(steps);
  const uncertain = uncertainIn(steps);
  if (isComplete(steps)) return 'Nothing: every step was done, and a repeat of the call gets the reply';
  if (uncertain === undefined)
    return 'Nothing: the part that was done is known, and a repeat of the call does the rest';
  const before = done === undefined ? '' : `${done}. `.replace(/^./, (first) => first.toUpperCase());
  return `${before}Check in the service whether ${uncertain.says}: mark the write as done if so, and as not done if not. What was done before is not repeated`;
}
