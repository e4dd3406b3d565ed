/**
 * Verifies the mapping against the service: calls what it can, judges the answers, corrects a copy of the
 * mapping, and tries the corrected rows again until nothing more is found. Only calls prove a row, never a
 * correction.
 */
import { judge } from './judging/judge.ts';
import { doubtsIn, hiddenWords, withReason } from './judging/unanswered.ts';
import {
  surfaces,
  type Finding,
  type Judgement,
  type LeftRecord,
  type Proof,
  type Reading,
  type Surface,
  type Verification,
} from './model.ts';
import { goldenFiles, type GoldenFile } from './report/golden.ts';
import type { MappingFiles } from './report/mapping-files.ts';
import type { Method } from '../../mapping/compile/model.ts';
import { Calling, type CallingParts, type Tried } from './calling.ts';
import { corrected, type Compile } from './corrected.ts';
import { inventedIds } from './invented-ids.ts';
import { KnownRecords } from './known-records.ts';
import { wordsOf } from '../../lib/log/log.ts';
import { Refusal } from '../../lib/log/terminal.ts';
import { counted } from '../../lib/text/counted.ts';
import {
  keyOf,
  merged,
  placeOf,
  proofsSince,
  renamedKeys,
  reported,
  toCallAgain,
  verifiedOn,
  withUncalled,
} from './merging.ts';
import { probeErrors } from './probes/errors.ts';
import { probeLimits } from './probes/limits.ts';
import { probePages } from './probes/pages.ts';
import { bothProbed, NOTHING_PROBED } from './probes/probed.ts';
import { expectedCalls, readAll } from './reading.ts';
import { sameCollection } from './same-collection.ts';
import { WriteTrial } from './writes/write-trial.ts';

/** Dependencies of a run. */
export interface VerifyParts extends CallingParts {
  readonly tried: Tried;
  /** Reads the present files again each time. */
  readonly files: () => MappingFiles;
  readonly compiled: Compile;
  readonly facts: Pick<Verification, 'version' | 'organisation' | 'account'>;
  readonly writes: boolean;
  /** Calls of V3 and V2 per minute. */
  readonly perMinute: number;
  /** Reports the current step to people. */
  readonly progress: (words: string) => void;
  /** Ends the run before its next method; the result is what was found until then. */
  readonly signal?: AbortSignal | undefined;
}

/** The result of a run. */
export interface VerifyResult {
  readonly verification: Verification;
  readonly patch: string;
  /** Patch of a profile outside the mapping files, or empty. */
  readonly profilePatch: string;
  readonly golden: readonly GoldenFile[];
}

const MOST_ROUNDS = 4;

type IsWanted = (method: Method, surface: Surface) => boolean;

/** One run. */
export class VerifyRun {
  readonly #parts: VerifyParts;
  readonly #ids = { v3: inventedIds(), v2: inventedIds() };
  readonly #known = new KnownRecords();
  #calling: Calling;
  #readings: Reading[] = [];
  /** What the calls of the present round are to replace: still there if the run ends before they are made. */
  #replaced: readonly Reading[] = [];
  #proofs: readonly Proof[] = [];
  #findings: readonly Finding[] = [];
  #probed = NOTHING_PROBED;
  /** Number of calls before the first with a corrected mapping. */
  #uncorrected = Infinity;
  #expected = 0;
  /** Records that the run may leave in the organisation. */
  readonly #left = new Set<LeftRecord>();
  #untried = new Map<string, string>();

  constructor(parts: VerifyParts) {
    this.#parts = parts;
    this.#calling = new Calling(parts, parts.tried, this.#ids);
    parts.v2?.acceptBy(sameCollection(this.#known, () => this.#calling.tried.mapping));
  }

  /**
   * Calls, judges, corrects and calls again. A rerun calls only what is not proven yet, with the records
   * known by then. After an error that is no answer of the service, such as a database that is away, and after a
   * stop the result is incomplete; without any answer the error is thrown, and a `Refusal` after a stop.
   */
  async run(): Promise<VerifyResult> {
    const { signal, progress } = this.#parts;
    signal?.addEventListener('abort', () => {
      progress('stopping after the call in progress; a second signal ends the run at once, without a report');
    });
    this.#announce();
    try {
      return await this.#whole();
    } catch (error) {
      const isStopped = signal?.aborted === true;
      if (this.#readings.length + this.#replaced.length === 0)
        throw isStopped ? new Refusal('stopped before the service answered anything') : error;
      // The report contains no values, which the message of an error may have.
      if (!isStopped) progress(wordsOf(error));
      return this.#ended(isStopped ? 'it was stopped' : 'an error ended it');
    }
  }

  /** The finished rounds, and of the one that was not finished what was read. */
  #ended(why: string): VerifyResult {
    this.#leaveUncalled();
    const { remarks } = this.#judged(this.#parts.files());
    return this.#result({ proofs: this.#proofs, findings: this.#findings, remarks }, why);
  }

  #announce(): void {
    const { perMinute, writes } = this.#parts;
    const calls = expectedCalls(this.#calling, writes, () => true);
    this.#expected = calls.reduce((sum, one) => sum + one, 0);
    const [v1 = 0, v3 = 0, v2 = 0] = calls;
    const minutes = Math.max(1, Math.ceil((v3 + v2) / perMinute));
    this.#parts.progress(
      `about ${counted(this.#expected, 'call')}: ${v1} of V1, ${v3} of V3, ${v2} of V2; with ${perMinute} of V3 and V2 a minute about ${counted(minutes, 'minute')}, longer where the service differs`,
    );
  }

  /** Throws if the run is to end. */
  #step(words: string): void {
    const { signal, progress } = this.#parts;
    signal?.throwIfAborted();
    // Pages, probes and similar addresses come on top of what was expected.
    progress(`${this.#calls} of about ${Math.max(this.#expected, this.#calls)}: ${words}`);
  }

  get #calls(): number {
    const { v3, v2 } = this.#parts;
    return this.#calling.v1Calls + v3.calls + (v2?.calls ?? 0);
  }

  async #whole(): Promise<VerifyResult> {
    for (const surface of surfaces) await this.#read(surface, () => true);
    if (this.#parts.writes) await this.#write(() => true);
    const files = this.#parts.files();
    await this.#probe(files);
    let judgement = this.#judged(files);
    const done = new Set<string>();
    let uncalled: ReadonlySet<string> = new Set();
    for (let round = 1; round < MOST_ROUNDS; round += 1) {
      // A place that still differs after a correction differs from method to method, so nothing can correct
      // it.
      const fresh = this.#findings.filter((finding) => !done.has(placeOf(finding)));
      const tried = corrected(files, fresh, this.#parts.compiled);
      if (tried === undefined) break;
      for (const finding of fresh) done.add(placeOf(finding));
      this.#step('the corrected mapping');
      const open = toCallAgain(judgement.proofs, this.#calling.tried.mapping, tried.mapping);
      this.#calling = new Calling(this.#parts, tried, this.#ids, this.#calling.v1Calls);
      this.#uncorrected = Math.min(this.#uncorrected, this.#calls);
      uncalled = await this.#again(new Set([...open, ...uncalled]));
      judgement = withUncalled(this.#judged(files), judgement, uncalled);
    }
    return this.#result(judgement);
  }

  /** Uses the mapping as it is: corrections of the profile are tried in the next run. */
  async #probe({ fileOf }: MappingFiles): Promise<void> {
    this.#step('pages, limits and errors');
    const { progress: tell } = this.#parts;
    this.#probed = bothProbed(this.#probed, await probePages(this.#calling, this.#readings));
    this.#probed = bothProbed(this.#probed, probeLimits(this.#calling, this.#readings));
    this.#probed = bothProbed(this.#probed, await probeErrors(this.#calling, { fileOf, tell }));
  }

  /** Judges by the mapping that was called with, and keeps what an incomplete run reports. */
  #judged({ fileOf }: MappingFiles): Judgement {
    const { mapping } = this.#calling.tried;
    const readings = [...this.#readings, ...this.#replaced];
    const known = { untried: this.#untried, renamed: renamedKeys(this.#findings) };
    const judgement = judge({ mapping, readings, fileOf, ...known });
    this.#proofs = proofsSince(this.#proofs, judgement.proofs, new Set(this.#replaced.map(keyOf)));
    this.#findings = merged([...this.#findings, ...judgement.findings, ...this.#probed.findings]);
    return judgement;
  }

  async #read(surface: Surface, isWanted: (method: Method) => boolean): Promise<void> {
    const methods = this.#calling.tried.mapping.methods.filter(isWanted);
    const progress = (method: string): void => {
      this.#step(`${surface.toUpperCase()} ${method}`);
    };
    const readings = this.#readings;
    const untried = await readAll(this.#calling, surface, methods, this.#known, { progress, readings });
    for (const [key, words] of untried) this.#untried.set(key, words);
  }

  /** Writes on V3 first: its documents are specified, so a refusal by V2 is V2's own. V1 is only read. */
  async #write(isWanted: IsWanted): Promise<void> {
    const trial = this.#trial();
    for (const surface of ['v3', 'v2'] as const) {
      const untried = await trial.run(surface, (method) => isWanted(method, surface), this.#readings);
      for (const [key, words] of untried) this.#untried.set(key, words);
    }
  }

  #trial(): WriteTrial {
    const progress = (method: string, surface: Surface): void => {
      this.#step(`${surface.toUpperCase()} ${method}`);
    };
    return new WriteTrial(this.#calling, this.#known, { progress, left: this.#left });
  }

  /** Calls methods again with the corrected mapping; returns those that could not be called, whose answers it keeps. */
  async #again(open: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    this.#replaced = this.#readings.filter((reading) => open.has(keyOf(reading)));
    this.#readings = this.#readings.filter((reading) => !open.has(keyOf(reading)));
    const isOpen: IsWanted = ({ id }, surface) => open.has(`${id} ${surface}`);
    this.#expected = this.#calls + this.#callsAgain(isOpen);
    for (const surface of surfaces) await this.#read(surface, (method) => isOpen(method, surface));
    if (this.#parts.writes) await this.#write(isOpen);
    this.#leaveUncalled();
    const uncalled = new Set(this.#replaced.map(keyOf));
    this.#readings.push(...this.#replaced);
    this.#replaced = [];
    return uncalled;
  }

  #callsAgain(isOpen: IsWanted): number {
    const { writes } = this.#parts;
    const trial = this.#trial();
    const planned = new Set(
      (['v3', 'v2'] as const).flatMap((surface) =>
        trial.planned(surface, (one) => isOpen(one, surface)).map(({ id }) => `${id} ${surface}`),
      ),
    );
    const isCalled: IsWanted = (one, surface) => isOpen(one, surface) || planned.has(`${one.id} ${surface}`);
    return expectedCalls(this.#calling, writes, isCalled).reduce((sum, one) => sum + one, 0);
  }

  /** Leaves in `#replaced` what was not called again. */
  #leaveUncalled(): void {
    const again = new Set(this.#readings.map(keyOf));
    this.#replaced = this.#replaced.filter((reading) => !again.has(keyOf(reading)));
  }

  /** Collects what remains. */
  #result({ proofs, remarks, findings: left }: Judgement, incomplete?: string): VerifyResult {
    const readings = [...this.#readings, ...this.#replaced];
    const findings = reported(this.#findings, left, incomplete === undefined, readings);
    const { v3, v2, clock, facts, writes } = this.#parts;
    const at = new Date(clock.now()).toISOString();
    const verified = incomplete === undefined ? verifiedOn(proofs, at.slice(0, 10)) : {};
    const files = this.#parts.files();
    corrected(files, findings, this.#parts.compiled);
    files.verify(verified);
    const triedCorrections = this.#calls > this.#uncorrected;
    const calls = { v1: this.#calling.v1Calls, v3: v3.calls, v2: v2?.calls ?? 0 };
    const { mapping } = this.#calling.tried;
    const shown = proofs.map((proof) => withReason(proof, mapping, writes));
    const asked = surfaces.filter((surface) => this.#calling.lacks(surface) === undefined);
    const hidden = hiddenWords(readings, mapping);
    for (const words of hidden) this.#parts.progress(words);
    const doubts = doubtsIn({ proofs, surfaces: asked, mapping, unknown: this.#probed.doubts });
    return {
      verification: {
        ...{ at, ...facts, ...(incomplete !== undefined && { incomplete, triedCorrections }), writes, calls },
        ...(this.#left.size > 0 && { left: [...this.#left] }),
        ...{ proofs: shown, findings, remarks, doubts },
        ...{ limits: this.#probed.limits, verified },
      },
      patch: files.patch,
      profilePatch: files.profilePatch,
      golden: [
        ...goldenFiles(this.#readings, mapping),
        ...goldenFiles(this.#replaced, this.#parts.tried.mapping),
      ],
    };
  }
}
