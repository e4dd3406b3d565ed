/** A file of the project that is generated from the code and never edited by hand. */
export interface Generator {
  /** Relative to the project folder. */
  readonly path: string;
  /** Returns the content of the file. */
  readonly write: () => string | Promise<string>;
}
