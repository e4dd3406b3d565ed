import type { Account } from '../../features/accounts/account.ts';
import { HOUR, MINUTE } from '../../lib/time/clock.ts';
import { isRead } from '../../mapping/compile/reads.ts';
import type { Method } from '../../mapping/compile/model.ts';
import type { Difference } from '../../features/cutover/parity/difference.ts';
import { identifierOf } from '../comparison/compare.ts';
import { unmasked, type Masking } from '../../features/samples/masking.ts';
import { ALL_TIME, type Asking } from './asking.ts';

/** In milliseconds: the greatest expected difference between the service's clock and ours. */
const CLOCKS_APART = MINUTE;

/** Dependencies for reading changes. */
interface Asked {
  readonly asking: Asking;
  readonly methods: ReadonlyMap<string, Method>;
}

/** The sample whose records are looked for: when it was taken, and how its identifiers were masked. */
interface SampleOf {
  readonly at: number;
  readonly masking: Masking;
}

/** The records of an account that the service reports as changed since a given time. */
export class RecordChanges {
  readonly #asked: Asked;
  readonly #account: Account;
  /** Identifiers of the changed records, by list and time. */
  readonly #changed = new Map<string, Promise<ReadonlySet<string> | undefined>>();

  constructor(asked: Asked, account: Account) {
    this.#asked = asked;
    this.#account = account;
  }

  /**
   * Which of the records have changed since a sample; undefined if the service has no list of changes for
   * them. One list for a whole hour serves all its samples. Only if it contains one of the records is the
   * list since the sample's own time read: what changed earlier in that hour is in the sample already, and a
   * difference in it is a real one.
   */
  async among(
    records: readonly string[],
    method: Method,
    { at, masking }: SampleOf,
  ): Promise<ReadonlySet<string> | undefined> {
    const since = at - CLOCKS_APART;
    const inHour = await this.#changedSince(method, since - (since % HOUR));
    if (inHour === undefined) return undefined;
    const found = sampledIn(inHour, records, masking);
    if (found.size === 0) return found;
    const changed = await this.#changedSince(method, since);
    return changed && sampledIn(changed, records, masking);
  }

  /**
   * Identifiers of the method's records that have changed; undefined if the service has no list of changes
   * for them.
   */
  #changedSince(method: Method, since: number): Promise<ReadonlySet<string> | undefined> {
    const list = changeListOf(method, this.#asked.methods.values());
    if (list === undefined) return Promise.resolve(undefined);
    const key = `${list.method.id} ${since}`;
    const known = this.#changed.get(key) ?? this.#askChanges(list, since);
    this.#changed.set(key, known);
    return known;
  }

  async #askChanges(
    { method, parameter }: ChangeList,
    since: number,
  ): Promise<ReadonlySet<string> | undefined> {
    const segments = method.legacy[0]?.segments.map((one) => ('literal' in one ? one.literal : '')) ?? [];
    const time = [parameter, new Date(since).toISOString().slice(0, 19)] as const;
    const query = [...ALL_TIME.filter(([name]) => method.requires.includes(name)), time];
    const answer = await this.#asked.asking.moved(this.#account, { segments, query });
    if (answer.answer !== 'read' || method.reply.form !== 'list') return undefined;
    const { container } = method.reply;
    const records = answer.root.children.find(({ name }) => name === container)?.children ?? [];
    return new Set(records.map((record) => identifierOf(unmasked(record)) ?? ''));
  }
}

/**
 * The record whose change may explain a difference, by its identifier; undefined if none does: no record is behind the
 * order of a list. A new record of V3 has no number here, neither in the reply nor in the list of changes.
 */
export function changedRecord({ cause, records: [record] }: Difference, own: string): string | undefined {
  if (record !== undefined && record !== '') return record;
  if (own !== '') return own;
  return record === '' && cause === 'extra-record' ? record : undefined;
}

/** Whether the record, if there is one, has changed. */
export const isAmong = (changed: ReadonlySet<string>, record: string | undefined): boolean =>
  record !== undefined && changed.has(record);

/** The records that are in the list, by their identifiers in the sample: some of those are hashes. */
function sampledIn(
  list: ReadonlySet<string>,
  records: readonly string[],
  masking: Masking,
): ReadonlySet<string> {
  const isMasked = records.some((record) => record.startsWith('#'));
  const hashes = new Set(isMasked ? Array.from(list, (id) => `#${masking.hash(id)}`) : []);
  return new Set(records.filter((record) => list.has(record) || hashes.has(record)));
}

/** A list of records that accepts the time since which they have changed. */
interface ChangeList {
  readonly method: Method;
  readonly parameter: string;
}

const PERIOD: ReadonlySet<string> = new Set(ALL_TIME.map(([name]) => name));

/**
 * The list of the same records that accepts such a time, if the service has one; a list for a period comes first. A
 * list without a period may leave out some of the records: that of current jobs leaves out a job that was completed,
 * the commonest change of a job.
 */
function changeListOf({ reply }: Method, methods: Iterable<Method>): ChangeList | undefined {
  if (!('of' in reply)) return undefined;
  let found: ChangeList | undefined;
  for (const method of methods) {
    const parameter = [...method.query.values()].find((name) =>
      name.toLowerCase().startsWith('modifiedsince'),
    );
    const isSame = method.reply.form === 'list' && method.reply.element === reply.element;
    const canBeAsked = isSame && isRead(method) && method.requires.every((name) => PERIOD.has(name));
    if (parameter === undefined || !canBeAsked) continue;
    if (method.requires.length > 0) return { method, parameter };
    found ??= { method, parameter };
  }
  return found;
}
