/**
 * The refresh tokens of every family as a tree: each refresh creates the next token, the previous one stays
 * usable for a while, and `judgement.ts` judges reuse.
 */
import { randomBytes } from 'node:crypto';
import type { Kysely, Selectable, Transaction } from 'kysely';
import { SECOND, type Clock } from '../../../lib/time/clock.ts';
import type { IdentityTables } from '../../identity/tables.ts';
import type { Protocol } from '../../protocol.ts';
import type { TokenAnswers } from '../answers.ts';
import { readFamily, revokeFamily, type Family } from './family.ts';
import { judge } from './judgement.ts';

type TokenRow = Selectable<IdentityTables['oauth_refresh_tokens']>;
type Store = Kysely<IdentityTables>;

/** `family` and `n` identify the presented token for the log, if it is known. */
export type Presentation =
  | { readonly result: 'answer'; readonly body: string; readonly family: Family; readonly n: number }
  | {
      readonly result: 'refused';
      readonly error: 'invalid_grant' | 'invalid_scope';
      readonly description: string;
      readonly family: Family | undefined;
      readonly n: number | undefined;
    };

interface TreeParts {
  readonly db: Store;
  readonly clock: Clock;
  readonly answers: TokenAnswers;
  readonly protocol: () => Protocol;
}

/** The refresh tokens of all families, with their parents. Every presentation is one transaction. */
export class TokenTree {
  readonly #parts: TreeParts;

  constructor(parts: TreeParts) {
    this.#parts = parts;
  }

  /** Writes the first answer of a new family; it has a refresh token only with `offline_access` (Scopes). */
  async plant(tx: Transaction<IdentityTables>, family: Family, nonce: string | undefined): Promise<string> {
    if (!family.scopes.includes('offline_access')) {
      return this.#parts.answers.write(tx, family, undefined, nonce);
    }
    return this.#issue(tx, family, null, nonce);
  }

  /** `scopes`: those asked for; none: those of the grant. */
  async present(token: string, clientId: string, scopes: readonly string[] = []): Promise<Presentation> {
    return this.#parts.db.transaction().execute(async (tx) => {
      const row = await tx
        .selectFrom('oauth_refresh_tokens')
        .selectAll()
        .where('token', '=', token)
        .executeTakeFirst();
      const family = row && (await readFamily(tx, row.family_id));
      if (row === undefined || family?.clientId !== clientId) {
        return {
          result: 'refused',
          error: 'invalid_grant',
          description: 'refresh token is invalid',
          family: undefined,
          n: undefined,
        };
      }
      const ungranted = scopes.filter((scope) => !family.scopes.includes(scope));
      if (ungranted.length > 0) {
        const description = `scope was not granted: ${ungranted.join(' ')}`;
        return { result: 'refused', error: 'invalid_scope', description, family, n: row.n };
      }
      return this.#decide(tx, row, family);
    });
  }

  /** Returns the family of a refresh token, whatever the token's state. */
  async familyOf(token: string): Promise<Family | undefined> {
    const row = await this.#parts.db
      .selectFrom('oauth_refresh_tokens')
      .select('family_id')
      .where('token', '=', token)
      .executeTakeFirst();
    return row && readFamily(this.#parts.db, row.family_id);
  }

  async #decide(tx: Transaction<IdentityTables>, row: TokenRow, family: Family): Promise<Presentation> {
    const now = this.#parts.clock.now();
    const children = await tx
      .selectFrom('oauth_refresh_tokens')
      .selectAll()
      .where('family_id', '=', row.family_id)
      .where('parent', '=', row.n)
      .orderBy('n')
      .execute();
    const judgement = judge(
      {
        familyRevoked: family.revoked,
        expiresAt: row.expires_at,
        usedAt: row.used_at ?? undefined,
        replacedAt: row.replaced_at ?? undefined,
        successorUsed: children.some((child) => child.used_at !== null),
      },
      this.#parts.protocol(),
      now,
    );
    const refused = (description: string): Presentation => ({
      result: 'refused',
      error: 'invalid_grant',
      description,
      family,
      n: row.n,
    });
    switch (judgement) {
      case 'renew':
        return { result: 'answer', body: await this.#renew(tx, row, family, now), family, n: row.n };
      case 'retry':
        return { result: 'answer', body: await this.#retry(tx, row, family, children), family, n: row.n };
      case 'expired':
        return refused('refresh token has expired');
      case 'dead':
        return refused('refresh token is invalid');
      case 'reuse':
        await revokeFamily(tx, family.id, 'reuse', now, 'lives on');
        return refused('Refresh token reuse detected');
    }
  }

  async #renew(tx: Transaction<IdentityTables>, row: TokenRow, family: Family, now: number): Promise<string> {
    await tx
      .updateTable('oauth_refresh_tokens')
      .set({ used_at: now })
      .where('token', '=', row.token)
      .execute();
    // Siblings are valid "until one is used".
    if (row.parent !== null) await this.#replaceUnused(tx, row.family_id, row.parent);
    return this.#issue(tx, family, row.n);
  }

  async #retry(
    tx: Transaction<IdentityTables>,
    row: TokenRow,
    family: Family,
    children: readonly TokenRow[],
  ): Promise<string> {
    switch (this.#parts.protocol().successor) {
      case 'same':
        return (
          children.findLast((child) => child.replaced_at === null)?.answer ?? this.#issue(tx, family, row.n)
        );
      case 'sibling':
        return this.#issue(tx, family, row.n);
      case 'latest':
        await this.#replaceUnused(tx, row.family_id, row.n);
        return this.#issue(tx, family, row.n);
    }
  }

  async #replaceUnused(tx: Transaction<IdentityTables>, familyId: string, parent: number): Promise<void> {
    await tx
      .updateTable('oauth_refresh_tokens')
      .set({ replaced_at: this.#parts.clock.now() })
      .where('family_id', '=', familyId)
      .where('parent', '=', parent)
      .where('used_at', 'is', null)
      .where('replaced_at', 'is', null)
      .execute();
  }

  async #issue(
    tx: Transaction<IdentityTables>,
    family: Family,
    parent: number | null,
    nonce?: string,
  ): Promise<string> {
    const { clock, answers, protocol } = this.#parts;
    const now = clock.now();
    const last = await tx
      .selectFrom('oauth_refresh_tokens')
      .select((column) => column.fn.max('n').as('n'))
      .where('family_id', '=', family.id)
      .executeTakeFirst();
    const token = randomBytes(32).toString('base64url');
    const answer = await answers.write(tx, family, token, nonce);
    await tx
      .insertInto('oauth_refresh_tokens')
      .values({
        token,
        family_id: family.id,
        n: (last?.n ?? 0) + 1,
        parent,
        issued_at: now,
        expires_at: now + protocol().durations.refresh * SECOND,
        used_at: null,
        replaced_at: null,
        answer,
      })
      .execute();
    return answer;
  }
}
