import { z } from 'zod';
import type { ClientFields } from '../../records/kinds/clients.ts';
import { amountOptional, textIn, two } from '../record/values.ts';

/** How a request gives a client its own terms. */
export const terms = {
  customRate: z.object({ markup: amountOptional }).nullish(),
  customPaymentDay: z.int().min(0).max(365).nullish(),
  customPaymentTerm: textIn,
};
type GivenTerms = z.infer<z.ZodObject<typeof terms>>;

type Terms = Pick<ClientFields, 'markup' | 'paymentDay' | 'paymentTerm'>;

/** The client's own terms after a request: absent keeps, null leaves the decision to the client's type. */
export function termsAfter(
  { customRate, customPaymentDay, customPaymentTerm }: GivenTerms,
  before: Terms = {},
): { readonly [Term in keyof Terms]: Terms[Term] | undefined } {
  const markup = customRate === null ? null : customRate?.markup;
  return {
    markup: after(typeof markup === 'number' ? two(markup) : markup, before.markup),
    paymentDay: after(customPaymentDay, before.paymentDay),
    paymentTerm: after(customPaymentTerm === '' ? null : customPaymentTerm, before.paymentTerm),
  };
}

const after = <T>(given: T | null | undefined, before: T | undefined): T | undefined =>
  given === undefined ? before : (given ?? undefined);
