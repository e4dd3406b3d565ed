import type { AccountUse } from './account-use.ts';

/** How often a method was answered for all programs of an account together, and when it was last called. */
export interface Answered {
  calls: number;
  last: number;
}

/** By method. A method that was only ever refused, or failed, is left out: nobody relies on such a reply. */
export function answeredIn({ programs }: AccountUse): ReadonlyMap<string, Answered> {
  const found = new Map<string, Answered>();
  for (const { methods } of programs.values())
    for (const [id, { calls, failed, last }] of methods) {
      if (calls === failed) continue;
      const known = found.get(id);
      found.set(id, {
        calls: (known?.calls ?? 0) + calls - failed,
        last: Math.max(known?.last ?? 0, last),
      });
    }
  return found;
}
