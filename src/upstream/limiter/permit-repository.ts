import {
  isNothing,
  type InheritedPermits,
  type PermitRepository,
  type PermitsInUse,
  type PermitsLeft,
  type Unwritten,
  type WrittenPermits,
} from './written-permits.ts';
import type { Engine } from '../../db/engine.ts';

const PREFIX = 'permits:';
const STATE = 'permits';
const RUNNING = 'running';
const STOPPED = 'stopped';
const KILLED = 'killed before ';
/** An earlier version takes this for a kill, which is safe. */
const STOPPED_SINCE = 'stopped, killed before ';
/** With spaces, so that an earlier version still reads the first two numbers. */
const SEPARATOR = ' | ';

/** Permits in use, as settings of the database: a row for a key that uses many, none for the others. */
export class StoredPermits implements PermitRepository {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  async read(): Promise<PermitsLeft> {
    const rows = await this.#engine.db
      .selectFrom('settings')
      .selectAll()
      .where((where) => where.or([where('name', '=', STATE), where('name', 'like', `${PREFIX}%`)]))
      .execute();
    const permits = rows.flatMap(({ name, value }) =>
      name === STATE ? [] : [[name.slice(PREFIX.length), permitsIn(value)] as const],
    );
    return {
      unwritten: unwrittenIn(rows.find(({ name }) => name === STATE)?.value),
      permits: new Map(permits),
    };
  }

  async write(permits: ReadonlyMap<string, WrittenPermits>): Promise<void> {
    const kept = Array.from(permits).filter(([, row]) => !isNothing(row));
    const gone = Array.from(permits).filter(([, row]) => isNothing(row));
    // If the process dies in between, too many are left: that is safe.
    await this.#put(kept.map(([key, row]) => ({ name: PREFIX + key, value: textOf(row) })));
    if (gone.length === 0) return;
    const names = gone.map(([key]) => PREFIX + key);
    await this.#engine.db.deleteFrom('settings').where('name', 'in', names).execute();
  }

  async mark(unwritten: Unwritten): Promise<void> {
    await this.#put([{ name: STATE, value: stateOf(unwritten) }]);
  }

  async #put(rows: readonly { readonly name: string; readonly value: string }[]): Promise<void> {
    if (rows.length === 0) return;
    await this.#engine.db
      .insertInto('settings')
      .values([...rows])
      .onConflict((conflict) =>
        conflict.column('name').doUpdateSet((set) => ({ value: set.ref('excluded.value') })),
      )
      .execute();
  }
}

/**
 * "30 2 | 12 3 1795354738258": in use and unanswered now; the same, with its end, for each earlier process.
 */
const textOf = ({ inUse, unanswered, inherited }: WrittenPermits): string =>
  [
    `${inUse} ${unanswered}`,
    ...inherited.map(({ inUse: used, unanswered: open, at }) => `${used} ${open} ${at}`),
  ].join(SEPARATOR);

function permitsIn(value: string): WrittenPermits {
  const [own = [], ...others] = value.split(SEPARATOR).map((part) => part.split(' ').map(Number));
  return { ...inUseOf(own), inherited: others.map(inheritedOf) };
}

const inUseOf = ([inUse = 0, unanswered = 0]: readonly number[]): PermitsInUse => ({ inUse, unanswered });
const inheritedOf = (numbers: readonly number[]): InheritedPermits => ({
  ...inUseOf(numbers),
  at: numbers[2] ?? 0,
});

function stateOf(unwritten: Unwritten): string {
  if (typeof unwritten !== 'object') return unwritten === 'free' ? STOPPED : RUNNING;
  const { firstBlockBefore, stopped } = unwritten;
  return `${stopped === true ? STOPPED_SINCE : KILLED}${firstBlockBefore}`;
}

function unwrittenIn(value = STOPPED): Unwritten {
  if (value === STOPPED) return 'free';
  const numberAfter = (words: string): number => Number(value.slice(words.length));
  if (value.startsWith(KILLED)) return { firstBlockBefore: numberAfter(KILLED) };
  if (value.startsWith(STOPPED_SINCE)) return { firstBlockBefore: numberAfter(STOPPED_SINCE), stopped: true };
  return 'first-block';
}
