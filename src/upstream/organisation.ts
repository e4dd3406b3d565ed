/** The products, each with its own scope and V3 root. */
export const products = ['standard', 'practice'] as const;
/** The variant of the service: `practice` has no V2. */
export type Product = (typeof products)[number];

/** An organisation of the service, as the connections endpoint or the access token names it. */
export interface Organisation {
  readonly id: string;
  readonly name: string;
}

/** What an account is bound to once its customer has consented. */
export interface Binding {
  readonly grantId: string;
  readonly organisation: Organisation;
}

/** Who consented; tokens are per user, not per organisation (V2 specification, "Tokens", rule 7). */
export interface Consenter {
  readonly userId: string;
  readonly name: string | undefined;
  readonly email: string | undefined;
}

/** `Ada Miller (ada@example.com)`. */
export const personOf = ({ name, email, userId }: Consenter): string =>
  name === undefined ? (email ?? userId) : [name, email && `(${email})`].filter(Boolean).join(' ');
