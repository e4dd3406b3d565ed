import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import { SECOND, type Clock } from '../../lib/time/clock.ts';
import type { IdentityTables } from '../identity/tables.ts';
import type { Protocol } from '../protocol.ts';
import type { Family } from './tokens/family.ts';
import type { SigningKey } from './tokens/signing.ts';

export interface IssuerParts {
  readonly clock: Clock;
  readonly key: SigningKey;
  readonly publicUrl: string;
  readonly protocol: () => Protocol;
}

/** Writes the answers of the token endpoint: JSON text with the tokens inside. */
export class TokenAnswers {
  readonly #parts: IssuerParts;

  constructor(parts: IssuerParts) {
    this.#parts = parts;
  }

  async write(
    db: Kysely<IdentityTables>,
    family: Family,
    refreshToken: string | undefined,
    nonce?: string,
  ): Promise<string> {
    const answer: Record<string, unknown> = {
      access_token: await this.#accessToken(family),
      expires_in: this.#parts.protocol().durations.access,
      token_type: 'Bearer',
    };
    if (refreshToken !== undefined) answer.refresh_token = refreshToken;
    if (family.scopes.includes('openid')) answer.id_token = await this.#idToken(db, family, nonce);
    answer.scope = family.scopes.join(' ');
    return JSON.stringify(answer);
  }

  async #accessToken(family: Family): Promise<string> {
    const { key, publicUrl, protocol } = this.#parts;
    const named = family.complete && protocol().organisationClaims === 'present' ? family.organisations : [];
    return key.sign({
      ...this.#times(),
      iss: publicUrl,
      aud: `${publicUrl}/resources`,
      jti: randomUUID(),
      client_id: family.clientId,
      sub: family.userId,
      auth_time: Math.floor(family.authTime / SECOND),
      user_id: family.userId,
      global_session_id: family.id,
      authentication_event_id: family.authenticationEventId,
      ...(named.length > 0 && { org_ids: named, org_id: named[0] }),
      scope: family.scopes,
    });
  }

  async #idToken(db: Kysely<IdentityTables>, family: Family, nonce: string | undefined): Promise<string> {
    const { key, publicUrl } = this.#parts;
    const person = await db
      .selectFrom('identity_users')
      .select(['name', 'email'])
      .where('id', '=', family.userId)
      .executeTakeFirst();
    const [first = '', ...last] = (person?.name ?? '').split(' ');
    return key.sign({
      ...this.#times(),
      iss: publicUrl,
      aud: family.clientId,
      sub: family.userId,
      auth_time: Math.floor(family.authTime / SECOND),
      ...(nonce !== undefined && { nonce }),
      ...(family.scopes.includes('profile') && {
        user_id: family.userId,
        given_name: first,
        family_name: last.join(' '),
        name: person?.name ?? '',
      }),
      ...(family.scopes.includes('email') && { email: person?.email ?? '', email_verified: true }),
    });
  }

  /** Whole seconds as everywhere; a lifetime scaled below a second keeps its fraction. */
  #times(): { nbf: number; iat: number; exp: number } {
    const { clock, protocol } = this.#parts;
    const life = protocol().durations.access;
    const now = clock.now() / SECOND;
    const begin = Math.floor(now);
    return { nbf: begin, iat: begin, exp: (Number.isInteger(life) ? begin : now) + life };
  }
}
