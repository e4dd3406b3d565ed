import { setTimeout as delay } from 'node:timers/promises';
import { eventually } from '../../test/support/clock.ts';
import { freePort } from '../../test/support/bridge.ts';
import { API_KEY, countOf, LegacyProgram } from '../../test/support/legacy.ts';
import type { RunningRedis } from '../../test/support/redis.ts';
import { Instances, MOVED_KEY, type InstancesParts } from '../../test/journey/instances.ts';
import type { FrontProxy } from './front-proxy.ts';
import { SteadyCallers, type Counted } from './steady-callers.ts';

const PASSED_KEY = 'C0000000000000000000000000000002';
const CLIENT = 1_000_000;

/** Instances in front of a sandbox with an account that V1 serves and one that has moved. */
export class Rolling {
  readonly #instances: Instances;

  private constructor(instances: Instances) {
    this.#instances = instances;
  }

  /** `lameDuckSeconds`: CAUSEWAY_LAME_DUCK_SECONDS. */
  static start(count: number, redis: RunningRedis, lameDuckSeconds: string): Promise<Rolling> {
    return Rolling.on(count, { redis, env: { CAUSEWAY_LAME_DUCK_SECONDS: lameDuckSeconds } });
  }

  static async on(count: number, parts: InstancesParts): Promise<Rolling> {
    const instances = await Instances.start(count, parts);
    await instances.control.call('POST', 'seed', {
      organisations: [
        {
          name: 'Passed Through',
          accountKey: PASSED_KEY,
          apiKeys: [API_KEY],
          users: [{ name: 'Bo Owner', email: 'bo@passed.example' }],
          clients: [{ number: CLIENT, name: 'Seeded' }],
        },
      ],
    });
    return new Rolling(instances);
  }

  get ports(): readonly number[] {
    return this.#instances.roots.map((root) => Number(new URL(root).port));
  }

  get freePort(): () => Promise<number> {
    return freePort;
  }

  /** The callers begin once a call has come through the proxy. */
  async callers(url: string, perSecond: number): Promise<SteadyCallers> {
    const program = new LegacyProgram(url, PASSED_KEY);
    await eventually('a call through the proxy', async () => {
      const answer = await program.get('client.api/list').catch(() => undefined);
      return answer?.status === 200 ? true : undefined;
    });
    program.close();
    // The limit of the account that has moved is 60 a minute.
    const movedEvery = Math.max(2, Math.ceil(perSecond * 1.5));
    const accounts = { accountKey: PASSED_KEY, client: CLIENT, moved: MOVED_KEY, movedEvery };
    return new SteadyCallers({ url, perSecond, ...accounts });
  }

  get instances(): Instances {
    return this.#instances;
  }

  /**
   * Restarts one after the other with `program` (`Instances.restart`); the next one when a client that asks every
   * second or two has seen that the previous one is back. `front`: sends no calls to it meanwhile.
   */
  async restartAll(program?: string, front?: FrontProxy): Promise<void> {
    for (const [place, port] of this.ports.entries()) {
      const restart = (): Promise<void> => this.#restart(place, program);
      await (front === undefined ? restart() : front.without(port, restart));
      await delay(5_000);
    }
  }

  async #restart(place: number, program?: string): Promise<void> {
    const code = await this.#instances.restart(place, program);
    if (code !== 0) throw new Error(`an instance ended with code ${String(code)}`);
  }

  /**
   * The verdict of the service's records: names that more than one record has, and names that were answered with OK but
   * no record has.
   */
  async judged({
    names,
    made,
  }: Pick<Counted, 'names' | 'made'>): Promise<{ readonly doubled: number; readonly absent: number }> {
    const program = new LegacyProgram(this.#instances.roots[0] ?? '', PASSED_KEY);
    const { text } = await program.get('client.api/list');
    program.close();
    const records = (name: string): number => countOf(text, `<Name>${name}</Name>`);
    return {
      doubled: names.filter((name) => records(name) > 1).length,
      absent: made.filter((name) => records(name) === 0).length,
    };
  }

  end(): Promise<void> {
    return this.#instances.end();
  }
}
