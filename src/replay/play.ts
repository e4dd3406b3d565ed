/**
 * Plays calls on one of the three ways in which the bridge serves an account: on V1 before its move, on V3
 * after it, and after it with every method that V2 can serve routed to V2. Each way has its own bridge and
 * sandbox, so that a write on one creates no record on another.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Check } from '../features/cutover/checks.ts';
import { failedIn } from '../features/cutover/override.ts';
import type { RehearsedStep } from '../features/cutover/rehearsal/model.ts';
import { listLimits } from '../lib/xml/limits.ts';
import type { XmlElement } from '../lib/xml/element.ts';
import { readDocumentInSteps } from '../lib/xml/read.ts';
import { writeElement } from '../lib/xml/document.ts';
import { SECOND } from '../lib/time/clock.ts';
import { legacyTarget } from '../mapping/dialect.ts';
import { isRead } from '../mapping/compile/reads.ts';
import type { Kind } from '../mapping/crosswalk/identifier.ts';
import type { KindTable, Mapping, Method } from '../mapping/compile/model.ts';
import type { KnownNumbers, ReplayCall } from '../proof/rehearsal/order.ts';
import type { Progress } from '../lib/progress.ts';
import type { CapturedExchange } from './capture.ts';
import { ConsentStuck, giveConsent } from './consent.ts';
import { checksOf, cutOver } from './moving.ts';
import { Renumbering } from './renumbering.ts';
import { ADMINISTRATOR, KEYS, NAME, ReplayBridge, type ReplayBridgeOptions } from './replay-bridge.ts';

/** V1 before the move; V3, and V2 where possible, after it. */
export type Way = 'v1' | 'v3' | 'v2';

/** The bridge's answer. */
export interface PlayedReply {
  /** The call as it was made here. */
  readonly sent: ReplayCall;
  /** 200 for most refusals too: the legacy form states them in the document. */
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
  /** Undefined if it cannot be read. */
  readonly root: XmlElement | undefined;
  /** Whether `Status` is OK. */
  readonly isOk: boolean;
  /** From the call until its reply was read, including the sandbox's time. */
  readonly millis: number;
  readonly exchanges: readonly CapturedExchange[];
}

/** The calls played on one way. */
export interface PlayedCalls {
  readonly steps: readonly RehearsedStep[];
  readonly checks: readonly Check[];
  /** In the order of the calls; empty if the account did not move. */
  readonly replies: readonly PlayedReply[];
  /** Identifiers that the bridge knew at the end. */
  readonly pairs: readonly { readonly kind: string; readonly number: number; readonly uuid: string }[];
}

/** In milliseconds: how long the consent's page may ask to wait, because numbers are still being read. */
const CONSENT_PATIENCE = 60 * SECOND;
/** In milliseconds: a comparison of thousands of reads takes minutes. */
const COMPARISON_PATIENCE = 300 * SECOND;
/** In milliseconds, between two checks of work in progress. */
const BETWEEN = 250;
/** Number of pairs imported together. */
const AT_ONCE = 5_000;

/** The calls to play, and the bridge to play them on. */
export interface PlayOptions extends ReplayBridgeOptions {
  /** Numbers that the bridge knows before the move, by kind; absent: all numbers. */
  readonly known?: KnownNumbers | undefined;
}

/** Opens a bridge with a sandbox, plays, and closes both. Rejects if they cannot be opened. */
export async function playCalls(
  options: PlayOptions,
  way: Way,
  calls: readonly ReplayCall[],
  progress: Progress,
): Promise<PlayedCalls> {
  const bridge = await ReplayBridge.open({ ...options, mapping: withoutLists(options) });
  try {
    return await new Player(bridge, options, way, calls, progress).play();
  } finally {
    await bridge.close();
  }
}

/** Kinds whose numbers V1 does not show completely. */
const unlearned = ({ mapping, known }: PlayOptions): readonly KindTable[] =>
  known === undefined
    ? []
    : [...mapping.kinds.values()].filter(({ kind }) => known[kind]?.isComplete !== true);

/** Drops the lists of these kinds: the sandbox's lists would show numbers that the real V1 does not. */
function withoutLists(options: PlayOptions): Mapping {
  const { mapping } = options;
  const kinds = new Map<Kind, KindTable>(mapping.kinds);
  for (const table of unlearned(options)) kinds.set(table.kind, { ...table, list: undefined });
  return { ...mapping, kinds };
}

class Player {
  readonly #bridge: ReplayBridge;
  readonly #options: PlayOptions;
  readonly #way: Way;
  readonly #calls: readonly ReplayCall[];
  readonly #progress: Progress;
  readonly #methods: ReadonlyMap<string, Method>;
  readonly #steps: RehearsedStep[] = [];
  #checks: readonly Check[] = [];

  constructor(
    bridge: ReplayBridge,
    options: PlayOptions,
    way: Way,
    calls: readonly ReplayCall[],
    progress: Progress,
  ) {
    this.#bridge = bridge;
    this.#options = options;
    this.#way = way;
    this.#calls = calls;
    this.#progress = progress;
    this.#methods = new Map(options.mapping.methods.map((method) => [method.id, method]));
  }

  async play(): Promise<PlayedCalls> {
    const id = await this.#added();
    const isMoved = this.#way === 'v1' || (await this.#move(id));
    const replies = isMoved ? await this.#playAll() : [];
    const pairs = await this.#bridge.pairs(id);
    return { steps: this.#steps, checks: this.#checks, replies, pairs };
  }

  /** Adds the account with the identifiers that were known where the calls were recorded; returns its id. */
  async #added(): Promise<string> {
    const uuids = await this.#bridge.uuids();
    // Before the account is added, because its numbers are then read in the background at once.
    await this.#bridge.withhold(unlearned(this.#options).flatMap(({ map = [] }) => map));
    const { account } = await this.#bridge.api<{ readonly account: { readonly id: string } }>(
      'POST',
      '/accounts',
      { name: NAME, product: this.#options.product, ...KEYS },
    );
    await this.#import(account.id, uuids);
    return account.id;
  }

  /** Imports identifiers learned where the calls were recorded, because V1 does not list every kind. */
  async #import(id: string, uuids: Awaited<ReturnType<ReplayBridge['uuids']>>): Promise<void> {
    const { mapping, known } = this.#options;
    const pairs: object[] = [];
    for (const [kind, { map }] of mapping.kinds) {
      const numbers = known === undefined ? undefined : new Set(known[kind]?.numbers);
      for (const [number, uuid] of uuids.get(map ?? '') ?? [])
        if (numbers?.has(number) !== false) pairs.push({ kind, number, uuid });
    }
    for (let at = 0; at < pairs.length; at += AT_ONCE)
      await this.#bridge.api('POST', `/accounts/${id}/crosswalk`, { pairs: pairs.slice(at, at + AT_ONCE) });
  }

  /** Plays the calls one after the other: a later call may name a record that an earlier one created. */
  async #playAll(): Promise<readonly PlayedReply[]> {
    const renumbering = new Renumbering();
    const replies: PlayedReply[] = [];
    for (const [at, call] of this.#calls.entries()) {
      this.#progress(`its calls on ${this.#way.toUpperCase()}`, at, this.#calls.length);
      const reply = await this.#call(renumbering.call(call));
      if (this.#methods.get(call.method)?.creates === true) renumbering.learn(call.expected, reply.root);
      replies.push({ ...reply, root: reply.root && renumbering.reply(reply.root) });
    }
    return replies;
  }

  /** Uses the keys of the account, as its programs do. */
  async #call(sent: ReplayCall): Promise<PlayedReply> {
    const { verb, segments, query, body } = sent;
    this.#bridge.exchanges();
    const begun = performance.now();
    const answer = await fetch(`${this.#bridge.url}${legacyTarget(segments, query, KEYS)}`, {
      method: verb,
      ...(body !== undefined && { body: writeElement(body), headers: { 'Content-Type': 'text/xml' } }),
    });
    const text = await answer.text();
    const millis = performance.now() - begun;
    const root = await readDocumentInSteps([text], listLimits).catch(() => undefined);
    const status = root?.children.find(({ name }) => name === 'Status')?.text.trim();
    return {
      ...{ sent, status: answer.status, text, root, isOk: status === 'OK', millis },
      contentType: answer.headers.get('content-type') ?? '',
      exchanges: this.#bridge.exchanges().filter(({ target }) => /^\/(?:v1|v2|3\.0)\//.test(target)),
    };
  }

  /** Returns false if the account would not move; the last step then has the reason. */
  async #move(id: string): Promise<boolean> {
    await this.#makeReads();
    if (this.#way === 'v2') await this.#route(id);
    const { link } = await this.#bridge.api<{ readonly link: string }>('POST', `/accounts/${id}/link`);
    if (!(await this.#step('consent', () => this.#consent(id, link)))) return false;
    await this.#compare(id);
    await this.#step('checks', () => this.#check(id));
    return this.#step('cut-over', () => cutOver(this.#bridge, id, failedIn(this.#checks)));
  }

  /** Makes reads, so that the comparison before the move has something to compare. */
  async #makeReads(): Promise<void> {
    const reads = this.#calls.filter(({ method }) => {
      const row = this.#methods.get(method);
      return row !== undefined && isRead(row);
    });
    for (const [at, call] of reads.entries()) {
      this.#progress('its reads before the move', at, reads.length);
      await this.#call(call);
    }
  }

  /** Routes to V2 every method of the calls that V2 can serve; takes effect once the account has moved. */
  async #route(id: string): Promise<void> {
    const used = new Set(this.#calls.map(({ method }) => method));
    for (const method of used)
      if (this.#methods.get(method)?.v2 !== undefined)
        await this.#bridge
          .api('PUT', `/routes/${method}`, { account: id, route: 'v2', acceptAssumed: true })
          // The mapping explains why V2 cannot serve it; V3 does.
          .catch(() => undefined);
  }

  async #step(step: string, work: () => Promise<string>): Promise<boolean> {
    this.#progress(step, 0, 1);
    try {
      this.#steps.push({ step, outcome: 'done', words: await work() });
      return true;
    } catch (error) {
      const words = error instanceof Error ? error.message : 'something went wrong';
      this.#steps.push({ step, outcome: 'failed', words });
      return false;
    }
  }

  /** Repeats as long as the page asks to, because the numbers are still being read. */
  async #consent(id: string, link: string): Promise<string> {
    const end = performance.now() + CONSENT_PATIENCE;
    for (;;)
      try {
        await giveConsent({ link, person: ADMINISTRATOR, organisation: NAME });
        return await this.#confirm(id);
      } catch (error) {
        const isEarly = error instanceof ConsentStuck && error.status === 503;
        if (!isEarly || performance.now() > end) throw error;
        await delay(BETWEEN);
      }
  }

  /** Confirms the organisation as an operator would, if nothing proves that it belongs to the account. */
  async #confirm(id: string): Promise<string> {
    const { accounts } = await this.#bridge.api<{
      readonly accounts: readonly { readonly outcome: string }[];
    }>('POST', '/actions/confirm', { accounts: [id] });
    return accounts[0]?.outcome === 'done'
      ? 'an administrator has approved; an operator has to confirm it, because too few records prove the organisation'
      : 'an administrator has approved';
  }

  /** Waits for the comparison, which the check of the move would otherwise report as still running. */
  async #compare(id: string): Promise<void> {
    const end = performance.now() + COMPARISON_PATIENCE;
    await this.#bridge.api('POST', `/accounts/${id}/parity/comparison`);
    for (;;) {
      const { verdict, words } = await this.#bridge.api<{ readonly verdict: string; readonly words: string }>(
        'GET',
        `/accounts/${id}/parity`,
      );
      if (verdict !== 'running' || performance.now() > end) return;
      this.#progress(words, 0, 1);
      await delay(BETWEEN);
    }
  }

  /** Throws with the failed checks. */
  async #check(id: string): Promise<string> {
    this.#checks = await checksOf(this.#bridge, id);
    const failed = failedIn(this.#checks);
    if (failed.length > 0) throw new Error(failed.map(({ name, detail }) => `${name}: ${detail}`).join('; '));
    return `${this.#checks.filter(({ result }) => result === 'passed').length} checks passed`;
  }
}
