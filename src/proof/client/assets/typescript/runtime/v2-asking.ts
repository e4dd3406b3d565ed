/** The requests of one call to V2: single answers and complete lists. */
import { isObject, own, entries, textOf } from '../../../../../mapping/compile/path.ts';
import { exact } from '../../../../../proxy/translate/json/exact-number.ts';
import type { Call } from './call.ts';
import { NotFound } from './errors.ts';
import { wholeList, type Page } from './pages.ts';
import type { Answer } from './transport.ts';
import type { LookupCache } from './v2-cache.ts';

type Query = readonly (readonly [string, string])[];

/** A request to V2. */
export interface Question {
  readonly verb: string;
  readonly path: readonly string[];
  readonly query: Query;
  readonly body?: string | FormData | undefined;
  /** Message if there is no such record. */
  readonly missing?: string | undefined;
}

/** An answer and its envelope. */
interface Told {
  readonly data: unknown;
  readonly around: unknown;
}

/** Sends the requests of one call to V2. */
export class Asking {
  readonly #call: Call;
  readonly #cache: LookupCache;

  constructor(call: Call, cache: LookupCache) {
    this.#call = call;
    this.#cache = cache;
  }

  /** Returns the content of one answer. Throws `ServiceError`. */
  async ask(question: Question): Promise<unknown> {
    return (await this.#ask(question)).data;
  }

  async #ask({ verb, path, query, body, missing }: Question): Promise<Told> {
    const contentType = typeof body === 'string' ? 'application/json' : undefined;
    const { status, text } = await this.#sent({ verb, path, query, body, contentType });
    const json = jsonIn(text);
    const isRead = verb === 'GET';
    if (status === 404 && missing !== undefined) throw this.none(missing);
    if (status < 200 || status > 299) throw this.#call.failure(status, wordsIn(json), isRead);
    if (json === undefined && (isRead || text.trim() !== ''))
      throw this.#call.unusable('The answer is not JSON', isRead);
    return { data: isObject(json) && Object.hasOwn(json, 'data') ? json.data : json, around: json };
  }

  /**
   * A read tries the other spellings of a collection that does not exist, or that is read under one spelling and written
   * under another, as staff are. For a record, 404 means the record once a spelling has worked. A write is sent once.
   */
  async #sent(request: Parameters<Call['send']>[0]): Promise<Answer> {
    const [given = '', ...rest] = request.path;
    const { spellings } = this.#cache;
    const send = (name: string): Promise<Answer> => this.#call.send({ ...request, path: [name, ...rest] });
    const known = spellings.get(given);
    let name = known ?? given;
    let answer = await send(name);
    const isSettled = request.verb !== 'GET' || (known !== undefined && rest.length > 0);
    for (const other of isSettled ? [] : this.#othersOf(given, name)) {
      if (answer.status !== 404 && answer.status !== 405) break;
      const next = await send(other);
      // "The record does not exist" says more than "nothing can be read under this spelling".
      if (next.status !== 405 || answer.status !== 404) [name, answer] = [other, next];
    }
    if (answer.status >= 200 && answer.status < 300) spellings.set(given, name);
    return answer;
  }

  #othersOf(given: string, tried: string): readonly string[] {
    const group = this.#call.around.shared.spellings.find((names) => names.includes(given)) ?? [];
    return group.filter((name) => name !== tried);
  }

  /** The error for a missing record. */
  none(words: string): NotFound {
    return new NotFound(words, { method: this.#call.method.id, api: 'v2', status: 404 });
  }

  /**
   * Returns all records of a list except deleted ones. Throws `ServiceError`, rather than return half a list.
   */
  async rows(question: Question): Promise<readonly unknown[]> {
    const rows = await wholeList(this.#call, { page: (number) => this.#page(question, number), identityOf });
    return rows.filter((row) => (textOf(own(row, 'deletedAt')) ?? '') === '');
  }

  async #page(question: Question, number: number): Promise<Page<unknown>> {
    const names = this.#call.around.shared.v2;
    const query: Query = [
      ...question.query,
      [names.page, String(number)],
      [names.size, String(names.pageSize)],
    ];
    const { data, around } = await this.#ask({ ...question, query });
    const records = entries(data);
    if (!Array.isArray(data) && records.length === 0)
      throw this.#call.unusable('The answer is no list', true);
    const { size = names.pageSize, ...counts } = pagingIn(around);
    return { records, ...counts, isFull: records.length >= size };
  }

  /** Returns undefined if the service has no such record. */
  async record(path: readonly string[], query: Query): Promise<unknown> {
    try {
      return await this.ask({ verb: 'GET', path, query });
    } catch (error) {
      if (error instanceof NotFound) return undefined;
      throw error;
    }
  }
}

/** The UUID of a row; undefined if it has none. */
export function identityOf(row: unknown): string | undefined {
  const text = textOf(own(row, 'uuid'))?.toLowerCase();
  return text === '' ? undefined : text;
}

interface Paging {
  readonly pages: number | undefined;
  readonly total: number | undefined;
  readonly size: number | undefined;
}

/** Reads `meta.pagination`, or a `total` beside the list. */
function pagingIn(around: unknown): Paging {
  const told = own(own(around, 'meta'), 'pagination');
  return {
    pages: countOf(own(told, 'total_pages')),
    total: countOf(own(told, 'total_items') ?? own(around, 'total')),
    size: countOf(own(told, 'per_page')),
  };
}

const countOf = (value: unknown): number | undefined =>
  /^\d{1,15}$/.test(textOf(value) ?? '') ? Number(value) : undefined;

/** Keeps numbers as text if a double would change them. */
function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text, exact);
  } catch {
    return undefined;
  }
}

/** The first field error, which says more than the general message. */
function wordsIn(json: unknown): string | undefined {
  const error = own(json, 'error');
  const [first] = [...entries(own(error, 'details')), ...entries(own(json, 'errors'))];
  const found = [first, own(first, 'message'), own(error, 'message'), own(json, 'message'), error];
  return found.find((words): words is string => typeof words === 'string' && words.trim() !== '');
}
