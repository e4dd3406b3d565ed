export interface DemoOrganisation {
  readonly name: string;
  readonly accountKey: string;
  readonly product: 'standard' | 'practice';
  /** Who gets its e-mail. */
  readonly contact: { readonly contactName: string; readonly email: string };
  /** The body of `POST /_sandbox/seed` for it. */
  readonly seed: Readonly<Record<string, unknown>>;
}
