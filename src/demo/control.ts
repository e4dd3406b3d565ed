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

/** The sandbox's control plane, with what the demo needs of it. */
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

  /** Switches of the service's own screens. Throws `SandboxRefused`. */
  async change(organisationId: string, switches: Readonly<Record<string, unknown>>): Promise<void> {
    await this.#post(`/_sandbox/organisations/${organisationId}`, switches);
  }

  async #post(path: string, body: unknown): Promise<unknown> {
    const answer = await fetch(`${this.#root}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new SandboxRefused(path, answer.status, text);
    return (JSON.parse(text) as { readonly data: unknown }).data;
  }
}
