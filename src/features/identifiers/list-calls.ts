import type { LearnKind, LearnList, LearnPart } from './learning.ts';

/** A list that is read once for all kinds and parts in it. */
export interface ListCall {
  list: LearnList;
  readonly kinds: LearnKind[];
  readonly parts: LearnPart[];
}

/** Each list with all kinds and parts it shows, and with everything that any of them needs. */
export function listCalls(kinds: readonly LearnKind[], parts: readonly LearnPart[]): readonly ListCall[] {
  const calls = new Map<string, ListCall>();
  const callOf = (list: LearnList): ListCall => {
    const name = JSON.stringify([list.call, list.at[0]]);
    const known = calls.get(name) ?? { list, kinds: [], parts: [] };
    known.list = { ...known.list, query: { ...known.list.query, ...list.query } };
    calls.set(name, known);
    return known;
  };
  for (const kind of kinds) if (kind.list !== undefined) callOf(kind.list).kinds.push(kind);
  for (const part of parts) callOf(part.list).parts.push(part);
  return [...calls.values()];
}
