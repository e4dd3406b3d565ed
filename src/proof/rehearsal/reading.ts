/**
 * Reads an account through V1 for a rehearsal: every list that V1 has, and the reads of its own programs. One
 * after the other, and only on V1: this uses nothing of V3's limit and writes nothing.
 */
import type { Account } from '../../features/accounts/account.ts';
import type { SampledRequest } from '../../features/samples/sample.ts';
import type { XmlElement } from '../../lib/xml/element.ts';
import type { Mapping } from '../../mapping/compile/model.ts';
import { ALL_TIME, type Asking } from '../parity/asking.ts';
import type { AnswerOfV1 } from './order.ts';
import type { Progress } from '../../lib/progress.ts';

/** The answers read for one account. */
export interface AccountReading {
  /** All answers of V1. */
  readonly answers: readonly AnswerOfV1[];
  /** The answers to the programs' reads, by position; undefined if V1 did not answer. */
  readonly ofReads: readonly (XmlElement | undefined)[];
  /** Number of calls to V1. */
  readonly calls: number;
  /** Unreadable lists and reads, with the reason. */
  readonly missing: readonly string[];
}

/** A read of the account's programs. */
export interface ReadOfPrograms {
  /** `client.get` */
  readonly method: string;
  readonly request: SampledRequest;
}

/** Every record, with everything that a list can show. */
const EVERYTHING = [...ALL_TIME, ['detailed', 'true']] as const;

/** Lists of kinds whose identifiers no other list shows. */
const FURTHER = ['time', 'lead', 'invoice', 'quote', 'purchaseorder'];

/** `change`: applied to each answer before it is kept, to mask names. */
export async function readAccount(
  account: Account,
  reads: readonly ReadOfPrograms[],
  { asking, mapping }: { readonly asking: Pick<Asking, 'v1'>; readonly mapping: Mapping },
  change: (root: XmlElement, method: string) => XmlElement,
  progress: Progress,
): Promise<AccountReading> {
  const lists = listsOf(mapping);
  const of = lists.length + reads.length;
  const answers: AnswerOfV1[] = [];
  const ofReads: (XmlElement | undefined)[] = [];
  /** Methods by the reason why they could not be read: V1 may refuse everything. */
  const missing = new Map<string, Set<string>>();
  for (const [at, { method, request }] of [...lists, ...reads].entries()) {
    progress('the account is read through V1', at, of);
    const answer = await asking.v1(account, request);
    const root = answer.answer === 'read' ? change(answer.root, method) : undefined;
    if (at >= lists.length) ofReads.push(root);
    if (root !== undefined) answers.push({ segments: request.segments, root });
    else if (answer.answer !== 'read')
      missing.set(answer.words, (missing.get(answer.words) ?? new Set()).add(method));
  }
  const words = Array.from(missing, ([reason, methods]) => `${[...methods].join(', ')}: ${reason}`);
  return { answers, ofReads, calls: of, missing: words };
}

/** Each list once, with everything that it shows. */
function listsOf({ kinds }: Mapping): readonly ReadOfPrograms[] {
  // Several kinds may share a list: it is read once, with the parameters that any of them needs.
  const queries = new Map<string, Map<string, string>>();
  const add = (call: string, query: Iterable<readonly [string, string]>): void => {
    const known = queries.get(call) ?? new Map<string, string>();
    for (const [name, value] of query) known.set(name, value);
    queries.set(call, known);
  };
  for (const { list } of kinds.values()) if (list !== undefined) add(list.call, Object.entries(list.query));
  for (const family of FURTHER) add(`${family}.api/list`, EVERYTHING);
  return Array.from(queries, ([call, query]) => ({
    method: call.replace('.api/', '.'),
    request: { segments: call.split('/'), query: [...query] },
  }));
}
