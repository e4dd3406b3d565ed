import type { clientRows } from '../../tables/clients/client.ts';
import type { relationshipRows } from '../../tables/clients/relationship.ts';
import type { FieldsOf } from '../../tables/table.ts';

/**
 * Terms that only V2 writes; they override those of the client's type and are absent where the type decides.
 */
export interface ClientFields extends FieldsOf<typeof clientRows> {
  readonly branch?: string;
  /** Percent, two places. */
  readonly markup?: string;
  readonly paymentDay?: number;
  readonly paymentTerm?: string;
}

export interface RelationshipFields extends FieldsOf<typeof relationshipRows> {
  /** Integer as text, or ''. */
  readonly numberOfShares: string;
}

/** XML specification, "Relationship". */
export const relationshipTypes = [
  'Director',
  'Shareholder',
  'Trustee',
  'Beneficiary',
  'Partner',
  'Settlor',
  'Associate',
  'Secretary',
  'Public Officer',
  'Husband',
  'Wife',
  'Spouse',
  'Parent Of',
  'Child Of',
  'Appointer',
  'Member',
  'Auditor',
  'Owner',
] as const;
