export interface DemoOrganisation {
  readonly name: string;
  readonly accountKey: string;
  readonly product: 'standard' | 'practice';
  /** The recipient of its e-mail. */
  readonly contact: { readonly contactName: string; readonly email: string };
  /** The body of its `POST /_sandbox/seed`. */
  readonly seed: Readonly<Record<string, unknown>>;
}
