/** The input cannot become an account; the texts are for the operator. */
export class UnusableAccount extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnusableAccount';
  }
}
