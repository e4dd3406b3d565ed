import { brownoutOf, type Account } from '../features/accounts/account.ts';
import { counted } from '../lib/text/counted.ts';
import { DAY, MINUTE, type Clock } from '../lib/time/clock.ts';
import type { Reply } from './call/call.ts';

/**
 * Announces the end of V1 in the replies to programs whose operators want that, in words and as RFC 8594 defines it.
 * Bytes and status stay as they are, so a program that does not look is unaffected.
 */
export function noticeOf(v1End: string | undefined, clock: Clock): Notices {
  const end = v1End === undefined ? undefined : Date.parse(v1End);
  return (account) => {
    const now = clock.now();
    const words: string[] = [];
    const isNoted = account.notices === true && end !== undefined;
    if (isNoted) words.push(noticeWords(Math.ceil((end - now) / DAY)));
    const brownout = brownoutOf(account, now);
    if (brownout !== undefined) words.push(brownoutWords(brownout));
    if (words.length === 0) return undefined;
    const headers = {
      ...(isNoted && { Sunset: new Date(end).toUTCString() }),
      'X-Causeway-Notice': words.join('; '),
    };
    return (reply) =>
      reply.source === 'v1' ? { ...reply, headers: { ...reply.headers, ...headers } } : reply;
  };
}

/** What is added to V1's replies to one account; undefined: nothing. */
export type Notices = (account: Account) => ((reply: Reply) => Reply) | undefined;

const brownoutWords = ({ from, to }: NonNullable<Account['brownout']>): string =>
  `reads are refused on purpose for ${counted(Math.round((to - from) / MINUTE), 'minute')} from ${new Date(from).toUTCString()}`;

/** `days`: until the day V1 ends. */
const noticeWords = (days: number): string =>
  days < 0 ? 'V1 has ended' : days === 0 ? 'V1 ends today' : `V1 ends in ${counted(days, 'day')}`;
