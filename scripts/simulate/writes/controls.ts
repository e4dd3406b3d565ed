import type { NewWrite, Reach, WriteRepository } from '../../../src/features/writes/model.ts';
import type { Control } from './options.ts';

/** The rows of the ledger as they are, or kept as the control has it. */
export function controlled(writes: WriteRepository, without: Control | undefined): WriteRepository {
  if (without === 'told') return replaced(writes, withoutTold(writes));
  return without === 'order' ? replaced(writes, withoutOrder(writes)) : writes;
}

/** Who was told counts as one who was not. */
const withoutTold = (writes: WriteRepository): Partial<WriteRepository> => ({
  end: (id, ending) => writes.end(id, ending.caller === 'told' ? { ...ending, caller: 'untold' } : ending),
  tell: async () => undefined,
});

/** What came of a write is its first trace. */
function withoutOrder(writes: WriteRepository): Partial<WriteRepository> {
  const unwritten = new Map<string, readonly [NewWrite, Reach]>();
  return {
    enter: async (write, reach) => {
      const entered = await writes.enter(write, reach);
      if (entered.entered === 'earlier') return entered;
      await writes.withdraw(write.id);
      unwritten.set(write.id, [write, reach]);
      return entered;
    },
    end: async (id, ending) => {
      const late = unwritten.get(id);
      if (late !== undefined) await writes.enter(...late);
      unwritten.delete(id);
      return writes.end(id, ending);
    },
  };
}

function replaced(writes: WriteRepository, overrides: Partial<WriteRepository>): WriteRepository {
  return new Proxy(writes, {
    get: (target, name) => {
      const own: unknown = Reflect.get(overrides, name);
      if (own !== undefined) return own;
      const method = Reflect.get(target, name) as (...given: readonly unknown[]) => unknown;
      return method.bind(target);
    },
  });
}
