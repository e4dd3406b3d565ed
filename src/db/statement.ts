import type { Compilable, CompiledQuery, Kysely, QueryResult } from 'kysely';
import type { Tables } from './tables.ts';

/** Placeholder in a compiled statement for a value that differs each time. */
class Place {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/**
 * A statement that is built and compiled once, which costs more than executing it; for statements that many
 * calls wait for. Belongs to one database.
 */
export class Statement<Values extends object, Row = unknown> {
  readonly #names: readonly (keyof Values & string)[];
  readonly #build: (db: Kysely<Tables>, values: Values) => Compilable<Row>;
  #compiled: CompiledQuery<Row> | undefined;

  /** `build` may only pass the values on, because it gets placeholders for them. */
  constructor(
    names: readonly (keyof Values & string)[],
    build: (db: Kysely<Tables>, values: Values) => Compilable<Row>,
  ) {
    this.#names = names;
    this.#build = build;
  }

  /** Throws `StoreFault`. */
  execute(db: Kysely<Tables>, values: Values): Promise<QueryResult<Row>> {
    this.#compiled ??= this.#build(
      db,
      Object.fromEntries(this.#names.map((name) => [name, new Place(name)])) as Values,
    ).compile();
    const parameters = this.#compiled.parameters.map((one) =>
      one instanceof Place ? values[one.name as keyof Values] : one,
    );
    return db.executeQuery({ ...this.#compiled, parameters });
  }
}
