export interface DemoOrganisation {
  readonly name: string;
  readonly accountKey: string;
  readonly product: 'standard' | 'practice';
  /** Who gets its mail. */
  readonly contact: { readonly contactName: string; readonly email: string };
  /** What `POST /_sandbox/seed` takes for it. */
  readonly seed: Readonly<Record<string, unknown>>;
}
