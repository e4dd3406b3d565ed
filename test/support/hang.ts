import { runInNewContext } from 'node:vm';

/** Far longer than any of these takes on the slowest machine; what grows with the square takes hours. */
const SECONDS = 60;

/** What `work` gives. Throws where it holds the process for longer than any honest work: no timer could fire then. */
export function unlessItHangs<T>(work: () => T): T {
  return runInNewContext('work()', { work }, { timeout: SECONDS * 1_000 }) as T;
}
