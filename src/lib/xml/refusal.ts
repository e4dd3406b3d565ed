import type { XmlFault } from './element.ts';

/**
 * Thrown inside the readers, which do not know the position; the parser turns it into an `XmlFault` with the position.
 */
export class Refusal extends Error {
  readonly reason: XmlFault['reason'];

  constructor(reason: XmlFault['reason']) {
    super(reason);
    this.name = 'Refusal';
    this.reason = reason;
  }
}
