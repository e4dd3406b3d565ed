import { refusedCount, type RefusedRecently } from '../../../features/usage/call-log.ts';
import { refusedWords } from '../../../lib/failure.ts';
import { moment } from '../../records.ts';

/**
 * Refused calls with the account's key. Anyone may have sent them, so they are no reason to call the account
 * stuck.
 */
export function refusedFacts(refused: RefusedRecently | undefined): Readonly<Record<string, string>> {
  if (refused === undefined) return {};
  const { isAtLeast, last } = refused;
  const words = `${refusedCount(refused)} of the last 24 hours: ${refusedWords(last.why)}`;
  const from = last.from === '' ? '' : ` from ${last.from}`;
  const kept = isAtLeast ? '; too many to keep them all' : '';
  return {
    refused: `${words}; the last ${moment(last.at) ?? ''}${from}${kept} (causeway find ${last.requestId})`,
  };
}
