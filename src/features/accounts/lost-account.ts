import { EXPORTED_TEXT, Failure } from '../../lib/failure.ts';
import type { LossReason } from '../../tokens/grant.ts';

/** What a call of an account gets whose grant is lost: who can help, and whether anything ended at all. */
export const lostFailure = (reason: LossReason): Failure =>
  reason === 'exported'
    ? new Failure('consentNeeded', { text: EXPORTED_TEXT })
    : new Failure('consentNeeded');
