/** What was stored under an earlier key is found by this: `causeway keys status` counts it before that key is removed. */
import { DAY, HOUR } from '../../lib/time/clock.ts';
import type { Engine } from '../../db/engine.ts';
import type {
  IndexedBefore,
  IndexTerms,
  RepeatableWrites,
  StillWorking,
  UnfinishedWrites,
} from './sealed.ts';

type Db = Engine['db'];

/** See `SealedRepository`. */
export async function indexedBefore(
  db: Db,
  moment: number,
  { now, writesKept, overlap = RESTARTS }: IndexTerms,
): Promise<IndexedBefore> {
  const links = await linksBefore(db, moment, now);
  const pages = await db
    .selectFrom('status_links')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.max('expires_at').as('last')])
    .where('withdrawn_at', 'is', null)
    .where('issued_at', '<', moment)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  const tokens = await db
    .selectFrom('console_tokens')
    .select('name')
    .where('revoked_at', 'is', null)
    // A person is looked up by the provider's subject, not by a hash.
    .where('subject', 'is', null)
    .where('created_at', '<', moment)
    .where((query) => query.or([query('last_used_at', 'is', null), query('last_used_at', '<', moment)]))
    .orderBy('name')
    .execute();
  const imports = await db
    .selectFrom('grant_imports')
    .select(({ fn }) => fn.countAll<number>().as('tokens'))
    .where('state', '!=', 'refused')
    .where('started_at', '<', moment)
    .executeTakeFirst();
  const erased = await db
    .selectFrom('erased_keys')
    .select(({ fn }) => fn.countAll<number>().as('keys'))
    .executeTakeFirst();
  return {
    invitations: links,
    pages: working(pages),
    tokens: tokens.map(({ name }) => name),
    keyed: await keyedBefore(db, moment + overlap, now),
    unfinished: await unfinishedBefore(db, moment + overlap, writesKept),
    samples: await samplesBefore(db, moment + overlap, now),
    imports: imports?.tokens ?? 0,
    erased: erased?.keys ?? 0,
  };
}

/** What a count of rows with its latest time says; without rows, the time is null. */
const working = (found?: { readonly count: number; readonly last: number | null }): StillWorking => ({
  count: found?.count ?? 0,
  last: found?.last ?? undefined,
});

/**
 * In milliseconds. Bridges take the new key one after the other, and a write that one of the last records is under the
 * old key, too (docs/secure/keys.md).
 */
const RESTARTS = HOUR;

/** Links of invitations under a key before that of `moment`. */
async function linksBefore(db: Db, moment: number, now: number): Promise<StillWorking> {
  const found = await db
    .selectFrom('invitations')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.max('expires_at').as('last')])
    .where('state', 'in', ['issued', 'opened', 'declined'])
    // An invitation whose message leaves later was made before it is issued.
    .where((query) =>
      query.or([
        query('issued_at', '<', moment),
        query('state_since', '<', moment),
        query.exists(
          query
            .selectFrom('outbox')
            .select('outbox.id')
            .whereRef('outbox.account_id', '=', 'invitations.account_id')
            .whereRef('outbox.invitation_id', '=', 'invitations.id')
            .where('outbox.queued_at', '<', moment),
        ),
      ]),
    )
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return working(found);
}

/**
 * Samples whose texts are hashes under an earlier key: resealing does not make them anew, and without the key V3 cannot be
 * compared with them.
 */
async function samplesBefore(db: Db, moment: number, now: number): Promise<StillWorking> {
  const found = await db
    .selectFrom('samples')
    .select(({ fn }) => [fn.countAll<number>().as('count'), fn.max('expires_at').as('last')])
    .where('purpose', 'in', ['baseline', 'recorded'])
    .where('at', '<', moment)
    .where('expires_at', '>', now)
    .executeTakeFirst();
  return working(found);
}

/** Writes whose `Idempotency-Key` still counts. */
async function keyedBefore(db: Db, moment: number, now: number): Promise<RepeatableWrites> {
  const found = await db
    .selectFrom('writes')
    .select(({ fn }) => [fn.countAll<number>().as('writes'), fn.max('created_at').as('last')])
    .where('idempotency', 'is not', null)
    .where('created_at', '<', moment)
    .where('created_at', '>', now - DAY)
    .executeTakeFirst();
  const last = found?.last ?? undefined;
  return { writes: found?.writes ?? 0, until: last && last + DAY };
}

/** Writes of several steps, a part of which may have been done: a repeat does the rest as long as the row is kept. */
async function unfinishedBefore(db: Db, moment: number, kept: number): Promise<UnfinishedWrites> {
  const found = await db
    .selectFrom('writes')
    .select(({ fn, eb }) => [
      fn.countAll<number>().as('writes'),
      fn.max('created_at').as('last'),
      fn.sum<number>(eb.case().when('settlement', '=', 'not-done').then(0).else(1).end()).as('unsettled'),
    ])
    .where('steps_sealed', 'is not', null)
    .where('caller', '!=', 'told')
    .where('created_at', '<', moment)
    .where((eb) =>
      eb.or([
        eb('state', 'in', ['open', 'unknown']),
        // An operator may still settle an undecidable one as not done.
        eb('settlement', 'in', ['not-done', 'undecidable']),
      ]),
    )
    .where((eb) =>
      eb.not(
        eb.exists(
          eb.selectFrom('writes as repeat').select('repeat.id').whereRef('repeat.repeats', '=', 'writes.id'),
        ),
      ),
    )
    .executeTakeFirst();
  const last = found?.last ?? undefined;
  return {
    writes: found?.writes ?? 0,
    until: last && last + kept,
    unsettled: found?.unsettled ?? 0,
  };
}
