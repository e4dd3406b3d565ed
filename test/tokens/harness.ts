import { MINUTE, type Clock } from '../../src/lib/time/clock.ts';
import type { GrantRepository } from '../../src/tokens/grant.ts';
import type { Log, LogFields } from '../../src/lib/log/log.ts';
import { sealPair } from '../../src/tokens/grant-row.ts';
import type { Profile } from '../../src/upstream/profile.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import type { Authority, RefreshVerdict } from '../../src/upstream/model.ts';
import { KeyRing, newKeyLine } from '../../src/tokens/sealing/keyring.ts';
import { GrantVault, type VaultParts } from '../../src/tokens/vault.ts';
import type { HandClock } from '../support/clock.ts';
import { testProfile } from '../support/profile.ts';
import { onlyClient } from '../support/applications.ts';

export const testRing = (): KeyRing => KeyRing.parse(new Secret(newKeyLine('k1')));

export class ListLog implements Log {
  readonly lines: { level: 'info' | 'warn' | 'error'; event: string; fields: LogFields }[] = [];

  info(event: string, fields: LogFields = {}): void {
    this.lines.push({ level: 'info', event, fields });
  }

  warn(event: string, fields: LogFields = {}): void {
    this.lines.push({ level: 'warn', event, fields });
  }

  error(event: string, fields: LogFields = {}): void {
    this.lines.push({ level: 'error', event, fields });
  }

  named(event: string): LogFields[] {
    return this.lines.filter((line) => line.event === event).map((line) => line.fields);
  }
}

export const unanswered: RefreshVerdict = { verdict: 'unanswered', cause: 'ETIMEDOUT' };
export const refused: RefreshVerdict = { verdict: 'refused', description: 'token has expired' };

export function renewal(n: number, now: number, lifeMs = 30 * MINUTE): RefreshVerdict {
  return {
    verdict: 'renewed',
    answer: {
      accessToken: new Secret(`at-${n}`),
      accessExpiresAt: now + lifeMs,
      refreshToken: new Secret(`rt-${n}`),
      scope: 'service',
      claims: {
        organisationIds: [],
        consenter: { userId: 'u', name: undefined, email: undefined },
        emailVerified: false,
        authenticationEventId: undefined,
      },
    },
  };
}

type Answering = (presented: string, nth: number) => RefreshVerdict | Promise<RefreshVerdict>;

/** An authorisation server that is asked to refresh only, and notes what it was shown. */
export class ScriptedAuthority implements Authority {
  readonly presented: string[] = [];
  answering: Answering;

  constructor(clock: Clock, answering?: Answering) {
    this.answering = answering ?? ((token) => renewal(Number(token.slice(3)) + 1, clock.now()));
  }

  async refresh(refreshToken: Secret): Promise<RefreshVerdict> {
    const token = refreshToken.reveal();
    this.presented.push(token);
    return this.answering(token, this.presented.length);
  }

  authorizeUrl(): string {
    throw new Error('not asked here');
  }

  async exchange(): Promise<never> {
    throw new Error('not asked here');
  }

  async connections(): Promise<never> {
    throw new Error('not asked here');
  }
}

export interface Bench {
  readonly clock: HandClock;
  readonly authority: ScriptedAuthority;
  readonly log: ListLog;
  readonly ring: KeyRing;
  readonly profile: Profile;
  readonly lost: string[];
  readonly vault: (parts?: Partial<VaultParts>) => GrantVault;
}

/** One grant `g` of generation 1, whose access token lives thirty minutes, and what a vault needs around it. */
export async function bench(
  repository: GrantRepository,
  clock: HandClock,
  profile = testProfile(),
): Promise<Bench> {
  const ring = testRing();
  const authority = new ScriptedAuthority(clock);
  const log = new ListLog();
  const lost: string[] = [];
  await repository.create({
    id: 'g',
    consenter: { userId: 'u', name: 'Ann', email: undefined },
    scope: 'service',
    tokens: sealPair(ring, 'g', {
      generation: 1,
      accessToken: new Secret('at-1'),
      accessExpiresAt: clock.now() + 30 * MINUTE,
      refreshToken: new Secret('rt-1'),
    }),
    now: clock.now(),
  });
  const sleep = async (millis: number): Promise<void> => {
    clock.advance(millis);
    await new Promise((resolve) => setImmediate(resolve));
  };
  return {
    clock,
    authority,
    log,
    ring,
    profile,
    lost,
    vault: (parts = {}) =>
      new GrantVault({
        repository,
        seal: ring,
        applications: onlyClient({ authority }),
        clock,
        profile,
        log,
        holder: 'one',
        onLost: (grantId, reason) => lost.push(`${grantId}: ${reason}`),
        random: () => 0.5,
        sleep,
        ...parts,
      }),
  };
}

/** The book, with some of its doors replaced. */
export const except = <Repository extends object = GrantRepository>(
  repository: Repository,
  overrides: Partial<Repository>,
): Repository =>
  new Proxy(repository, {
    get: (target, name) => {
      const method = (Reflect.get(overrides, name) ?? Reflect.get(target, name)) as (
        ...given: never[]
      ) => unknown;
      return method.bind(target);
    },
  });
