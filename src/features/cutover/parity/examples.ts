/**
 * Values of differences from the customer's records, one example of each difference. A masked example shows that
 * something differs; only the value shows whether that matters.
 *
 * They are sealed, kept as long as a sample, and not kept at all for an account without samples.
 */
import type { Clock } from '../../../lib/time/clock.ts';
import { openJson, sealJson } from '../../../lib/secret/sealed-json.ts';
import { SealBroken, type Seal } from '../../../lib/secret/seal.ts';
import { sealedAs } from '../../../tokens/sealing/sealed.ts';
import type { DifferenceExample } from './model.ts';
import type { SealedExamples, StoredParity } from './stored-parity.ts';

/** What seals them, and when they are kept. */
export interface ExamplesParts {
  readonly stored: Pick<StoredParity, 'examples'>;
  readonly seal: Pick<Seal, 'seal' | 'open'>;
  /** Whether anything of the account is kept. */
  readonly isKept: (accountId: string) => Promise<boolean>;
  /** In milliseconds. */
  readonly lifetime: number;
  readonly clock: Clock;
}

/** Seals and opens values of differences. */
export class Examples {
  readonly #parts: ExamplesParts;

  constructor(parts: ExamplesParts) {
    this.#parts = parts;
  }

  /** Undefined if there is nothing to keep. */
  async sealed(
    accountId: string,
    examples: readonly DifferenceExample[],
  ): Promise<SealedExamples | undefined> {
    const { seal, isKept, lifetime, clock } = this.#parts;
    if (examples.length === 0 || !(await isKept(accountId))) return undefined;
    const sealed = sealJson(seal, examples, accountId, sealedAs.parityExamples);
    return { sealed, until: clock.now() + lifetime };
  }

  /** Empty if no values are kept any longer, or the key that sealed them was removed. */
  async of(accountId: string): Promise<readonly DifferenceExample[]> {
    const { stored, seal, clock } = this.#parts;
    const sealed = await stored.examples(accountId, clock.now());
    if (sealed === undefined) return [];
    try {
      return openJson(seal, sealed, accountId, sealedAs.parityExamples) as readonly DifferenceExample[];
    } catch (error) {
      if (error instanceof SealBroken) return [];
      throw error;
    }
  }
}
