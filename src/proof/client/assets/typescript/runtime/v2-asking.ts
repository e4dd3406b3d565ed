/** The requests of one call to V2: single answers and complete lists. */
import { isObject, own, entries, textOf } from '../../../../../mapping/compile/path.ts';
import { exact } from '../../../../../proxy/translate/json/exact-number.ts';
import type { Call } from './call.ts';
import { NotFound } from './errors.ts';
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

const MOST_PAGES = 10_000;
/** How often a list is read again because it changed meanwhile. */
const RESTARTS = 3;

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

  /** If a collection does not exist, a read tries its other spellings, until one has worked. */
  async #sent(request: Parameters<Call['send']>[0]): Promise<Answer> {
    const [collection = '', ...rest] = request.path;
    const { spellings } = this.#cache;
    const known = spellings.get(collection);
    const group = this.#call.around.shared.spellings.find((names) => names.includes(collection)) ?? [];
    const answer = await this.#call.send({ ...request, path: [known ?? collection, ...rest] });
    if (known !== undefined || request.verb !== 'GET') return answer;
    for (const name of [collection, ...group.filter((one) => one !== collection)]) {
      const found =
        name === collection ? answer : await this.#call.send({ ...request, path: [name, ...rest] });
      if (found.status === 404) continue;
      for (const one of group) spellings.set(one, name);
      return found;
    }
    return answer;
  }

  /** The error for a missing record. */
  none(words: string): NotFound {
    return new NotFound(words, { method: this.#call.method.id, api: 'v2', status: 404 });
  }

  /**
   * Returns all records of a list except deleted ones. Throws `ServiceError`, rather than return half a list.
   */
  async rows(question: Question): Promise<readonly unknown[]> {
    for (let attempt = 0; attempt < RESTARTS; attempt += 1) {
      const rows = await this.#pages(question);
      if (rows !== undefined) return rows.filter((row) => (textOf(own(row, 'deletedAt')) ?? '') === '');
    }
    throw this.#call.unusable('The list changed while it was read; read it again', true);
  }

  /**
   * Returns undefined if records were deleted or moved meanwhile, so that others may have been skipped. Records that were
   * added only push others onto the next page.
   */
  async #pages(question: Question): Promise<readonly unknown[] | undefined> {
    const names = this.#call.around.shared.v2;
    const all = new Map<string, unknown>();
    let [before, distinct, last, previous] = [0, 0, Infinity, ''];
    let fewest: number | undefined;
    for (let page = 1; page <= MOST_PAGES; page += 1) {
      const query: Query = [
        ...question.query,
        [names.page, String(page)],
        [names.size, String(names.pageSize)],
      ];
      const { data, around } = await this.#ask({ ...question, query });
      const rows = entries(data);
      if (!Array.isArray(data) && rows.length === 0) throw this.#call.unusable('The answer is no list', true);
      const { pages, total, size } = pagingIn(around);
      const length = total ?? pages ?? Infinity;
      if (length < last && last !== Infinity) return undefined;
      const shown = rows.map((row) => identityOf(row) ?? JSON.stringify(row)).join('\n');
      const isAgain = page > 1 && shown === previous;
      if (isAgain && length === Infinity) return [...all.values()]; // the list has no pages
      if (isAgain && length === last) return undefined;
      const keys = rows.map((row, index) => identityOf(row) ?? ` ${page}/${index}`);
      distinct += keys.filter((key) => !all.has(key)).length;
      for (const [index, row] of rows.entries()) all.set(keys[index] ?? '', row);
      before += rows.length;
      fewest ??= total; // a smaller count has ended the reading
      [last, previous] = [length, shown];
      if (rows.length === 0 && before < (total ?? 0))
        throw this.#call.unusable('The list is not whole', true);
      if (isEnd({ pages, total, size: size ?? names.pageSize }, page, rows.length, before))
        return distinct < (fewest ?? 0) ? undefined : [...all.values()];
    }
    throw this.#call.unusable('The list has no end', true);
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

function identityOf(row: unknown): string | undefined {
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

function isEnd({ pages, total, size }: Paging, page: number, rows: number, before: number): boolean {
  if (pages !== undefined) return page >= pages;
  return total === undefined ? rows < (size ?? 1) : rows === 0 || before >= total;
}

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
