import {
  InvalidCall,
  NotFound,
  OutcomeUnknown,
  Refused,
  Unavailable,
  UnusableAnswer,
  NotAuthorised,
  RateLimited,
  ServiceError,
  GrantLost,
  RefreshFailed,
} from './errors.ts';
import type {
  Api,
  Input,
  Method,
  RecordValue,
  Row,
  Rows,
  Shared,
} from '../../../../../proof/client/client-tables.ts';
import { Unsent, type Answer, type Sent, type Transport } from './transport.ts';

/** Dependencies of a call. */
export interface Surroundings {
  readonly transport: Transport;
  readonly shared: Shared;
  readonly now: () => number;
  readonly timeZone: string | undefined;
}

/** A request sent for a call. */
export type Request = Pick<Sent, 'verb' | 'path' | 'query'> & {
  readonly body?: Sent['body'];
  readonly contentType?: string | undefined;
};

/** One call by a program, on one of the two interfaces. */
export class Call {
  readonly method: Method;
  readonly input: Input;
  readonly api: Api;
  readonly around: Surroundings;
  readonly #signal: AbortSignal | undefined;

  constructor(method: Method, input: Input, api: Api, around: Surroundings, signal: AbortSignal | undefined) {
    this.method = method;
    this.input = input;
    this.api = api;
    this.around = around;
    this.#signal = signal;
  }

  /**
   * Sends a request and returns the answer, with any status. Throws `ServiceError`, `GrantLost`,
   * `RefreshFailed`.
   */
  async send(request: Request): Promise<Answer> {
    const { method, api } = this;
    const isRead = request.verb === 'GET';
    try {
      return await this.around.transport.send({
        ...{ method: method.id, api, isRead, signal: this.#signal },
        ...request,
      });
    } catch (error) {
      if ([ServiceError, GrantLost, RefreshFailed].some((kind) => error instanceof kind)) throw error;
      if (error instanceof Unsent)
        throw new Unavailable('Nothing was sent', { method: method.id, api, cause: error.cause });
      const failed = { method: method.id, api, cause: error };
      if (isRead) throw new Unavailable('The service gave no answer', failed);
      throw new OutcomeUnknown('The service gave no answer: nobody knows whether it was carried out', failed);
    }
  }

  /** The error for an answer. `words`: the service's own; undefined if it gave none. */
  failure(status: number, words: string | undefined, isRead: boolean): ServiceError {
    const failed = { method: this.method.id, api: this.api, status };
    const text = words === undefined || words === '' ? `The service answered ${status}` : words;
    if (status === 429) return new RateLimited(0, failed);
    if (status === 401 || status === 403) return new NotAuthorised(text, failed);
    if (status === 404) return new NotFound(text, failed);
    if (status < 500 && status >= 400) return new Refused(text, failed);
    if (status < 400) return new UnusableAnswer(text, failed);
    if (isRead) return new Unavailable(text, failed);
    return new OutcomeUnknown(`${text}: nobody knows whether it was carried out`, failed);
  }

  /** The error for a call that was not sent. */
  invalid(words: string): InvalidCall {
    return new InvalidCall(words, { method: this.method.id, api: this.api });
  }

  /** The error for an answer without content. The outcome of a write is then unknown. */
  unusable(words: string, isRead = this.method.isRead, cause?: unknown): ServiceError {
    const failed = { method: this.method.id, api: this.api, cause };
    return isRead ? new UnusableAnswer(words, failed) : new OutcomeUnknown(words, failed);
  }

  /** The given parameters, by name in lower case. Throws `InvalidCall`. */
  get query(): ReadonlyMap<string, string> {
    const known = new Set(this.method.query?.map((name) => name.toLowerCase()));
    const given = new Map<string, string>();
    for (const [name, value] of Object.entries(this.input.query ?? {})) {
      if (value === undefined) continue;
      if (!known.has(name.toLowerCase())) throw this.invalid(`${this.method.id} has no parameter ${name}`);
      given.set(name.toLowerCase(), value);
    }
    for (const name of this.method.requires ?? [])
      if ((given.get(name.toLowerCase()) ?? '') === '') throw this.invalid(`${name} is missing`);
    return given;
  }

  /**
   * The value of a placeholder in the path. Throws `InvalidCall` for a value that is empty or leads to
   * another address.
   */
  placed(name: string): string {
    const text = (this.input.path?.[name] ?? '').trim();
    if (['', '.', '..'].includes(text)) throw this.invalid(`${name} is missing`);
    return text;
  }

  /** The record to send. Throws `InvalidCall` for an unknown or a missing element. */
  get body(): RecordValue | undefined {
    const { body } = this.method;
    if (body === undefined) return undefined;
    const given = this.input.body;
    if (given === undefined) throw this.invalid(`${body.root} is missing`);
    this.#check(given, this.method.records[body.of] ?? {}, body.root);
    return given;
  }

  #check(given: RecordValue, rows: Rows, path: string): void {
    for (const [name, value] of Object.entries(given)) {
      const row = Object.hasOwn(rows, name) ? rows[name] : undefined;
      if (row === undefined) throw this.invalid(`${path} has no element ${name}`);
      this.#checkValue(value, row, `${path}/${name}`);
    }
    for (const [name, { required }] of Object.entries(rows))
      if (required === true && isBlank(given[name])) throw this.invalid(`${path}/${name} is missing`);
  }

  #checkValue(value: RecordValue[string], row: Row, path: string): void {
    if (value === undefined) return;
    const of = row.one ?? row.list?.[1] ?? row.many;
    const isText = typeof value === 'string';
    const isMany = Array.isArray(value);
    if (isText !== (of === undefined) || isMany !== (row.list !== undefined || row.many !== undefined))
      throw this.invalid(`${path} does not hold ${isText ? 'a text' : isMany ? 'a list' : 'a record'}`);
    if (isText) return;
    const records = (isMany ? value : [value]) as readonly RecordValue[];
    for (const record of records) this.#check(record, this.method.records[of ?? ''] ?? {}, path);
  }
}

/** Whether a value is an empty text or a record without elements. */
const isBlank = (value: RecordValue[string]): boolean =>
  value === undefined || (typeof value === 'string' ? value.trim() === '' : Object.keys(value).length === 0);
