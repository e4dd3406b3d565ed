/**
 * Plays calls on one of the three ways on which the bridge serves an account: before its move on V1, after it on V3, and
 * after it with every method that has a way on V2 routed there. Each has a stage of its own, so that a write of one is no
 * record of another.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Check } from '../features/cutover/checks.ts';
import type { RehearsedStep } from '../features/cutover/rehearsal/model.ts';
import { listLimits } from '../lib/xml/limits.ts';
import type { XmlElement } from '../lib/xml/element.ts';
import { readDocumentInSteps } from '../lib/xml/read.ts';
import { writeElement } from '../lib/xml/document.ts';
import { SECOND } from '../lib/time/clock.ts';
import { legacyTarget } from '../mapping/dialect.ts';
import { isRead } from '../mapping/compile/reads.ts';
import type { Method } from '../mapping/compile/model.ts';
import type { StageCall } from '../proof/rehearsal/order.ts';
import type { Progress } from '../lib/progress.ts';
import type { CapturedExchange } from './capture.ts';
import { ConsentStuck, giveConsent } from './consent.ts';
import { Renumbering } from './renumbering.ts';
import { ADMINISTRATOR, KEYS, NAME, Stage, type StageOptions } from './stage.ts';

/** V1 before the move; V3, and V2 where it can, after it. */
export type LaneName = 'v1' | 'v3' | 'v2';

/** What the bridge answered. */
export interface StageReply {
  /** The call as it was made here. */
  readonly sent: StageCall;
  /** 200 for most refusals too: the legacy form says it in the document. */
  readonly status: number;
  readonly contentType: string;
  readonly text: string;
  /** Undefined: it cannot be read. */
  readonly root: XmlElement | undefined;
  /** `Status` is OK. */
  readonly isOk: boolean;
  /** From the call until its reply was read; the sandbox is part of it. */
  readonly millis: number;
  readonly exchanges: readonly CapturedExchange[];
}

/** What was played on one way. */
export interface LaneOutcome {
  readonly steps: readonly RehearsedStep[];
  readonly checks: readonly Check[];
  /** In the order of the calls; empty if the account did not move. */
  readonly replies: readonly StageReply[];
  /** Identifiers the bridge knew at the end. */
  readonly pairs: readonly { readonly kind: string; readonly number: number; readonly uuid: string }[];
}

/** In milliseconds: how long the page of the consent may ask to come back, because numbers are still being read. */
const CONSENT_PATIENCE = 60 * SECOND;
/** In milliseconds: a comparison of thousands of reads takes minutes. */
const COMPARISON_PATIENCE = 300 * SECOND;
/** In milliseconds, between two looks at what is under way. */
const BETWEEN = 250;
/** Pairs imported together. */
const AT_ONCE = 5_000;

/** What is played, and where. */
export interface LaneOptions extends StageOptions {
  /** Numbers that the bridge knows before the move, by kind; absent: all there are. */
  readonly known?: Readonly<Record<string, readonly number[]>> | undefined;
}

/** Opens a stage, plays, and closes it again. Rejects if the stage cannot be opened. */
export async function playLane(
  options: LaneOptions,
  lane: LaneName,
  calls: readonly StageCall[],
  progress: Progress,
): Promise<LaneOutcome> {
  const stage = await Stage.open(options);
  try {
    return await new Lane(stage, options, lane, calls, progress).play();
  } finally {
    await stage.close();
  }
}

class Lane {
  readonly #stage: Stage;
  readonly #options: LaneOptions;
  readonly #name: LaneName;
  readonly #calls: readonly StageCall[];
  readonly #progress: Progress;
  readonly #methods: ReadonlyMap<string, Method>;
  readonly #steps: RehearsedStep[] = [];
  #checks: readonly Check[] = [];

  constructor(
    stage: Stage,
    options: LaneOptions,
    name: LaneName,
    calls: readonly StageCall[],
    progress: Progress,
  ) {
    this.#stage = stage;
    this.#options = options;
    this.#name = name;
    this.#calls = calls;
    this.#progress = progress;
    this.#methods = new Map(options.mapping.methods.map((method) => [method.id, method]));
  }

  async play(): Promise<LaneOutcome> {
    const id = await this.#added();
    const isMoved = this.#name === 'v1' || (await this.#move(id));
    const replies = isMoved ? await this.#playAll() : [];
    const pairs = await this.#stage.pairs(id);
    return { steps: this.#steps, checks: this.#checks, replies, pairs };
  }

  /** The id of the account, with the identifiers that were known where the calls were made. */
  async #added(): Promise<string> {
    const { account } = await this.#stage.api<{ readonly account: { readonly id: string } }>(
      'POST',
      '/accounts',
      { name: NAME, product: this.#options.product, ...KEYS },
    );
    await this.#import(account.id);
    return account.id;
  }

  /** The identifiers that were learned where the calls were made: V1 lists not every kind. */
  async #import(id: string): Promise<void> {
    const { mapping, known } = this.#options;
    const uuids = await this.#stage.uuids();
    const pairs: object[] = [];
    for (const [kind, { map }] of mapping.kinds) {
      const numbers = known === undefined ? undefined : new Set(known[kind]);
      for (const [number, uuid] of uuids.get(map ?? '') ?? [])
        if (numbers?.has(number) !== false) pairs.push({ kind, number, uuid });
    }
    for (let at = 0; at < pairs.length; at += AT_ONCE)
      await this.#stage.api('POST', `/accounts/${id}/crosswalk`, { pairs: pairs.slice(at, at + AT_ONCE) });
  }

  /** One after the other: a later call may name a record that an earlier one has made. */
  async #playAll(): Promise<readonly StageReply[]> {
    const renumbering = new Renumbering();
    const replies: StageReply[] = [];
    for (const [at, call] of this.#calls.entries()) {
      this.#progress(`its calls on ${this.#name.toUpperCase()}`, at, this.#calls.length);
      const reply = await this.#call(renumbering.call(call));
      if (this.#methods.get(call.method)?.creates === true) renumbering.learn(call.expected, reply.root);
      replies.push({ ...reply, root: reply.root && renumbering.reply(reply.root) });
    }
    return replies;
  }

  /** With the keys of the account, as its programs send them. */
  async #call(sent: StageCall): Promise<StageReply> {
    const { verb, segments, query, body } = sent;
    this.#stage.exchanges();
    const begun = performance.now();
    const answer = await fetch(`${this.#stage.url}${legacyTarget(segments, query, KEYS)}`, {
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
      exchanges: this.#stage.exchanges().filter(({ target }) => /^\/(?:v1|v2|3\.0)\//.test(target)),
    };
  }

  /** False: the account would not move; the last step says why. */
  async #move(id: string): Promise<boolean> {
    await this.#makeReads();
    if (this.#name === 'v2') await this.#route(id);
    const { link } = await this.#stage.api<{ readonly link: string }>('POST', `/accounts/${id}/link`);
    if (!(await this.#step('consent', () => this.#consent(id, link)))) return false;
    await this.#compare(id);
    const checked = await this.#step('checks', () => this.#check(id));
    return this.#step('cut-over', () => this.#cutOver(id, !checked));
  }

  /** So that the comparison before the move has something to compare. */
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

  /** Every method of the calls that has a way on V2; the account follows as soon as it has moved. */
  async #route(id: string): Promise<void> {
    const used = new Set(this.#calls.map(({ method }) => method));
    for (const method of used)
      if (this.#methods.get(method)?.v2 !== undefined)
        await this.#stage
          .api('PUT', `/routes/${method}`, { account: id, route: 'v2', acceptAssumed: true })
          // The mapping says why V2 cannot serve it; V3 does.
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

  /** Again as long as its page asks for that, because the numbers are still being read. */
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

  /** Where nothing proves that the organisation is the account's own, an operator has to say so. */
  async #confirm(id: string): Promise<string> {
    const { accounts } = await this.#stage.api<{
      readonly accounts: readonly { readonly outcome: string }[];
    }>('POST', '/actions/confirm', { accounts: [id] });
    return accounts[0]?.outcome === 'done'
      ? 'an administrator has approved; an operator has to confirm it, because too few records prove the organisation'
      : 'an administrator has approved';
  }

  /** Waits for it: the check of the move would say that it is still under way. */
  async #compare(id: string): Promise<void> {
    const end = performance.now() + COMPARISON_PATIENCE;
    await this.#stage.api('POST', `/accounts/${id}/parity/comparison`);
    for (;;) {
      const { verdict, words } = await this.#stage.api<{ readonly verdict: string; readonly words: string }>(
        'GET',
        `/accounts/${id}/parity`,
      );
      if (verdict !== 'running' || performance.now() > end) return;
      this.#progress(words, 0, 1);
      await delay(BETWEEN);
    }
  }

  /** Throws with the checks that failed. */
  async #check(id: string): Promise<string> {
    const preview = await this.#stage.api<{
      readonly accounts: readonly { readonly words: string; readonly checks: readonly Check[] }[];
    }>('POST', '/actions/cutover/preview', { accounts: [id] });
    const [account] = preview.accounts;
    this.#checks = account?.checks ?? [];
    const failed = this.#checks.filter(({ result }) => result === 'failed');
    if (failed.length > 0) throw new Error(failed.map(({ name, detail }) => `${name}: ${detail}`).join('; '));
    return `${this.#checks.filter(({ result }) => result === 'passed').length} checks passed`;
  }

  /** `acceptUnlearned`: what an operator would have to override after a failed check. */
  async #cutOver(id: string, acceptUnlearned: boolean): Promise<string> {
    const { accounts } = await this.#stage.api<{
      readonly accounts: readonly { readonly outcome: string; readonly words: string }[];
    }>('POST', '/actions/cutover', { accounts: [id], acceptUnlearned });
    const [account] = accounts;
    if (account?.outcome !== 'done') throw new Error(account?.words ?? 'nothing was done');
    return acceptUnlearned ? `${account.words}, although a check failed` : account.words;
  }
}
