import { randomUUID } from 'node:crypto';
import type { Clock } from '../../src/lib/time/clock.ts';
import type { GrantRepository } from '../../src/tokens/grant.ts';
import { sealPair } from '../../src/tokens/grant-row.ts';
import type { Profile } from '../../src/upstream/profile.ts';
import type { Seal } from '../../src/lib/secret/seal.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import type { SandboxClock } from '../../src/sandbox/control/clock.ts';
import type { Application } from '../../src/sandbox/identity/application.ts';
import type { OracleEntry } from '../../src/sandbox/oauth/tokens/oracle.ts';
import type { ProtocolChange } from '../../src/sandbox/protocol.ts';
import type { LoggedRequest } from '../../src/sandbox/http/request-log.ts';
import { serveSandbox, type ServedSandbox } from '../../src/sandbox/serve.ts';
import { HttpAuthority } from '../../src/upstream/authorisation-server/client.ts';
import { START, until } from '../support/clock.ts';
import { signingKey } from '../support/sandbox.ts';

const CALLBACK = 'http://127.0.0.1/callback';
/** How the bridge says who it is. */
export const client = { id: 'client-1', secret: 's3cret' };
const application: Application = {
  id: client.id,
  name: 'The bridge',
  secrets: [client.secret],
  redirectUris: [CALLBACK],
  practice: true,
};

/** How the documents leave it open what a second presentation within the grace gives. */
export const graces = ['sibling', 'same', 'latest'] as const;
export type Grace = (typeof graces)[number];

/** The sandbox as judge: it plays the authorisation server in one of three ways and knows every token tree. */
export class Judge {
  readonly #served: ServedSandbox;
  /** The organisation behind each grant. */
  readonly #families = new Map<string, string>();
  #isLate = false;

  private constructor(served: ServedSandbox) {
    this.#served = served;
  }

  /** Its clock stands still until `advance`, unless it is given another; `random` decides on faults by chance. */
  static async open(
    protocol: ProtocolChange = {},
    { clock = { now: () => START }, random }: { readonly clock?: Clock; readonly random?: () => number } = {},
  ): Promise<Judge> {
    const settings = {
      ...(random && { random }),
      applications: [application],
      clock,
      signingKey: await signingKey(),
      protocol,
    };
    return new Judge(await serveSandbox(settings, { port: 0, host: '127.0.0.1' }));
  }

  get url(): string {
    return this.#served.url;
  }

  get clock(): SandboxClock {
    return this.#served.sandbox.clock;
  }

  async close(): Promise<void> {
    await this.#served.close(100);
  }

  authority(profile: Profile, secrets: readonly string[] = [client.secret]): HttpAuthority {
    return new HttpAuthority({
      authUrl: this.url,
      connectionsUrl: undefined,
      clientId: 'client-1',
      clientSecrets: secrets.map((secret) => new Secret(secret)),
      profile,
      clock: this.clock,
    });
  }

  /** An organisation whose administrator consents, and its tokens as a grant in the book. */
  async consent(repository: GrantRepository, seal: Seal, profile: Profile): Promise<string> {
    const id = randomUUID();
    const [organisation] = await this.#served.sandbox.seed({
      organisations: [{ name: `Studio ${id}`, accountKey: id }],
    });
    const asked = new URLSearchParams({
      response_type: 'code',
      client_id: 'client-1',
      redirect_uri: CALLBACK,
      scope: 'openid service offline_access',
      state: 'state',
      user: organisation?.users[0]?.id ?? '',
      organisation: organisation?.id ?? '',
      decision: 'approve',
    });
    this.#families.set(id, organisation?.id ?? '');
    const approved = await fetch(`${this.url}/identity/connect/consent`, {
      method: 'POST',
      body: asked,
      redirect: 'manual',
    });
    const code = new URL(approved.headers.get('location') ?? '').searchParams.get('code') ?? '';
    const answer = await this.authority(profile).exchange(new Secret(code), CALLBACK, undefined);
    if (answer.refreshToken === undefined) throw new Error('the consent gave no refresh token');
    const { accessToken, accessExpiresAt, refreshToken } = answer;
    const pair = { generation: 1, accessToken, accessExpiresAt, refreshToken };
    await repository.create({
      id,
      consenter: { userId: 'u', name: undefined, email: undefined },
      scope: 'service',
      tokens: sealPair(seal, id, pair),
      now: this.clock.now(),
    });
    return id;
  }

  async control(
    path: string,
    body?: unknown,
    method = body === undefined ? 'GET' : 'POST',
  ): Promise<unknown> {
    const answer = await fetch(`${this.url}/_sandbox/${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${path}: ${text}`);
    return (JSON.parse(text) as { readonly data: unknown }).data;
  }

  async fault(fault: Readonly<Record<string, unknown>> & { readonly do: string }): Promise<void> {
    if (fault.do === 'late') this.#isLate = true;
    await this.control('faults', { on: { surface: 'token', operation: 'refresh' }, ...fault });
  }

  /** Moves the clock, and waits until what came late has been carried out by then. */
  async advance(millis: number): Promise<void> {
    this.clock.advance(millis);
    if (!this.#isLate) return;
    await until('the late', async () => (await this.presentations()).every((line) => !this.#isOverdue(line)));
  }

  #isOverdue({ fault, time, handledAt }: LoggedRequest): boolean {
    return fault === 'late' && handledAt === null && this.clock.now() - Date.parse(time) > LATE;
  }

  async presentations(): Promise<readonly LoggedRequest[]> {
    const lines = (await this.control('requests?limit=200000')) as readonly LoggedRequest[];
    return lines.filter(({ operation }) => operation === 'refresh');
  }

  organisationOf(grantId: string): string {
    return this.#families.get(grantId) ?? '';
  }

  /** Presentations that have arrived and will be carried out later. */
  async lateOnesOpen(): Promise<number> {
    const lines = await this.presentations();
    return lines.filter(({ fault, handledAt }) => fault === 'late' && handledAt === null).length;
  }

  /** The token tree behind a grant. */
  async tree(grantId: string): Promise<OracleEntry> {
    const found = (await this.trees()).get(grantId);
    if (found === undefined) throw new Error(`there is no family behind ${grantId}`);
    return found;
  }

  /** All of them, by grant. */
  async trees(): Promise<ReadonlyMap<string, OracleEntry>> {
    const all = (await this.control('oracle')) as readonly OracleEntry[];
    const byOrganisation = new Map(all.map((entry) => [entry.accountId, entry]));
    return new Map(
      Array.from(this.#families).flatMap(([grant, organisation]) => {
        const entry = byOrganisation.get(organisation);
        return entry === undefined ? [] : [[grant, entry] as const];
      }),
    );
  }

  /**
   * Presentations of a refresh token that left after the first use of one of its successors: what the service takes
   * for theft. There must be none.
   */
  async reuses(): Promise<readonly string[]> {
    const all = (await this.control('oracle')) as readonly OracleEntry[];
    const trees = new Map(all.map((entry) => [entry.family, entry.generations]));
    const lines = await this.presentations();
    return lines.flatMap(({ family, generation, time }, at) => {
      const earlier = lines.slice(0, at).filter((line) => line.family === family);
      const used = (trees.get(family ?? '') ?? []).some(
        ({ n, parent, usedAt }) =>
          parent === generation &&
          earlier.some((line) => line.generation === n) &&
          usedAt !== null &&
          Date.parse(usedAt) <= Date.parse(time),
      );
      return used ? [`${String(family)} ${String(generation)} at ${time}`] : [];
    });
  }
}

/** How late what comes late is carried out, in milliseconds. */
export const LATE = 3 * 60_000;
