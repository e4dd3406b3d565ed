/** What was given cannot be an account, in words for the operator. */
export class UnusableAccount extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnusableAccount';
  }
}
