import type { Write, WriteRepository } from '../../../src/features/writes/model.ts';

/**
 * The same rows, with those read before cached until they change: waiting processes ask again every quarter of a
 * second, which over a network would be most of a simulation's work. All processes share the cache, and nothing runs in
 * parallel, so no outdated answer is seen.
 */
export function remembered(writes: WriteRepository): WriteRepository {
  const rows = new Map<string, Write | undefined>();
  let living: Awaited<ReturnType<WriteRepository['owners']>> | undefined;
  const own: Partial<WriteRepository> = {
    find: async (id) => {
      if (!rows.has(id)) rows.set(id, await writes.find(id));
      return rows.get(id);
    },
    owners: async () => (living ??= await writes.owners()),
  };
  const changed = (name: string, given: readonly unknown[]): void => {
    if (READS.test(name)) return;
    living = undefined;
    const [first] = given;
    if (CHANGES_ONE.test(name) && typeof first === 'string') rows.delete(first);
    else if (name !== 'beat' && name !== 'enter') rows.clear();
  };
  return new Proxy(writes, {
    get: (target, name) => {
      const kept: unknown = Reflect.get(own, name);
      if (kept !== undefined) return kept;
      const method = Reflect.get(target, name) as (...given: readonly unknown[]) => Promise<unknown>;
      return async (...given: readonly unknown[]): Promise<unknown> => {
        try {
          const result = await method.apply(target, [...given]);
          if (!isNothing(result)) changed(String(name), given);
          return result;
        } catch (error) {
          changed(String(name), given);
          throw error;
        }
      };
    },
  });
}

const READS = /^(list|counts|claimed|rivals|beatsOf)$/;
const CHANGES_ONE = /^(withdraw|end|identify|keepSteps|leave|tell|takeOne|postpone|settle)$/;

/** Whether nothing was due. */
const isNothing = (taken: unknown): boolean => Array.isArray(taken) && taken.length === 0;
