import type { Method } from '../../mapping/compile/model.ts';
import type { UpstreamRequest } from '../../upstream/model.ts';
import type { Profile } from '../../upstream/profile.ts';
import type { LegacyCall } from '../call/call.ts';
import { knownQuery } from '../call/read-call.ts';
import type { Asked } from './answer.ts';
import { isNotFound, isWrongVerb } from './legacy-terms.ts';
import { holdsLinks } from './reply.ts';

/** Describes the answers to calls of a method. */
export function askedOf({ reply }: Method, write: boolean): Asked {
  const container = reply.form === 'list' ? reply.container : reply.form === 'one' ? reply.within : undefined;
  return {
    write,
    container: (name) => name === container,
    streams: (part) =>
      !write &&
      reply.form === 'list' &&
      part.part === 'record' &&
      part.container !== undefined &&
      part.container === container,
  };
}

/**
 * The method name, if replies need no rewriting: V3 has the service's own numbers, no pages, no links, and the same
 * method name (which the reply contains).
 */
export function untouchedName({ reply, body, paged, v3 }: Method, profile: Profile): string | undefined {
  const name = v3.segments[1];
  const isAlike =
    profile.v3.identifiers === 'number' &&
    paged === false &&
    !('within' in reply && reply.within !== undefined) &&
    body?.otherRoot === undefined &&
    !('of' in reply && holdsLinks(reply.of));
  return isAlike && name !== undefined && 'literal' in name ? name.literal : undefined;
}

/** The requests that a call makes to V3. */
export interface Attempts {
  readonly request: UpstreamRequest;
  /** The same call in another form of V3, for an answer that calls for it. */
  readonly otherwise:
    | {
        readonly request: UpstreamRequest;
        readonly isMeant: (error: unknown, status: number) => boolean;
      }
    | undefined;
}

/** The call as another form of V3 has it: a read on another path, a write with another verb. */
export function inOtherForm(
  request: UpstreamRequest,
  { elsewhere }: Method,
  segments: readonly string[],
): Attempts['otherwise'] {
  const verb = elsewhere?.verbs[0] ?? request.verb;
  return { request: { ...request, verb, segments }, isMeant: verb === 'GET' ? isNotFound : isWrongVerb };
}

/** Records requested per page; `own`: the service accepts no size. Undefined: the reply is a single answer. */
export function pageSizeOf(method: Method, { v3 }: Profile, call: LegacyCall): number | 'own' | undefined {
  if (method.paged === false) return undefined;
  if (method.paged === 'numbered')
    return knownQuery(call, method).some(([name]) => name === v3.pageParameter) ? undefined : 'own';
  return v3.pageSizes[method.id] ?? v3.pageSizes.default ?? 100;
}
