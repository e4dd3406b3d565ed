/** A file of the project that is written from the code and never by hand. */
export interface Generator {
  /** Relative to the project folder. */
  readonly path: string;
  /** The whole file. */
  readonly write: () => string | Promise<string>;
}
