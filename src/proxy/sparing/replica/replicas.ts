/**
 * Lists of an account, kept sealed in the database so that reading one again costs a program one request instead of one
 * per page (`CAUSEWAY_REPLICA_HOURS`, docs/operate/upstream-calls.md).
 *
 * A list is kept when a program has read it whole. For the next reading the service is asked only for changes since
 * then; these replace the kept records, and the reply is made from them as from the service's own pages, by the same
 * code. `since` is the service's own time (its `Date`) of the last reading, less a margin: its clocks may differ, a
 * change may become visible late, and changes are timed to the second. Records that come twice do no harm.
 *
 * Some changes cannot be seen that way. Deleted records are not reported: a deletion by the bridge makes the next
 * reading a whole one; any other is found when the list is read whole after the time the operator has set, and the
 * reply says how old that reading is. A record that names another one, such as the billing client, does not change with
 * that one's name: if a name changes that others mention, the list is read whole. So it is where the place of a changed
 * record is not certain (`order.ts`), where the service gives no time, and where it does not count its records.
 *
 * Several processes may keep the same list: each change replaces the version it was made from, or nothing.
 */
import { createHash } from 'node:crypto';
import { isQuiet, type Marks, type Touches } from '../../../features/writes/rows/write-marks.ts';
import { HOUR, MINUTE, SECOND, type Clock } from '../../../lib/time/clock.ts';
import { nameOf, type Log } from '../../../lib/log/log.ts';
import { SealBroken, type Seal } from '../../../lib/secret/seal.ts';
import { unlessAway } from '../../../lib/store-fault.ts';
import type { Send } from '../../call/delivery.ts';
import type { RememberedLooks } from '../flights.ts';
import { isRenamedMentioned } from './mentions.ts';
import { judged, ordersOf, withChanges } from './order.ts';
import { changesOf, pagesOf, WholeReading, type Changes, type ListReading, type Reading } from './reading.ts';
import type { ListedRecord } from './records.ts';
import { openReplica, sealReplica, type OpenReplica } from './sealed-list.ts';
import { REPLICA_UNUSED, type StoredReplicas } from '../../../features/replicas/stored-replicas.ts';

/** In milliseconds: covers differences between the service's clocks and changes that become visible late. */
const MARGIN = 5 * MINUTE;
/** In milliseconds: a later `since` alone is not written more often than this. */
const BETWEEN_HEADS = HOUR;

/** The lists that can be kept: how to ask the service for changes, and which writes require a whole reading. */
export const replicatedMethods: Readonly<
  Record<string, { readonly since: string; readonly beside: readonly string[]; readonly touches: Touches }>
> = {
  'client.list': {
    since: 'modifiedsince',
    beside: ['detailed'],
    // No document says that a write to a contact or relationship marks the client as modified.
    touches: (write) =>
      write === 'client.delete' ||
      write === 'generic' ||
      /^(?:staff|clientgroup|client\.(?:contact|relationship))\./.test(write),
  },
};

/** What `Replicas` needs. */
export interface ReplicaParts {
  readonly stored: StoredReplicas;
  readonly looks: Pick<RememberedLooks, 'look'>;
  readonly seal: Seal;
  readonly clock: Clock;
  readonly log: Log;
  /** How long a whole reading is valid, in milliseconds. */
  readonly lasts: number;
  readonly count: (how: 'replica') => void;
}

/** The source of the pages of a reading. */
export interface ListSource {
  readonly send: Send;
  /** Seconds since the list was read whole; undefined: this reading reads it whole. */
  readonly age: number | undefined;
}

/** The kept lists of all accounts. */
export class Replicas {
  readonly #parts: ReplicaParts;

  constructor(parts: ReplicaParts) {
    this.#parts = parts;
  }

  /** Undefined: this is not a reading of a list that can be kept. */
  async source(list: ListReading, send: Send): Promise<ListSource | undefined> {
    const row = replicatedMethods[list.method];
    if (row === undefined || !list.query.every(([name]) => row.beside.includes(name))) return undefined;
    const reading = { ...list, ...row, id: idOf(list) };
    // Looked up before any request, so that a write in between is known to be missing.
    const [marks, kept] = await Promise.all([this.#look(reading), this.#find(reading.id)]);
    if (marks === undefined || !isQuiet(marks, row.touches)) return undefined;
    const writes = writesIn(marks, row.touches);
    const changes = kept && (await this.#changes(reading, kept, writes, send));
    if (kept === undefined || changes === undefined)
      return this.#readWhole(reading, send, { writes, kept, changes });
    const records = await known(kept, changes.records);
    if (records === undefined) return this.#readWhole(reading, send, { writes, kept, changes });
    await this.#keepChanged(reading, kept, records, changes);
    this.#parts.count('replica');
    return { send: pagesOf(reading, records), age: Math.floor(this.#age(kept) / SECOND) };
  }

  /** Undefined: the list has to be read whole. */
  async #changes(
    reading: Reading,
    kept: OpenReplica,
    writes: number,
    send: Send,
  ): Promise<Changes | undefined> {
    const isUsable = kept.head.writes === writes && this.#age(kept) < this.#parts.lasts;
    return isUsable ? changesOf(reading, kept.head.since, send) : undefined;
  }

  /** Another instance's clock may be slightly ahead; if this clock was set back, the age is unknown. */
  #age({ head }: OpenReplica): number {
    const age = this.#parts.clock.now() - head.wholeAt;
    return age < -MARGIN ? Infinity : Math.max(0, age);
  }

  /** Undefined while the database does not answer: the list is then read as if nothing were kept. */
  async #look({ to }: Reading): Promise<Marks | undefined> {
    return this.#parts.looks.look(to.accountId).catch(unlessAway);
  }

  async #find(id: string): Promise<OpenReplica | undefined> {
    const sealed = await this.#parts.stored.find(id).catch(unlessAway);
    try {
      return sealed && (await openReplica(this.#parts.seal, id, sealed));
    } catch (error) {
      // Sealed with a key that is gone: the next whole reading replaces it.
      if (!(error instanceof SealBroken)) throw error;
      await this.#parts.stored.remove([id]);
      return undefined;
    }
  }

  async #keepChanged(
    reading: Reading,
    kept: OpenReplica,
    records: readonly ListedRecord[],
    { at }: Changes,
  ): Promise<void> {
    const since = at - MARGIN;
    if (records === kept.records && since - kept.head.since < BETWEEN_HEADS) return;
    const { wholeAt, writes, orders } = kept.head;
    await this.#keep(reading, { since, wholeAt, writes, orders }, records, kept);
  }

  /** Never rejects: the reply does not depend on it. */
  async #keep(
    { id, to }: Reading,
    head: Parameters<typeof sealReplica>[2],
    records: readonly ListedRecord[],
    kept: OpenReplica | undefined,
  ): Promise<void> {
    const { stored, seal, clock, log } = this.#parts;
    try {
      const sealed = await sealReplica(seal, id, head, records, kept?.head.digests);
      const bytes = records.reduce((sum, { xml }) => sum + xml.length, 0);
      await stored.put({ id, accountId: to.accountId, ...sealed, bytes, now: clock.now() }, kept?.version);
      if (kept === undefined) await stored.trim(clock.now() - REPLICA_UNUSED);
    } catch (error) {
      log.warn('replica.unkept', {
        account: to.accountId,
        cause: nameOf(error),
      });
    }
  }

  /** Reads the list whole, for the caller and to keep it. */
  #readWhole(reading: Reading, send: Send, from: Reasons): ListSource {
    const whole = new WholeReading(reading, async (records, at) => {
      const { writes, kept, changes } = from;
      const possible =
        kept === undefined || kept.head.orders.length === 0 ? ordersOf(records) : kept.head.orders;
      const orders =
        kept === undefined || changes === undefined
          ? ordersOf(records).filter((name) => possible.includes(name))
          : judged(possible, { before: kept.records, changes: changes.records }, records);
      const head = { since: at - MARGIN, wholeAt: this.#parts.clock.now(), writes, orders };
      await this.#keep(reading, head, records, kept);
    });
    return {
      send: async (extra, patience) => whole.page(extra, await send(extra, patience)),
      age: undefined,
    };
  }
}

interface Reasons {
  /** The count from before the reading. */
  readonly writes: number;
  readonly kept: OpenReplica | undefined;
  /** The changes that made it necessary. */
  readonly changes: Changes | undefined;
}

/** The kept records with these changes; undefined: the list has to be read whole. */
async function known(
  { records, head }: OpenReplica,
  changes: readonly ListedRecord[],
): Promise<readonly ListedRecord[] | undefined> {
  return (await isRenamedMentioned(records, changes))
    ? undefined
    : withChanges(records, changes, head.orders);
}

function writesIn({ counts }: Marks, touches: Touches): number {
  let sum = 0;
  for (const [method, count] of counts) if (touches(method)) sum += count;
  return sum;
}

function idOf({ method, to, query }: ListReading): string {
  const { accountId, grantId, organisationId } = to;
  const text = JSON.stringify([accountId, grantId, organisationId, method, query]);
  return createHash('sha256').update(text).digest('base64url');
}
