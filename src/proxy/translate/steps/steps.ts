/**
 * Performs the steps of a method on V2 in order: one legacy call may take several calls there.
 *
 * A step can be conditional (`when`), be repeated for each entry of a list (`each`), search a list for one
 * record (`find`) or make another call first (`before`). An address whose placeholder is empty, or would name
 * another address, is never called. Look-up tables of a collection are dropped before and after it is
 * written.
 *
 * V2 has no transactions. What has been written is recorded as text, and a failure after a write says what
 * was done and what was not (`afterwards`); nothing is repeated or undone automatically. The ledger stores
 * each step (`step-progress.ts`), and a write that continues where an earlier one ended leaves out what that
 * one did.
 */
import { Failure } from '../../../lib/failure.ts';
import type { Method } from '../../../mapping/compile/model.ts';
import { entries, textOf, valueAt } from '../../../mapping/compile/path.ts';
import type { V2Step } from '../../../mapping/compile/v2/v2-model.ts';
import type { Destination } from '../../../upstream/model.ts';
import type { SlashedNumbers } from '../../call/slashes.ts';
import { wordsFor } from '../../call/status.ts';
import { heldRows, identityOf, type Asking, type Question } from '../asking.ts';
import type { Context } from '../context.ts';
import { isSameIdentifier, isSo, textIn, valueOf } from '../template-values.ts';
import type { LookupCache } from '../lookups/lookup-cache.ts';
import { requestElement } from '../json/request-elements.ts';
import { StepBodies, type BodyParts } from './step-body.ts';
import type { StepProgress, Turn } from './step-progress.ts';

/** What `Steps` needs. */
export interface StepParts extends BodyParts {
  readonly asking: Asking;
  readonly to: Destination;
  readonly lookupCache: LookupCache;
  /** The spellings of each collection: staff are read under one and written under the other. */
  readonly spellings: readonly (readonly string[])[];
  readonly numbers: SlashedNumbers;
  readonly progress: StepProgress | undefined;
  /** The legacy request, for V2's messages about it. */
  readonly request: Method['body'];
}

/** The V2 calls that one legacy call takes, in order. */
export class Steps {
  readonly #parts: StepParts;
  /** The steps that have written so far, as text. */
  readonly #done: string[] = [];
  #writing = false;

  constructor(parts: StepParts) {
    this.#parts = parts;
  }

  /** Performs a step as often as it says; returns its answer, or the last of them. */
  async run(step: V2Step, context: Context): Promise<unknown> {
    const { lookups } = context;
    if (step.each === undefined) return this.#wanted(step, context, { at: 0, rest: [] });
    const { each } = step;
    let answer: unknown;
    const items = entries(await lookups.settled(() => valueOf(each, context)));
    for (const [at, item] of items.entries())
      answer = await this.#wanted(step, { ...context, item }, { at, rest: items.slice(at + 1) });
    return answer;
  }

  async #wanted(step: V2Step, context: Context, turn: Turn): Promise<unknown> {
    const { when, before } = step;
    const earlier = this.#parts.progress?.done(step, turn);
    if (earlier !== undefined) {
      this.#done.push(earlier.says);
      return earlier.answer;
    }
    if (when !== undefined && !(await context.lookups.settled(() => isSo(when, context)))) return undefined;
    const informed = before === undefined ? context : await this.#informed(before, step, context);
    return step.verb === 'GET' ? this.#answered(step, informed) : this.#write(step, informed, turn);
  }

  /** The context with the answer to the call `before`. If that fails, the step is not performed. */
  async #informed(before: V2Step, step: V2Step, context: Context): Promise<Context> {
    try {
      const answer = await this.#answered(before, context);
      if (before.name === undefined) return context;
      return { ...context, answers: new Map(context.answers).set(before.name, answer) };
    } catch (error) {
      this.#writing = step.verb !== 'GET';
      throw error;
    }
  }

  async #write(step: V2Step, context: Context, turn: Turn): Promise<unknown> {
    this.#writing = true;
    this.#forget(step, context);
    const { progress } = this.#parts;
    const perform = (): Promise<unknown> =>
      this.#answered(step, context, () => {
        this.#wrote(step, context);
      });
    const answer = await (progress ? progress.during(step, turn, context, perform) : perform());
    this.#writing = false;
    return answer;
  }

  /** `found`: called when there is an answer. */
  async #answered(step: V2Step, context: Context, found?: () => void): Promise<unknown> {
    try {
      let answer: unknown;
      if (step.find !== undefined) answer = await this.#search(step, context);
      else if (step.pages) answer = await heldRows(this.pages(step, context));
      else answer = await this.#parts.asking.ask(await this.question(step, context, []));
      found?.();
      return answer;
    } catch (error) {
      if (!(error instanceof NothingFound) || !step.mayMiss) throw error;
      return undefined;
    }
  }

  /** The first row that has the values; throws the failure for a missing record. */
  async #search(step: V2Step, context: Context): Promise<unknown> {
    const wanted = (step.find ?? []).map(({ path, is }) => ({ path, text: textIn(is, context) }));
    for await (const page of this.#rows(step, context)) {
      const found = page.find((row) =>
        wanted.every(({ path, text }) =>
          isSameIdentifier(textOf(valueAt(row, path, context.lookups.finder(row))), text),
        ),
      );
      if (found !== undefined) return found;
    }
    throw this.missing(step);
  }

  /** From a list in pages, or from the one within a record. */
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
    const data = await this.#parts.asking.ask(await this.question(step, context, []));
    yield entries(valueAt(data, step.within, () => undefined));
  }

  /** The rows of a list step, pass after pass; a record of several passes comes once. */
  async *pages(step: V2Step, context: Context): AsyncGenerator<readonly unknown[]> {
    const met = new Set<unknown>();
    for (const [at, pass] of step.passes.entries()) {
      const question = await this.question(step, context, pass);
      // The searched row may be on this page, so the next one may never be needed.
      for await (const rows of this.#parts.asking.pages(question, step.find === undefined)) {
        if (step.passes.length === 1) {
          yield rows;
          continue;
        }
        const fresh: unknown[] = [];
        for (const row of rows) {
          const id = identityOf(row) ?? row;
          if (!met.has(id) || at === 0) fresh.push(row);
          met.add(id);
        }
        yield fresh;
      }
    }
  }

  async question(step: V2Step, context: Context, pass: V2Step['query']): Promise<Question> {
    const missing = (): Failure => this.missing(step);
    const { segments, query } = step.looksUp
      ? await context.lookups.settled(() => this.#address(step, context, pass))
      : this.#address(step, context, pass);
    // With an empty segment it would be another address, which is never called.
    if (segments.includes('')) throw missing();
    const body = step.body && (await new StepBodies(this.#parts).of(step.body, context));
    const elementOf: Question['elementOf'] = (field) => {
      const { request, kinds } = this.#parts;
      return requestElement(field, { body: request, step }, context.body, kinds);
    };
    return { verb: step.verb, segments, query, body, missing, elementOf };
  }

  /** A segment is empty if it would name another address: a dot segment, or a word after a slash that occurs in one. */
  #address(step: V2Step, context: Context, pass: V2Step['query']): Pick<Question, 'segments' | 'query'> {
    const segments: string[] = [];
    for (const template of step.segments) {
      const text = textIn(template, context).trim();
      const isElsewhere = text.includes('/') && !this.#parts.numbers.isNumber(text);
      segments.push(text === '.' || text === '..' || isElsewhere ? '' : text);
    }
    const query: (readonly [string, string])[] = [];
    const given = step.detailed.length === 0 ? step.query : queryOf(step, context);
    // A parameter of the pass replaces the step's. Nearly every step has only an empty pass.
    const templates = pass.length === 0 ? given : new Map([...given, ...pass]);
    for (const [name, template] of templates) {
      const text = textIn(template, context);
      if (text !== '') query.push([name, text]);
    }
    return { segments, query };
  }

  missing(step: V2Step): Failure {
    const text = step.missing ?? this.#parts.kinds.get(step.kind ?? '')?.error ?? wordsFor(404);
    return new NothingFound('refused', { text, source: 'v2' });
  }

  #wrote(step: V2Step, context: Context): void {
    this.#forget(step, context);
    this.#done.push(step.says ?? 'a part of it');
  }

  /** Drops the cached lists of a collection once it is written, or may have been. */
  #forget(step: V2Step, context: Context): void {
    const [collection] = step.segments;
    const name = collection === undefined ? '' : textIn(collection, context);
    const group = this.#parts.spellings.find((names) => names.includes(name)) ?? [name];
    for (const spelling of group) this.#parts.lookupCache.forget(this.#parts.to, spelling);
  }

  /**
   * The failure to report after something was written: a write of several calls is reported as half done, and a missing
   * reply is no reason to write again.
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
export class NothingFound extends Failure {}

/** Additional parameters if the caller wants details. */
function queryOf({ query, detailed }: V2Step, context: Context): V2Step['query'] {
  if (!isAsked(context.query.get('detailed'))) return query;
  const names = new Set(detailed.map(([name]) => name));
  return [...query.filter(([name]) => !names.has(name)), ...detailed];
}

/** Whether a flag of the query is set, in any form that legacy programs send. */
export const isAsked = (flag: string | undefined): boolean =>
  ['true', '1', 'yes'].includes((flag ?? '').trim().toLowerCase());
