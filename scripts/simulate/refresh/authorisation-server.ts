/**
 * The authorisation server of the refresh simulation: families of refresh tokens in memory, on virtual time.
 *
 * It carries out presentations by the sandbox's own rules, in one of the three readings of the grace period that the
 * specification leaves open (V2 specification, "Tokens", rule 5): `latest`, `sibling`, `same`. A token whose successor
 * has been used revokes its whole family. Each family keeps its last lines of history, so that a loss can be explained.
 */
import { Secret } from '../../../src/lib/secret/secret.ts';
import type { Profile } from '../../../src/upstream/profile.ts';
import type { RefreshVerdict } from '../../../src/upstream/model.ts';
import { SECOND } from '../../../src/lib/time/clock.ts';
import { judge, type Judgement } from '../../../src/sandbox/oauth/tokens/judgement.ts';
import { changeProtocol, profiles, type Protocol } from '../../../src/sandbox/protocol.ts';
import type { VirtualTime } from '../virtual-time.ts';
import type { Model } from './options.ts';

interface Token {
  readonly n: number;
  readonly parent: number | undefined;
  readonly expiresAt: number;
  usedAt: number | undefined;
  replacedAt: number | undefined;
}

/** One consent: a tree of refresh tokens, and its history in words. */
export interface Family {
  readonly id: number;
  readonly tokens: Map<number, Token>;
  youngest: number;
  revoked: { readonly at: number; readonly why: string } | undefined;
  readonly history: string[];
}

const KEPT_LINES = 80;
const KEPT_TOKENS = 200;

/** The family of a refresh token, and its number there. */
export const partsOf = (token: Secret): readonly [family: number, n: number] => {
  const [, family = '', n = ''] = token.reveal().split('.');
  return [Number(family), Number(n)];
};

/** Issues, judges and revokes by the sandbox's own rules (`judge`), on virtual time. */
export class AuthorisationServer {
  readonly #time: VirtualTime;
  readonly #model: Model;
  readonly #durations: Profile['durations'];
  readonly #protocol: Protocol;
  readonly #families: Family[] = [];
  /** Families revoked because of a presentation, since the last query. */
  readonly revocations: Family[] = [];

  constructor(time: VirtualTime, model: Model, { durations }: Profile) {
    this.#time = time;
    this.#model = model;
    this.#durations = durations;
    const { access, refresh, grace } = durations;
    this.#protocol = changeProtocol(profiles.spec, {
      successor: model,
      lateReuse: 'revokes',
      durations: { access, refresh, grace },
    });
  }

  consent(): { readonly family: Family; readonly refreshToken: Secret; readonly accessToken: Secret } {
    const id = this.#families.length;
    const family: Family = { id, tokens: new Map(), youngest: 0, revoked: undefined, history: [] };
    this.#families.push(family);
    return { family, ...this.#pairOf(family, this.#issue(family, undefined)) };
  }

  family(id: number): Family {
    const family = this.#families[id];
    if (family === undefined) throw new Error(`there is no family ${id}`);
    return family;
  }

  note(family: Family, words: string): void {
    family.history.push(`${(this.#time.elapsed() / 60_000).toFixed(2)} min: ${words}`);
    if (family.history.length > KEPT_LINES) family.history.splice(0, KEPT_LINES / 2);
  }

  /** Whether the successor of this token was used, so that presenting it is reuse. */
  isSpent(family: Family, n: number): boolean {
    return childrenOf(family, n).some(({ usedAt }) => usedAt !== undefined);
  }

  /** Carries a presentation out. `label` names it in the history. */
  handle(refreshToken: Secret, label: string): RefreshVerdict {
    const [id, n] = partsOf(refreshToken);
    const family = this.family(id);
    const token = family.tokens.get(n);
    if (token === undefined) return { verdict: 'refused', description: 'refresh token is invalid' };
    const judgement = this.#judge(family, token);
    const next = this.#carryOut(judgement, family, token);
    this.note(family, `the server handles ${label}: ${judgement}${next ? ` → RT${next.n}` : ''}`);
    if (next === undefined) return { verdict: 'refused', description: judgement };
    const pair = this.#pairOf(family, next);
    return {
      verdict: 'renewed',
      answer: {
        ...pair,
        accessExpiresAt: this.#time.now() + this.#durations.access * SECOND,
        scope: undefined,
        claims: nobody,
      },
    };
  }

  #judge(family: Family, token: Token): Judgement {
    const { expiresAt, usedAt, replacedAt, n } = token;
    const [familyRevoked, successorUsed] = [family.revoked !== undefined, this.isSpent(family, n)];
    const presented = { familyRevoked, expiresAt, usedAt, replacedAt, successorUsed };
    return judge(presented, this.#protocol, this.#time.now());
  }

  #carryOut(judgement: Judgement, family: Family, token: Token): Token | undefined {
    switch (judgement) {
      case 'renew':
        token.usedAt = this.#time.now();
        if (token.parent !== undefined) this.#replaceUnused(family, token.parent);
        return this.#issue(family, token.n);
      case 'retry':
        return this.#retried(family, token);
      case 'reuse':
        family.revoked = { at: this.#time.now(), why: `RT${token.n} was used again` };
        this.revocations.push(family);
        return undefined;
      case 'expired':
      case 'dead':
        return undefined;
    }
  }

  #retried(family: Family, { n }: Token): Token {
    const alive = childrenOf(family, n).findLast(({ replacedAt }) => replacedAt === undefined);
    if (this.#model === 'same' && alive !== undefined) return alive;
    if (this.#model === 'latest') this.#replaceUnused(family, n);
    return this.#issue(family, n);
  }

  #replaceUnused(family: Family, parent: number): void {
    for (const child of childrenOf(family, parent))
      if (child.usedAt === undefined) child.replacedAt ??= this.#time.now();
  }

  #issue(family: Family, parent: number | undefined): Token {
    family.youngest += 1;
    const n = family.youngest;
    const expiresAt = this.#time.now() + this.#durations.refresh * SECOND;
    const token = { n, parent, expiresAt, usedAt: undefined, replacedAt: undefined };
    family.tokens.set(n, token);
    family.tokens.delete(n - KEPT_TOKENS);
    return token;
  }

  #pairOf({ id }: Family, { n }: Token): { readonly refreshToken: Secret; readonly accessToken: Secret } {
    return { refreshToken: new Secret(`RT.${id}.${n}`), accessToken: new Secret(`AT.${id}.${n}`) };
  }
}

const childrenOf = (family: Family, parent: number): readonly Token[] =>
  [...family.tokens.values()].filter((token) => token.parent === parent);

const nobody = {
  organisationIds: [],
  consenter: { userId: 'u', name: undefined, email: undefined },
  emailVerified: false,
  authenticationEventId: undefined,
};
