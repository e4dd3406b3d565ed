import type { JWK } from 'jose';
import type { Clock } from '../../src/lib/time/clock.ts';
import type { Application } from '../../src/sandbox/identity/application.ts';
import type { SeededOrganisation } from '../../src/sandbox/identity/seed.ts';
import type { ProtocolChange } from '../../src/sandbox/protocol.ts';
import { makeSigningJwk } from '../../src/sandbox/oauth/tokens/signing.ts';
import { serveSandbox, type ServedSandbox } from '../../src/sandbox/serve.ts';
import { Control, type SeenRequest } from './control.ts';

export const CLIENT_ID = 'outer-tests';
export const CLIENT_SECRET = 'outer-tests-secret-2f1c';

export interface SandboxOptions {
  readonly clock?: Clock;
  readonly protocol?: ProtocolChange;
  /** How everybody reaches it, where that is not the listener. */
  readonly publicUrl?: string;
  /** File of its database; in memory, unless said. */
  readonly database?: string;
  /** Redirect addresses of the one application. */
  readonly redirectUris: readonly string[];
}

let key: Promise<JWK> | undefined;

/** Of every sandbox of a process: to make one takes as long as hundreds of calls. */
export const signingKey = (): Promise<JWK> => (key ??= makeSigningJwk());

/** The service on a real server of this process, with its control plane. */
export class RunningSandbox {
  readonly url: string;
  readonly #served: ServedSandbox;
  readonly #control: Control;
  readonly #complaints: string[];

  private constructor(served: ServedSandbox, complaints: string[]) {
    this.#served = served;
    this.url = `http://127.0.0.1:${String(served.port)}`;
    this.#control = new Control(this.url);
    this.#complaints = complaints;
  }

  static async start({
    clock,
    protocol,
    publicUrl,
    database,
    redirectUris,
  }: SandboxOptions): Promise<RunningSandbox> {
    const complaints: string[] = [];
    const complain = (event: string, fields: object = {}): void => {
      complaints.push(`${event} ${JSON.stringify(fields)}`);
    };
    const application: Application = {
      id: CLIENT_ID,
      name: 'Outer tests',
      secrets: [CLIENT_SECRET],
      redirectUris: [...redirectUris],
      practice: true,
    };
    const served = await serveSandbox(
      {
        applications: [application],
        signingKey: await signingKey(),
        log: { info: () => undefined, warn: complain, error: complain },
        ...(clock && { clock }),
        ...(protocol && { protocol }),
        ...(publicUrl !== undefined && { publicUrl }),
        ...(database !== undefined && { database }),
      },
      { port: 0, host: '127.0.0.1' },
    );
    return new RunningSandbox(served, complaints);
  }

  /** What went wrong inside the service itself; nothing, where all is well. */
  get complaints(): readonly string[] {
    return this.#complaints;
  }

  control(method: string, path: string, body?: unknown): Promise<unknown> {
    return this.#control.call(method, path, body);
  }

  /** From nothing: reset, then seeded. */
  async seed(organisations: readonly unknown[]): Promise<readonly SeededOrganisation[]> {
    await this.control('POST', 'reset');
    return (await this.control('POST', 'seed', { organisations })) as readonly SeededOrganisation[];
  }

  requests(): Promise<readonly SeenRequest[]> {
    return this.#control.requests();
  }

  close(): Promise<void> {
    return this.#served.close();
  }
}
