import { z } from 'zod';
import type { OrganisationSwitches } from './organisation.ts';

/**
 * The switches that `POST /_sandbox/organisations/{id}` can change. `practice: true` is the New Zealand form.
 */
export const switchesChangeSchema = z.strictObject({
  practice: z
    .union([z.boolean(), z.enum(['NZ', 'AU'])])
    .transform((value) => (value === true ? 'NZ' : value))
    .optional(),
  practiceVersion: z.enum(['3.0', '3.1']).optional(),
  v1: z.enum(['open', 'closed']).optional(),
  v1AfterConsent: z.enum(['answers', 'refuses']).optional(),
  v3Identifiers: z.enum(['uuid', 'number']).optional(),
  transition: z.boolean().optional(),
  customFieldIds: z.enum(['both', 'id', 'uuid']).optional(),
  listDeleted: z.boolean().optional(),
  webUrl: z.enum(['off', 'numeric', 'uuid']).optional(),
  accountingIntegration: z.boolean().optional(),
  timeAllocation: z.boolean().optional(),
  startFinishEntry: z.boolean().optional(),
});

export type SwitchesChange = z.infer<typeof switchesChangeSchema>;

export const defaultSwitches: OrganisationSwitches = {
  practice: false,
  practiceVersion: '3.0',
  v1: 'open',
  v1AfterConsent: 'answers',
  v3Identifiers: 'uuid',
  transition: false,
  customFieldIds: 'both',
  listDeleted: true,
  webUrl: 'off',
  accountingIntegration: false,
  timeAllocation: false,
  startFinishEntry: true,
};

/** Applies a change to the switches; those it omits keep their values. */
export function applySwitches(present: OrganisationSwitches, change: SwitchesChange): OrganisationSwitches {
  const given = Object.entries(change).filter(([, value]) => value !== undefined);
  return { ...present, ...(Object.fromEntries(given) as Partial<OrganisationSwitches>) };
}
