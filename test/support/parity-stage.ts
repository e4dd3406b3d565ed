import { ADMINISTRATOR, users } from '../../src/demo/seed/users.ts';
import { giveConsent } from '../../src/replay/consent.ts';
import { parityOf } from '../../src/app/wiring/features/parity.ts';
import type { Account } from '../../src/features/accounts/account.ts';
import type { ParityReport } from '../../src/features/cutover/parity/model.ts';
import { freePort, RunningBridge } from './bridge.ts';
import { RunningSandbox } from './sandbox.ts';

const API_KEY = '0123456789ABCDEF0123456789ABCDEF';

/** What differs for one account; see `alterSchema` of the sandbox. */
export interface Seeded {
  /** `v3`, or `v1`. Default: V3. */
  readonly surface?: 'v1' | 'v3';
  readonly operation: string;
  readonly rule: object;
}

/** A bridge and a sandbox with accounts whose V3 answers can be made to differ. */
export class ParityStage implements AsyncDisposable {
  readonly sandbox: RunningSandbox;
  readonly bridge: RunningBridge;
  readonly #keys: ReadonlyMap<string, string>;
  #faults = 0;

  private constructor(sandbox: RunningSandbox, bridge: RunningBridge, keys: ReadonlyMap<string, string>) {
    this.sandbox = sandbox;
    this.bridge = bridge;
    this.#keys = keys;
  }

  /** `contentOf`: the records of an account, as the sandbox is seeded. */
  static async open(
    names: readonly string[],
    contentOf: (name: string) => object,
    env: Readonly<Record<string, string>> = {},
  ): Promise<ParityStage> {
    const port = await freePort();
    const sandbox = await RunningSandbox.start({
      redirectUris: [`http://127.0.0.1:${port}/_causeway/callback`],
    });
    const keys = new Map(names.map((name, n) => [name, `B${String(n).padStart(31, '0')}`]));
    await sandbox.seed(
      names.map((name) => ({
        ...{ name, accountKey: keys.get(name), apiKeys: [API_KEY], users },
        ...contentOf(name),
      })),
    );
    const bridge = await RunningBridge.start({ port, sandbox: sandbox.url, env });
    for (const name of names)
      await bridge.add({ name, accountKey: keys.get(name) ?? '', apiKey: API_KEY, product: 'standard' });
    return new ParityStage(sandbox, bridge, keys);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.bridge.stop();
    await this.sandbox.close();
  }

  /** A call of its program. */
  async legacy(name: string, address: string, sent: RequestInit = {}): Promise<string> {
    const mark = address.includes('?') ? '&' : '?';
    const keys = `apiKey=${API_KEY}&accountKey=${this.#keys.get(name) ?? ''}`;
    return (await fetch(`${this.bridge.url}/${address}${mark}${keys}`, sent)).text();
  }

  async consent(name: string): Promise<void> {
    const { path } = await this.bridge.services.accounts.invite(name);
    await giveConsent({ link: `${this.bridge.url}${path}`, person: ADMINISTRATOR, organisation: name });
  }

  async account(name: string): Promise<Account> {
    const view = await this.bridge.services.accounts.show(name);
    if (view === undefined) throw new Error(`there is no ${name}`);
    return view.account;
  }

  async organisationId(name: string): Promise<string> {
    const organisations = (await this.sandbox.control('GET', 'organisations')) as readonly {
      readonly id: string;
      readonly name: string;
    }[];
    return organisations.find((one) => one.name === name)?.id ?? '';
  }

  /** From now on an answer differs. Returns the id of the fault, by which it is replaced. */
  async alter(
    name: string,
    { surface = 'v3', operation, rule }: Seeded,
    id = `alter-${(this.#faults += 1)}`,
  ): Promise<string> {
    const accountId = await this.organisationId(name);
    const on = { surface, operation, accountId };
    await this.sandbox.control('POST', 'faults', { id, on, do: 'alter', rule, times: 1_000_000 });
    return id;
  }

  /** Compares now. */
  async compare(name: string): Promise<ParityReport> {
    return parityOf(this.bridge.services).compare(await this.account(name));
  }

  async report(name: string): Promise<ParityReport> {
    return parityOf(this.bridge.services).report(await this.account(name));
  }
}
