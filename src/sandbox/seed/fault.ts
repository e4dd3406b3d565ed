/**
 * A seed that contradicts itself or existing data; nothing of it was written. The message is for its author.
 */
export class SeedFault extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'SeedFault';
  }
}
