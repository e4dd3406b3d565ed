import { wordsOf, type Log } from '../../../lib/log/log.ts';
import {
  TOO_MANY,
  type InstanceRegister,
  type PermitHolder,
  type Presence,
  type Present,
} from '../permit-pool.ts';

/** Dependencies of an entry. */
export interface RegisterEntryParts {
  readonly register: InstanceRegister;
  /** Of this instance. */
  readonly id: string;
  readonly log: Log;
  /** Milliseconds by a clock that is never set. */
  readonly monotonic: () => number;
}

/** Keys that are listed. */
const MOST_OVER = 200;

/** What an instance says about itself; `holder`: of its permits. */
export function presenceOf(
  holder: PermitHolder | undefined,
  about: Pick<Presence, 'state' | 'reaches' | 'epoch' | 'instances'>,
): Presence {
  const over = holder?.over(about.instances) ?? [];
  return {
    ...about,
    over: over.length > MOST_OVER ? [TOO_MANY] : over,
    counts: about.state === 'left' ? (holder?.countsFor() ?? 0) : 0,
  };
}

/** When a report was made, by the register's clock and by this instance's own. */
interface SeenReport {
  readonly at: number;
  readonly reportedAt: number;
}

/**
 * How long ago the others reported, by this instance's own clock since it first read a report. The register's clock may be
 * set: a dead instance would then live for ever, or a living one be counted out.
 */
class ReportAges {
  #known: ReadonlyMap<string, SeenReport> = new Map();
  #askedAt = -Infinity;

  /** The register as it was asked for at `asked` and had been read by `received`. */
  corrected(others: readonly Present[], asked: number, received: number): readonly Present[] {
    const known = new Map<string, SeenReport>();
    const corrected = others.map((one) => {
      const before = this.#known.get(one.id);
      // A report that the last reading did not show is younger than that reading.
      const reportedAt =
        before?.at === one.at ? before.reportedAt : Math.max(received - one.age, this.#askedAt);
      known.set(one.id, { at: one.at, reportedAt });
      return { ...one, age: received - reportedAt };
    });
    this.#known = known;
    this.#askedAt = asked;
    return corrected;
  }
}

/** What an instance says about itself in the register of instances, which is in the database. */
export class RegisterEntry {
  readonly #parts: RegisterEntryParts;
  readonly #ages = new ReportAges();
  #instances = 1;
  #reportedAt = -Infinity;
  #isKept = true;

  constructor(parts: RegisterEntryParts) {
    this.#parts = parts;
  }

  /** The number by which this instance said it divides. */
  get instances(): number {
    return this.#instances;
  }

  /** When the last heartbeat that was written left, by the clock that is never set. */
  get reportedAt(): number {
    return this.#reportedAt;
  }

  /** Whether the last one could be written. */
  get isKept(): boolean {
    return this.#isKept;
  }

  /** Writes a heartbeat and reads those of the others. Undefined if that fails: nothing is decided on outdated data. */
  async report(presence: Presence): Promise<readonly Present[] | undefined> {
    const { register, id, log, monotonic } = this.#parts;
    const sent = monotonic();
    try {
      const all = await register.report(id, presence);
      this.#instances = presence.instances;
      this.#reportedAt = sent;
      this.#isKept = true;
      const others = all.filter((one) => one.id !== id);
      return this.#ages.corrected(others, sent, monotonic());
    } catch (error) {
      if (this.#isKept) log.warn('budget.no-register', { reason: wordsOf(error) });
      this.#isKept = false;
      return undefined;
    }
  }

  async signOff(presence: Presence): Promise<void> {
    try {
      await this.#parts.register.report(this.#parts.id, presence);
    } catch {
      // The others count this instance out by its silence.
    }
  }

  async remove(gone: readonly string[]): Promise<void> {
    try {
      await this.#parts.register.remove(gone);
    } catch {
      // They are too old to count, and the next beat tries again.
    }
  }
}
