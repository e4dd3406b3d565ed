import type { Response } from 'express';
import { SECOND } from '../../lib/time/clock.ts';
import type { CallerAddresses } from '../server/caller-address.ts';
import type { Throttle } from '../server/throttle.ts';
import { messages } from './messages.ts';
import type { Pages } from './pages.ts';

/** What is needed to slow down an address that tries one link after the other. */
export interface SearchingParts {
  readonly callers: Pick<CallerAddresses, 'of'>;
  /** Counts attempts with dead links, buttons and answers. A working link never waits. */
  readonly searching: Pick<Throttle, 'attempt'>;
  readonly pages: Pick<Pages, 'send'>;
}

/** Returns true if this address has tried too many links; the response has then been sent. */
export function isSearching(response: Response, { callers, searching, pages }: SearchingParts): boolean {
  const wait = searching.attempt(callers.of(response.req));
  if (wait === undefined) return false;
  response.setHeader('Retry-After', String(Math.max(1, Math.ceil(wait / SECOND))));
  const { status, message } = messages.slower;
  pages.send(response, status, 'message', { message });
  return true;
}
