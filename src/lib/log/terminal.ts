/** What a command may do to the terminal it runs in. Standard output is for results, standard error for words. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  /** Standard input, whole. */
  read(): Promise<string>;
  /** Writes a file that only its owner may read. */
  save(path: string, text: string): Promise<void>;
  /** Reads a text file; throws what node throws. */
  load(path: string): Promise<string>;
  /** Undefined where standard output is no terminal. */
  readonly screen?: Screen | undefined;
}

/** What is known of the terminal itself. */
export interface Screen {
  columns(): number;
  readonly colour: boolean;
  /** Resolves with false when nobody looks any more. */
  pause(millis: number): Promise<boolean>;
}

/** A command cannot do what it was asked; the words are for the person at the terminal. Exit code 1. */
export class Refusal extends Error {
  constructor(words: string) {
    super(words);
    this.name = 'Refusal';
  }
}

/** The command was not asked rightly. Exit code 2. */
export class Misuse extends Error {
  constructor(words: string) {
    super(words);
    this.name = 'Misuse';
  }
}
