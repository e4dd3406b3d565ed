/**
 * Serves one method of the mapping from JSON V2: XML in, JSON out, JSON back, XML out
 * (docs/decisions/calls/0007-translation-as-data.md).
 *
 * In order: read and check the call; translate its identifiers; perform the steps of the method (`steps.ts`); write the
 * reply from the answers, record by record, with values from look-up tables (`records.ts`). Filters that V2 lacks are
 * applied here (`list-reply.ts`). Elements that no reply from V2 can have are known from the mapping and counted for
 * the loss report.
 *
 * All differences between methods are in the mapping. A failure after something was written says so, whatever its
 * cause.
 */
import { answeredBy, type MovedCall, type Reply, type Service, type Trace } from '../call/call.ts';
import type { AccountSnapshot } from '../../features/snapshot/snapshot.ts';
import { Failure } from '../../lib/failure.ts';
import { CLOSE_RESPONSE } from '../../lib/xml/document.ts';
import { escapeText } from '../../lib/xml/text.ts';
import { started, whole, written } from '../call/delivery.ts';
import { LEGACY_CONTENT_TYPE } from '../../mapping/dialect.ts';
import { elementsThrough, lossesOf } from '../../mapping/compile/loss.ts';
import type { Kind } from '../../mapping/crosswalk/identifier.ts';
import { TEXT_NUMBER, type Method } from '../../mapping/compile/model.ts';
import { isObject, textOf, valueAt, type Path } from '../../mapping/compile/path.ts';
import type { V2Row } from '../../mapping/compile/v2/v2-model.ts';
import { absentIn, byName, missingParameter, readCall, type AskedFor } from '../call/read-call.ts';
import { Asking } from './asking.ts';
import { REPLY, type Execution, type TranslateParts } from './execution.ts';
import { RequestLosses } from './drops.ts';
import { elsewhereOf, mayBeShort, NotWhole, type Elsewhere, type Unrepeated } from './elsewhere.ts';
import { readGiven, type Given } from './lookups/given.ts';
import { ListReply } from './list-reply.ts';
import { KeptMethod, ownerIn, ownersOf } from './kept/kept-method.ts';
import { KeptRecords } from './kept/kept-records.ts';
import { Lookups } from './lookups/lookups.ts';
import { Records } from './records.ts';
import { numberOf, StepProgress } from './steps/step-progress.ts';
import { NothingFound, Steps, type StepParts } from './steps/steps.ts';

interface Translated {
  readonly path: ReadonlyMap<string, string>;
  readonly body: Given | undefined;
}

/** One method of the mapping served from JSON V2: XML in, JSON out, JSON back, XML out. */
export class TranslateMethod implements Service {
  /** The calls that V3 serves instead, if known beforehand; undefined: none. */
  readonly elsewhere: Elsewhere | undefined;
  /** A read may turn out to be incomplete (`NotWhole`). */
  readonly mayLeave: boolean;
  readonly #losses: RequestLosses;
  readonly #parts: TranslateParts;
  readonly #method: Method;
  readonly #v2: V2Row;
  /** What the steps of every call need. */
  readonly #stepParts: Pick<
    StepParts,
    'lookupCache' | 'spellings' | 'numbers' | 'kinds' | 'root' | 'request'
  >;
  readonly #records: Records | undefined;
  /** Undefined if no kept value of V1 could be of use. */
  readonly #keeping: KeptMethod | undefined;
  /** The kind of the record whose parts without an identifier the reply holds. */
  readonly #owners: Kind | undefined;
  /** Elements that are in no reply. */
  readonly #absent: ReadonlySet<string>;
  /** The same if values are kept from V1. */
  readonly #absentStill: ReadonlySet<string>;
  readonly #isWrite: boolean;
  readonly #number: Path | undefined;
  /** The kinds of the placeholders in the legacy pattern. */
  readonly #kinds: readonly Kind[];
  /** Undefined: the reply is not a list. */
  readonly #list: ListReply | undefined;

  constructor(parts: TranslateParts, method: Method, v2: V2Row) {
    this.#parts = parts;
    this.#method = method;
    this.#v2 = v2;
    const { lookupCache, profile, numbers, kinds } = parts;
    const { spellings } = profile.v2;
    const root = method.body?.root ?? '';
    this.#stepParts = { lookupCache, spellings, numbers, kinds, root, request: method.body };
    const [pattern] = method.legacy;
    this.#kinds = (pattern?.segments ?? []).flatMap((segment) => ('kind' in segment ? [segment.kind] : []));
    this.#isWrite = v2.steps.some(({ verb }) => verb !== 'GET');
    this.#number = numberOf(method);
    this.#absent = new Set([
      // Elements from a table that is too costly here, unless V2 returns them anyway.
      ...[...v2.costly].flatMap((table) => (v2.lookups.has(table) ? [] : this.#elementsThrough(table))),
      ...lossesOf(method).flatMap((one) =>
        one.loss === 'element' && one.of === 'reply' ? [one.element] : [],
      ),
    ]);
    const { reply } = method;
    this.#losses = new RequestLosses(method, v2, parts.lookupCache.tables, parts.lossyWrites);
    this.mayLeave = parts.standIn && !this.#isWrite && mayBeShort(v2);
    this.#owners = ownersOf(method);
    if (reply.form === 'list') this.#list = new ListReply(reply, v2, this.#written);
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
      const headers = execution.told?.headers;
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
    const { endpoint, profile, lookupCache, clock, zoneOf } = this.#parts;
    const asked = await readCall(call, this.#method, this.#parts.body);
    if (this.#v2.requires.length > 0) this.#checkQuery(asked);
    const present = this.#present(moved);
    const { path, body: given } = present ?? (await this.#translated(asked, moved));
    const keeping = this.#keeping;
    const account = await keeping?.snapshot.of(moved.to.accountId);
    const told = keeping && account && new KeptRecords(keeping.snapshot, account);
    const body = given && account ? await this.#unrepeated(account, path, given) : given;
    const asking = new Asking({ endpoint, profile }, moved.to, call);
    const spared = (table: string): void => {
      this.#spare(table, trace);
    };
    const context = {
      path,
      query: asked.query.length === 0 ? NO_QUERY : byName(asked.query),
      body,
      answers: new Map<string, unknown>(),
      item: undefined,
      tables: lookupCache.tables,
      lookups: new Lookups(lookupCache, moved.to, asking, this.#v2, spared, told),
      now: clock.now(),
      zone: await zoneOf?.(moved.to.accountId),
      unreadable: this.#unreadable,
    };
    return {
      moved,
      context,
      told,
      losing: body === undefined ? [] : this.#losses.unaccepted(body, trace),
      steps: new Steps({
        ...this.#stepParts,
        asking,
        to: moved.to,
        document: call.document,
        progress: this.#isWrite ? this.#progress(call) : undefined,
        dropped: (name) => {
          this.#losses.drop(name, trace);
        },
        defaulted: (place) => void trace.defaulted.add(place),
      }),
    };
  }

  /** The request without values that merely repeat V1's. */
  async #unrepeated(account: AccountSnapshot, path: Translated['path'], given: Given): Promise<Given> {
    return (await this.#keeping?.change?.unrepeated(account, path, given)) ?? given;
  }

  /** Undefined if nothing is kept. */
  #progress({ leaving }: MovedCall['call']): StepProgress | undefined {
    const { steps } = this.#v2;
    return leaving?.steps && new StepProgress({ kept: leaving.steps, steps, number: this.#number });
  }

  /** Called for a table with too many wanted records, none of which is requested. */
  #spare(table: string, trace: Trace): void {
    if (this.#leaves('costly')) throw new NotWhole();
    for (const element of this.#elementsThrough(table)) trace.rounded.add(element);
  }

  #elementsThrough(table: string): readonly string[] {
    const { reply } = this.#method;
    return 'of' in reply ? elementsThrough(table, reply.of) : [];
  }

  /** Checks required parameters here, because V2 would answer another question; V3 checks them itself. */
  #checkQuery({ query }: AskedFor): void {
    const absent = absentIn(query, this.#v2.requires);
    if (absent === undefined) return;
    throw new Failure('refused', { text: missingParameter(absent).text, isOfCall: true });
  }

  /** The refusal of an unreadable parameter; V1 answers 500 if it is a required one. */
  readonly #unreadable = (parameter: string): Failure => {
    const code = this.#method.requires.includes(parameter) ? 'unreadableRange' : 'refused';
    return new Failure(code, { text: `Invalid value for ${parameter}` });
  };

  /** The identifiers of a call without a body, if all of them are in memory. */
  #present({ ids, values }: MovedCall): Translated | undefined {
    if (this.#method.body !== undefined) return undefined;
    const path = new Map<Kind, string>();
    for (const [index, kind] of this.#kinds.entries()) {
      const value = values[index] ?? '';
      const uuid = kind === TEXT_NUMBER ? value : ids.present(kind, value);
      if (uuid === undefined) return undefined;
      path.set(kind, uuid);
    }
    return { path, body: undefined };
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

  /** A list is sent on as it arrives; any other reply is one piece, and a complete one can announce its length. */
  async #reply(execution: Execution): Promise<Reply['body']> {
    const { steps, context, moved } = execution;
    const { call, open } = moved;
    const { reply, steps: all } = this.#v2;
    for (const step of all) {
      if (step === this.#list?.streamed) break;
      if (step.verb !== 'GET') this.#losses.check(execution);
      const answer = await steps.run(step, context);
      if (step.name !== undefined) context.answers.set(step.name, answer);
      context.lookups.surround(answer);
      if (step === reply.from) context.answers.set(REPLY, answer);
    }
    call.trace.absent = this.#absent;
    if (execution.told) {
      call.trace.absent = this.#absentStill;
      // From now on the request's values replace the kept ones, but for those that were not stored.
      if (context.body)
        await this.#keeping?.change?.make(moved.to.accountId, context.path, this.#losses.carried(execution));
    }
    const list = this.#list?.pieces(open, execution);
    if (list === undefined) return open + (await this.#single(execution)) + CLOSE_RESPONSE;
    return this.#isWrite ? whole(list) : started(list);
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

  readonly #written = async (
    rows: readonly unknown[],
    execution: Execution,
    detailed: boolean,
  ): Promise<string> => {
    const { context, moved } = execution;
    const { lookups, body: creating } = context;
    const { ids, link } = moved;
    const { trace } = moved.call;
    const records = execution.told ? this.#keeping?.records : this.#records;
    const owner = this.#owners === undefined ? '' : ownerIn(this.#owners, context);
    return records?.text(rows, { lookups, ids, link, trace, detailed, creating, owner }) ?? '';
  };
}

const NO_QUERY: ReadonlyMap<string, string> = new Map();
