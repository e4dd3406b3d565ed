import { isAway } from '../../lib/store-fault.ts';
import { EVERY_ACCOUNT, type ApiVersion, type RouteRepository } from './routes.ts';

/** The overrides of routes, held in memory and read again when somebody changed one. */
export class RouteChoices {
  readonly #repository: RouteRepository;
  #version: number | undefined;
  #chosen: ReadonlyMap<string, ApiVersion> = new Map();

  constructor(repository: RouteRepository) {
    this.#repository = repository;
  }

  /**
   * The API version an operator has chosen for a method of an account; undefined: none. `lately`: while the
   * database is away, as it had been chosen when it was last read.
   */
  async of(method: string, account: string, lately: boolean): Promise<ApiVersion | undefined> {
    try {
      const version = await this.#repository.version();
      if (version !== this.#version) await this.#read(version);
    } catch (error) {
      if (!lately || this.#version === undefined || !isAway(error)) throw error;
    }
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
