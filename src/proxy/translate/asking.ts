/**
 * The V2 calls that one legacy call makes: single answers, and lists page by page.
 *
 * A list is read to its end or fails. A service that returns the same page again, an empty page before the end, or an
 * endless list is an error, because records would be missing silently. The next page is fetched while the current one
 * is processed. Records that move between pages while the list is read are handled as on V3 (`forward/pages.ts`), and
 * records marked as deleted are left out.
 *
 * Once something has been written, the remaining calls go ahead of others in the queue for permits, so that a half-done
 * write is finished first; after its last write a call may still have to read the record back.
 */
import { Failure } from '../../lib/failure.ts';
import type { Profile } from '../../upstream/profile.ts';
import type { Destination, Upload, Upstream, UpstreamAnswer } from '../../upstream/model.ts';
import type { LegacyCall } from '../call/call.ts';
import { fewerThanCounted, listTooLong } from '../call/status.ts';
import { nextTurn } from '../../lib/time/turn.ts';
import { own, textOf } from '../../mapping/compile/path.ts';
import { isLastPage, readAnswer, receivePage, type AskedV2, type V2Page } from './answer.ts';
import { PageDeduplication } from '../forward/page-deduplication.ts';
import type { LookupSource } from './lookups/lookup-cache.ts';

/** One call to V2, as a step of the mapping describes it. */
export interface Question {
  readonly verb: string;
  readonly segments: readonly string[];
  readonly query: readonly (readonly [string, string])[];
  readonly body?: string | Upload | undefined;
  /** The answer is one page of many. */
  readonly list?: boolean;
  /** The failure to report if the record does not exist. */
  readonly missing: () => Failure;
  /** Names elements in refusals. */
  readonly elementOf?: AskedV2['elementOf'];
}

/** What `Asking` needs. */
export interface AskingParts {
  readonly endpoint: Upstream;
  readonly profile: Profile;
}

/** The page limit of a list: a service that never marks a last page is not followed for ever. */
const MOST_PAGES = 100_000;
/** Row limit of a list that is not written as it arrives; the longest takes a few hundred megabytes. */
const MOST_HELD = 250_000;

/** The part of the legacy call that matters here. */
type CallPart = Pick<LegacyCall, 'verb' | 'signal' | 'leaves' | 'trace' | 'priority' | 'isOwn'>;

/** V2 on behalf of one legacy call. */
export class Asking implements LookupSource {
  readonly #parts: AskingParts;
  readonly #to: Destination;
  readonly #call: CallPart;
  /** Set for a program's read, which may share a recent answer. */
  readonly #method: string | undefined;
  /** Something has already been written. */
  #wrote = false;

  constructor(parts: AskingParts, to: Destination, call: CallPart) {
    this.#parts = parts;
    this.#to = to;
    this.#call = call;
    this.#method = call.verb === 'GET' && call.isOwn !== true ? call.trace.method : undefined;
  }

  get wrote(): boolean {
    return this.#wrote;
  }

  /** The content of one answer. */
  async ask(question: Question): Promise<unknown> {
    const { data } = await this.#received(question, 'first-byte', readAnswer);
    this.#wrote ||= question.verb !== 'GET';
    return data;
  }

  /** An answer whose bytes have all arrived. */
  async #received<T>(
    question: Question,
    patience: 'first-byte' | 'continued',
    receive: (answer: UpstreamAnswer, asked: AskedV2) => Promise<T>,
  ): Promise<T> {
    const { verb, segments, query, body, list, missing, elementOf } = question;
    const { signal, leaves, trace, priority = list === true ? 'list' : undefined } = this.#call;
    // A half-done write is finished before anything else begins.
    const urgency = this.#wrote ? 'write' : priority;
    const request = {
      verb,
      segments,
      query,
      signal,
      ...(verb !== 'GET' && { leaves }),
      ...(body && { body }),
      ...(urgency && { priority: urgency }),
      times: trace,
      method: this.#method,
    };
    const answer = await this.#parts.endpoint.send(this.#to, request, this.#wrote ? 'continued' : patience);
    trace.answers[answer.isKept === true ? 'kept' : 'fresh'] += 1;
    return receive(answer, { write: verb !== 'GET', missing, elementOf });
  }

  /**
   * The rows of a list, a few at a time; `ahead`: the next page is fetched while this one is processed, and parsed when
   * needed. The first page comes as a whole, so that any fault in it is known before anything is sent. Rows that the
   * service marks as deleted are left out.
   */
  async *pages(question: Question, ahead = true): AsyncGenerator<readonly unknown[]> {
    const first = await this.#page(question, 1);
    const { pageSize: size } = this.#parts.profile.v2;
    if (isLastPage(first, { page: 1, size, rows: first.length, before: 0 })) {
      checkEnd(first, 0);
      yield present(await wholePage(first.batches));
    } else yield* this.#followed(question, first, ahead);
  }

  async *#followed(question: Question, first: V2Page, ahead: boolean): AsyncGenerator<readonly unknown[]> {
    const { pageSize: size } = this.#parts.profile.v2;
    const deduplication = new PageDeduplication(identityOf);
    let previous: PageSeen | undefined;
    let before = 0;
    let next: Promise<V2Page> | undefined;
    for (let page = 1; page <= MOST_PAGES; page += 1) {
      const list = page === 1 ? first : await (next ?? this.#page(question, page));
      const isLast = isLastPage(list, { page, size, rows: list.length, before });
      const { batches } = list;
      const begun: readonly unknown[] = batches.next().value ?? [];
      const seen = { begins: beginningOf(begun), paging: list.paging };
      if (isSamePage(previous, seen)) {
        checkAgain(list, before);
        return;
      }
      if (isLast) checkEnd(list, before);
      else if (list.length === 0) throw fewerThanCounted();
      const hasMoved = hasShrunk(previous, seen);
      const rows = page === 1 || hasMoved ? await wholePage(batches, begun) : begun;
      before += list.length;
      next = isLast || !ahead ? undefined : this.#page(question, page + 1);
      next?.catch(() => undefined); // it is waited for when its turn comes, or not at all
      const fresh = present(deduplication.fresh(rows));
      if (hasMoved) yield await this.#moved(question, page - 1, deduplication);
      yield fresh;
      for (const more of batches) {
        await nextTurn();
        yield present(deduplication.fresh(more));
      }
      deduplication.turn(list.paging?.total);
      previous = seen;
      if (!isLast) continue;
      deduplication.checkEnd();
      return;
    }
    throw listTooLong();
  }

  /** The rows that a deletion has moved onto pages already read. */
  async #moved(
    question: Question,
    from: number,
    deduplication: PageDeduplication<unknown>,
  ): Promise<readonly unknown[]> {
    if (!deduplication.remembers) return [];
    let behind: readonly unknown[] = [];
    for (let page = from; page >= 1; page -= 1) {
      const rows = await wholePage((await this.#page(question, page)).batches);
      const beginning = deduplication.behind(rows);
      behind = [...(beginning ?? rows), ...behind];
      if (beginning !== undefined) return present(deduplication.moved(behind));
    }
    // No row on the page is known: how many are missing cannot be told.
    throw new Failure('upstreamAnswer');
  }

  #page(question: Question, page: number): Promise<V2Page> {
    const { pageParameter, sizeParameter, pageSize: size } = this.#parts.profile.v2;
    const query = [...question.query, [pageParameter, String(page)], [sizeParameter, String(size)]] as const;
    return this.#received(
      { ...question, query, list: true },
      page === 1 ? 'first-byte' : 'continued',
      receivePage,
    );
  }

  rows(segments: readonly string[], query: Question['query']): AsyncIterable<readonly unknown[]> {
    return this.pages({ verb: 'GET', segments, query, missing: () => new Failure('upstreamAnswer') });
  }

  async record(segments: readonly string[], query: Question['query'] = []): Promise<unknown> {
    // Created when needed, because an error captures the whole stack.
    let absent: Failure | undefined;
    const missing = (): Failure => (absent = new Failure('refused'));
    try {
      return await this.ask({ verb: 'GET', segments, query, missing });
    } catch (error) {
      if (absent !== undefined && error === absent) return undefined;
      throw error;
    }
  }
}

/** Adds the page's rows to those already read; on a long page other calls run after each batch. */
async function wholePage(
  batches: Iterable<readonly unknown[]>,
  begun: readonly unknown[] = [],
): Promise<readonly unknown[]> {
  const rows = [...begun];
  for (const batch of batches) {
    if (rows.length > 0) await nextTurn();
    for (const row of batch) rows.push(row);
  }
  return rows;
}

/** The facts about a page that are compared with the previous one. */
interface PageSeen {
  readonly begins: string;
  readonly paging: V2Page['paging'];
}

/**
 * Distinguishes a page from the previous one: by its first record, or its first batch if that record has no identifier.
 */
const beginningOf = (rows: readonly unknown[]): string => identityOf(rows[0]) ?? JSON.stringify(rows);

/** The UUID of a row; undefined if it has none. */
export const identityOf = (row: unknown): string | undefined => textOf(own(row, 'uuid'))?.toLowerCase();

/** Whether the page repeats the previous one; a list that has grown by a full page of records also begins like it. */
const isSamePage = (previous: PageSeen | undefined, { begins, paging }: PageSeen): boolean =>
  previous?.begins === begins && !(sizeOf(paging, previous.paging) > sizeOf(previous.paging, paging));

const hasShrunk = (previous: PageSeen | undefined, { paging }: PageSeen): boolean =>
  previous !== undefined && sizeOf(paging, previous.paging) < sizeOf(previous.paging, paging);

/** The length of the list, in records if both answers count them, otherwise in pages; NaN if neither is given. */
function sizeOf(of: V2Page['paging'], other: V2Page['paging']): number {
  return (other?.total === undefined ? undefined : of?.total) ?? of?.totalPages ?? NaN;
}

/**
 * Checks an empty page, which ends the list if pages are not counted. Throws `Failure` if the service announced more
 * records than it returned, because the rest would be missing unnoticed.
 */
function checkEnd({ length, paging }: V2Page, before: number): void {
  if (length > 0 || paging?.totalPages !== undefined) return;
  if (paging?.total !== undefined && before < paging.total) throw fewerThanCounted();
}

/** Checks a repeated page, which shows that the list has no pages. Throws `Failure` if it is only a part of the list. */
function checkAgain({ paging }: V2Page, before: number): void {
  if (paging?.totalPages !== undefined || (paging?.total ?? 0) > before) throw fewerThanCounted();
}

/** All rows of a list that has to be held in memory. Throws `Failure` if it is too long for that. */
export async function heldRows(pages: AsyncIterable<readonly unknown[]>): Promise<readonly unknown[]> {
  const all: unknown[] = [];
  for await (const rows of pages) {
    if (all.length + rows.length > MOST_HELD) throw listTooLong();
    for (const row of rows) all.push(row);
  }
  return all;
}

const present = (rows: readonly unknown[]): readonly unknown[] =>
  rows.some(isDeleted) ? rows.filter((row) => !isDeleted(row)) : rows;

const isDeleted = (row: unknown): boolean => {
  const at = own(row, 'deletedAt');
  return at !== undefined && at !== null && at !== '';
};
