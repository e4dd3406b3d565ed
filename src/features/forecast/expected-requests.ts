/**
 * How many requests a call of V1 takes once its account has moved to V3.
 *
 * For most methods, it is one. A list that V1 returned whole is read page by page: the number of its records follows
 * from the size of its reply and from the size of a record, as seen in the replies that were read for usage.
 */
import type { CallRecord } from '../usage/call-log.ts';
import type { AccountUse } from '../usage/names/account-use.ts';
import type { Method } from '../../mapping/compile/model.ts';
import type { Profile } from '../../upstream/profile.ts';
import type { Priority } from '../../upstream/model.ts';

/** The requests of a call that count towards the rate limit. */
export interface Expected {
  /** 0: the bridge answers it itself. */
  readonly requests: number;
  readonly priority: Priority;
}

/** The settings and the mapping behind the number of requests. */
export interface RequestsParts {
  readonly methods: readonly Method[];
  readonly profile: Pick<Profile, 'v3'>;
}

const ONE: Expected = { requests: 1, priority: 'read' };
const NONE: Expected = { requests: 0, priority: 'read' };
/** Records per page where V3 accepts no page size, or none is configured (mappings/cost.yaml). */
const USUAL_PAGE = 100;

/** Requests by call, for one account. */
export class ExpectedRequests {
  readonly #methods: ReadonlyMap<string, Method>;
  readonly #pageSizes: Profile['v3']['pageSizes'];
  /** Bytes of one record, by method; missing: no reply with a record was read. */
  readonly #recordBytes = new Map<string, number>();

  constructor({ methods, profile }: RequestsParts, use: AccountUse) {
    this.#methods = new Map(methods.map((method) => [method.id, method]));
    this.#pageSizes = profile.v3.pageSizes;
    for (const method of methods) {
      const bytes = recordBytes(method, use);
      if (bytes !== undefined) this.#recordBytes.set(method.id, bytes);
    }
  }

  of(call: CallRecord): Expected {
    if (call.method === 'none' || isRefused(call)) return NONE;
    const method = this.#methods.get(call.method);
    if (method === undefined) return call.source === 'bridge' && !call.failed ? NONE : ONE;
    if (method.v3.verbs[0] !== 'GET') return { requests: 1, priority: 'write' };
    if (method.reply.form !== 'list') return ONE;
    return { requests: this.#pages(method, call.bytes), priority: 'list' };
  }

  /** Whether the method is read page by page. */
  isPaged(method: string): boolean {
    return this.#methods.get(method)?.paged !== false && this.#recordBytes.has(method);
  }

  #pages({ id, paged }: Method, bytes: number | undefined): number {
    const record = this.#recordBytes.get(id);
    if (paged === false || bytes === undefined || record === undefined) return 1;
    const configured = paged === 'numbered' ? undefined : (this.#pageSizes[id] ?? this.#pageSizes.default);
    const size = configured ?? USUAL_PAGE;
    return Math.max(1, Math.ceil(Math.round(bytes / record) / size));
  }
}

/** By the bridge, which did not ask the service: an answer in place of V1's, which timed out, is no refusal. */
const isRefused = ({ source, failed, upstreamMillis, refused }: CallRecord): boolean =>
  refused !== undefined || (source === 'bridge' && failed && upstreamMillis === undefined);

/**
 * Bytes of one record. The records are counted by the most frequent element directly below them, because none has an
 * element twice. The envelope of the reply is too small to matter in a sample.
 */
function recordBytes({ id, reply }: Method, { programs }: AccountUse): number | undefined {
  if (reply.form !== 'list') return undefined;
  const within = `${reply.container}/${reply.element}/`;
  let [bytes, records] = [0, 0];
  for (const { methods } of programs.values()) {
    const use = methods.get(id);
    if (use === undefined || use.bytes === 0) continue;
    let most = 0;
    for (const [path, { count }] of use.received)
      if (path.startsWith(within) && !path.includes('/', within.length)) most = Math.max(most, count);
    bytes += use.bytes;
    records += most;
  }
  return records === 0 ? undefined : bytes / records;
}
