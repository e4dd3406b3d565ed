import type { Records } from './records.ts';

/**
 * Kinds that are addressed by their number as text, with the format of the numbers that the service assigns.
 */
export const codeForms = {
  job: { prefix: 'J', digits: 6 },
  invoice: { prefix: 'INV-', digits: 4 },
  quote: { prefix: 'Q', digits: 6 },
  purchaseOrder: { prefix: 'P', digits: 6 },
} as const;

export type CodedKind = keyof typeof codeForms;

export const codedKinds = new Set<string>(Object.keys(codeForms));

/** Returns the number after the highest one ever assigned in the organisation. */
export async function nextCode(records: Records, kind: CodedKind): Promise<string> {
  const { prefix, digits } = codeForms[kind];
  const next = (await records.highestCode(kind, prefix)) + 1;
  return `${prefix}${String(next).padStart(digits, '0')}`;
}
