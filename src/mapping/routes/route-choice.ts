import { isAway } from '../../lib/store-fault.ts';
import { EVERY_ACCOUNT, type ApiVersion, type RouteRepository } from './routes.ts';

/** The routes set by operators, kept in memory and read again after a change. */
export class RouteChoices {
  readonly #repository: RouteRepository;
  #version: number | undefined;
  #chosen: ReadonlyMap<string, ApiVersion> = new Map();

  constructor(repository: RouteRepository) {
    this.#repository = repository;
  }

  /**
   * The API version an operator has chosen for a method of an account; undefined: none; `unknown`: only
   * `asked` can tell.
   */
  present(method: string, account: string): ApiVersion | 'unknown' | undefined {
    const { believed } = this.#repository;
    if (believed?.version !== this.#version || (believed?.until ?? 0) <= performance.now()) return 'unknown';
    return this.#chosen.size === 0 ? undefined : this.#choice(method, account);
  }

  /** The same from the database. `lately`: while the database is away, the choice that was last read. */
  async asked(method: string, account: string, lately: boolean): Promise<ApiVersion | undefined> {
    try {
      const version = await this.#repository.version();
      if (version !== this.#version) await this.#read(version);
    } catch (error) {
      if (!lately || this.#version === undefined || !isAway(error)) throw error;
    }
    return this.#choice(method, account);
  }

  #choice(method: string, account: string): ApiVersion | undefined {
    return this.#chosen.get(`${method}\n${account}`) ?? this.#chosen.get(`${method}\n${EVERY_ACCOUNT}`);
  }

  async #read(version: number): Promise<void> {
    const overrides = await this.#repository.list();
    this.#chosen = new Map(
      overrides.map(({ method, account, route }) => [`${method}\n${account}`, route] as const),
    );
    this.#version = version;
  }
}
