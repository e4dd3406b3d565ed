import type { Request } from 'express';
import { Failure } from '../../../lib/failure.ts';
import { RequestBody, type Pace } from './body.ts';

/** In bytes; forms of our own pages are small. */
const LONGEST = 16 * 1024;

/** The fields of a posted form; undefined if the body is too long, too slow, or of another type. */
export async function readForm(
  request: Request,
  longest = LONGEST,
  pace?: Pace,
): Promise<URLSearchParams | undefined> {
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) return undefined;
  if (request.headers['content-encoding'] !== undefined) return undefined;
  const invite = (): void => {
    if (/^100-continue$/i.test(request.headers.expect ?? '')) request.res?.writeContinue();
  };
  try {
    // With a minimum pace: a form that never ends would hold the connection for ever.
    const bytes = await new RequestBody(request, invite, pace).read(longest);
    return new URLSearchParams(bytes.toString('utf8'));
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
