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
  #saved = EACH;
  #attempts = 0;
  /** At which first attempts something was repeated, within the window. */
  readonly #repeats: number[] = [];

  /** As good as a new one. */
  get isFull(): boolean {
    return this.#saved === EACH && this.#repeats.length === 0;
  }

  earn(): void {
    this.#attempts += 1;
    if (this.#saved < EACH) this.#saved += 1;
    while ((this.#repeats[0] ?? Infinity) <= this.#attempts - WINDOW) this.#repeats.shift();
  }

  allows(why: Why): boolean {
    return this.#repeats.length < WINDOW / EACH && (why === 'renewed' || this.#saved === EACH);
  }

  spend(why: Why): void {
    this.#repeats.push(this.#attempts);
    if (why === 'fault') this.#saved = 0;
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
  readonly #root = new RetryShare();
  /** Of those who repeated something lately. */
  readonly #accounts = new Map<string, RetryShare>();
  #refused = 0;

  /** Repeats that were not allowed, so far. */
  get refused(): number {
    return this.#refused;
  }

  /** A first attempt goes out. */
  earn(account: string): void {
    this.#root.earn();
    const own = this.#accounts.get(account);
    if (own === undefined) return;
    own.earn();
    if (own.isFull) this.#accounts.delete(account);
  }

  /** May a request be repeated now? */
  take(account: string, why: Why = 'fault'): boolean {
    const own = this.#accounts.get(account) ?? new RetryShare();
    if (!this.#root.allows(why) || !own.allows(why)) {
      this.#refused += 1;
      return false;
    }
    this.#root.spend(why);
    own.spend(why);
    this.#accounts.set(account, own);
    return true;
  }
}
