import { z } from 'zod';
import { proofModes } from '../../features/consent/model.ts';
import { parityModes } from '../../features/cutover/parity/model.ts';
import { snapshotModes } from '../../features/snapshot/snapshot.ts';
import { choice } from './types.ts';

/** When an account moves that may: by itself, or when the operator says so. */
export const cutoverMode = choice(['auto', 'manual']);
/** See `parityModes`. */
export const parityMode = choice(parityModes);
/** See `proofModes`. */
export const proofMode = choice(proofModes);
/** See `snapshotModes`. */
export const snapshotMode = choice(snapshotModes);

/** Identifiers of organisations, as the service gives them; a name is none, because two may have the same. */
export const organisationIds: z.ZodType<readonly string[], string> = z
  .string()
  .transform((value) => value.split(',').map((part) => part.trim()))
  .refine((ids) => ids.every((id) => /^[\w-]{8,64}$/.test(id)), {
    error: 'must be ids of organisations, separated by commas; causeway verify names the id',
  });
