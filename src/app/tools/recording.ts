/** The commands that record the calls of an account, export them, and replay them. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { Account } from '../../features/accounts/account.ts';
import { Masking } from '../../features/samples/masking.ts';
import type { KeptSample } from '../../features/samples/packed.ts';
import { ReadableSamples } from '../../features/samples/readable.ts';
import { Refusal } from '../../lib/log/terminal.ts';
import { DAY } from '../../lib/time/clock.ts';
import { CallNotes } from '../../proof/rehearsal/notes.ts';
import type { ExportOutcome, GoldenFile, ReplayCall, ReplayOutcome } from '../../proof/rehearsal/order.ts';
import { runReplayProcess } from '../replay-process.ts';
import type { Progress } from '../../lib/progress.ts';
import type { Services } from '../wiring/services.ts';
import type { Deeds } from './deeds.ts';
import type { RecordingTools } from './model.ts';

/** In milliseconds: the maximum length of a recording. */
const LONGEST = 7 * DAY;

/** Recordings of one account's calls. */
export const recordingToolsOf = (services: Services, deeds: Deeds): RecordingTools => ({
  async show({ id }) {
    const counts = await services.samples.counts(id);
    const { samples = 0, bytes = 0 } = counts.find(({ purpose }) => purpose === 'recorded') ?? {};
    return { recording: await services.samples.recording(id), samples, bytes };
  },
  async start(account, millis) {
    const { settings, samples } = services;
    if (!settings.samples.on)
      throw new Refusal('CAUSEWAY_SAMPLING is off: no calls are kept, of any account');
    if (!(await samples.isOn(account.id)))
      throw new Refusal(`no calls of ${account.name} are kept: causeway samples on switches that on`);
    if (millis > LONGEST) throw new Refusal('a recording lasts seven days at most');
    return deeds.do('samples.record', account, async () => {
      const recording = await samples.record(account.id, millis);
      return [recording, `until ${new Date(recording.until).toISOString()}`];
    });
  },
  stop: (account) =>
    deeds.do('samples.record', account, async () => {
      await services.samples.endRecording(account.id);
      return [undefined, 'ended'];
    }),
  export: (account, folder, progress) =>
    deeds.do('samples.export', account, async () => {
      const outcome = await exported(services, account, folder, progress);
      return [outcome, `done: ${outcome.exported} golden files`];
    }),
});

/** Replays the recorded calls and writes the files. Throws `Refusal`, with nothing written, if that cannot be done. */
async function exported(
  services: Services,
  account: Account,
  folder: string,
  progress: Progress,
): Promise<ExportOutcome> {
  const { checkNewFolder } = await import('./new-folder.ts');
  await checkNewFolder(folder);
  const outcome = await goldenCalls(services, account, progress);
  if (outcome === undefined)
    throw new Refusal(
      `no call of ${account.name} is recorded: causeway record '${account.name}' --for 1h starts a recording`,
    );
  // The seed is written last: nothing is replayed without it, so a process that dies half way leaves nothing that looks
  // complete.
  for (const file of outcome.files.toReversed()) await save(folder, file);
  return outcome;
}

/**
 * The recorded calls of an account as golden files, masked. Undefined: none is recorded. `begins`: when the first was
 * made, in milliseconds since the epoch. Throws `Refusal` if they cannot be replayed.
 */
export async function goldenCalls(
  { samples, ring, settings }: Services,
  { id, product }: Account,
  progress: Progress,
): Promise<(ExportOutcome & { readonly begins: number }) | undefined> {
  const kept = (await samples.find(id, 'recorded')).toSorted(
    (a, b) => a.at - b.at || (a.order ?? 0) - (b.order ?? 0),
  );
  const [first] = kept;
  if (first === undefined) return undefined;
  const { calls, leftOut } = callsOf(kept, (key) => Masking.of(ring, id, key));
  const order = { task: 'export', product, calls, begins: first.at } as const;
  const outcome = await runReplayProcess<ExportOutcome>({ ...order, mappings: settings.mappings }, progress);
  return { ...outcome, leftOut: [...leftOut, ...outcome.leftOut], begins: first.at };
}

/** Calls that can be repeated, in their order. */
export function callsOf(
  kept: readonly KeptSample[],
  maskingOf: (key: string) => Masking | undefined,
): { readonly calls: readonly ReplayCall[]; readonly leftOut: ExportOutcome['leftOut'] } {
  const calls: ReplayCall[] = [];
  const left = new CallNotes();
  const readers = new Map(
    Array.from(new Set(kept.map(({ key }) => key)), (key) => [key, readerOf(maskingOf(key))]),
  );
  for (const sample of kept) {
    const reader = readers.get(sample.key);
    if (reader !== undefined && sample.request.isWithheld !== true) {
      calls.push(callOf(sample, reader));
      continue;
    }
    left.add(sample.method, reader === undefined ? NO_KEY : WITHHELD);
  }
  return { calls, leftOut: left.list };
}

/** Undefined: the key of the hashes was removed. */
const readerOf = (masking: Masking | undefined): ReadableSamples | undefined =>
  masking && new ReadableSamples((text) => masking.hash(text));

/** A call with texts in place of the hashes, the same for the same hash. */
function callOf({ method, request, body, reply }: KeptSample, reader: ReadableSamples): ReplayCall {
  const { verb = 'GET', segments, query } = request;
  return {
    ...{ method, verb, segments, query },
    body: body && reader.element(body),
    expected: reply && reader.element(reply),
  };
}

const WITHHELD = 'its request contains free text, or was too long: neither is kept';
const NO_KEY = 'the key of its hashes is no longer among CAUSEWAY_ENCRYPTION_KEYS';

/** Saves a file, creating the folders above it. */
async function save(folder: string, { path, content }: GoldenFile): Promise<void> {
  const file = join(folder, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, content);
}

/** Replays the golden files of a folder. Throws `Refusal` if that cannot be done. */
export async function replayFolder(
  folder: string,
  mappings: string,
  progress: Progress,
): Promise<ReplayOutcome> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch((error: unknown) => {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new Refusal(`${folder} cannot be read: ${code === 'ENOENT' ? 'there is no such folder' : message}`);
  });
  const files: GoldenFile[] = [];
  for (const entry of entries.filter((one) => one.isFile() && /\.(?:http|json)$/.test(one.name))) {
    const path = join(entry.parentPath, entry.name);
    files.push({ path: relative(folder, path).replaceAll('\\', '/'), content: await readFile(path, 'utf8') });
  }
  return runReplayProcess<ReplayOutcome>({ task: 'replay', files, mappings }, progress);
}
