import { inspect } from 'node:util';

/** A value that prints as `***` everywhere: in logs, JSON, templates, the debugger. */
export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return '***';
  }

  toJSON(): string {
    return '***';
  }

  [inspect.custom](): string {
    return 'Secret(***)';
  }
}
