import type { Crosswalk, Kind } from '../../mapping/crosswalk/identifier.ts';
import type { Account } from '../accounts/account.ts';
import type { IdentifierSync } from '../identifiers/identifier-sync.ts';
import { kindWords, type Learning } from '../identifiers/learning.ts';

export interface IdentifiersCheckParts {
  readonly crosswalk: Crosswalk;
  readonly identifierSync: IdentifierSync;
}

/**
 * Only V1 has the numbers that old programs may hold; after the step they can no longer be read. What a program adds on V1
 * while its lists are read is left to the sync after the step, as V1 still answers.
 */
export async function checkIdentifiers(
  { identifierSync, crosswalk }: IdentifiersCheckParts,
  account: Account,
): Promise<{ readonly result: 'passed' | 'failed'; readonly detail: string }> {
  const learning = await identifierSync.learn(account);
  const contradiction = await identifierSync.contradiction(account.id);
  if (contradiction !== undefined) return { result: 'failed', detail: contradiction };
  const known = new Set(readNow(learning));
  for (const { kind, complete } of await crosswalk.report(account.id)) if (complete) known.add(kind);
  const missing = identifierSync.plan.kinds.filter(({ kind }) => !known.has(kind));
  if (missing.length === 0) return { result: 'passed', detail: 'every V1 number is known' };
  const kinds = kindWords(missing, learning, await crosswalk.addedSince(account.id));
  return {
    result: 'failed',
    detail: `${why[learning.outcome]}; not learned: ${kinds}. Import them, or accept new numbers`,
  };
}

const readNow = (learning: Learning): readonly Kind[] =>
  learning.outcome === 'learned' ? learning.complete : [];

const why = {
  learned: 'V1 does not show every number',
  refused: 'V1 refuses the keys',
  absent: 'V1 or its API key for this account is not known',
  failed: 'V1 cannot be read at the moment',
} as const;
