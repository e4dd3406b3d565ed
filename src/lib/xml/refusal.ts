import type { XmlFault } from './element.ts';

/** Thrown inside the readers, where the place is not known; the parser makes an `XmlFault` with the place of it. */
export class Refusal extends Error {
  readonly reason: XmlFault['reason'];

  constructor(reason: XmlFault['reason']) {
    super(reason);
    this.name = 'Refusal';
    this.reason = reason;
  }
}
