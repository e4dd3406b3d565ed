const MOST_REMEMBERED = 10_000;

/**
 * The service is met with different spellings of the same collection (`job-status`, `job-statuses`), and only trying
 * tells which an organisation's platform has. What was seen to work is remembered; the oldest is forgotten first.
 */
export class Spellings {
  /** Spellings of one collection each, the documented first. */
  readonly #groups: readonly (readonly string[])[];
  readonly #most: number;
  readonly #known = new Map<string, string>();

  constructor(groups: readonly (readonly string[])[], most = MOST_REMEMBERED) {
    this.#groups = groups;
    this.#most = most;
  }

  /** What to try, in order: what worked, else what was given, then the others. */
  of(organisationId: string, given: string): readonly [string, ...string[]] {
    const known = this.#known.get(keyOf(organisationId, given));
    const first = known ?? given;
    return [first, ...this.#group(given).filter((spelling) => spelling !== first)];
  }

  isKnown(organisationId: string, given: string): boolean {
    return this.#known.has(keyOf(organisationId, given));
  }

  /** `given` was asked for, and `spelling` was answered. */
  remember(organisationId: string, given: string, spelling: string): void {
    if (this.#group(given).length === 0) return;
    const key = keyOf(organisationId, given);
    this.#known.delete(key);
    this.#known.set(key, spelling);
    const oldest = this.#known.keys().next();
    if (this.#known.size > this.#most && oldest.done !== true) this.#known.delete(oldest.value);
  }

  #group(given: string): readonly string[] {
    return this.#groups.find((spellings) => spellings.includes(given)) ?? [];
  }
}

const keyOf = (organisationId: string, given: string): string => `${organisationId}\n${given}`;
