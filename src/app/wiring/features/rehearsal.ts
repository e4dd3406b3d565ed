/**
 * Rehearses the move of an account: reads it through V1, and has the whole move played in a process of its own, with
 * the account's own calls. Nothing of the account is changed, and the real service is only read.
 */
import type { Account } from '../../../features/accounts/account.ts';
import type { Rehearsal, Unplayed } from '../../../features/cutover/rehearsal/model.ts';
import { Rehearsals } from '../../../features/cutover/rehearsal/rehearsals.ts';
import { Masking } from '../../../features/samples/masking.ts';
import type { KeptSample } from '../../../features/samples/packed.ts';
import { ReadableSamples } from '../../../features/samples/readable.ts';
import { requestKey } from '../../../features/samples/samples.ts';
import { answeredIn } from '../../../features/usage/names/answered.ts';
import { Refusal } from '../../../lib/log/terminal.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import type { NumberedId } from '../../../mapping/crosswalk/identifier.ts';
import { isRead } from '../../../mapping/compile/reads.ts';
import { CallNotes } from '../../../proof/rehearsal/notes.ts';
import type { ReadOfPrograms } from '../../../proof/rehearsal/reading.ts';
import type { KnownNumbers, RehearsalOutcome, ReplayCall } from '../../../proof/rehearsal/order.ts';
import { runReplayProcess } from '../../replay-process.ts';
import type { Progress } from '../../../lib/progress.ts';
import { callsOf } from '../../tools/recording.ts';
import type { Services } from '../services.ts';
import { identifierSyncOf } from './moving.ts';
import { askingOf } from './parity.ts';

/** The limit on the programs' reads that are played: each is a call to V1. */
const MOST_READS = 500;

/** The reason for the report why a call was not played. */
const MANY = 'only so many reads are played';
const NO_ANSWER = 'V1 does not answer it now';

/** Rehearsals by this process. */
export function rehearsalsOf(services: Services): Rehearsals {
  const { store, clock, log, v1 } = services;
  return new Rehearsals({
    ...{ repository: store.accounts, stored: store.rehearsals, clock, log },
    hasV1: v1 !== undefined,
    play: (account, masks, progress, signal) => rehearse(services, account, masks, progress, signal),
  });
}

/**
 * Throws `Refusal` if it does not finish. `masks`: names and texts do not leave this process. `signal`: ends it at
 * once.
 */
async function rehearse(
  services: Services,
  account: Account,
  masks: boolean,
  progress: Progress,
  signal: AbortSignal,
): Promise<Rehearsal> {
  const { clock, mapping, settings } = services;
  const begun = clock.now();
  const { reads, recorded, unplayed } = await callsOfAccount(services, account);
  const change = masks ? maskingOf(services, account) : (root: XmlElement): XmlElement => root;
  const parts = { asking: askingOf(services), mapping };
  const { readAccount } = await import('../../../proof/rehearsal/reading.ts'); // not needed at the start
  const reading = await readAccount(account, reads, parts, change, (...news) => {
    signal.throwIfAborted();
    progress(...news);
  });
  progress('its numbers are read through V1', 0, 1);
  const numbers = await numbersOf(services, account);
  signal.throwIfAborted();
  if (reading.answers.length === 0 && numbers.refused)
    throw new Refusal(
      `V1 refuses the keys of ${account.name}, so nothing was rehearsed: compare its account key with the program’s`,
    );
  // Reads that V1 does not answer now cannot be compared.
  const played = reads.flatMap(({ method, request: { segments, query } }, at): readonly ReplayCall[] => {
    const expected = reading.ofReads[at];
    return expected === undefined ? [] : [{ method, verb: 'GET', segments, query, expected }];
  });
  const calls = [...played, ...recorded];
  const outcome = await runReplayProcess<RehearsalOutcome>(
    {
      ...{ task: 'rehearse', mappings: settings.mappings, product: account.product, calls },
      ...{ answers: reading.answers, known: numbers.known, unanswered: reads.length - played.length },
    },
    progress,
    signal,
  );
  return {
    ...{ at: begun, millis: clock.now() - begun, isMasked: masks },
    ...{ verdict: outcome.verdict, words: outcome.words, records: outcome.records, ways: outcome.ways },
    ...{ reads: reading.calls + numbers.reads, calls: calls.length, faithful: outcome.faithful },
    missing: [
      ...reading.missing,
      ...numbers.missing,
      ...outcome.leftOut.map(([words, times]) => `${words}: no seed takes it (${times})`),
    ],
    unplayed: [...unplayed, ...notAnswered(reads, reading.ofReads), ...outcome.unfaithful.map(approximate)],
  };
}

/** A call whose reply before the move is not V1's: conclusions from it are less certain. */
const approximate = ({ why, ...one }: Unplayed): Unplayed => ({
  ...one,
  why: `played on a record that is not quite the same: ${why}`,
});

/** Reads that V1 refuses or cannot answer now, by method. */
function notAnswered(
  reads: readonly ReadOfPrograms[],
  answers: readonly (XmlElement | undefined)[],
): readonly Unplayed[] {
  const notes = new CallNotes();
  for (const [at, { method }] of reads.entries()) if (answers[at] === undefined) notes.add(method, NO_ANSWER);
  return notes.list;
}

/** The kept calls of its programs. */
interface CallsOfAccount {
  /** Each read once, however often it was made. */
  readonly reads: readonly ReadOfPrograms[];
  /** Writes, in their order; reads between them are repeated. */
  readonly recorded: readonly ReplayCall[];
  /** Known calls that cannot be repeated. */
  readonly unplayed: readonly Unplayed[];
}

/** The reads in the samples, each once, and the writes of the last recording. */
async function callsOfAccount(
  { samples, ring, mapping, store, baseline }: Services,
  { id }: Account,
): Promise<CallsOfAccount> {
  // Includes calls that this process has just served.
  store.usage.recent.handOver();
  await Promise.all([baseline.flush(), store.usage.recorder.flush(id)]);
  const isOfRead = new Map(mapping.methods.map((method) => [method.id, isRead(method)]));
  const kept = await samples.find(id, 'baseline');
  const recordings = (await samples.find(id, 'recorded')).toReversed();
  const writes = recordings.filter(({ method }) => isOfRead.get(method) === false);
  const { calls: recorded, leftOut } = callsOf(writes, (key) => Masking.of(ring, id, key));
  const distinct = new Map<string, KeptSample>();
  const { unplayedByRule } = await import('../../../proof/rehearsal/by-rule.ts');
  const byRule = unplayedByRule(answeredIn(await store.usage.stored.find(id)));
  const unplayed = new CallNotes([...leftOut, ...byRule]);
  // A recorded call can be in the baseline, too.
  const inRecording = new Set(recordings.map(callKey));
  for (const sample of [...kept.filter((one) => !inRecording.has(callKey(one))), ...recordings]) {
    const { method, request } = sample;
    if (isOfRead.get(method) !== true) continue;
    if (request.isWithheld === true) unplayed.add(method, 'its address contains free text');
    else distinct.set(requestKey(method, request), sample);
  }
  const all = [...distinct.values()];
  for (const { method } of all.slice(MOST_READS)) unplayed.add(method, MANY);
  return { reads: all.slice(0, MOST_READS), recorded, unplayed: unplayed.list };
}

const callKey = ({ method, request, at }: KeptSample): string => `${at} ${requestKey(method, request)}`;

/** Uses the account's own hashes, as its samples are masked with them. */
function maskingOf(
  { ring, mapping }: Services,
  { id }: Account,
): (root: XmlElement, method: string) => XmlElement {
  const masking = Masking.of(ring, id);
  if (masking === undefined) throw new Refusal('there is no encryption key');
  const readable = new ReadableSamples((text) => masking.hash(text));
  const methods = new Map(mapping.methods.map((method) => [method.id, method]));
  return (root, method) => readable.element(masking.masked(root, methods.get(method)));
}

/** The reason for the report why V1 showed no numbers. */
const NOT_SHOWN = {
  refused: 'V1 refuses the keys',
  absent: 'V1 or its API key is not known',
  failed: 'V1 cannot be read at the moment',
} as const;

/** What the bridge will know of V1's numbers when it moves the account. */
interface Numbers {
  readonly known: KnownNumbers;
  readonly reads: number;
  readonly missing: readonly string[];
  /** V1 refuses the keys. */
  readonly refused: boolean;
}

/**
 * V1 does not show every kind: numbers that the bridge has not learned, and cannot learn now, will be unknown after the
 * move.
 */
async function numbersOf(services: Services, account: Account): Promise<Numbers> {
  const { store, mapping } = services;
  const numbers = new Map<string, Set<number>>(Array.from(mapping.kinds.keys(), (kind) => [kind, new Set()]));
  const add = ({ kind, number }: NumberedId): void => {
    numbers.get(kind)?.add(number);
  };
  const sync = identifierSyncOf(services);
  const { learning, reads } = await sync.look(account, (pairs) => {
    for (const pair of pairs) add(pair);
  });
  for await (const pair of store.crosswalk.export(account.id)) add(pair);
  const unknown = new Set(sync.plan.kinds.map(({ kind }) => kind));
  for (const { kind, complete } of await store.crosswalk.report(account.id))
    if (complete) unknown.delete(kind);
  if (learning.outcome === 'learned') for (const kind of learning.complete) unknown.delete(kind);
  const known = Array.from(numbers, ([kind, some]) => {
    return [kind, { numbers: [...some], isComplete: !unknown.has(kind) }] as const;
  });
  const missing =
    learning.outcome === 'learned'
      ? learning.incomplete.map(({ kind, reason }) => `numbers of ${kind}: ${reason}`)
      : [`numbers that the bridge has not learned yet: ${NOT_SHOWN[learning.outcome]}`];
  const refused = learning.outcome === 'refused';
  return { known: Object.fromEntries(known), reads, missing, refused };
}
