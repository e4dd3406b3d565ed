/** What a command may do with its terminal. Standard output is for results, standard error for messages. */
export interface Terminal {
  out(text: string): void;
  err(text: string): void;
  /** All of standard input. */
  read(): Promise<string>;
  /** Writes a file that only its owner may read. Throws Node's errors. */
  save(path: string, text: string, how?: Saving): Promise<void>;
  /** Reads a text file. Throws Node's errors. */
  load(path: string): Promise<string>;
  /** Undefined if standard output is not a terminal. */
  readonly screen?: Screen | undefined;
}

/** How a file is written whose name is taken. */
export interface Saving {
  /** It keeps its mode. */
  readonly keepsMode?: boolean;
  /** It stays as it is: throws `EEXIST`. A device or a pipe is written all the same. */
  readonly keepsFile?: boolean;
}

/** The terminal's screen. */
export interface Screen {
  columns(): number;
  readonly colour: boolean;
  /** Resolves with false if the screen is no longer watched. */
  pause(millis: number): Promise<boolean>;
}

/** A command cannot do what was asked; the text is for the user. Exit code 1. */
export class Refusal extends Error {
  constructor(words: string) {
    super(words);
    this.name = 'Refusal';
  }
}

/** The command was used wrongly. Exit code 2. */
export class Misuse extends Error {
  constructor(words: string) {
    super(words);
    this.name = 'Misuse';
  }
}

/** The examined object does not work. Exit code 2, where a `Refusal` has 1. */
export class Unfit extends Error {
  constructor(words: string) {
    super(words);
    this.name = 'Unfit';
  }
}
