import { counted } from '../lib/text/counted.ts';
import { DAY, type Clock } from '../lib/time/clock.ts';
import type { Reply } from './call/call.ts';

/**
 * What the replies of V1 say to programs whose operators want to know it: when V1 ends, in words and as RFC 8594 has it.
 * Bytes and status stay as they are, so a program that does not look notices nothing.
 */
export function noticeOf(v1End: string, clock: Clock): (reply: Reply) => Reply {
  const end = Date.parse(v1End);
  return (reply) => {
    if (reply.source !== 'v1') return reply;
    const words = noticeWords(Math.ceil((end - clock.now()) / DAY));
    const headers = { ...reply.headers, Sunset: new Date(end).toUTCString(), 'X-Causeway-Notice': words };
    return { ...reply, headers };
  };
}

/** `days`: until the day V1 ends. */
const noticeWords = (days: number): string =>
  days < 0 ? 'V1 has ended' : days === 0 ? 'V1 ends today' : `V1 ends in ${counted(days, 'day')}`;
