import { SECOND } from '../lib/time/clock.ts';

/** The sandbox refused a request of the demo. */
export class SandboxRefused extends Error {
  constructor(what: string, status: number, answer: string) {
    super(`the sandbox refused ${what} (${status}): ${answer.slice(0, 500)}`);
    this.name = 'SandboxRefused';
  }
}

export interface SeededUser {
  readonly id: string;
  readonly name: string;
}

export interface SeededOrganisation {
  readonly id: string;
  readonly name: string;
  readonly users: readonly SeededUser[];
}

/** An organisation of the sandbox, with the state of its V1. */
export interface ListedOrganisation {
  readonly id: string;
  readonly switches: { readonly v1: 'open' | 'closed' };
}

/** The time in the sandbox. */
export interface SandboxTime {
  readonly now: number;
  /** Milliseconds ahead of the machine's clock. */
  readonly offset: number;
}

const timeOf = (data: unknown): SandboxTime => {
  const { now, offsetSeconds } = data as { readonly now: string; readonly offsetSeconds: number };
  return { now: Date.parse(now), offset: offsetSeconds * SECOND };
};

/** The part of the sandbox's control plane that the demo needs. */
export class SandboxControl {
  readonly #root: string;

  /** `root`: the sandbox's address without a trailing slash. */
  constructor(root: string) {
    this.#root = root;
  }

  /** Throws `SandboxRefused`. */
  async seed(organisations: readonly unknown[]): Promise<readonly SeededOrganisation[]> {
    return (await this.#post('/_sandbox/seed', { organisations })) as readonly SeededOrganisation[];
  }

  /** Changes switches of the service's own screens. Throws `SandboxRefused`. */
  async change(organisationId: string, switches: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#post(`/_sandbox/organisations/${organisationId}`, switches);
  }

  /**
   * Alters the answers to these requests by the rule (`alterSchema`) from now on. Throws `SandboxRefused`.
   */
  async alter(id: string, on: Readonly<Record<string, string>>, rule: object): Promise<void> {
    await this.#post('/_sandbox/faults', { id, on, do: 'alter', rule, times: 1_000_000 });
  }

  /** Throws `SandboxRefused`. */
  async organisations(): Promise<readonly ListedOrganisation[]> {
    return (await this.#call('/_sandbox/organisations')) as readonly ListedOrganisation[];
  }

  /**
   * Returns the sandbox's time, and by how many milliseconds it is ahead of the machine's. Throws
   * `SandboxRefused`.
   */
  async clock(): Promise<SandboxTime> {
    return timeOf(await this.#call('/_sandbox/clock'));
  }

  /** Moves the sandbox's clock forward. Throws `SandboxRefused`. */
  async advance(millis: number): Promise<SandboxTime> {
    return timeOf(await this.#post('/_sandbox/clock', { advanceSeconds: millis / SECOND }));
  }

  #post(path: string, body: unknown): Promise<unknown> {
    return this.#call(path, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  }

  async #call(path: string, request: RequestInit = {}): Promise<unknown> {
    const answer = await fetch(`${this.#root}${path}`, request);
    const text = await answer.text();
    if (!answer.ok) throw new SandboxRefused(path, answer.status, text);
    return (JSON.parse(text) as { readonly data: unknown }).data;
  }
}
