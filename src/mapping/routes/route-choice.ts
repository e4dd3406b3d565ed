import { isAway } from '../../lib/store-fault.ts';
import { EVERY_ACCOUNT, type Lane, type RouteBook } from './routes.ts';

/** What an operator chose, as it stands now: the lane of a method for an account, where it differs from the mapping's. */
export type Choice = (method: string, account: string) => Lane | undefined;

/** Nobody chose anything. */
export const noChoice: Choice = () => undefined;

/** The overrides of routes, held in memory and read again when somebody changed one. */
export class RouteChoices {
  readonly #book: RouteBook;
  #version: number | undefined;
  #choice: Choice = noChoice;

  constructor(book: RouteBook) {
    this.#book = book;
  }

  async current(): Promise<Choice> {
    const version = await this.#book.version();
    if (version !== this.#version) {
      this.#choice = choiceOf(await this.#book.list());
      this.#version = version;
    }
    return this.#choice;
  }

  /** The same or, while the database is away, what had been chosen when it was last read. */
  async lately(): Promise<Choice> {
    try {
      return await this.current();
    } catch (error) {
      if (this.#version === undefined || !isAway(error)) throw error;
      return this.#choice;
    }
  }
}

function choiceOf(overrides: Awaited<ReturnType<RouteBook['list']>>): Choice {
  const chosen = new Map(overrides.map(({ method, account, route }) => [`${method}\n${account}`, route]));
  return (method, account) =>
    chosen.get(`${method}\n${account}`) ?? chosen.get(`${method}\n${EVERY_ACCOUNT}`);
}
