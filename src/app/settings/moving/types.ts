import { proofModes } from '../../../features/consent/model.ts';
import { parityModes } from '../../../features/cutover/parity/model.ts';
import { snapshotModes } from '../../../features/snapshot/snapshot.ts';
import { choice } from '../types.ts';

/** When an account that is ready moves: by itself, or when the operator decides. */
export const cutoverMode = choice(['auto', 'manual']);
/** See `parityModes`. */
export const parityMode = choice(parityModes);
/** See `proofModes`. */
export const proofMode = choice(proofModes);
/** See `snapshotModes`. */
export const snapshotMode = choice(snapshotModes);
