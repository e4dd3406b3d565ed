/** First attempts that pay for one repeat. */
const EACH = 10;
/** Of so many first attempts no more than a tenth is repeated, for whatever reason. */
const WINDOW = 1_000;

/**
 * The repeats of one root, or of one account at a root. A repeat after a fault costs ten first attempts, and no more than
 * one repeat is ever saved up: repeats are ten first attempts apart. A repeat with a new token after 401 needs nothing
 * saved, since the calls of an account that are out together may all meet it; the window alone bounds it.
 */
class RetryShare {
  /** First attempts so far. */
  attempts = 0;
  /** At which first attempts something was repeated, within the window. */
  #repeats: number[] = [];
  /** At which first attempt what was saved was spent. */
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

/** `renewed`: the service refused a token that was renewed since; anything else is a fault. */
type Why = 'fault' | 'renewed';

/**
 * Keeps repeats at a tenth of the traffic, of a root and of each account: where everything fails, everybody repeating would
 * double the load on a service that is down already. No 1,000 calls in a row, of all or of one account, are more than
 * 1,100 requests.
 */
export class RetryBudget {
  /** Of all accounts together. While nobody has repeated anything lately a first attempt is only counted here. */
  readonly root = new RetryShare();
  /** No account has repeated anything lately; a field, since every call asks. */
  isQuiet = true;
  /** Of those who repeated something lately. */
  readonly #accounts = new Map<string, RetryShare>();
  #refused = 0;

  /** Repeats that were not allowed, so far. */
  get refused(): number {
    return this.#refused;
  }

  /** A first attempt goes out. */
  earn(account: string): void {
    this.root.attempts += 1;
    const own = this.#accounts.get(account);
    if (own === undefined) return;
    own.attempts += 1;
    if (own.isFull) this.#accounts.delete(account);
    this.isQuiet = this.#accounts.size === 0;
  }

  /** May a request be repeated now? */
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
