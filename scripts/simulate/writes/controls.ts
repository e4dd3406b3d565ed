import type {
  NewWrite,
  Reach,
  Write,
  WriteFacts,
  WriteRepository,
} from '../../../src/features/writes/model.ts';
import { sentOf, sentText, shownIn } from '../../../src/features/writes/settling/fit.ts';
import { recordsAt, requestOf } from '../../../src/features/writes/settling/reads.ts';
import { Settler, type SettlerParts } from '../../../src/features/writes/settling/settler.ts';
import { MINUTE, SECOND } from '../../../src/lib/time/clock.ts';
import { sealedAs } from '../../../src/tokens/sealing/sealed.ts';
import type { Control } from './options.ts';
import type { Settling } from './process.ts';

/** The rows of the ledger unchanged, or kept as the control requires. */
export function controlled(writes: WriteRepository, without: Control | undefined): WriteRepository {
  if (without === 'told') return replaced(writes, withoutTold(writes));
  return without === 'order' ? replaced(writes, withoutOrder(writes)) : writes;
}

/** Counts a caller who got an answer as one who did not. */
const withoutTold = (writes: WriteRepository): Partial<WriteRepository> => ({
  end: (id, ending) => writes.end(id, ending.caller === 'told' ? { ...ending, caller: 'untold' } : ending),
  tell: async () => undefined,
});

/** Stores nothing of a write before its outcome. */
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

/** The unchanged settler, or one without the part left out. */
export function settlerFor(without: Control | undefined, parts: SettlerParts): Settling {
  if (without === 'certainty') return new FirstMatch(parts);
  return new Settler(without === 'patience' ? { ...parts, latestMs: -20 * SECOND } : parts);
}

/** Takes the first listed record whose first value is the one sent. */
class FirstMatch implements Settling {
  readonly #parts: SettlerParts;

  constructor(parts: SettlerParts) {
    this.#parts = parts;
  }

  watch(id: string): Promise<Write | undefined> {
    return this.#parts.writes.find(id);
  }

  async lookAt(id: string): Promise<Write | undefined> {
    return this.#parts.writes.find(id);
  }

  async run(signal: AbortSignal): Promise<void> {
    const { writes, clock } = this.#parts;
    // One account at a time.
    for (;;) {
      const [write] = await writes.take(clock.now(), MINUTE, 1);
      if (write === undefined) return;
      const made = await this.#likely(write, signal);
      if (made === undefined) await writes.postpone(write.id, clock.now() + MINUTE, '');
      else await writes.settle(write.id, { settlement: 'done', made, note: '', now: clock.now() });
    }
  }

  async #likely({ id, method: name, factsSealed, accountId, createdAt }: Write, signal: AbortSignal) {
    const { methods, reads, seal, clock } = this.#parts;
    const method = methods.get(name);
    if (method?.settle?.way !== 'made') return undefined;
    const { list, by } = method.settle;
    const facts = JSON.parse(seal.open(factsSealed, id, sealedAs.writeFacts).reveal()) as WriteFacts;
    const sent = sentOf(facts.values);
    const request = requestOf(list, { method, facts, sent, since: createdAt, now: clock.now() });
    const answer = request && (await reads.read({ ...request, accountId, isUrgent: false, signal }));
    const first = by[0];
    if (answer?.answer !== 'read' || first === undefined) return undefined;
    const wanted = sentText(sent, first.sent);
    const likely = recordsAt(answer.root, list.at).find((one) => shownIn(one, first.shown) === wanted);
    return likely && shownIn(likely, ['ID']);
  }
}
