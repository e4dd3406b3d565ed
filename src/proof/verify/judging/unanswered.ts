/** What of a run was not answered, so that nothing is proven by it. */
import { withoutValues } from '../../../lib/log/redact.ts';
import { counted } from '../../../lib/text/counted.ts';
import type { Proof, Reading, Surface } from '../model.ts';

const MOST_WORDS = 3;

/** The state of a method of which not every call was answered; undefined: all were. */
export function unansweredIn(readings: readonly Reading[]): Pick<Proof, 'state' | 'words'> | undefined {
  const others = readings.flatMap((reading) => {
    const words = wordsOf(reading);
    return words === undefined ? [] : [words];
  });
  if (others.length === 0) return undefined;
  const words = [...new Set(others)].slice(0, MOST_WORDS).join('; ');
  if (others.length < readings.length)
    return { state: 'partly', words: `${others.length} of ${counted(readings.length, 'call')}: ${words}` };
  const isRefused = readings.some(({ outcome }) => outcome.outcome === 'refused');
  return { state: isRefused ? 'refused' : 'failed', words };
}

/** Why a call was not answered, or not whole: a reply can be built although a record in it could not be read. */
function wordsOf({ outcome, exchanges }: Reading): string | undefined {
  if (outcome.outcome !== 'answered') return withoutNames(outcome.words);
  const failed = exchanges.find(({ status }) => status >= 400 && !isAbsence(status));
  return failed && `a request of it was answered with status ${failed.status}`;
}

/** Two or more words with capitals, of which the first does not begin a sentence, may be a person's name. */
const NAMES = /(?<=[^\s.:;!?] )\p{Lu}[\p{L}’'-]*(?: \p{Lu}[\p{L}’'-]*)+/gu;

/** The service's words for people outside of the organisation. */
const withoutNames = (words: string): string => withoutValues(words).replaceAll(NAMES, '***');

/** A record or an address that is not there; the mapping says which steps may miss. */
const isAbsence = (status: number): boolean => status === 404 || status === 405;

/** States of a method that was called, and not answered each time. */
const unanswered: ReadonlySet<Proof['state']> = new Set(['partly', 'refused', 'failed']);

/** The methods on the APIs that a run was to call. */
export interface Asked {
  readonly proofs: readonly Proof[];
  readonly surfaces: readonly Surface[];
  readonly isRead: (method: string) => boolean;
}

/**
 * Why the mapping may be wrong where nothing differs. A write can be refused because of the values that were made up
 * for it, a read cannot.
 */
export function doubtsIn({ proofs, surfaces, isRead }: Asked): readonly string[] {
  const silent = surfaces.filter(
    (surface) => !proofs.some((proof) => proof.surface === surface && proof.state === 'proven'),
  );
  const names = silent.map((surface) => surface.toUpperCase()).join(' and ');
  const { length } = proofs.filter(({ state, method }) => unanswered.has(state) && isRead(method));
  return [
    ...(silent.length === 0 ? [] : [`nothing is proven on ${names}`]),
    ...(length === 0
      ? []
      : [`${counted(length, 'read')} ${length === 1 ? 'was' : 'were'} not answered each time`]),
  ];
}
