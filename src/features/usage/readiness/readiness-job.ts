import { createHash } from 'node:crypto';
import type { Product } from '../../../upstream/organisation.ts';
import { DAY, type Clock } from '../../../lib/time/clock.ts';
import { wordsOf, type Log } from '../../../lib/log/log.ts';
import { isAway, StoreFault } from '../../../lib/store-fault.ts';
import { noUse } from '../names/account-use.ts';
import type { Judged, StoredUse, Unjudged } from '../names/stored-use.ts';
import type { ReadinessRules } from './readiness.ts';
import { verdictOf } from './verdict.ts';

/** Incremented with the stored form, so that all accounts are judged again. */
const FORM = 4;
/** Most accounts judged in one run. */
const AT_ONCE = 100;
/** In milliseconds: a verdict depends on how many days the account was observed. */
const LASTS = DAY;

/** The sources of the verdicts. */
export interface ReadinessParts {
  readonly use: Pick<StoredUse, 'find' | 'unjudged' | 'judge'>;
  readonly repository: {
    byId(id: string): Promise<{ readonly product: Product } | undefined>;
  };
  readonly rules: () => ReadinessRules;
  /** Differs where the verdicts may: reflects the mapping and the settings. */
  readonly version: () => string;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Works out the readiness of accounts whose programs have used something new, for the status report, which has no
 * time to read the names that each of ten thousand accounts uses.
 */
export class ReadinessJob {
  readonly #parts: ReadinessParts;
  #version: string | undefined;

  constructor(parts: ReadinessParts) {
    this.#parts = parts;
  }

  /** Never rejects: the next run catches up on anything not written. */
  async run(): Promise<void> {
    const { use, clock, log, version } = this.#parts;
    this.#version ??= createHash('sha256').update(`${FORM} ${version()}`).digest('hex').slice(0, 16);
    try {
      const now = clock.now();
      const judged: Judged[] = [];
      try {
        for (const one of await use.unjudged(this.#version, now - LASTS, AT_ONCE)) {
          const its = await this.#judge(one, now);
          if (its !== undefined) judged.push(its);
        }
      } finally {
        if (judged.length > 0) await use.judge(judged, { judged_by: this.#version, judged_at: now });
      }
    } catch (error) {
      log.error('readiness.failed', { error: wordsOf(error) });
    }
  }

  /** Undefined if the account's use could not be queried: its former verdict stays. */
  async #judge({ isOff = false, ...one }: Unjudged, now: number): Promise<Judged | undefined> {
    const { use, repository, rules, log } = this.#parts;
    const account = await repository.byId(one.accountId);
    const found = await use.find(one.accountId).catch((error: unknown) => {
      if (isAway(error)) throw error;
      log.error('readiness.failed', { account: one.accountId, error: wordsOf(error) });
      // A damaged row concerns its account only. Nothing is known of it; it is read again as if it had been judged.
      return error instanceof StoreFault ? undefined : noUse();
    });
    if (found === undefined) return undefined;
    const readiness = account && rules().judge(found, account.product, isOff ? undefined : now);
    const verdict = readiness && { v3: verdictOf(readiness.v3), v2: verdictOf(readiness.v2) };
    return { ...one, readiness: textOf(readiness), verdict: textOf(verdict) };
  }
}

const textOf = (judged: object | undefined): string => (judged === undefined ? '' : JSON.stringify(judged));
