/**
 * Which calls V2 cannot serve completely, so that V3 does instead.
 *
 * For a write this is decided from the request, before anything is sent. For a read it follows from the
 * request, or shows in V2's answer (`NotWhole`); a read may be sent twice.
 */
import type { Method } from '../../mapping/compile/model.ts';
import type { V2Row } from '../../mapping/compile/v2/v2-model.ts';
import type { LegacyCall } from '../call.ts';
import { isBody } from '../read-call.ts';
import type { BodyReader } from '../request.ts';
import type { RequestLosses } from './drops.ts';
import { readGiven } from './given.ts';

/** The element that a call would lose on V2, `reply` for something in its answer; undefined: nothing. */
export type Elsewhere = (call: LegacyCall) => string | undefined | Promise<string | undefined>;

/** What a read loses if no single element is lost. */
export const REPLY = 'reply';

/** V2's answer to a read is not complete. */
export class NotWhole extends Error {
  constructor() {
    super('V2 does not answer this whole');
    this.name = 'NotWhole';
  }
}

/** Undefined: nothing is lost that could be known beforehand. */
export function elsewhereOf(
  method: Method,
  { toV3 }: V2Row,
  losses: RequestLosses,
  reader: BodyReader,
): Elsewhere | undefined {
  if (toV3.some(({ on }) => on === 'always')) return () => REPLY;
  const { body } = method;
  if (body === undefined || !losses.any) return undefined;
  return async (call) => {
    const element = await reader.peek(call, body.large);
    if (element === undefined || !isBody(element, body)) return undefined;
    return losses.possible(
      readGiven(
        element,
        body.of,
        (_kind, text) => text,
        () => undefined,
        [body.root],
      ),
    );
  };
}
