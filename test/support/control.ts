/** A request that the sandbox has seen. */
export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly status: number | null;
}

export interface Generation {
  readonly n: number;
  readonly usedAt: string | null;
  readonly state: string;
}

export interface Family {
  readonly accountId: string;
  readonly generations: readonly Generation[];
  readonly revoked: { readonly by: string } | null;
}

export interface Organisation {
  readonly id: string;
  readonly name: string;
}

/** The control plane of a sandbox. */
export class Control {
  readonly #root: string;

  constructor(sandbox: string) {
    this.#root = `${sandbox}/_sandbox`;
  }

  async call(method: string, path: string, body?: unknown): Promise<unknown> {
    const answer = await fetch(`${this.#root}/${path}`, {
      method,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok)
      throw new Error(`the sandbox refused ${method} ${path} (${String(answer.status)}): ${text}`);
    return (JSON.parse(text) as { readonly data: unknown }).data;
  }

  async organisation(name: string): Promise<Organisation> {
    const all = (await this.call('GET', 'organisations')) as readonly Organisation[];
    const found = all.find((organisation) => organisation.name === name);
    if (found === undefined) throw new Error(`the sandbox has no ${name}`);
    return found;
  }

  /** The youngest token family of an organisation. */
  async family(name: string): Promise<Family> {
    const { id } = await this.organisation(name);
    const families = (await this.call('GET', 'oracle')) as readonly Family[];
    const found = families.filter(({ accountId }) => accountId === id).at(-1);
    if (found === undefined) throw new Error(`nobody has consented for ${name}`);
    return found;
  }

  async requests(): Promise<readonly SeenRequest[]> {
    return (await this.call('GET', 'requests')) as readonly SeenRequest[];
  }

  async advance(seconds: number): Promise<void> {
    await this.call('POST', 'clock', { advanceSeconds: seconds });
  }

  async fault(fault: Readonly<Record<string, unknown>>): Promise<void> {
    await this.call('POST', 'faults', fault);
  }

  /** How often planned faults have struck in all. */
  async struck(): Promise<number> {
    const faults = (await this.call('GET', 'faults')) as readonly { readonly struck: number }[];
    return faults.reduce((sum, { struck }) => sum + struck, 0);
  }

  /** No fault any more, and no limit of requests: what a test is not about. */
  async calm(): Promise<void> {
    await this.call('DELETE', 'faults');
    await this.call('POST', 'settings', { protocol: { limits: { perMinute: null } } });
  }
}
