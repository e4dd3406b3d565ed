/**
 * Calls V2: runs the steps of the method in order, and builds the reply from the answer of one of them.
 *
 * V2 has no transactions. If a step fails after an earlier one wrote, the error is `OutcomeUnknown` and lists
 * what was done; nothing is undone or repeated.
 */
import { entries, isObject, textOf, valueAt } from '../../../../../mapping/compile/path.ts';
import type { Call } from './call.ts';
import { NotFound, NotOnV2, OutcomeUnknown } from './errors.ts';
import type { OnV2, Query, RecordValue, Rows, Step } from '../../../../../proof/client/client-tables.ts';
import { Asking, identityOf, type Question } from './v2-asking.ts';
import { bodyOf } from './v2-body.ts';
import type { LookupCache } from './v2-cache.ts';
import { Lookups } from './v2-lookups.ts';
import { readRecord } from './v2-records.ts';
import { isEmpty, isSameIdentifier } from '../../../../../proxy/translate/template-values.ts';
import { pathOf } from './v2-path.ts';
import { filled, isMet, textFor, type Context } from './v2-template.ts';
import { cutOut, filterOf } from './v2-where.ts';

/** Returns the content of the reply besides `Status`. Throws `ServiceError`. */
export async function callV2(call: Call, cache: LookupCache): Promise<unknown> {
  const { v2, notOnV2 } = call.method;
  if (v2 === undefined)
    throw new NotOnV2(notOnV2 ?? 'V2 does not offer it', { method: call.method.id, api: 'v2' });
  return new V2Call(call, v2, cache).run();
}

class V2Call {
  readonly #call: Call;
  readonly #v2: OnV2;
  readonly #cache: LookupCache;
  readonly #asking: Asking;
  readonly #lookups: Lookups;
  /** Writes done so far. */
  readonly #done: string[] = [];

  constructor(call: Call, v2: OnV2, cache: LookupCache) {
    this.#call = call;
    this.#v2 = v2;
    this.#cache = cache;
    this.#asking = new Asking(call, cache);
    this.#lookups = new Lookups(call, this.#asking, cache);
  }

  async run(): Promise<unknown> {
    const context = this.#context();
    const answers = new Map<string, unknown>();
    let reply: unknown;
    try {
      for (const [at, step] of this.#v2.steps.entries()) {
        const answer = await this.#step(step, { ...context, answers });
        if (step.name !== undefined) answers.set(step.name, answer);
        this.#lookups.surround(answer);
        if (at === this.#v2.from) reply = answer;
      }
      return await this.#reply(reply, { ...context, answers });
    } catch (error) {
      throw this.#afterwards(error);
    }
  }

  #context(): Context {
    const { query, body } = this.#call;
    for (const name of this.#v2.requires ?? [])
      if ((query.get(name.toLowerCase()) ?? '').trim() === '') throw this.#call.invalid(`${name} is missing`);
    if (body !== undefined) this.#checkLosses(body);
    return { call: this.#call, query, body, answers: new Map(), item: undefined, lookups: this.#lookups };
  }

  /** Throws `NotOnV2` for an element that would be lost, before anything is sent. */
  #checkLosses(body: RecordValue): void {
    const { method } = this.#call;
    const lost = [
      ...this.#lostIn(body, method.body?.of ?? '', method.body?.root ?? '', true),
      ...(this.#v2.loses ?? []).flatMap(([given, element]) =>
        isEmpty(valueAt(body, pathOf(given), () => undefined)) ? [] : [element],
      ),
    ];
    const [first] = lost;
    if (first !== undefined)
      throw new NotOnV2(`V2 would not keep ${first}; call V3, or leave it out`, {
        ...{ method: method.id, api: 'v2' },
      });
  }

  #lostIn(given: RecordValue, of: string, path: string, isRoot: boolean): readonly string[] {
    const { records, v3 } = this.#call.method;
    return Object.entries(given).flatMap(([name, value]) => {
      const row = records[of]?.[name];
      const isUsed = isRoot && this.#v2.uses?.includes(name.toLowerCase()) === true;
      // An empty element of a new record has no effect.
      if (value === undefined || isUsed || (value === '' && v3.verb !== 'PUT')) return [];
      if (typeof value === 'string' && value.trim().toLowerCase() === row?.v2?.anyway) return [];
      if ((row?.v2?.paths ?? []).length === 0) return [`${path}/${name}`];
      if (typeof value === 'string') return [];
      const inner = row?.one ?? row?.list?.[1] ?? row?.many ?? '';
      return [value].flat().flatMap((one) => this.#lostIn(one, inner, `${path}/${name}`, false));
    });
  }

  /** Runs a step as often as it specifies; returns the last answer. */
  async #step(step: Step, context: Context): Promise<unknown> {
    const { each } = step;
    if (each === undefined) return this.#once(step, context);
    let answer: unknown;
    for (const item of entries(await this.#lookups.settled(() => filled(each, context))))
      answer = await this.#once(step, { ...context, item });
    return answer;
  }

  async #once(step: Step, given: Context): Promise<unknown> {
    const { when, before } = step;
    if (when !== undefined && !(await this.#lookups.settled(() => isMet(when, given)))) return undefined;
    let context = given;
    if (before !== undefined) {
      const answer = await this.#answer(before, given);
      if (before.name !== undefined)
        context = { ...given, answers: new Map(given.answers).set(before.name, answer) };
    }
    const answer = await this.#answer(step, context);
    if (step.verb === 'GET') return answer;
    this.#cache.clear();
    this.#done.push(step.says ?? 'a part of it');
    return answer;
  }

  async #answer(step: Step, context: Context): Promise<unknown> {
    try {
      if (step.find !== undefined) return await this.#search(step, context);
      if (step.pages === true) return await this.#rows(step, context);
      return await this.#asking.ask(await this.#question(step, context, []));
    } catch (error) {
      if (step.mayMiss === true && error instanceof NotFound) return undefined;
      throw error;
    }
  }

  async #search(step: Step, context: Context): Promise<unknown> {
    const wanted = (step.find ?? []).map(([path, is]) => [path, textFor(is, context)] as const);
    const found = (await this.#searched(step, context)).find((row) =>
      wanted.every(([path, text]) =>
        isSameIdentifier(textOf(valueAt(row, pathOf(path), this.#lookups.finder(row))), text),
      ),
    );
    if (found === undefined) throw this.#asking.none(step.missing ?? 'There is no such record');
    return found;
  }

  async #searched(step: Step, context: Context): Promise<readonly unknown[]> {
    const { among, within } = step;
    if (among !== undefined) return entries(await this.#lookups.settled(() => filled(among, context)));
    if (within === undefined) return this.#rows(step, context);
    const answer = await this.#asking.ask(await this.#question(step, context, []));
    return entries(valueAt(answer, pathOf(within), () => undefined));
  }

  /** The rows of all passes; a record of several passes comes once. */
  async #rows(step: Step, context: Context): Promise<readonly unknown[]> {
    const all: unknown[] = [];
    const met = new Set<string>();
    for (const pass of step.passes ?? [[]])
      for (const row of await this.#asking.rows(await this.#question(step, context, pass))) {
        const id = identityOf(row);
        if (id !== undefined && met.has(id)) continue;
        if (id !== undefined) met.add(id);
        all.push(row);
      }
    return all;
  }

  async #question(step: Step, context: Context, pass: Query): Promise<Question> {
    const { path, query } = await this.#lookups.settled(() => ({
      path: step.path.map((part) => textFor(part, context).trim()),
      query: replaced(queryOf(step, context), pass)
        .map(([name, template]) => [name, textFor(template, context)] as const)
        .filter(([, text]) => text !== ''),
    }));
    const missing = step.missing ?? 'There is no such record';
    // A path with a missing part would be another address.
    if (path.some((part) => ['', '.', '..'].includes(part))) throw this.#asking.none(missing);
    const body = step.body && (await bodyOf(step.body, context));
    return { verb: step.verb, path, query, body, missing };
  }

  async #reply(answer: unknown, context: Context): Promise<unknown> {
    const { reply, records } = this.#call.method;
    const { at } = this.#v2;
    if (reply.form === 'status') return undefined;
    const value =
      at === undefined
        ? answer
        : await this.#lookups.settled(() => valueAt(answer, pathOf(at), this.#lookups.finder(answer)));
    if (reply.form === 'list') return this.#list(value, records[reply.of] ?? {}, context);
    if (reply.form === 'id') return textOf(value) ?? '';
    if (!isObject(value)) throw this.#call.unusable('The answer is no record');
    return this.#lookups.settled(() => this.#record(value, records[reply.of] ?? {}, true));
  }

  async #list(value: unknown, rows: Rows, context: Context): Promise<readonly RecordValue[]> {
    if (value === undefined || value === null) throw this.#call.unusable('The answer has no list');
    const filter = filterOf(this.#v2.where ?? [], context);
    const detailed = isAsked(context);
    return this.#lookups.settled(() => {
      const all = entries(value);
      const wanted =
        filter === undefined ? all : all.flatMap((row) => filter(row, this.#lookups.finder(row)) ?? []);
      return cutOut(wanted, this.#v2.page, context).map((row) => this.#record(row, rows, detailed));
    });
  }

  #record(row: unknown, rows: Rows, detailed: boolean): RecordValue {
    const { method, around } = this.#call;
    return readRecord(row, rows, this.#lookups.finder(row), { method, shared: around.shared, detailed });
  }

  /** Converts an error that occurs after a write. */
  #afterwards(error: unknown): unknown {
    if (this.#done.length === 0) return error;
    const told = error instanceof Error ? error.message : 'unknown';
    const words = `Done: ${this.#done.join(', ')}. Then it failed: ${told}`;
    return new OutcomeUnknown(words, { method: this.#call.method.id, api: 'v2', cause: error });
  }
}

const isAsked = ({ query }: Context): boolean =>
  ['true', '1', 'yes'].includes((query.get('detailed') ?? '').trim().toLowerCase());

function queryOf({ query = [], detailed = [] }: Step, context: Context): Query {
  if (!isAsked(context)) return query;
  return replaced(query, detailed);
}

const replaced = (query: Query, by: Query): Query => [
  ...query.filter(([name]) => !by.some(([other]) => other === name)),
  ...by,
];
