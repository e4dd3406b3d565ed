import { idKey, type UuidId } from './identifier.ts';

/** About 150 bytes each. */
const MOST = 100_000;

/**
 * Identifiers that had no number when the database was last asked. Used only while the database is away,
 * because they may get one at any moment.
 */
export class RememberedMarks {
  readonly #lifetime: number;
  readonly #most: number;
  readonly #now: () => number;
  /** When each was last seen, oldest first. */
  readonly #seen = new Map<string, number>();

  /**
   * `lifetime`, in milliseconds: no longer than accounts are served from memory, because another instance may
   * have learned the number since. `now`: milliseconds of a clock that is never set.
   */
  constructor(lifetime: number, most = MOST, now = (): number => performance.now()) {
    this.#lifetime = lifetime;
    this.#most = most;
    this.#now = now;
  }

  /** `ids`: in lower case. */
  remember(accountId: string, ids: readonly UuidId[]): void {
    const now = this.#now();
    for (const id of ids) {
      const key = keyOf(accountId, id);
      this.#seen.delete(key);
      this.#seen.set(key, now);
    }
    for (const key of this.#seen.keys()) {
      if (this.#seen.size <= this.#most) return;
      this.#seen.delete(key);
    }
  }

  has(accountId: string, id: UuidId): boolean {
    const seen = this.#seen.get(keyOf(accountId, id));
    return seen !== undefined && this.#now() - seen < this.#lifetime;
  }

  forget(accountId: string, ids: readonly UuidId[]): void {
    for (const id of ids) this.#seen.delete(keyOf(accountId, id));
  }

  /** For numbers that were assigned to unknown records. */
  clear(): void {
    this.#seen.clear();
  }
}

const keyOf = (accountId: string, { kind, uuid }: UuidId): string => `${accountId} ${idKey(kind, uuid)}`;
