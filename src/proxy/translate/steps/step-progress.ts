import { outcomeOf } from '../../../features/writes/judging.ts';
import { WriteSteps, type KeptSteps, type WriteStep } from '../../../features/writes/steps.ts';
import { Failure } from '../../../lib/failure.ts';
import type { Method } from '../../../mapping/compile/model.ts';
import { entries, textOf, valueAt, type Path } from '../../../mapping/compile/path.ts';
import type { V2Step } from '../../../mapping/compile/v2/v2-model.ts';
import type { Context } from '../context.ts';
import { isSo, valueOf } from '../template-values.ts';

/** One execution of a step. */
export interface Turn {
  /** Index in the list that the step repeats for. */
  readonly at: number;
  /** The entries that follow. */
  readonly rest: readonly unknown[];
}

export interface ProgressParts {
  readonly kept: KeptSteps;
  /** All steps of the method. */
  readonly steps: readonly V2Step[];
  /** The place of the created record's number in an answer. */
  readonly number: Path | undefined;
}

const NOT_KEPT = 'The bridge cannot keep how far this request has come at the moment; try again later';

/** Records in the ledger how far a write of several steps has come, before it continues. */
export class StepProgress {
  readonly #parts: ProgressParts;
  readonly #kept: WriteSteps;

  constructor(parts: ProgressParts) {
    this.#parts = parts;
    this.#kept = new WriteSteps(parts.kept);
  }

  /** The step, if the write that this one repeats has done it. */
  done(step: V2Step, turn: Turn): WriteStep | undefined {
    return this.#kept.done(this.#keyOf(step, turn));
  }

  /**
   * Throws the errors of `perform`, and `Failure` storeUnavailable if nothing can be stored: no further step is sent
   * then.
   */
  async during(
    step: V2Step,
    turn: Turn,
    context: Context,
    perform: () => Promise<unknown>,
  ): Promise<unknown> {
    const kept = this.#kept;
    const key = this.#keyOf(step, turn);
    const isLast = await this.#isLast(step, turn, context);
    await keeping(kept.open({ key, says: wordsOf(step), isLast }));
    try {
      const answer = await perform();
      const closed = keeping(kept.close(key, { state: 'done', answer, made: this.#numberIn(answer) }));
      // The last step may stay unrecorded: the outcome of the write says the same.
      await (isLast ? closed.catch(() => undefined) : closed);
      return answer;
    } catch (error) {
      if (kept.done(key) === undefined)
        await kept.close(key, { state: stateAfter(error) }).catch(() => undefined);
      throw error;
    }
  }

  #keyOf(step: V2Step, { at }: Turn): string {
    return `${this.#parts.steps.indexOf(step)}.${at} ${wordsOf(step)}`;
  }

  /**
   * Whether no further step will write. Conditions refer to the request, and to answers that exist before the first
   * step is written.
   */
  #isLast(step: V2Step, { rest }: Turn, context: Context): boolean | Promise<boolean> {
    const { steps } = this.#parts;
    const later = steps.slice(steps.indexOf(step) + 1).filter(({ verb }) => verb !== 'GET');
    return context.lookups.settled(
      () =>
        !isPerformed(step, rest, context) &&
        !later.some((one) => isPerformed(one, itemsOf(one, context), context)),
    );
  }

  #numberIn(answer: unknown): string | undefined {
    const { number } = this.#parts;
    return number && textOf(valueAt(answer, number, () => undefined));
  }
}

const wordsOf = ({ says = 'a part of it' }: V2Step): string => says;

const stateAfter = (error: unknown): WriteStep['state'] =>
  outcomeOf(error).state === 'unknown' ? 'unknown' : 'not-done';

const itemsOf = ({ each }: V2Step, context: Context): readonly unknown[] =>
  each === undefined ? [context.item] : entries(valueOf(each, context));

const isPerformed = ({ when }: V2Step, items: readonly unknown[], context: Context): boolean =>
  items.some((item) => when === undefined || isSo(when, { ...context, item }));

async function keeping(kept: Promise<void>): Promise<void> {
  try {
    await kept;
  } catch (error) {
    throw new Failure('storeUnavailable', { text: NOT_KEPT, cause: error });
  }
}

/** The path of the number of the record that the method creates. */
export function numberOf({ creates, reply }: Method): Path | undefined {
  if (!creates || reply.form !== 'one') return undefined;
  return reply.of.rows.find(({ element }) => element === 'ID')?.v2?.paths[0];
}
