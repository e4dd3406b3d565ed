/** Plays golden files of recorded calls against a mapping, and reports differing answers. */
import { z } from 'zod';
import type { Mapping, Method } from '../mapping/compile/model.ts';
import { isRead } from '../mapping/compile/reads.ts';
import { products } from '../upstream/organisation.ts';
import { placeOfFile } from '../proof/rehearsal/golden-format.ts';
import type { GoldenFile, ReplayFinding, ReplayOutcome } from '../proof/rehearsal/order.ts';
import type { Progress } from '../lib/progress.ts';
import { SEED_FILE } from './export.ts';
import { playedFrom, type Played } from './judging.ts';
import { quoted, replyChange } from './reply-change.ts';
import { readGoldenCall, requestsOf, sameUuids, type GoldenCall, type GoldenRequest } from './golden.ts';
import { playCalls, type PlayedReply } from './play.ts';

/** The seed that `record export` writes beside the golden files. */
const seedSchema = z.strictObject({
  begins: z.iso.datetime(),
  product: z.enum(products),
  organisation: z.record(z.string(), z.unknown()),
});

/** Throws for invalid files. */
export async function replay(
  files: readonly GoldenFile[],
  mapping: Mapping,
  progress: Progress,
): Promise<ReplayOutcome> {
  const seed = seedIn(files);
  const golden: GoldenCall[] = [];
  for (const file of files.filter(({ path }) => path.endsWith('.http')))
    golden.push(await readGoldenCall(file));
  golden.sort((a, b) => placeOfFile(a.path) - placeOfFile(b.path));
  if (golden.length === 0) throw new Error('there is no golden file: causeway record export writes them');
  const { organisation, product, begins } = seed;
  const from = Date.parse(begins);
  const options = { seed: organisation, product, mapping, begins: from };
  const methods = new Map(mapping.methods.map((method) => [method.id, method]));
  const findings: ReplayFinding[] = [];
  const asksOtherwise: string[] = [];
  let played = 0;
  for (const way of product === 'practice' ? (['v3'] as const) : (['v3', 'v2'] as const)) {
    const calls = golden.map(({ call }) => call);
    const started = performance.now();
    const { replies, steps, pairs } = await playCalls(options, way, calls, progress);
    const within = playedFrom(from, performance.now() - started);
    const stuck = steps.at(-1);
    if (stuck?.outcome === 'failed')
      throw new Error(`the account does not move: ${stuck.step}: ${stuck.words}`);
    const same = sameUuids(
      pairs,
      golden.flatMap((one) => one.pairs),
    );
    for (const [at, one] of golden.entries()) {
      const reply = replies[at];
      if (reply === undefined) continue;
      played += 1;
      const found = judged(one, way, reply, { method: methods.get(one.call.method), same, within });
      if (found === 'asks otherwise') asksOtherwise.push(`${one.path} on ${way.toUpperCase()}`);
      else if (found !== undefined) findings.push(found);
    }
  }
  return { files: golden.length, played, findings, asksOtherwise };
}

/** Throws if the folder has no seed or an unreadable one. */
function seedIn(files: readonly GoldenFile[]): z.infer<typeof seedSchema> {
  const file = files.find(({ path }) => path === SEED_FILE);
  if (file === undefined) throw new Error(`there is no ${SEED_FILE} beside the golden files`);
  let value: unknown;
  try {
    value = JSON.parse(file.content);
  } catch {
    throw new Error(`${SEED_FILE} cannot be read as JSON`);
  }
  const { data, error } = seedSchema.safeParse(value);
  if (error !== undefined)
    throw new Error(
      `${SEED_FILE}: ${error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ')}`,
    );
  return data;
}

/** The row of the call, what makes UUIDs those of the file, and when the calls were played. */
interface Judging {
  readonly method: Method | undefined;
  readonly same: (text: string) => string;
  readonly within: Played;
}

/** Compares a played call with its golden file; undefined if they agree. */
function judged(
  { path, call, requests, replies }: GoldenCall,
  way: 'v3' | 'v2',
  reply: PlayedReply,
  { method, same, within }: Judging,
): ReplayFinding | 'asks otherwise' | undefined {
  const finding = { path, method: call.method, way };
  if (method === undefined) return { ...finding, what: 'reply', words: 'the mapping has no row for it' };
  const words = replyChange(method, replies[way], reply, within);
  if (words !== undefined) return { ...finding, what: 'reply', words };
  const change = requestChange(requests[way], requestsOf(reply, way, same));
  if (change === undefined) return undefined;
  return isRead(method) ? 'asks otherwise' : { ...finding, what: 'request', words: change };
}

/** How the requests differ from the file's; undefined if they do not. */
function requestChange(before: readonly GoldenRequest[], now: readonly GoldenRequest[]): string | undefined {
  if (before.length !== now.length)
    return `${now.length} requests to the service instead of ${before.length}`;
  const at = before.findIndex(
    ({ start, body }, index) => start !== now[index]?.start || body !== now[index].body,
  );
  if (at < 0) return undefined;
  const [one, other] = [before[at], now[at]];
  return one?.start === other?.start
    ? `request ${at + 1} has another body: ${quoted(other?.body ?? '')}`
    : `request ${at + 1} is ${quoted(other?.start ?? '')} instead of ${quoted(one?.start ?? '')}`;
}
