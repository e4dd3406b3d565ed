/**
 * Decides which calls V2 cannot serve completely, so that V3 does instead.
 *
 * For a write this is decided from the request, before anything is sent. For a read it is decided from the request or
 * from V2's answer (`NotWhole`); a read may be sent twice.
 */
import type { Method } from '../../mapping/compile/model.ts';
import type { V2Row } from '../../mapping/compile/v2/v2-model.ts';
import type { XmlElement } from '../../lib/xml/element.ts';
import type { MovedCall } from '../call/call.ts';
import { isBody } from '../call/read-call.ts';
import type { BodyReader } from '../call/body-reader.ts';
import type { RequestLosses } from './drops.ts';
import { readGiven, type Given } from './lookups/given.ts';

/** The element that a call would lose on V2, `reply` for a loss in the answer; undefined: no loss. */
export type Elsewhere = (moved: MovedCall) => string | undefined | Promise<string | undefined>;

/** The loss of a read if no single element is lost. */
export const REPLY = 'reply';

/** V2's answer to a read is not complete. */
export class NotWhole extends Error {
  constructor() {
    super('V2 does not answer this whole');
    this.name = 'NotWhole';
  }
}

/** The request without values that merely repeat V1's; undefined: it repeats none. */
export type Unrepeated = (moved: MovedCall, element: XmlElement) => Promise<Given | undefined>;

/** Undefined: no loss can be known beforehand. */
export function elsewhereOf(
  method: Method,
  { toV3 }: V2Row,
  losses: RequestLosses,
  reader: BodyReader,
  unrepeated: Unrepeated | undefined,
): Elsewhere | undefined {
  if (toV3.some(({ on }) => on === 'always')) return () => REPLY;
  const { body } = method;
  if (body === undefined || !losses.any) return undefined;
  return async (moved) => {
    const element = await reader.peek(moved.call, body);
    if (element === undefined || !isBody(element, body)) return undefined;
    const lost = losses.possible(
      readGiven(
        element,
        body.of,
        (_kind, text) => text,
        () => undefined,
        [body.root],
      ),
    );
    const rest = lost === undefined ? undefined : await unrepeated?.(moved, element);
    return rest === undefined ? lost : losses.possible(rest);
  };
}

/** Whether a read may turn out to be incomplete. */
export const mayBeShort = ({ toV3 }: V2Row): boolean =>
  toV3.some(({ on }) => on === 'costly' || on === 'missing');
