import type { AccountEvent } from '../accounts/account.ts';
import { consentEvents, type ConsentRefusal } from '../consent/model.ts';
import { HOUR } from '../../lib/time/clock.ts';
import { eventWords } from './code-words.ts';

/** Refusals that may follow a return without a connection: the same person gives the reason, or repeats the refusal. */
const ONE_ANSWER: ReadonlySet<string> = new Set<ConsentRefusal>(['denied', 'declined', 'noPrivilege']);

type Entry = Pick<AccountEvent, 'at' | 'kind' | 'detail'>;

const isAnswer = ({ kind, detail }: Entry): boolean =>
  kind === consentEvents.refused && ONE_ANSWER.has(detail);

/**
 * A timeline as people read it, newest first as it came: a customer who declines and gives a reason is one entry, the
 * later one. The API keeps both.
 */
export const shownTimeline = <T extends Entry>(timeline: readonly T[]): readonly T[] =>
  timeline.filter((entry, index) => {
    const later = timeline[index - 1];
    return !(later !== undefined && isAnswer(later) && isAnswer(entry) && later.at - entry.at < HOUR);
  });

/** The name of an entry; a customer who said that the connection is unwanted has declined. */
export const entryWords = ({ kind, detail }: Omit<Entry, 'at'>): string =>
  eventWords(kind === consentEvents.refused && detail === 'declined' ? 'declined' : kind);
