import { Failure } from '../../domain/failure.ts';
import type { Profile } from '../../domain/profile.ts';
import type { Destination, V2Body, V2Lane } from '../../domain/upstream.ts';
import type { Trace } from '../../domain/call.ts';
import { entries, own, textOf } from '../mapping/path.ts';
import { isLastPage, readAnswer, type V2Payload } from './answer.ts';
import type { LookupSource } from './lookups.ts';

export interface Question {
  readonly verb: string;
  readonly segments: readonly string[];
  readonly query: readonly (readonly [string, string])[];
  readonly body?: V2Body | undefined;
  /** What it means that there is no such record. */
  readonly missing: () => Failure;
}

export interface AskingParts {
  readonly lane: V2Lane;
  readonly profile: Profile;
}

/** No list that is walked is longer: a service that never says which page is the last is not followed for ever. */
const MOST_PAGES = 100_000;

/** V2 on behalf of one legacy call. */
export class Asking implements LookupSource {
  readonly #parts: AskingParts;
  readonly #to: Destination;
  readonly #signal: AbortSignal;
  readonly #trace: Trace;
  /** Something has been written already. */
  #wrote = false;

  constructor(parts: AskingParts, to: Destination, signal: AbortSignal, trace: Trace) {
    this.#parts = parts;
    this.#to = to;
    this.#signal = signal;
    this.#trace = trace;
  }

  get wrote(): boolean {
    return this.#wrote;
  }

  async ask(question: Question, patience: 'first-byte' | 'continued' = 'first-byte'): Promise<V2Payload> {
    const { verb, segments, query, body, missing } = question;
    const request = { verb, segments, query, signal: this.#signal, ...(body && { body }) };
    const answer = await this.#parts.lane.send(this.#to, request, this.#wrote ? 'continued' : patience);
    this.#trace.took(answer.millis);
    const write = verb !== 'GET';
    const payload = await readAnswer(answer, { write, missing });
    this.#wrote ||= write;
    return payload;
  }

  /**
   * The rows of a list, page by page; `ahead`: the next page is asked for while this one is worked on. What the service
   * marks as deleted is left out: V2's lists may hold such rows.
   */
  async *pages(question: Question, ahead = true): AsyncGenerator<readonly unknown[]> {
    const { pageSize: size } = this.#parts.profile.v2;
    let first: string | undefined;
    let next: Promise<V2Payload> | undefined;
    for (let page = 1; page <= MOST_PAGES; page += 1) {
      const payload = await (next ?? this.#page(question, page, size));
      const rows = listIn(payload);
      const begins = textOf(own(rows[0], 'uuid'));
      // The same page again: this list knows no pages.
      if (page > 1 && begins !== undefined && begins === first) return;
      first = begins;
      const isLast = isLastPage(payload, { page, size, rows: rows.length });
      next = isLast || !ahead ? undefined : this.#page(question, page + 1, size);
      next?.catch(() => undefined); // it is waited for when its turn comes, or not at all
      yield rows.filter((row) => !isDeleted(row));
      if (isLast) return;
    }
    throw new Failure('upstreamAnswer');
  }

  #page(question: Question, page: number, size: number): Promise<V2Payload> {
    const { pageParameter, sizeParameter } = this.#parts.profile.v2;
    const query = [...question.query, [pageParameter, String(page)], [sizeParameter, String(size)]] as const;
    return this.ask({ ...question, query }, page === 1 ? 'first-byte' : 'continued');
  }

  rows(segments: readonly string[], query: Question['query']): AsyncIterable<readonly unknown[]> {
    return this.pages({ verb: 'GET', segments, query, missing: () => new Failure('upstreamAnswer') });
  }

  async record(segments: readonly string[]): Promise<unknown> {
    const absent = new Failure('refused');
    try {
      return (await this.ask({ verb: 'GET', segments, query: [], missing: () => absent })).data;
    } catch (error) {
      if (error === absent) return undefined;
      throw error;
    }
  }
}

/** Anything but a list is no answer to the question for one, and never an empty list. */
function listIn({ data }: V2Payload): readonly unknown[] {
  if (Array.isArray(data)) return data;
  const rows = entries(data);
  if (rows.length === 0) throw new Failure('upstreamAnswer');
  return rows;
}

const isDeleted = (row: unknown): boolean => {
  const at = own(row, 'deletedAt');
  return at !== undefined && at !== null && at !== '';
};
