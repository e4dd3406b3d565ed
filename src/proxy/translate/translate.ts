/**
 * Serves one method of the mapping from JSON V2: XML in, JSON out, JSON back, XML out
 * (docs/decisions/calls/0007-translation-as-data.md).
 *
 * In order: read and check the call; translate its identifiers; perform the steps of the method (`steps.ts`); write the
 * reply from the answers, record by record, with the additions from look-up tables (`records.ts`). What V2 cannot filter
 * is filtered here. A list whose pages are the pages of the reply is sent on as it arrives; one that must be counted,
 * searched or cut is held first. What no reply from V2 can have is known from the mapping and counted for the loss report.
 *
 * All that differs between methods is in the mapping. A failure after something was written says so, whatever its cause.
 */
import { answeredBy, type MovedCall, type Reply, type Service, type Trace } from '../call/call.ts';
import type { Clock } from '../../lib/time/clock.ts';
import type { Snapshot } from '../../features/snapshot/snapshot.ts';
import { Failure } from '../../lib/failure.ts';
import type { Upstream } from '../../upstream/model.ts';
import type { Profile } from '../../upstream/profile.ts';
import { nextTurn } from '../../lib/time/turn.ts';
import { CLOSE_RESPONSE } from '../../lib/xml/document.ts';
import { escapeText } from '../../lib/xml/text.ts';
import { started, whole, written } from '../call/delivery.ts';
import { LEGACY_CONTENT_TYPE } from '../../mapping/dialect.ts';
import { elementsThrough, lossesOf } from '../../mapping/compile/loss.ts';
import type { LossyWrites } from '../../mapping/lossy-writes.ts';
import type { Kind } from '../../mapping/crosswalk/identifier.ts';
import { TEXT_NUMBER, type KindTable, type Method } from '../../mapping/compile/model.ts';
import { entries, isObject, textOf, valueAt, type Path } from '../../mapping/compile/path.ts';
import type { V2Step, V2Row } from '../../mapping/compile/v2/v2-model.ts';
import { missingParameter, readCall, type AskedFor } from '../call/read-call.ts';
import type { BodyReader } from '../call/request.ts';
import type { SlashedNumbers } from '../call/slashes.ts';
import { Asking, heldRows } from './asking.ts';
import type { Context } from './context.ts';
import { RequestLosses } from './drops.ts';
import { elsewhereOf, NotWhole, type Elsewhere, type Unrepeated } from './elsewhere.ts';
import { readGiven, type Given } from './lookups/given.ts';
import { lastSecondOf, LegacyOrder, type Made } from './legacy-order.ts';
import type { LookupCache } from './lookups/lookup-cache.ts';
import { KeptMethod, ownerIn, ownersOf, type KeptCall } from './kept/kept-method.ts';
import { Lookups } from './lookups/lookups.ts';
import { Records } from './records.ts';
import { StepProgress } from './steps/step-progress.ts';
import { isAsked, NothingFound, Steps } from './steps/steps.ts';
import { cutOut, filterOf, inBatches, parametersIn, type Filter } from './where.ts';

/** What methods on V2 work with. */
export interface TranslateParts {
  readonly endpoint: Upstream;
  readonly profile: Profile;
  readonly body: BodyReader;
  readonly lookupCache: LookupCache;
  readonly kinds: ReadonlyMap<string, KindTable>;
  readonly clock: Clock;
  readonly numbers: SlashedNumbers;
  /** V1's values from before the move; undefined: none are kept. */
  readonly snapshot?: Snapshot | undefined;
  /** V3 serves what V2 cannot serve completely. */
  readonly standIn: boolean;
  /** Applies if it does not. */
  readonly lossyWrites: LossyWrites;
}

interface Translated {
  readonly path: ReadonlyMap<string, string>;
  readonly body: Given | undefined;
}

/** One call on its way through the steps. */
interface Execution {
  readonly moved: MovedCall;
  readonly context: Context & { readonly answers: Map<string, unknown> };
  readonly steps: Steps;
  readonly kept: KeptCall | undefined;
  /** Elements of the request that V2 has no place for and the operator has not allowed to be dropped. */
  readonly losing: readonly string[];
}

/** Characters per write. */
const PIECE = 65_536;
/** Records written before other calls get a turn; a usual page has no more. */
const MOST_ROWS = 500;

/** One method of the mapping served from JSON V2: XML in, JSON out, JSON back, XML out. */
export class TranslateMethod implements Service {
  /** Which calls V3 serves instead, as far as that is known beforehand; undefined: none. */
  readonly elsewhere: Elsewhere | undefined;
  /** A read may turn out to be incomplete: `NotWhole`. */
  readonly mayLeave: boolean;
  readonly #losses: RequestLosses;
  readonly #parts: TranslateParts;
  readonly #method: Method;
  readonly #v2: V2Row;
  readonly #records: Records | undefined;
  /** Undefined if no kept value of V1 could be of use. */
  readonly #keeping: KeptMethod | undefined;
  readonly #order: LegacyOrder | undefined;
  /** The kind of the record whose parts without an identifier the reply holds. */
  readonly #owners: Kind | undefined;
  /** Elements that no reply has. */
  readonly #absent: ReadonlySet<string>;
  /** The same if values are kept from V1. */
  readonly #absentStill: ReadonlySet<string>;
  readonly #isWrite: boolean;
  readonly #number: Path | undefined;
  /** Of the placeholders of the legacy pattern. */
  readonly #kinds: readonly Kind[];
  /** A list of which every page is a page of the reply is sent on as it arrives. */
  readonly #streamed: V2Step | undefined;
  /** Parameters without which no row is left out; undefined: some rows are left out in any case. */
  readonly #filtering: readonly string[] | undefined;

  constructor(parts: TranslateParts, method: Method, v2: V2Row) {
    this.#parts = parts;
    this.#method = method;
    this.#v2 = v2;
    const [pattern] = method.legacy;
    this.#kinds = (pattern?.segments ?? []).flatMap((segment) => ('kind' in segment ? [segment.kind] : []));
    this.#isWrite = v2.steps.some(({ verb }) => verb !== 'GET');
    this.#number = numberOf(method);
    this.#streamed = isStreamed(method, v2) ? v2.reply.from : undefined;
    this.#filtering = parametersIn(v2.reply.where);
    this.#absent = new Set([
      // What comes from a table that is too costly here, unless V2 returns it anyway.
      ...[...v2.costly].flatMap((table) => (v2.lookups.has(table) ? [] : this.#elementsThrough(table))),
      ...lossesOf(method).flatMap((one) =>
        one.loss === 'element' && one.of === 'reply' ? [one.element] : [],
      ),
    ]);
    const { reply } = method;
    this.#losses = new RequestLosses(method, v2, parts.lookupCache.tables);
    this.mayLeave = parts.standIn && !this.#isWrite && mayBeShort(v2);
    this.#owners = ownersOf(method);
    this.#order = reply.form === 'list' ? LegacyOrder.of(reply.of) : undefined;
    this.#records = 'of' in reply ? new Records(reply.element, reply.of, method.creates, v2) : undefined;
    const keeping = parts.snapshot && KeptMethod.of(method, v2, parts.lookupCache.tables, parts.snapshot);
    this.#keeping = keeping;
    const unrepeated: Unrepeated | undefined =
      keeping?.change && ((moved, element) => keeping.unrepeated(moved, element));
    if (parts.standIn) this.elsewhere = elsewhereOf(method, v2, this.#losses, parts.body, unrepeated);
    this.#absentStill = new Set(
      [...this.#absent].filter((name) => this.#keeping?.elements.has(name) !== true),
    );
  }

  async serve(moved: MovedCall): Promise<Reply> {
    const execution = await this.#prepare(moved);
    try {
      const reply = this.#reply(execution);
      const body = this.#isWrite ? await written(reply) : await reply;
      const headers = execution.kept?.told.headers;
      const source = answeredBy(moved.call.trace, 'v2');
      return { status: 200, source, contentType: LEGACY_CONTENT_TYPE, headers, body };
    } catch (error) {
      if (error instanceof NothingFound && this.#leaves('missing')) throw new NotWhole();
      throw execution.steps.afterwards(error);
    }
  }

  #leaves(on: 'missing' | 'costly'): boolean {
    return this.mayLeave && this.#v2.toV3.some((row) => row.on === on);
  }

  async #prepare(moved: MovedCall): Promise<Execution> {
    const { call } = moved;
    const { trace } = call;
    const { endpoint, profile, lookupCache, kinds, clock, numbers } = this.#parts;
    const asked = await readCall(call, this.#method, this.#parts.body);
    if (this.#v2.requires.length > 0) this.#checkQuery(asked);
    const { path, body: given } = await this.#translated(asked, moved);
    const found = this.#keeping && this.#parts.snapshot?.of(moved.to.accountId);
    const snapshot = found instanceof Promise ? await found : found;
    const kept = snapshot && (await this.#keeping?.begin(snapshot, path, given));
    const body = kept === undefined ? given : kept.body;
    const asking = new Asking({ endpoint, profile }, moved.to, call);
    const spared = (table: string): void => {
      if (this.#leaves('costly')) throw new NotWhole();
      for (const element of this.#elementsThrough(table)) trace.rounded.add(element);
    };
    const context = {
      path,
      query: asked.query.length === 0 ? NO_QUERY : lowerCase(asked.query),
      body,
      answers: new Map<string, unknown>(),
      item: undefined,
      tables: lookupCache.tables,
      lookups: new Lookups(lookupCache, moved.to, asking, this.#v2, spared, kept?.told),
      now: clock.now(),
      unreadable: (parameter: string) => this.#unreadable(parameter),
    };
    return {
      moved,
      context,
      kept,
      losing: body === undefined ? [] : this.#unaccepted(body, trace),
      steps: new Steps({
        asking,
        to: moved.to,
        lookupCache,
        spellings: profile.v2.spellings,
        numbers,
        kinds,
        root: this.#method.body?.root ?? '',
        request: this.#method.body,
        document: call.document,
        progress: this.#isWrite ? this.#progress(call) : undefined,
        dropped: (name) => {
          this.#let(name, trace);
        },
        defaulted: (place) => void trace.defaulted.add(place),
      }),
    };
  }

  /** What is lost of a request without the operator's permission; the rest is recorded. */
  #unaccepted(body: Given, trace: Trace): readonly string[] {
    const { drops } = this.#parts.lossyWrites;
    const lost = this.#losses.certain(body);
    for (const name of lost) if (drops(name)) trace.dropped.add(name);
    return lost.filter((name) => !drops(name));
  }

  /** Throws `Failure` refused unless the operator allows the element to be dropped. */
  #let(name: string, trace: Trace): void {
    if (!this.#parts.lossyWrites.drops(name)) throw notCarried(name);
    trace.dropped.add(name);
  }

  /** Before anything is written. What V2 already shows is not lost. */
  #checkLosses({ losing, context: { body, answers } }: Execution): void {
    const shown = answers.get('before');
    const lost = losing.find((name) => !body || !this.#losses.isShown(name, body, shown));
    if (lost !== undefined) throw notCarried(lost);
  }

  /** Undefined if nothing is kept. */
  #progress({ leaving }: MovedCall['call']): StepProgress | undefined {
    const { steps } = this.#v2;
    return leaving?.steps && new StepProgress({ kept: leaving.steps, steps, number: this.#number });
  }

  #elementsThrough(table: string): readonly string[] {
    const { reply } = this.#method;
    return 'of' in reply ? elementsThrough(table, reply.of) : [];
  }

  /** V3 itself says which parameters it needs; V2 would answer another question. */
  #checkQuery({ query }: AskedFor): void {
    const absent = this.#v2.requires.find(
      (name) => !query.some(([given, value]) => given === name && value.trim() !== ''),
    );
    if (absent === undefined) return;
    throw new Failure('refused', { text: missingParameter(absent).text });
  }

  /** V1 answers 500 if the parameter is a required one. */
  #unreadable(parameter: string): Failure {
    const code = this.#method.requires.includes(parameter) ? 'missingRange' : 'refused';
    return new Failure(code, { text: `Invalid value for ${parameter}` });
  }

  /** Path and body with UUIDs in place of V1's numbers. */
  #translated({ element }: AskedFor, { ids, values, call }: MovedCall): Translated | Promise<Translated> {
    const { body } = this.#method;
    return ids.toV3((toUuid) => {
      const path = new Map<Kind, string>();
      for (const [index, kind] of this.#kinds.entries()) {
        const value = values[index] ?? '';
        path.set(kind, kind === TEXT_NUMBER ? value : toUuid(kind, value));
      }
      const dropped = (name: string): void => void call.trace.dropped.add(name);
      return { path, body: body && element && readGiven(element, body.of, toUuid, dropped, [body.root]) };
    });
  }

  /** A list is sent on as it arrives; anything else is one piece, and a complete reply can announce its length. */
  async #reply(execution: Execution): Promise<Reply['body']> {
    const { steps, context, moved } = execution;
    const { call, open } = moved;
    const { reply, steps: all } = this.#v2;
    for (const step of all) {
      if (step === this.#streamed) break;
      if (execution.losing.length > 0 && step.verb !== 'GET') this.#checkLosses(execution);
      const answer = await steps.run(step, context);
      if (step.name !== undefined) context.answers.set(step.name, answer);
      context.lookups.surround(answer);
      if (step === reply.from) context.answers.set(REPLY, answer);
    }
    call.trace.absent = this.#absent;
    if (execution.kept) await this.#changeKept(execution);
    if (this.#method.reply.form !== 'list') return open + (await this.#single(execution)) + CLOSE_RESPONSE;
    const list = this.#list(open, execution, this.#streamed !== undefined);
    return this.#isWrite ? whole(list) : started(list);
  }

  async #changeKept({ moved, context }: Execution): Promise<void> {
    moved.call.trace.absent = this.#absentStill;
    await this.#keeping?.end(moved.to.accountId, context.path, context.body);
  }

  async #single(execution: Execution): Promise<string> {
    const { reply } = this.#method;
    const { context, moved } = execution;
    const { at } = this.#v2.reply;
    const answer = context.answers.get(REPLY);
    const value = at.length === 0 ? answer : valueAt(answer, at, context.lookups.finder(answer));
    if (value === null && at.length === 0) throw new Failure('upstreamAnswer');
    if (reply.form === 'id') {
      const text = textOf(value) ?? '';
      if (text === '') throw new Failure('upstreamAnswer');
      if (reply.kind === TEXT_NUMBER) return `<ID>${escapeText(text)}</ID>`;
      const id = await moved.ids.toLegacy(
        (toLegacy) => toLegacy(reply.kind, text),
        new Set([text.toLowerCase()]),
      );
      return `<ID>${id ?? ''}</ID>`;
    }
    if (reply.form !== 'one') return '';
    // A list, or nothing: a job with the number `tasks` has the same address as the list of all tasks.
    if (!isObject(value)) throw new Failure('upstreamAnswer');
    return this.#written([value], execution, true);
  }

  async *#list(open: string, execution: Execution, streamed: boolean): AsyncGenerator<string> {
    const { reply } = this.#method;
    if (reply.form !== 'list') return;
    const detailed = isAsked(execution.context.query.get('detailed'));
    let pages = this.#wantedRows(execution, streamed);
    let pending = open;
    let opened = false;
    if (reply.total !== undefined) {
      // The count comes before the list, so the list is held.
      const all = await heldRows(pages);
      pending += `<${reply.total}>${all.length}</${reply.total}>`;
      pages = inBatches(cutOut(all, this.#v2.reply.page, execution.context));
    }
    for await (const rows of pages) {
      if (rows.length === 0) continue;
      if (!opened) pending += `<${reply.container}>`;
      const first = !opened;
      opened = true;
      for (let at = 0; at < rows.length; at += MOST_ROWS) {
        if (at > 0) await nextTurn();
        pending += await this.#written(rows.slice(at, at + MOST_ROWS), execution, detailed);
      }
      if (pending.length < PIECE && !first) continue; // the first records go out at once
      yield pending;
      pending = '';
    }
    yield `${pending}${opened ? `</${reply.container}>` : `<${reply.container} />`}${CLOSE_RESPONSE}`;
  }

  /** Page by page, what the call asked for of the list, in V1's order; the last second of a page waits for the next. */
  async *#wantedRows(execution: Execution, streamed: boolean): AsyncGenerator<readonly unknown[]> {
    const { from, where } = this.#v2.reply;
    const isWhole = this.#filtering?.every((name) => !execution.context.query.has(name)) === true;
    const filter = isWhole ? undefined : filterOf(where, execution.context);
    const pages = streamed ? execution.steps.pages(from, execution.context) : this.#held(execution);
    let held: Made = [];
    for await (const page of pages) {
      const wanted = (filter === undefined ? page : await this.#filtered(page, filter, execution)) as Made;
      const rows = held.concat(wanted);
      const last = this.#order ? lastSecondOf(rows) : { from: rows.length, isTied: false };
      held = rows.slice(last.from);
      const whole = rows.slice(0, last.from);
      yield last.isTied && this.#order ? await this.#order.sorted(whole, execution.moved.ids) : whole;
    }
    yield this.#order && held.length > 1 ? await this.#order.sorted(held, execution.moved.ids) : held;
  }

  /** The rows of an answer that is held whole, or of a list within it. */
  async *#held({ context }: Execution): AsyncGenerator<readonly unknown[]> {
    const answer = context.answers.get(REPLY);
    const { at } = this.#v2.reply;
    const list = await context.lookups.settled(() => valueAt(answer, at, context.lookups.finder(answer)));
    // What the service did not return at all is not an empty list.
    if (list === undefined) throw new Failure('upstreamAnswer');
    yield entries(list);
  }

  #filtered(rows: readonly unknown[], filter: Filter, { context }: Execution): Promise<readonly unknown[]> {
    return context.lookups.settled(() =>
      rows.flatMap((row) => filter(row, context.lookups.finder(row)) ?? []),
    );
  }

  async #written(rows: readonly unknown[], execution: Execution, detailed: boolean): Promise<string> {
    const { context, moved } = execution;
    const { lookups, body: creating } = context;
    const { ids, link } = moved;
    const { trace } = moved.call;
    const records = execution.kept ? execution.kept.records : this.#records;
    const owner = this.#owners === undefined ? '' : ownerIn(this.#owners, context);
    return records?.text(rows, { lookups, ids, link, trace, detailed, creating, owner }) ?? '';
  }
}

/** Of the record that the method creates. */
function numberOf({ creates, reply }: Method): Path | undefined {
  if (!creates || reply.form !== 'one') return undefined;
  return reply.of.rows.find(({ element }) => element === 'ID')?.v2?.paths[0];
}

/** Whether a read may turn out to be incomplete. */
const mayBeShort = ({ toV3 }: V2Row): boolean => toV3.some(({ on }) => on === 'costly' || on === 'missing');

/** In the terms of the legacy dialect, with what helps. */
const notCarried = (element: string): Failure =>
  new Failure('refused', {
    text: `${element} cannot be written through the connected service, so nothing was changed; send the request without it, or ask the operator of this bridge to let it be left out`,
  });

function isStreamed({ reply }: Method, { reply: { from, at }, steps }: V2Row): boolean {
  return (
    reply.form === 'list' &&
    from === steps.at(-1) &&
    from.pages &&
    from.find === undefined &&
    from.each === undefined &&
    at.length === 0
  );
}

const NO_QUERY: ReadonlyMap<string, string> = new Map();

const lowerCase = (query: AskedFor['query']): ReadonlyMap<string, string> =>
  new Map(query.map(([name, value]) => [name.toLowerCase(), value]));

/** The key for the answer from which the reply is made; no step can have this name. */
const REPLY = '';
