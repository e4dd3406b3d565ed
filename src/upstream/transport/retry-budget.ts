/** First attempts that earn one retry. */
const EACH = 10;
/** Of this many first attempts, at most a tenth is retried, for whatever reason. */
const WINDOW = 1_000;

/**
 * The retries of one root, or of one account at a root. A retry after a fault costs ten first attempts, and
 * never more than one retry is saved up, so retries are at least ten first attempts apart. A retry with a new
 * token after 401 needs no savings, because all calls of an account in progress may get one; only the window
 * limits it.
 */
class RetryShare {
  /** First attempts so far. */
  attempts = 0;
  /** The first attempts within the window after which something was retried. */
  #repeats: number[] = [];
  /** The first attempt at which the savings were spent. */
  #spentAt = -EACH;

  /** As good as a new one. */
  get isFull(): boolean {
    return this.#hasSaved && this.#recent.length === 0;
  }

  allows(why: Why): boolean {
    return this.#recent.length < WINDOW / EACH && (why === 'renewed' || this.#hasSaved);
  }

  spend(why: Why): void {
    this.#repeats.push(this.attempts);
    if (why === 'fault') this.#spentAt = this.attempts;
  }

  get #hasSaved(): boolean {
    return this.attempts - this.#spentAt >= EACH;
  }

  get #recent(): readonly number[] {
    this.#repeats = this.#repeats.filter((at) => at > this.attempts - WINDOW);
    return this.#repeats;
  }
}

/** `renewed`: the service refused a token that has been refreshed since; anything else is a fault. */
type Why = 'fault' | 'renewed';

/**
 * Limits retries to a tenth of the traffic of a root and of each account: if everything fails, retries of
 * every call would double the load on a service that is already down. No 1,000 consecutive calls, of all or
 * of one account, become more than 1,100 requests.
 */
export class RetryBudget {
  /**
   * For all accounts together. While nobody has retried anything lately, a first attempt is only counted
   * here.
   */
  readonly root = new RetryShare();
  /** No account has retried anything lately; a field, because every call asks. */
  isQuiet = true;
  /** For accounts that retried something lately. */
  readonly #accounts = new Map<string, RetryShare>();
  #refused = 0;

  /** Retries refused so far. */
  get refused(): number {
    return this.#refused;
  }

  /** A first attempt is sent. */
  earn(account: string): void {
    this.root.attempts += 1;
    const own = this.#accounts.get(account);
    if (own === undefined) return;
    own.attempts += 1;
    if (own.isFull) this.#accounts.delete(account);
    this.isQuiet = this.#accounts.size === 0;
  }

  /** Whether a request may be retried now. */
  take(account: string, why: Why = 'fault'): boolean {
    const own = this.#accounts.get(account) ?? new RetryShare();
    if (!this.root.allows(why) || !own.allows(why)) {
      this.#refused += 1;
      return false;
    }
    this.root.spend(why);
    own.spend(why);
    this.#accounts.set(account, own);
    this.isQuiet = false;
    return true;
  }
}
