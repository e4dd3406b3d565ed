/** A field as it is entered, and its fault. */
export interface FieldFault {
  readonly field: string;
  readonly message: string;
}

/** The input cannot become an account; the texts are for the operator. */
export class UnusableAccount extends Error {
  /** Empty if no single field is at fault. */
  readonly faults: readonly FieldFault[];

  constructor(message: string, faults: readonly FieldFault[] = []) {
    super(message);
    this.name = 'UnusableAccount';
    this.faults = faults;
  }
}
