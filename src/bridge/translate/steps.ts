import { randomUUID } from 'node:crypto';
import { Failure } from '../../domain/failure.ts';
import type { Kind } from '../../domain/identifier.ts';
import type { V2Body } from '../../domain/upstream.ts';
import type { KindTable } from '../mapping/model.ts';
import { entries, isObject, own, putAt, spread, textOf, valueAt } from '../mapping/path.ts';
import type { Template } from '../mapping/template.ts';
import type { EditedList, EntryValues, Fixed, StepBody, V2Step } from '../mapping/v2-model.ts';
import { missing, type Dropped } from '../request.ts';
import { wordsFor } from '../status.ts';
import { heldRows, type Asking, type Question } from './asking.ts';
import { textIn, valueOf, type Context } from './context.ts';
import { isGiven, type Given } from './given.ts';
import { toJson } from './json-body.ts';
import { NotListed, type LookupShelf } from './lookups.ts';
import { decodeBase64, multipart, type FormPart } from './multipart.ts';

export interface StepParts {
  readonly asking: Asking;
  readonly account: string;
  readonly shelf: LookupShelf;
  /** Of one collection each: staff are read under one and written under the other. */
  readonly spellings: readonly (readonly string[])[];
  readonly kinds: ReadonlyMap<Kind, KindTable>;
  /** Root of the request, for words about it. */
  readonly root: string;
  readonly dropped: Dropped;
}

/** The calls of V2 that one legacy call takes, in their order. */
export class Steps {
  readonly #parts: StepParts;
  /** What has been written so far, in words. */
  readonly #done: string[] = [];
  #writing = false;

  constructor(parts: StepParts) {
    this.#parts = parts;
  }

  /** Performs a step as often as it says; its answer, or the last of them. */
  async run(step: V2Step, context: Context): Promise<unknown> {
    const { lookups } = context;
    if (step.each === undefined) return this.#wanted(step, context);
    const { each } = step;
    let answer: unknown;
    for (const item of entries(await lookups.settled(() => valueOf(each, context))))
      answer = await this.#wanted(step, { ...context, item });
    return answer;
  }

  async #wanted(step: V2Step, context: Context): Promise<unknown> {
    const { when, before } = step;
    if (when !== undefined && !(await context.lookups.settled(() => isSo(when, context)))) return undefined;
    if (before === undefined) return this.#once(step, context);
    const answers = new Map(context.answers);
    const answer = await this.#beforehand(before, step, context);
    if (before.name !== undefined) answers.set(before.name, answer);
    return this.#once(step, { ...context, answers });
  }

  /** When the question fails, what it was asked for is not done. */
  async #beforehand(before: V2Step, step: V2Step, context: Context): Promise<unknown> {
    try {
      return await this.#once(before, context);
    } catch (error) {
      this.#writing = step.verb !== 'GET';
      throw error;
    }
  }

  async #once(step: V2Step, context: Context): Promise<unknown> {
    this.#writing = step.verb !== 'GET';
    try {
      const answer =
        step.find === undefined ? await this.#ask(step, context) : await this.#search(step, context);
      if (this.#writing) this.#wrote(step, context);
      this.#writing = false;
      return answer;
    } catch (error) {
      if (!(error instanceof NothingFound) || !step.mayMiss) throw error;
      this.#writing = false;
      return undefined;
    }
  }

  async #ask(step: V2Step, context: Context): Promise<unknown> {
    if (step.pages) return heldRows(this.pages(step, context));
    return (await this.#parts.asking.ask(await this.question(step, context, []))).data;
  }

  /** The first row that has the values; throws the words for what is not there. */
  async #search(step: V2Step, context: Context): Promise<unknown> {
    const wanted = (step.find ?? []).map(({ path, is }) => ({
      path,
      text: textIn(is, context).toLowerCase(),
    }));
    for await (const page of this.#rows(step, context)) {
      const found = page.find((row) =>
        wanted.every(
          ({ path, text }) => textOf(valueAt(row, path, context.lookups.finder(row)))?.toLowerCase() === text,
        ),
      );
      if (found !== undefined) return found;
    }
    throw this.missing(step);
  }

  /** Of a list in pages, or of the one within a record. */
  async *#rows(step: V2Step, context: Context): AsyncGenerator<readonly unknown[]> {
    const { among } = step;
    if (among !== undefined) {
      yield entries(await context.lookups.settled(() => valueOf(among, context)));
      return;
    }
    if (step.within === undefined) {
      yield* this.pages(step, context);
      return;
    }
    const { data } = await this.#parts.asking.ask(await this.question(step, context, []));
    yield entries(valueAt(data, step.within, () => undefined));
  }

  /** The rows of a list step, pass after pass. */
  async *pages(step: V2Step, context: Context): AsyncGenerator<readonly unknown[]> {
    for (const pass of step.passes) {
      const question = await this.question(step, context, pass);
      // What is searched may be on this page: the next one may never be needed.
      yield* this.#parts.asking.pages(question, step.find === undefined);
    }
  }

  async question(step: V2Step, context: Context, pass: V2Step['query']): Promise<Question> {
    const missing = (): Failure => this.missing(step);
    const { segments, query } = await context.lookups.settled(() => ({
      segments: step.segments.map((segment) => segmentOf(segment, context)),
      query: [...queryOf(step, context), ...pass].flatMap(([name, template]) => {
        const text = textIn(template, context);
        return text === '' ? [] : [[name, text] as const];
      }),
    }));
    // An address with a hole in it is another address: nobody is asked there.
    if (segments.some((segment) => segment === '')) throw missing();
    const body = step.body && (await this.#body(step.body, context));
    return { verb: step.verb, segments, query, body, missing };
  }

  async #body(body: StepBody, context: Context): Promise<V2Body> {
    const json = await this.#json(body, context);
    if (body.form === 'json') return { type: 'json', text: JSON.stringify(json) };
    this.#checkFile(json, body);
    return { type: 'multipart', ...multipart(formOf(json, this.#parts.root), randomUUID()) };
  }

  /** An upload needs a file and its name; V3 says so itself. */
  #checkFile(json: Record<string, unknown>, { of }: StepBody): void {
    for (const row of of?.rows ?? []) {
      const [first] = row.v2?.paths ?? [];
      const key = first?.[0]?.step === 'key' ? first[0].name : '';
      if (['file', 'fileName'].includes(key) && (textOf(json[key]) ?? '').trim() === '')
        throw missing([this.#parts.root, row.element]);
    }
  }

  async #json(body: StepBody, context: Context): Promise<Record<string, unknown>> {
    const { lookups } = context;
    try {
      return await lookups.settled(() => {
        const json = this.#written(body, context);
        for (const [path, value] of body.set)
          for (const [into, way] of spread(json, path)) putAt(into, way, this.#fixed(value, context));
        for (const [path, value] of body.defaults)
          for (const [into, way] of spread(json, path))
            if (isEmpty(valueAt(into, way, () => undefined))) putAt(into, way, this.#fixed(value, context));
        for (const list of body.lists) putAt(json, list.at, edited(list, context));
        return json;
      });
    } catch (error) {
      if (!(error instanceof NotListed)) throw error;
      throw new Failure('refused', { text: error.words ?? wordsFor(422), cause: error });
    }
  }

  /** What the request says, written into the lists that V2 would otherwise replace. */
  #written(body: StepBody, context: Context): Record<string, unknown> {
    const given = this.#given(body, context);
    const { of } = body;
    if (of === undefined || given === undefined) return {};
    const writing = {
      empty: body.empty,
      keyOf: (table: string, field: string, text: string) => context.lookups.keyOf(table, field, text),
      find: context.lookups.finder(undefined),
      unknown: (kind: Kind) => this.#parts.kinds.get(kind)?.error,
      dropped: this.#parts.dropped,
    };
    const json = toJson(given, of, writing, this.#parts.root);
    const before: Record<string, unknown> = {};
    for (const [path, template] of body.keep) {
      const list = valueOf(template, context);
      if (valueAt(json, path, () => undefined) !== undefined && list !== undefined)
        putAt(before, path, structuredClone(list));
    }
    return isEmpty(before) ? json : toJson(given, of, writing, this.#parts.root, before);
  }

  #given(body: StepBody, context: Context): Given | undefined {
    const source = context.item !== undefined && body.at.length === 0 ? context.item : context.body;
    const value = valueAt(source, body.at, () => undefined);
    return isGiven(value) ? value : undefined;
  }

  #fixed(fixed: Fixed, context: Context): unknown {
    if ('value' in fixed) return fixed.value;
    const values = fixed.templates.map((template) => valueOf(template, context));
    return values.find((value) => !isEmpty(value)) ?? values.at(-1);
  }

  missing(step: V2Step): Failure {
    const text = step.missing ?? this.#parts.kinds.get(step.kind ?? '')?.error ?? wordsFor(404);
    return new NothingFound('refused', { text, source: 'v2' });
  }

  #wrote(step: V2Step, context: Context): void {
    const [collection] = step.segments;
    const name = collection === undefined ? '' : textIn(collection, context);
    const group = this.#parts.spellings.find((names) => names.includes(name)) ?? [name];
    for (const spelling of group) this.#parts.shelf.forget(this.#parts.account, spelling);
    this.#done.push(step.says ?? 'a part of it');
  }

  /**
   * What a failure means once something was written: a write that takes several calls is reported as what it is, half
   * done; and a reply that could not be made is no reason to write again.
   */
  afterwards(error: unknown): unknown {
    if (this.#done.length === 0) return error;
    const done = this.#done.join(', ');
    if (!(error instanceof Failure))
      return new Failure('outcomeUnknown', {
        text: `Done: ${done}. Then something went wrong`,
        cause: error,
      });
    if (!this.#writing)
      return new Failure('outcomeUnknown', {
        text: `Done: ${done}. The result could not be read back: ${error.text}`,
        cause: error,
      });
    const text = `Only a part was done: ${done}. The rest failed: ${error.text}`;
    const code = error.code === 'refused' ? 'refused' : 'outcomeUnknown';
    return new Failure(code, { text, source: error.source, cause: error });
  }
}

/** The service has no such record. */
class NothingFound extends Failure {}

/** Whether there is anything for a step to do. */
function isSo({ value, is }: NonNullable<V2Step['when']>, context: Context): boolean {
  const given = valueOf(value, context);
  if (isEmpty(given)) return false;
  return is === undefined || textOf(given)?.toLowerCase() === textIn(is, context).toLowerCase();
}

/** What is asked for further when the caller wants details. */
function queryOf({ query, detailed }: V2Step, context: Context): V2Step['query'] {
  if (detailed.length === 0 || !isAsked(context.query.get('detailed'))) return query;
  const names = new Set(detailed.map(([name]) => name));
  return [...query.filter(([name]) => !names.has(name)), ...detailed];
}

/** A flag of the query, in the forms legacy programs give it. */
export const isAsked = (flag: string | undefined): boolean =>
  ['true', '1', 'yes'].includes((flag ?? '').trim().toLowerCase());

/** The list as it shall be from now on. */
function edited({ of, take, with: more, without }: EditedList, context: Context): readonly unknown[] {
  const held = listed(valueOf(of, context)).map((entry) =>
    Object.fromEntries(take.map((name) => [name, own(entry, name)])),
  );
  const entry = (values: EntryValues): Record<string, unknown> =>
    Object.fromEntries(
      values.map(([name, value]) => [name, typeof value === 'number' ? value : valueOf(value, context)]),
    );
  const isSame = (a: unknown, b: unknown): boolean => textOf(a)?.toLowerCase() === textOf(b)?.toLowerCase();
  const isAmong = (a: unknown, some: unknown): boolean => [some].flat().some((value) => isSame(a, value));
  const gone = without && entry(without);
  const left = gone
    ? held.filter((one) => !Object.entries(gone).every(([name, value]) => isAmong(one[name], value)))
    : held;
  const added = more && entry(more);
  const [key = ''] = Object.keys(added ?? {});
  return added === undefined || left.some((one) => isSame(one[key], added[key])) ? left : [...left, added];
}

/** What the answer does not say is not nothing: written back, it would empty the list. */
function listed(value: unknown): readonly unknown[] {
  const list = entries(value);
  if (list.length === 0 && !Array.isArray(value)) throw new Failure('upstreamAnswer');
  return list;
}

/** Never a dot segment: it would name another address. */
function segmentOf(template: Template, context: Context): string {
  const text = textIn(template, context).trim();
  return text === '.' || text === '..' ? '' : text;
}

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  (Array.isArray(value) && value.length === 0) ||
  (isObject(value) && Object.keys(value).length === 0);

/** `file` is the content in base64, `fileName` its name; everything else is a field of its own. */
function formOf(json: Record<string, unknown>, root: string): readonly FormPart[] {
  const { file, fileName, ...fields } = json;
  const bytes = decodeBase64(textOf(file) ?? '');
  if (bytes === undefined)
    throw new Failure('refused', {
      text: `The content of the ${root.toLowerCase()} is not base64`,
    });
  return [
    ...Object.entries(fields).flatMap(([name, value]) => {
      const text = textOf(value);
      return text === undefined ? [] : [{ name, value: text }];
    }),
    {
      name: 'file',
      fileName: textOf(fileName) ?? 'document',
      contentType: 'application/octet-stream',
      bytes,
    },
  ];
}
