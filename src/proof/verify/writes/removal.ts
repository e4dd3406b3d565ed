/**
 * Deletes or closes what no method of the mapping can: V2 deletes purchase orders and closes leads. The calls prove
 * nothing, and if one is refused, the report names the record as left.
 */
import { isUuid } from '../../../lib/text/uuid.ts';
import { isObject, own } from '../../../mapping/compile/path.ts';
import type { UpstreamRequest } from '../../../upstream/model.ts';
import type { Calling } from '../calling.ts';
import { contentOf, isAnswered } from '../judging/answers.ts';
import { pathVariants } from '../path-variants.ts';
import { callSignal, ifUnanswered } from '../recorder.ts';

/** What became of a record. */
export type Removed = 'deleted' | 'closed' | undefined;

/** Kinds of records that can be removed, of which a run may create some. */
export const removable = ['#PurchaseOrder', 'lead'] as const;

/** Removes a record that the run has created. */
export async function removed(
  calling: Calling,
  surface: 'v3' | 'v2',
  { kind, id }: { readonly kind: (typeof removable)[number]; readonly id: string },
): Promise<Removed> {
  if (kind === '#PurchaseOrder') return removedOrder(calling, id);
  return closedLead(calling, await calling.uuidOf(surface, kind, id));
}

/** An order has a number, and only its UUID deletes it. */
async function removedOrder(calling: Calling, number: string): Promise<Removed> {
  const order = await contentAt(calling, { verb: 'GET', segments: ['purchase-orders', number], query: [] });
  const uuid = own(order, 'uuid');
  if (own(order, 'purchaseOrderNumber') !== number || typeof uuid !== 'string') return undefined;
  const request = { verb: 'DELETE', segments: ['purchase-orders', uuid], query: [] };
  return (await asked(calling, request)) === undefined ? undefined : 'deleted';
}

async function closedLead(calling: Calling, uuid: string): Promise<Removed> {
  const all = await leadStatuses(calling);
  const leadStatusUUID = own(
    all.find((one) => isObject(one) && own(one, 'type') === 'lost'),
    'uuid',
  );
  if (!isUuid(uuid) || leadStatusUUID === undefined) return undefined;
  const body = JSON.stringify({ leadStatusUUID });
  const request = { verb: 'PUT', segments: ['leads', uuid], query: [], body };
  if ((await asked(calling, request)) === undefined) return undefined;
  // The specification does not have this call: an accepted one may have changed nothing.
  const lead = await contentAt(calling, { verb: 'GET', segments: ['leads', uuid], query: [] });
  return own(lead, 'leadStatusUUID') === leadStatusUUID ? 'closed' : undefined;
}

/** The services spell the address in several ways (`lead-statuses`). */
async function leadStatuses(calling: Calling): Promise<readonly unknown[]> {
  const segments = ['lead-status'];
  for (const spelled of [segments, ...pathVariants(segments, new Map(), true)]) {
    const statuses = await contentAt(calling, { verb: 'GET', segments: spelled, query: [] });
    if (Array.isArray(statuses)) return statuses as readonly unknown[];
  }
  return [];
}

async function contentAt(calling: Calling, request: Asked): Promise<unknown> {
  const text = await asked(calling, request);
  return text === undefined ? undefined : contentOf({ body: text });
}

type Asked = Omit<UpstreamRequest, 'signal'>;

/** The text of a successful answer of V2. */
async function asked({ parts: { v2, to } }: Calling, request: Asked): Promise<string | undefined> {
  const answer = await v2?.ask(to, { ...request, signal: callSignal() }).catch(ifUnanswered);
  return answer !== undefined && isAnswered(answer) ? answer.text : undefined;
}
