import type { AccountEvent } from '../accounts/account.ts';
import { consentEvents, type ConsentRefusal } from '../consent/model.ts';
import { HOUR } from '../../lib/time/clock.ts';
import { eventWords } from './code-words.ts';

/** What may follow a return without a connection: the same person says why, or says so once more. */
const ONE_ANSWER: ReadonlySet<string> = new Set<ConsentRefusal>(['denied', 'declined', 'noPrivilege']);

type Entry = Pick<AccountEvent, 'at' | 'kind' | 'detail'>;

const isAnswer = ({ kind, detail }: Entry): boolean =>
  kind === consentEvents.refused && ONE_ANSWER.has(detail);

/**
 * A timeline as people read it, newest first as it came: a customer who declines and says why is one entry, the last. The API
 * has each.
 */
export const shownTimeline = <T extends Entry>(timeline: readonly T[]): readonly T[] =>
  timeline.filter((entry, index) => {
    const later = timeline[index - 1];
    return !(later !== undefined && isAnswer(later) && isAnswer(entry) && later.at - entry.at < HOUR);
  });

/** The name of an entry; a customer who said that he does not want the connection has declined. */
export const entryWords = ({ kind, detail }: Omit<Entry, 'at'>): string =>
  eventWords(kind === consentEvents.refused && detail === 'declined' ? 'declined' : kind);
