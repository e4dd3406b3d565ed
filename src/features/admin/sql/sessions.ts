import { MINUTE, SECOND } from '../../../lib/time/clock.ts';
import { SESSION_IDLE_MINUTES, type Session, type SessionRepository } from '../tokens/token.ts';
import type { Engine } from '../../../db/engine.ts';
import { tokenOf } from './tokens.ts';

const IDLE = SESSION_IDLE_MINUTES * MINUTE;
/** A page sends several requests at once; activity is stored once for all of them. */
const SEEN_EVERY = 15 * SECOND;

/**
 * Console sessions by keyed hash. A session that was idle too long, has reached its end, or whose token was revoked
 * counts as missing.
 */
export class StoredSessions implements SessionRepository {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async start({
    index,
    tokenId,
    csrf,
    now,
    endsAt,
  }: Parameters<SessionRepository['start']>[0]): Promise<void> {
    const { db } = this.#engine;
    await db
      .deleteFrom('console_sessions')
      .where('seen_at', '<', now - IDLE)
      .execute();
    await db
      .insertInto('console_sessions')
      .values({
        session_index: index,
        token_id: tokenId,
        csrf,
        created_at: now,
        seen_at: now,
        ends_at: endsAt ?? null,
      })
      .execute();
  }

  async seen(indexes: readonly string[], now: number, quietly = false): Promise<Session | undefined> {
    const [[index, session] = []] = await this.find(indexes, now);
    if (index === undefined || session === undefined) return undefined;
    if (!quietly && now - session.seenAt >= SEEN_EVERY) await this.#touch(index, now);
    return session;
  }

  async find(indexes: readonly string[], now: number): Promise<ReadonlyMap<string, Session>> {
    if (indexes.length === 0) return new Map();
    const rows = await this.#engine.db
      .selectFrom('console_sessions as session')
      .innerJoin('console_tokens as token', 'token.id', 'session.token_id')
      .select(['token.id', 'token.name', 'token.scope', 'token.created_at'])
      .select(['token.last_used_at', 'token.revoked_at', 'token.expires_at', 'token.subject'])
      .select(['session.session_index', 'session.csrf', 'session.seen_at', 'session.ends_at'])
      .select('session.created_at as begun_at')
      .where('session.session_index', 'in', indexes)
      .where('session.seen_at', '>=', now - IDLE)
      .where((query) => query.or([query('session.ends_at', 'is', null), query('session.ends_at', '>', now)]))
      .where('token.revoked_at', 'is', null)
      .execute();
    return new Map(
      rows.map((row) => [
        row.session_index,
        {
          token: tokenOf(row),
          csrf: row.csrf,
          createdAt: row.begun_at,
          seenAt: row.seen_at,
          endsAt: row.ends_at ?? undefined,
        },
      ]),
    );
  }

  async end(indexes: readonly string[]): Promise<void> {
    if (indexes.length === 0) return;
    await this.#engine.db.deleteFrom('console_sessions').where('session_index', 'in', indexes).execute();
  }

  async #touch(index: string, now: number): Promise<void> {
    await this.#engine.db
      .updateTable('console_sessions')
      .set({ seen_at: now })
      .where('session_index', '=', index)
      .execute();
  }
}
