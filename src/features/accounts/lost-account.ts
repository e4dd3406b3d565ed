import { EXPORTED_TEXT, Failure } from '../../lib/failure.ts';
import type { LossReason } from '../../tokens/grant.ts';

/** The failure for calls of an account whose grant is lost: who can help, and whether the connection ended at all. */
export const lostFailure = (reason: LossReason): Failure =>
  reason === 'exported'
    ? new Failure('consentNeeded', { text: EXPORTED_TEXT })
    : new Failure('consentNeeded');
