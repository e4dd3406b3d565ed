import type { AccountEvent } from '../accounts/account.ts';
import { consentEvents, type ConsentRefusal } from '../consent/model.ts';
import { HOUR } from '../../lib/time/clock.ts';
import { eventWords } from './code-words.ts';

/** The answers of a customer who does not connect; `denied` is the return, and the others are its reasons. */
const ANSWERS: ReadonlySet<string> = new Set<ConsentRefusal>(['denied', 'declined', 'noPrivilege']);

type Entry = Pick<AccountEvent, 'at' | 'kind' | 'detail'>;

const isAnswer = ({ kind, detail }: Entry): boolean => kind === consentEvents.refused && ANSWERS.has(detail);

/** Two different reasons may be those of two persons. */
const isSaidBy = (entry: Entry, later: Entry): boolean =>
  isAnswer(entry) &&
  isAnswer(later) &&
  (entry.detail === 'denied' || entry.detail === later.detail) &&
  later.at - entry.at < HOUR;

/**
 * A timeline as people read it, newest first as it came: a return without a connection and the reason that follows are
 * one entry, the later one, and so is an answer given twice. The API keeps all.
 */
export const shownTimeline = <T extends Entry>(timeline: readonly T[]): readonly T[] =>
  timeline.filter((entry, index) => {
    const later = timeline[index - 1];
    return later === undefined || !isSaidBy(entry, later);
  });

/** The name of an entry; a customer who said that the connection is unwanted has declined. */
export const entryWords = ({ kind, detail }: Omit<Entry, 'at'>): string =>
  eventWords(kind === consentEvents.refused && detail === 'declined' ? 'declined' : kind);
