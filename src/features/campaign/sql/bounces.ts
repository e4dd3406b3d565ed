import type { Engine } from '../../../db/engine.ts';
import { addressKey } from '../../accounts/details.ts';
import { lockAccount } from '../../accounts/sql/account-lock.ts';
import { append } from '../../accounts/sql/timeline.ts';
import type { Bounce, BounceRepository, Taken } from '../bounces/bounce.ts';
import { suppress } from './campaign-writes.ts';

/** Ends e-mail to an address from which a message came back, with an entry in the timeline of its accounts. */
export class StoredBounces implements BounceRepository {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async take({ address, kind, words }: Bounce, source: string, now: number): Promise<Taken> {
    const key = addressKey(address);
    if (kind === 'passing' || !(await this.#isOurs(key))) return { outcome: 'ignored' };
    return this.#engine.db.transaction().execute(async (trx) => {
      const accounts = await trx
        .selectFrom('account_details')
        .select('account_id')
        .where('email_key', '=', key)
        .orderBy('account_id')
        .execute();
      for (const { account_id: id } of accounts) await lockAccount(this.#engine, trx, id);
      const known = await trx
        .selectFrom('suppressions')
        .select('address')
        .where('address', '=', key)
        .executeTakeFirst();
      if (known !== undefined) return { outcome: 'ignored' };
      const reason = kind === 'dead' ? 'refused' : 'unsubscribed';
      const detail =
        kind === 'dead' ? `a message came back (${source}): ${words}` : `called a message spam (${source})`;
      await suppress(trx, { address: key, reason, detail, at: now });
      for (const { account_id: id } of accounts)
        await append(trx, id, {
          at: now,
          kind: 'mail.bounced',
          actor: 'bridge',
          detail: `${address}: ${detail}`,
        });
      return { outcome: 'stopped', accounts: accounts.length };
    });
  }

  /** Whoever can post must not be able to end e-mail to any address: a message of ours must have gone there. */
  async #isOurs(key: string): Promise<boolean> {
    const sent = await this.#engine.db
      .selectFrom('outbox')
      .select('id')
      .where('to_key', '=', key)
      .where('state', 'in', ['sent', 'unknown'])
      .limit(1)
      .executeTakeFirst();
    return sent !== undefined;
  }
}
