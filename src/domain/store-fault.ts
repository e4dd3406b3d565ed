/**
 * What a database can do to a query. `constraint` of a `unique` fault is `table_column[_column]`, the same for both
 * engines. Messages of the engines are kept, their row values and connection strings are not.
 */
export class StoreFault extends Error {
  readonly kind: 'unique' | 'unavailable' | 'exhausted' | 'refused';
  readonly constraint: string | undefined;

  constructor(kind: StoreFault['kind'], message: string, constraint?: string) {
    super(message);
    this.name = 'StoreFault';
    this.kind = kind;
    this.constraint = constraint;
  }
}
