import type { Account } from '../../features/accounts/account.ts';
import type { ActionName } from '../../features/admin/actions/words.ts';
import type { PlaceResealed } from '../../tokens/sealing/sealed.ts';
import type { Services } from '../wiring/services.ts';
import { AT_TERMINAL } from './model.ts';

/** Actions that only the command line has. */
type DeedName =
  | 'account.forget'
  | 'calls.forget'
  | 'client.write'
  | 'crosswalk.learn'
  | 'lists.forget'
  | 'samples.export'
  | 'samples.forget'
  | 'samples.record'
  | 'samples.switch'
  | 'snapshot.forget'
  | 'usage.forget'
  | 'verify';

/** Records each action in the audit log before it is done, and its result afterwards. */
export class Deeds {
  readonly #audit: Services['store']['audit'];
  readonly #clock: Services['clock'];

  constructor({ store, clock }: Services) {
    this.#audit = store.audit;
    this.#clock = clock;
  }

  /** `deed` returns its result, and the result as text for the log. `requested`: the text before it is done. */
  async do<Result>(
    action: ActionName | DeedName,
    account: Account,
    deed: () => Promise<readonly [Result, string]>,
    requested = 'requested',
  ): Promise<Result> {
    await this.#write(action, account, requested);
    try {
      const [result, words] = await deed();
      await this.#write(action, account, words);
      return result;
    } catch (error) {
      await this.#write(action, account, 'failed: something went wrong').catch(() => undefined);
      throw error;
    }
  }

  /** Like `do`, for actions that concern no single account. */
  async rotate(deed: () => Promise<readonly PlaceResealed[]>): Promise<readonly PlaceResealed[]> {
    await this.#audit.write({
      at: this.#clock.now(),
      who: AT_TERMINAL,
      action: 'keys.rotate',
      accountIds: [],
      detail: 'requested',
    });
    const places = await deed();
    const together = places.reduce((sum, { resealed }) => sum + resealed, 0);
    await this.#audit.write({
      at: this.#clock.now(),
      who: AT_TERMINAL,
      action: 'keys.rotate',
      accountIds: [],
      detail: `done: ${together} values`,
    });
    return places;
  }

  async #write(action: string, { id }: Account, detail: string): Promise<void> {
    await this.#audit.write({ at: this.#clock.now(), who: AT_TERMINAL, action, accountIds: [id], detail });
  }
}
