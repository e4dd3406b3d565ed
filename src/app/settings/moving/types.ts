import { proofModes } from '../../../features/consent/model.ts';
import { parityModes } from '../../../features/cutover/parity/model.ts';
import { snapshotModes } from '../../../features/snapshot/snapshot.ts';
import { choice } from '../types.ts';

/** When an account moves that may: by itself, or when the operator says so. */
export const cutoverMode = choice(['auto', 'manual']);
/** See `parityModes`. */
export const parityMode = choice(parityModes);
/** See `proofModes`. */
export const proofMode = choice(proofModes);
/** See `snapshotModes`. */
export const snapshotMode = choice(snapshotModes);
