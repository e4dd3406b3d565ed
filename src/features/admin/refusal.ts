/** Why the desk does not do something at all; a short, stable list. */
export type DeskFault = 'unknown' | 'unusable' | 'conflict' | 'too-many' | 'unavailable';

/** Nothing was done, in words for the operator; never a secret. */
export class DeskRefusal extends Error {
  readonly fault: DeskFault;

  constructor(fault: DeskFault, words: string) {
    super(words);
    this.name = 'DeskRefusal';
    this.fault = fault;
  }
}
