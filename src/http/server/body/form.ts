import type { Request } from 'express';
import { Failure } from '../../../lib/failure.ts';
import { RequestBody, type Pace } from './body.ts';

/** In bytes; forms of the bridge's own pages are small. */
const LONGEST = 16 * 1024;
/**
 * The bridge's own pages have a few hundred fields at most; half a million would block all other requests for seconds.
 */
const MOST_FIELDS = 5_000;

/** The fields of a posted form; undefined if the body is too long, too slow, has too many fields, or is of another type. */
export async function readForm(
  request: Request,
  longest = LONGEST,
  pace?: Pace,
): Promise<URLSearchParams | undefined> {
  const type = request.headers['content-type'] ?? '';
  if (!/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type)) return undefined;
  if (request.headers['content-encoding'] !== undefined) return undefined;
  const text = await readText(request, longest, pace);
  return text === undefined || hasTooMany(text) ? undefined : new URLSearchParams(text);
}

function hasTooMany(text: string): boolean {
  let fields = 1;
  for (let at = text.indexOf('&'); at >= 0 && fields <= MOST_FIELDS; at = text.indexOf('&', at + 1))
    fields += 1;
  return fields > MOST_FIELDS;
}

/** A whole body of any type as text; undefined if it is too long, too slow, or was cut off. `longest`: in bytes. */
export async function readText(request: Request, longest: number, pace?: Pace): Promise<string | undefined> {
  const invite = (): void => {
    if (/^100-continue$/i.test(request.headers.expect ?? '')) request.res?.writeContinue();
  };
  try {
    // With a minimum pace: a body that never ends would hold the connection for ever.
    return (await new RequestBody(request, invite, pace).read(longest)).toString('utf8');
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
