/**
 * One lookup of what became of a write: the reads that its method's row `settle` names, then the judgement.
 *
 * Writes that may have created the same record are read from the ledger before the list, because they decide
 * how far back the list has to go, and once more after it, claims last. A record in the list belongs to a
 * write that was in the ledger before, so whatever became known meanwhile is counted.
 */
import type { Method } from '../../../mapping/compile/model.ts';
import type { SettleChanged, SettleGone, SettleMade, SettleRead } from '../../../mapping/settle/model.ts';
import type { Unmet } from '../../../mapping/crosswalk/identifier.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import type { Write, WriteAnswer, WriteFacts, WriteRepository } from '../model.ts';
import { claimOf, isKeptInPart } from '../write-call.ts';
import { areKnown, doneWords, isComplete, notedSteps, type WriteStep } from '../steps.ts';
import { isEqual, sentIn } from './fit.ts';
import { judgeMade, numberIn, type Rival } from './judge-made.ts';
import { judgeChanged, judgeGone } from './judge-record.ts';
import {
  recordsAt,
  recordsIn,
  requestOf,
  saysGone,
  type LegacyReads,
  type LookOutcome,
  type Read,
  type ReadValues,
  type Shown,
} from './reads.ts';
import { changesSince, isOverlapped, mayHide, type AskedOf } from './meanwhile.ts';
import { Round, type Circumstances } from './round.ts';
import { plainAnswer, readAnswer, recordAnswer } from './settled-answer.ts';
import { numberedNow, numberedSince, unmetOf } from './unmet.ts';
import { lastly, undecidable } from './verdict.ts';

export interface LookParts {
  readonly writes: Pick<WriteRepository, 'rivals' | 'claimed'>;
  readonly reads: LegacyReads;
  readonly methods: ReadonlyMap<string, Method>;
  readonly factsOf: (write: Write) => WriteFacts;
  readonly stepsOf: (write: Write) => readonly WriteStep[];
  /** In milliseconds since it became unknown: after that the service no longer carries out anything of it. */
  readonly latestMs: number;
  /** V3 has the service's own numbers. */
  readonly ownNumbers: boolean;
}

const notes = {
  noRow: 'The mapping does not say how the outcome of this method is looked up.',
  notSaid: 'the message does not say which record to read',
  tooMany: 'the message holds more than was kept of it',
  complete: 'every step was done',
  refused: 'the service refused the read',
  failed: 'the service could not be read',
  gone: 'a later call changed or deleted a record that may have been the one',
} as const;

interface Looked {
  readonly round: Round;
  readonly write: Write;
  readonly method: Method;
  readonly asked: ReadValues;
  readonly isFinal: boolean;
}

type Made = Pick<Read, 'source'> & { readonly made: string | undefined };

/** Looks up writes with an unknown outcome; stores nothing. */
export class Look {
  readonly #parts: LookParts;

  constructor(parts: LookParts) {
    this.#parts = parts;
  }

  /** From when on the service no longer carries out anything of a write. */
  finalAt = ({ unknownAt, createdAt }: Write): number => (unknownAt ?? createdAt) + this.#parts.latestMs;

  /** Writes of one account to be looked up together. */
  round = (writes: readonly Write[], circumstances: Circumstances): Round =>
    new Round(this.#parts, writes, circumstances);

  async take(write: Write, round: Round): Promise<LookOutcome> {
    const method = this.#parts.methods.get(write.method);
    const { now } = round.circumstances;
    const isFinal = now >= this.finalAt(write);
    const steps = this.#parts.stepsOf(write);
    if (areKnown(steps) && !isComplete(steps)) return { verdict: 'not-done', note: notedSteps(steps) };
    if (method === undefined) return lastly(isFinal, undecidable(notes.noRow));
    const facts = round.factsOf(write);
    const asked = { method, facts, sent: sentIn(facts), since: write.createdAt, now };
    const looked = { round, write, method, asked, isFinal };
    return isComplete(steps) ? this.#complete(looked, steps) : this.#uncertain(looked, steps);
  }

  /** Every step was done; at most the record has to be found. If it is not, a repeat gets it by its steps. */
  async #complete(looked: Looked, steps: readonly WriteStep[]): Promise<LookOutcome> {
    const { method, asked } = looked;
    const { settle } = method;
    if (settle?.way !== 'made') {
      // A record in the reply is shown to a repeat, which takes only the read that the steps end with.
      if (method.reply.form !== 'status') return { verdict: 'not-done', note: notedSteps(steps) };
      const answer = plainAnswer(method, asked.facts.segments, { made: undefined, source: 'bridge' });
      return { verdict: 'done', note: notes.complete, answer };
    }
    const number = steps.find(({ made }) => made !== undefined)?.made;
    const shown =
      number !== undefined && settle.record && (await this.#read(settle.record, looked, { made: number }));
    if (shown && 'read' in shown) {
      const answer = readAnswer(shown.read, asked.facts.segments);
      return { verdict: 'done', made: number, kind: settle.kind, note: notes.complete, answer };
    }
    const seen = await this.#made(settle, looked);
    const isOpen = ['done', 'later', 'failed'].includes(seen.verdict);
    return isOpen ? seen : { verdict: 'not-done', note: notedSteps(steps) };
  }

  async #uncertain(looked: Looked, steps: readonly WriteStep[]): Promise<LookOutcome> {
    const { isFinal, method } = looked;
    const { settle } = method;
    if (settle === undefined || settle.way === 'none')
      return lastly(isFinal, undecidable(settle?.why ?? notes.noRow));
    const done = doneWords(steps);
    if (done !== undefined) return lastly(isFinal, undecidable(`only this is certain: ${done}`));
    if (settle.way === 'made') return this.#made(settle, looked);
    return settle.way === 'gone' ? this.#gone(settle, looked) : this.#changed(settle, looked);
  }

  async #made(settle: SettleMade, looked: Looked): Promise<LookOutcome> {
    const { write, isFinal, round } = looked;
    const since = await round.once(settle, () => this.#since(settle, round));
    const shown = await this.#read(settle.list, looked, { since }, unmetOf(settle, write));
    if ('seen' in shown) return shown.seen;
    if ('refused' in shown) return lastly(isFinal, undecidable(`${notes.refused}: ${shown.refused}`));
    const { root, source, unmet } = shown.read;
    const records = recordsAt(root, settle.list.at).map((record) => numberedSince(record, unmet));
    const judged = await this.#judged(settle, looked, { records, source });
    if (judged.verdict === 'not-done' && (await this.#mayBeGone(settle, looked)))
      return undecidable(notes.gone);
    if (judged.verdict !== 'done') return judged;
    const found = records.find((one) => judged.made !== undefined && numberIn(one) === judged.made);
    const record = found && (await numberedNow(found, settle, { write, unmet, reads: this.#parts.reads }));
    const verdict = { ...judged, made: record === undefined ? judged.made : numberIn(record) };
    const answer = await this.#madeAnswer(settle, looked, { record, source, made: verdict.made });
    return answer === undefined
      ? { verdict: 'failed', note: notes.failed }
      : { ...verdict, kind: settle.kind, answer };
  }

  async #judged(
    settle: SettleMade,
    { write, asked, isFinal, round }: Looked,
    { records, source }: { readonly records: readonly XmlElement[]; readonly source: Read['source'] },
  ): Promise<ReturnType<typeof judgeMade>> {
    const rivals = await this.#rivals(settle, write, round);
    const claims = records.map((record) => claimOf(settle.kind, numberIn(record)) ?? '');
    const claimed = await this.#parts.writes.claimed(write.accountId, claims);
    return judgeMade({
      ...{ settle, sent: asked.sent, records, isFinal, knownTo: write.knownTo },
      onV2: source === 'v2' || write.route === 'v2',
      ownNumbers: source === 'v1' || (source === 'v3' && this.#parts.ownNumbers),
      claimed: new Set([...claimed].map((claim) => claim.slice(claim.indexOf(':') + 1))),
      rivals: rivals.map((rival) => ({ ...rival, isTwin: isEqual(rival.sent, asked.sent) })),
    });
  }

  async #madeAnswer(
    settle: SettleMade,
    looked: Looked,
    { record, source, made }: { readonly record: XmlElement | undefined } & Made,
  ): Promise<WriteAnswer | undefined> {
    const { method, asked } = looked;
    return method.reply.form !== 'one' || record === undefined
      ? plainAnswer(method, asked.facts.segments, { made, source })
      : this.#recordAnswer(settle, looked, { record, source, made });
  }

  /** With the record as its own read shows it, if the list does not show it like that. */
  async #recordAnswer(
    { record: read }: SettleMade,
    looked: Looked,
    { record, source, made }: { readonly record: XmlElement } & Made,
  ): Promise<WriteAnswer | undefined> {
    const { segments } = looked.asked.facts;
    if (read === undefined) return recordAnswer(record, segments, source);
    const shown = await this.#read(read, looked, { made });
    if ('read' in shown) return readAnswer(shown.read, segments);
    // It was found in the list, and somebody has deleted it since.
    return 'refused' in shown ? plainAnswer(looked.method, segments, { made, source }) : undefined;
  }

  /**
   * Whether another call of the account has changed or deleted a record since that no known write had created.
   */
  async #mayBeGone({ kind }: SettleMade, { write, round, asked }: Looked): Promise<boolean> {
    const { writes } = this.#parts;
    const changes = changesSince(write, await writes.rivals(write), this.#askedOf(asked, round));
    const claims = changes.flatMap(({ number }) => claimOf(kind, number) ?? []);
    const claimed = await writes.claimed(write.accountId, claims);
    return changes.some((one) => !claimed.has(claimOf(kind, one.number) ?? '') && mayHide(one, write));
  }

  /**
   * The list has to reach back to the earliest write of the round, and to equal ones, because their records are counted
   * together. Other writes can only have created what it shows from then on, and may have waited for a person for months.
   */
  async #since(settle: SettleMade, round: Round): Promise<number> {
    const alike = round.writes.filter(({ method }) => this.#parts.methods.get(method)?.settle === settle);
    const [earliest] = alike.toSorted((a, b) => a.createdAt - b.createdAt);
    if (earliest === undefined) return round.circumstances.now;
    const sent = alike.map((write) => sentIn(round.factsOf(write)));
    const rivals = await this.#rivals(settle, earliest, round);
    const equal = rivals.filter((rival) => sent.some((one) => isEqual(one, rival.sent)));
    return Math.min(earliest.createdAt, ...equal.map(({ createdAt }) => createdAt));
  }

  async #rivals(
    settle: SettleMade,
    write: Write,
    { factsOf, circumstances: { now } }: Round,
  ): Promise<readonly (Omit<Rival, 'isTwin'> & Pick<Write, 'createdAt'>)[]> {
    const { writes, methods } = this.#parts;
    const found = await writes.rivals(write);
    return found.flatMap((rival) => {
      const other = methods.get(rival.method)?.settle;
      if (other?.way !== 'made' || other.kind !== settle.kind || rival.made !== undefined) return [];
      const isOpen = rival.state === 'open';
      const isPending = isOpen || (rival.state === 'unknown' && now < this.finalAt(rival));
      return [{ sent: sentIn(factsOf(rival)), isPending, isOpen, createdAt: rival.createdAt }];
    });
  }

  async #changed(settle: SettleChanged, looked: Looked): Promise<LookOutcome> {
    const { write, asked, isFinal, method } = looked;
    if (isKeptInPart(write, asked.facts)) return undecidable(notes.tooMany);
    const shown = await this.#read(settle.read, looked);
    if ('seen' in shown) return shown.seen;
    if ('refused' in shown && settle.entries !== undefined)
      return lastly(isFinal, undecidable(`${notes.refused}: ${shown.refused}`));
    const { record, records, source } = recordsIn(shown, settle, asked.sent);
    const overlaps = await this.#overlaps(looked);
    const onV2 = source === 'v2' || write.route === 'v2';
    const isForwarded = write.route === 'v1';
    const judged = { settle, sent: asked.sent, record, records, onV2, isForwarded, overlaps, isFinal };
    const verdict = judgeChanged(judged);
    if (verdict.verdict !== 'done' || !('read' in shown)) return verdict;
    const { segments } = asked.facts;
    const answer = settle.isReply
      ? readAnswer(shown.read, segments)
      : plainAnswer(method, segments, { made: undefined, source });
    return { ...verdict, answer };
  }

  async #gone(settle: SettleGone, looked: Looked): Promise<LookOutcome> {
    const { asked, isFinal, method } = looked;
    const shown = await this.#read(settle.read, looked);
    if ('seen' in shown) return shown.seen;
    const record = 'read' in shown ? recordsAt(shown.read.root, settle.read.at)[0] : undefined;
    if (record === undefined && !saysGone(shown, settle))
      return 'refused' in shown
        ? lastly(isFinal, undecidable(`${notes.refused}: ${shown.refused}`))
        : { verdict: 'failed', note: notes.failed };
    const verdict = judgeGone({ settle, record, isFinal });
    if (verdict.verdict !== 'done') return verdict;
    const source = 'read' in shown ? shown.read.source : 'bridge';
    return { ...verdict, answer: plainAnswer(method, asked.facts.segments, { made: undefined, source }) };
  }

  async #overlaps({ write, asked, round }: Looked): Promise<boolean> {
    const others = await this.#parts.writes.rivals(write);
    return isOverlapped(write, asked, {
      others,
      askedOf: this.#askedOf(asked, round),
      finalAt: this.finalAt,
    });
  }

  #askedOf =
    (asked: ReadValues, round: Round): AskedOf =>
    (other) => {
      const method = this.#parts.methods.get(other.method);
      const facts = round.factsOf(other);
      return method && { ...asked, method, facts, sent: sentIn(facts) };
    };

  async #read(read: SettleRead, looked: Looked, more?: Partial<ReadValues>, unmet?: Unmet): Promise<Shown> {
    const { write, asked, isFinal, round } = looked;
    const { isUrgent, signal } = round.circumstances;
    const request = requestOf(read, { ...asked, ...more });
    if (request === undefined) return { seen: undecidable(notes.notSaid) };
    // The read that decides takes precedence over reads that only prepare others.
    const wanted = { ...request, accountId: write.accountId, isUrgent: isUrgent || isFinal, signal, unmet };
    const answer = await round.read(wanted);
    if (answer.answer === 'failed')
      return { seen: { verdict: 'failed', note: `${notes.failed}: ${answer.words}` } };
    return answer.answer === 'refused' ? { refused: answer.words } : { read: answer };
  }
}
