import {
  WRITTEN_SINCE,
  type AccountSnapshot,
  type Kept,
  type KeptFields,
} from '../../../features/snapshot/snapshot.ts';
import { READ_AT } from './kept-fields.ts';
import { idKey, type Kind, type UuidId } from '../../../mapping/crosswalk/identifier.ts';

/**
 * What V1 said before the move about the records of one call, requested together for everything a page needs.
 */
export class KeptRecords {
  readonly #snapshot: AccountSnapshot;
  readonly #known = new Map<string, Kept | undefined>();
  readonly #wanted = new Map<string, UuidId>();
  #oldest: number | undefined;

  constructor(snapshot: AccountSnapshot) {
    this.#snapshot = snapshot;
  }

  /** Whether nothing requested is missing. */
  get isComplete(): boolean {
    return this.#wanted.size === 0;
  }

  /** For a reply with kept values: when V1 returned the oldest; undefined: none used so far. */
  get headers(): Readonly<Record<string, string>> | undefined {
    return this.#oldest === undefined
      ? undefined
      : { 'X-Causeway-Snapshot': new Date(this.#oldest).toISOString() };
  }

  find(kind: Kind, uuid: string): KeptFields | undefined {
    if (uuid === '' || !this.#snapshot.has(kind)) return undefined;
    const key = idKey(kind, uuid);
    const kept = this.#known.get(key);
    if (kept !== undefined && kept.readAt !== WRITTEN_SINCE)
      this.#oldest = Math.min(kept.readAt, this.#oldest ?? kept.readAt);
    if (!this.#known.has(key)) this.#wanted.set(key, { kind, uuid });
    return kept?.fields;
  }

  async fetch(): Promise<void> {
    const wanted = [...this.#wanted];
    if (wanted.length === 0) return;
    const found = await this.#snapshot.read(wanted.map(([, id]) => id));
    for (const [key] of wanted) this.#known.set(key, stamped(found.get(key)));
    this.#wanted.clear();
  }
}

const stamped = (kept: Kept | undefined): Kept | undefined =>
  kept && { ...kept, fields: { ...kept.fields, [READ_AT]: String(kept.readAt) } };
