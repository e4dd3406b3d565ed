import type { GrantRepository, Lease, SealedPair } from '../../../src/tokens/grant.ts';
import { openPair } from '../../../src/tokens/grant-row.ts';
import type { Seal } from '../../../src/lib/secret/seal.ts';
import type { AccessToken } from '../../../src/tokens/vault.ts';
import type { VirtualTime } from '../virtual-time.ts';
import { partsOf, type AuthorisationServer, type Family } from './authorisation-server.ts';
import type { Instance } from './instance.ts';

/**
 * The invariants of every step: I1, no refresh token after its successor's first use (in a live family: a revoked one
 * cannot be harmed further, and counts as lost); I2, one refresh of a grant in flight, unless the lease of the other
 * has ended; I3, a token only for its own grant; I4, no access token in use before it is durable.
 */
export type Invariant = 'I1' | 'I2' | 'I3' | 'I4';

export interface Violation {
  readonly invariant: Invariant;
  readonly grant: string;
  readonly words: string;
}

export interface Loss {
  readonly grant: string;
  readonly why: string;
  readonly at: number;
  readonly history: readonly string[];
}

interface Flight {
  readonly instance: Instance;
  readonly label: string;
}

/** Access tokens of one grant that may still be in a process's memory. */
const KEPT_TOKENS = 8;

export class Judge {
  readonly #time: VirtualTime;
  readonly #server: AuthorisationServer;
  readonly #seal: Seal;
  readonly #families = new Map<string, Family>();
  readonly #grants = new Map<number, string>();
  readonly #flights = new Map<number, Flight[]>();
  /** The end of a holder's lease on a grant, keyed by both. */
  readonly #leases = new Map<string, number>();
  readonly #durable = new Map<string, string[]>();
  readonly violations: Violation[] = [];
  readonly losses: Loss[] = [];
  #calls = 0;

  constructor(time: VirtualTime, server: AuthorisationServer, seal: Seal) {
    this.#time = time;
    this.#server = server;
    this.#seal = seal;
  }

  /** Refresh tokens presented so far. */
  get calls(): number {
    return this.#calls;
  }

  consented(grant: string, family: Family, tokens: SealedPair): void {
    this.#families.set(grant, family);
    this.#grants.set(family.id, grant);
    this.#stored(grant, tokens);
  }

  familyOf(grant: string): Family | undefined {
    return this.#families.get(grant);
  }

  grantOf(family: Family): string | undefined {
    return this.#grants.get(family.id);
  }

  note(grant: string, words: string): void {
    const family = this.#families.get(grant);
    if (family !== undefined) this.#server.note(family, words);
  }

  /** Records that a refresh token leaves; returns a name for this presentation. */
  presents(instance: Instance, family: Family, n: number): string {
    this.#calls += 1;
    const label = `#${this.#calls}`;
    const grant = this.#grants.get(family.id) ?? '';
    this.#server.note(family, `${instance.name} presents RT${n} (${label})`);
    if (family.revoked === undefined && this.#server.isSpent(family, n))
      this.#violated('I1', grant, `RT${n} is presented, its successor was used`);
    const others = this.#flights.get(family.id) ?? [];
    for (const other of others)
      if (this.#isHolding(grant, other.instance))
        this.#violated('I2', grant, `${label} goes out while ${other.label} has its lease`);
    this.#flights.set(family.id, [...others.filter((other) => !other.instance.isDead), { instance, label }]);
    return label;
  }

  heard(family: Family, label: string): void {
    const left = (this.#flights.get(family.id) ?? []).filter((flight) => flight.label !== label);
    if (left.length > 0) this.#flights.set(family.id, left);
    else this.#flights.delete(family.id);
  }

  /** Records that a caller was given an access token. */
  handedOut(grant: string, { token }: AccessToken): void {
    const known = this.#durable.get(grant);
    if (known !== undefined && !known.includes(token.reveal()))
      this.#violated('I4', grant, `${token.reveal()} is in use and was not stored`);
  }

  lose(grant: string, why: string): void {
    const family = this.#families.get(grant);
    if (family === undefined) return;
    this.losses.push({ grant, why, at: this.#time.elapsed(), history: [...family.history] });
    this.#families.delete(grant);
    this.#grants.delete(family.id);
    this.#durable.delete(grant);
  }

  /** The grants as all instances see them, with every access recorded. */
  watched(grants: GrantRepository): GrantRepository {
    const own: Partial<GrantRepository> = {
      begin: async (attempt) => {
        const beginning = await grants.begin(attempt);
        if (beginning.outcome === 'begun') this.#leased(beginning.lease, attempt.leaseMs);
        return beginning;
      },
      renew: async (lease, leaseMs) => {
        const renewed = await grants.renew(lease, leaseMs);
        if (renewed) this.#leased(lease, leaseMs);
        return renewed;
      },
      renewed: async (lease, tokens, now, confirmAt) => {
        const stored = await grants.renewed(lease, tokens, now, confirmAt);
        if (stored) this.#stored(lease.grantId, tokens, confirmAt);
        return stored;
      },
      tookLatePair: async (lease, latePairId, tokens, take) => {
        const taken = await grants.tookLatePair(lease, latePairId, tokens, take);
        if (taken) this.#stored(lease.grantId, tokens, take.now);
        return taken;
      },
    };
    return new Proxy(grants, {
      get: (target, name) => {
        const watched: unknown = Reflect.get(own, name);
        if (watched !== undefined) return watched;
        const method = Reflect.get(target, name) as (...given: readonly unknown[]) => unknown;
        return method.bind(target);
      },
    });
  }

  #leased({ grantId, holder }: Lease, leaseMs: number): void {
    this.#leases.set(`${grantId} ${holder}`, this.#time.now() + leaseMs);
  }

  #isHolding(grant: string, { isDead, frozenUntil, name }: Instance): boolean {
    const now = this.#time.now();
    return !isDead && frozenUntil <= now && (this.#leases.get(`${grant} ${name}`) ?? 0) > now;
  }

  #stored(grant: string, tokens: SealedPair, confirmAt?: number): void {
    const family = this.#families.get(grant);
    if (family === undefined) return;
    const { accessToken, refreshToken } = openPair(this.#seal, grant, tokens);
    const [id, n] = partsOf(refreshToken);
    if (id !== family.id) this.#violated('I3', grant, `RT${n} of another consent was stored`);
    const known = this.#durable.get(grant) ?? [];
    this.#durable.set(grant, [...known, accessToken.reveal()].slice(-KEPT_TOKENS));
    const due =
      confirmAt === undefined ? '' : `, to be proved in ${minutes(confirmAt - this.#time.now())} min`;
    this.#server.note(family, `RT${n} is stored as generation ${tokens.generation}${due}`);
  }

  #violated(invariant: Invariant, grant: string, words: string): void {
    this.violations.push({ invariant, grant, words: `${minutes(this.#time.elapsed())} min: ${words}` });
    this.note(grant, `BROKEN ${invariant}: ${words}`);
  }
}

const minutes = (millis: number): string => (millis / 60_000).toFixed(2);
