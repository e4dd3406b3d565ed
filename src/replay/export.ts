/**
 * Turns recorded calls into golden files and a seed, and reports the calls that the seed does not reproduce.
 */
import type { Mapping, Method } from '../mapping/compile/model.ts';
import { isRead } from '../mapping/compile/reads.ts';
import { seedFromAnswers } from '../sandbox/seed/from-answers.ts';
import { CallNotes } from '../proof/rehearsal/notes.ts';
import type {
  AnswerOfV1,
  ExportOrder,
  ExportOutcome,
  GoldenFile,
  ReplayCall,
} from '../proof/rehearsal/order.ts';
import type { Progress } from '../lib/progress.ts';
import { differencesOf, playedFrom, unfaithful, type Played } from './judging.ts';
import { goldenFile, sameUuids } from './golden.ts';
import { playCalls, type PlayedReply } from './play.ts';
import { createdNumber } from './renumbering.ts';

/** Name of the seed's file, beside the golden files. */
export const SEED_FILE = 'seed.json';

/** Rejects if no bridge can be opened. */
export async function exportCalls(
  { product, calls, begins }: ExportOrder,
  mapping: Mapping,
  progress: Progress,
): Promise<ExportOutcome> {
  const methods = new Map(mapping.methods.map((method) => [method.id, method]));
  const { seed } = seedFromAnswers(answersOf(calls, methods), createdBy(calls, methods));
  const options = { seed, product, mapping, begins };
  const started = performance.now();
  const v1 = await playCalls(options, 'v1', calls, progress);
  const v3 = await playCalls(options, 'v3', calls, progress);
  const v2 = product === 'practice' ? undefined : await playCalls(options, 'v2', calls, progress);
  const within = playedFrom(begins, performance.now() - started);
  const asOnV3 = sameUuids(v2?.pairs ?? [], v3.pairs);
  const [left, differing] = [new CallNotes(), new CallNotes()];
  const files: GoldenFile[] = [];
  for (const [at, { method: id, expected }] of calls.entries()) {
    const played = { v1: v1.replies[at], v3: v3.replies[at], v2: v2?.replies[at] };
    const method = methods.get(id);
    if (!isPlayed(played) || method === undefined) continue;
    const why = unfaithful(method, expected, played.v1, within)?.why;
    if (why === undefined) files.push(goldenFile(files.length + 1, played, v3.pairs, asOnV3));
    if (why === undefined) noteDifferences(differing, method, played, within);
    else left.add(id, why);
  }
  const facts = { begins: new Date(begins).toISOString(), product, organisation: seed };
  const content = `${JSON.stringify(facts, undefined, 2)}\n`;
  return {
    files: [{ path: SEED_FILE, content }, ...files],
    exported: files.length,
    leftOut: left.list,
    differing: differing.list,
  };
}

/** One call played on all three ways; the practice product has no V2. */
interface PlayedCall {
  readonly v1: PlayedReply;
  readonly v3: PlayedReply;
  readonly v2: PlayedReply | undefined;
}

/** Whether the call was played on V1 and V3, so that the account moved. */
const isPlayed = (
  played: Readonly<Record<'v1' | 'v3' | 'v2', PlayedReply | undefined>>,
): played is PlayedCall => played.v1 !== undefined && played.v3 !== undefined;

type Methods = ReadonlyMap<string, Method>;

/** The replies to reads, whose contents become the seed. */
const answersOf = (calls: readonly ReplayCall[], methods: Methods): readonly AnswerOfV1[] =>
  calls.flatMap(({ method: id, segments, expected: root }) => {
    const method = methods.get(id);
    return root === undefined || method === undefined || !isRead(method) ? [] : [{ segments, root }];
  });

/** Numbers of the records that the calls created. */
const createdBy = (calls: readonly ReplayCall[], methods: Methods): ReadonlySet<string> =>
  new Set(
    calls
      .filter(({ method }) => methods.get(method)?.creates === true)
      .flatMap(({ expected }) => createdNumber(expected) ?? []),
  );

/** Notes the first difference of each way: the golden file contains it, and V1 answers differently. */
function noteDifferences(notes: CallNotes, method: Method, { v1, v3, v2 }: PlayedCall, within: Played): void {
  for (const [way, reply] of [
    ['v3', v3],
    ['v2', v2],
  ] as const) {
    const [first] = reply === undefined ? [] : differencesOf(method, way, v1, reply, within);
    if (first === undefined) continue;
    const what = first.detail === '' ? first.cause : first.detail;
    notes.add(method.id, `${way.toUpperCase()}: ${what} at ${first.path}`);
  }
}
