import type { Method } from '../../mapping/compile/model.ts';
import type { Profile } from '../../upstream/profile.ts';
import type { MovedCall } from '../call/call.ts';
import type { Send } from '../call/delivery.ts';
import { knownQuery } from '../call/read-call.ts';
import type { Replicas } from '../sparing/replica/replicas.ts';
import { pageSizeOf } from './method-form.ts';

/** The source of the pages of a list. */
interface ListSource {
  readonly source: Send;
  /** Seconds since the list was read whole, if it is a kept one. */
  readonly age: number | undefined;
}

/** The kept pages of a program's list, or those of the service. */
export async function listSource(
  { replicas, profile }: { readonly replicas?: Replicas | undefined; readonly profile: Profile },
  method: Method,
  { call, to }: MovedCall,
  send: Send,
): Promise<ListSource> {
  const direct = { source: send, age: undefined };
  const { id, reply } = method;
  if (replicas === undefined || call.isOwn === true || reply.form !== 'list') return direct;
  const pageSize = pageSizeOf(method, profile, call);
  if (reply.total !== undefined || typeof pageSize !== 'number') return direct;
  const { container, element } = reply;
  const reading = { method: id, to, query: knownQuery(call, method), container, element, pageSize };
  const kept = await replicas.source({ ...reading, ...profile.v3 }, send);
  return kept === undefined ? direct : { source: kept.send, age: kept.age };
}
