/**
 * The steps of a write that takes several calls to the service, which has no transactions. They are stored in
 * the row of the write before a step leaves and when its outcome is known. After a failure or the death of
 * the process it is therefore known what was done; only the step that was open or unknown has to be looked
 * up, and a repeat of a write that was not done continues after the steps that were.
 */
import { wordsIn } from '../../lib/text/code.ts';
import type { Settling, Write } from './model.ts';

export const stepStates = ['open', 'done', 'not-done', 'unknown'] as const;

/** One step and its progress. */
export interface WriteStep {
  /** Distinguishes it from the other steps of its write; the same when the write is repeated. */
  readonly key: string;
  /** As text: `the job was added`. */
  readonly says: string;
  /** `open`: it has left, or is about to. */
  readonly state: (typeof stepStates)[number];
  /** What it created, by the service's identifier. */
  readonly made?: string | undefined;
  /** What later steps need from its answer. */
  readonly answer?: unknown;
  /** No other step follows it. */
  readonly isLast: boolean;
}

/** How the ledger stores them. */
export interface KeptSteps {
  /** From the write that this one repeats. */
  readonly earlier: readonly WriteStep[];
  /** Durable when this resolves. */
  readonly keep: (steps: readonly WriteStep[]) => Promise<void>;
}

/** The steps of one write while it is carried out. */
export class WriteSteps {
  readonly #steps = new Map<string, WriteStep>();
  readonly #keep: KeptSteps['keep'];

  /** Steps done before are not done again. */
  constructor({ earlier, keep }: KeptSteps) {
    this.#keep = keep;
    for (const step of doneIn(earlier)) this.#steps.set(step.key, step);
  }

  /** Empty for a write of a single call. */
  get all(): readonly WriteStep[] {
    return [...this.#steps.values()];
  }

  /** The step, if it was done before. */
  done(key: string): WriteStep | undefined {
    const step = this.#steps.get(key);
    return step?.state === 'done' ? step : undefined;
  }

  /** Call it before the step leaves; durable when this resolves. */
  async open(step: Omit<WriteStep, 'state'>): Promise<void> {
    if (step.isLast && this.#steps.size === 0) return;
    await this.#set({ ...step, state: 'open' });
  }

  /** Records the outcome of an open step. */
  async close(key: string, outcome: Pick<WriteStep, 'state' | 'made' | 'answer'>): Promise<void> {
    const step = this.#steps.get(key);
    if (step !== undefined) await this.#set({ ...step, ...outcome });
  }

  #set(step: WriteStep): Promise<void> {
    this.#steps.set(step.key, step);
    return this.#keep(this.all);
  }
}

const doneIn = (steps: readonly WriteStep[]): readonly WriteStep[] =>
  steps.filter(({ state }) => state === 'done');

/** Whether nothing has to be looked up: each step was either done or not. */
export const areKnown = (steps: readonly WriteStep[]): boolean =>
  steps.length > 0 && steps.every(({ state }) => state === 'done' || state === 'not-done');

/** Whether each step was done, and no other was to follow. */
export const isComplete = (steps: readonly WriteStep[]): boolean =>
  areKnown(steps) && steps.some(({ isLast, state }) => isLast && state === 'done');

const EVERY_STEP = 'every step was done, and only the reply is missing';

/** The note of a write whose steps are all known, and whose reply, or more, is missing. */
export function notedSteps(steps: readonly WriteStep[]): string {
  if (isComplete(steps)) return `${EVERY_STEP}; a repeat of exactly the same request gets it`;
  const done = doneWords(steps);
  if (done === undefined) return 'no step was done';
  return `only this was done: ${done}; a repeat of exactly the same request does the rest`;
}

/** The steps that were done, as text; undefined: none. */
export function doneWords(steps: readonly WriteStep[]): string | undefined {
  const done = doneIn(steps);
  return done.length === 0 ? undefined : done.map(({ says }) => says).join(', ');
}

/** What of its steps is stored with a write that is settled as not done. */
export function partDone(
  { stepsSealed }: Pick<Write, 'stepsSealed'>,
  steps: readonly WriteStep[],
): Pick<Settling, 'done' | 'undone'> {
  // Without any, or if no key opens them, nothing is known of them.
  if (steps.length === 0) return {};
  if (isComplete(steps)) return { done: EVERY_STEP };
  const done = doneWords(steps);
  return done === undefined ? { undone: stepsSealed } : { done: `done in part; ${done}` };
}

/** The step whose outcome has to be looked up. */
export const uncertainIn = (steps: readonly WriteStep[]): WriteStep | undefined =>
  steps.find(({ state }) => state === 'open' || state === 'unknown');

const stateWords = wordsIn<WriteStep['state']>({
  open: 'outcome unknown',
  done: 'done',
  'not-done': 'not done',
  unknown: 'outcome unknown',
});

/** One step, for people. */
export const stepWords = ({ says, state, made }: WriteStep): string =>
  `${says}: ${stateWords(state)}${made === undefined ? '' : ` (${made})`}`;
