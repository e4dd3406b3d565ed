import type { Transaction } from 'kysely';
import type { Engine } from '../../../db/engine.ts';
import type { Tables } from '../../../db/tables.ts';
import { addressKey, parseAddress } from '../../accounts/details.ts';
import { lockAccount } from '../../accounts/sql/account-lock.ts';
import { append } from '../../accounts/sql/timeline.ts';
import type { Bounce, BounceRepository, Taken } from '../bounces/bounce.ts';
import { suppress } from './campaign-writes.ts';

/** States of messages that may come back. */
const LEFT = ['sent', 'unknown'] as const;

/**
 * Undefined: no message of ours went to such an address. Anybody may write one into a report, such as one with U+0000,
 * which PostgreSQL refuses.
 */
function keyOf(given: string): string | undefined {
  const address = parseAddress(given);
  return address === undefined ? undefined : addressKey(address);
}

/** Ends e-mail to an address from which a message came back, with an entry in the timeline of its accounts. */
export class StoredBounces implements BounceRepository {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async take({ address, kind, words }: Bounce, source: string, now: number, leftAt?: number): Promise<Taken> {
    const key = kind === 'passing' ? undefined : await this.#ours(address);
    if (key === undefined) return { outcome: 'ignored' };
    return this.#engine.db.transaction().execute(async (trx) => {
      const holders = await trx
        .selectFrom('account_details')
        .select('account_id')
        .where('email_key', '=', key)
        .execute();
      const accounts = await concerned(trx, key, holders);
      for (const id of accounts) await lockAccount(this.#engine, trx, id);
      const known = await trx
        .selectFrom('suppressions')
        .select('reason')
        .where('address', '=', key)
        .executeTakeFirst();
      const reason = kind === 'dead' ? 'refused' : 'unsubscribed';
      // A person may lift a refusal; a complaint about an e-mail that did arrive stays.
      const isKnown = known?.reason === 'unsubscribed' || known?.reason === reason;
      if (isKnown || (await isOld(trx, holders, leftAt))) return { outcome: 'ignored' };
      const detail = detailOf({ kind, words }, source);
      await suppress(trx, { address: key, reason, detail, at: now });
      for (const id of accounts)
        await append(trx, id, {
          at: now,
          kind: 'mail.bounced',
          actor: 'bridge',
          detail: `${address}: ${detail}`,
        });
      return { outcome: 'stopped', accounts: accounts.length };
    });
  }

  async leftAt(address: string, messageIds: readonly string[]): Promise<number | undefined> {
    const key = keyOf(address);
    if (key === undefined || messageIds.length === 0) return undefined;
    const row = await this.#engine.db
      .selectFrom('outbox')
      .select(['settled_at', 'claimed_at'])
      .where('id', 'in', messageIds)
      .where('to_key', '=', key)
      // A message whose sending was cut off may have left, too.
      .where('attempts', '>', 0)
      .orderBy('queued_at')
      .limit(1)
      .executeTakeFirst();
    return row?.settled_at ?? row?.claimed_at ?? undefined;
  }

  /**
   * The key of the address. A sender of posts must not be able to end e-mail to any address: a message of ours must have
   * gone there.
   */
  async #ours(address: string): Promise<string | undefined> {
    const key = keyOf(address);
    if (key === undefined) return undefined;
    const sent = await this.#engine.db
      .selectFrom('outbox')
      .select('to_key')
      .where('to_key', '=', key)
      .where('state', 'in', LEFT)
      .limit(1)
      .executeTakeFirst();
    return sent?.to_key;
  }
}

function detailOf({ kind, words }: Pick<Bounce, 'kind' | 'words'>, source: string): string {
  if (kind === 'dead') return `a message came back (${source}): ${words}`;
  return kind === 'unsubscribed'
    ? `unsubscribed at the mail provider (${source})`
    : `called a message spam (${source})`;
}

/** Includes accounts whose address changed since the message left; in the order in which accounts are locked. */
async function concerned(
  trx: Transaction<Tables>,
  key: string,
  holders: readonly { readonly account_id: string }[],
): Promise<readonly string[]> {
  const written = await trx
    .selectFrom('outbox')
    .select('account_id')
    .distinct()
    .where('to_key', '=', key)
    .where('state', 'in', LEFT)
    .execute();
  return [...new Set([...holders, ...written].map(({ account_id: id }) => id))].sort();
}

/** A mailbox that is read from its beginning again must not end e-mail to an address that was entered again since. */
async function isOld(
  trx: Transaction<Tables>,
  accounts: readonly { readonly account_id: string }[],
  leftAt: number | undefined,
): Promise<boolean> {
  if (leftAt === undefined || accounts.length === 0) return false;
  const later = await trx
    .selectFrom('account_events')
    .select('account_id')
    .where(
      'account_id',
      'in',
      accounts.map(({ account_id: id }) => id),
    )
    .where('kind', '=', 'mail.bounced')
    .where('at', '>=', leftAt)
    .limit(1)
    .executeTakeFirst();
  return later !== undefined;
}
