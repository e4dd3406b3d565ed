/** The service refuses the call itself: HTTP 200, Status ERROR and this message. */
export class Refusal extends Error {
  constructor(text: string) {
    super(text);
    this.name = 'Refusal';
  }
}

/** The call reaches no method: an HTTP status, in the same XML form. */
export class Fault extends Error {
  readonly status: number;

  constructor(status: number, text: string) {
    super(text);
    this.name = 'Fault';
    this.status = status;
  }
}

/** The refusal of a message without a required element; `path` leads to that element. */
export const missing = (...path: readonly string[]): Refusal =>
  new Refusal(
    `Message not in expected format. The following required element was missing - /${path.join('/')}`,
  );

/** The refusal of a value of the wrong form. */
export const invalidValue = (element: string): Refusal => new Refusal(`Invalid value for ${element}`);
