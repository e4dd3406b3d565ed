/**
 * Writes the records of a seed: assigns numbers and UUIDs (the same for the same seed), and resolves
 * references by number, UUID, code or name.
 */
import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { Files, StoredFile } from '../records/files.ts';
import type { Use } from '../records/kinds/custom-fields.ts';
import type { CustomValues, Kind, StoredRecord } from '../records/kinds.ts';
import type { Records } from '../records/records.ts';
import { folded } from '../records/selection.ts';
import type { NewRecord } from '../records/row.ts';
import { readCustomValue } from '../xml/methods/customfield/values.ts';
import { Refusal } from '../xml/refusal.ts';
import { SeedFault } from './fault.ts';
import type { customFields, reference } from './values.ts';

/** A reference to another record in a seed. */
export type SeedReference = z.infer<typeof reference>;
export type SeedCustomField = NonNullable<z.infer<typeof customFields>>[number];

export interface Ids {
  readonly number?: number | undefined;
  readonly uuid?: string | undefined;
}

export interface Identity {
  readonly number: number;
  readonly uuid: string;
}

/** Keeps track of what a seed has written and may refer to: its own records and existing ones. */
export class SeedWriter {
  readonly #records: Records;
  readonly #files: Files;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly #known = new Map<string, string>();
  #definitions: readonly StoredRecord<'customField'>[] | undefined;

  constructor(records: Records, files: Files, now: number) {
    this.#records = records;
    this.#files = files;
    this.now = now;
  }

  /** The existing records; only for kinds with few of them. */
  async all<K extends Kind>(kind: K): Promise<readonly StoredRecord<K>[]> {
    return this.#records.all(kind);
  }

  /** Returns the UUID of the file. */
  async addFile(file: StoredFile): Promise<string> {
    return this.#files.add(this.#records.organisationId, file);
  }

  /** Assigns identities before the records are written, so that records can refer to each other. */
  async identify<T extends Ids>(
    kind: Kind,
    given: readonly T[],
    nameOf: (of: T) => string,
  ): Promise<readonly (T & { readonly identity: Identity })[]> {
    const numbers = await this.#records.allot(kind, given);
    return given.map((one, at) => {
      const number = numbers[at] ?? 0;
      const identity = { number, uuid: one.uuid?.toLowerCase() ?? this.#uuid(kind, number) };
      this.#know(kind, identity, nameOf(one));
      return { ...one, identity };
    });
  }

  /** Assigns text numbers to records without one: those after the highest of the organisation. */
  async codes(
    kind: Kind,
    prefix: string,
    digits: number,
    given: readonly (string | undefined)[],
  ): Promise<readonly string[]> {
    const taken = new Set(given);
    let last = await this.#records.highestCode(kind, prefix);
    const next = (): string => `${prefix}${String(++last).padStart(digits, '0')}`;
    return given.map((code) => {
      if (code !== undefined) return code;
      let free = next();
      while (taken.has(free)) free = next();
      return free;
    });
  }

  async write<K extends Kind>(kind: K, records: readonly NewRecord<K>[]): Promise<void> {
    if (records.length === 0) return;
    try {
      await this.#records.insertAll(kind, records, this.now);
    } catch (error) {
      if (isTaken(error))
        throw new SeedFault(`two records of the kind ${kind} have the same number or UUID`, { cause: error });
      throw error;
    }
    if (kind === 'customField') this.#definitions = undefined;
  }

  /** Returns the UUID of the record; '' for no reference. Throws `SeedFault` if no record has this name. */
  async resolve(kind: Kind, reference: SeedReference | undefined): Promise<string> {
    if (reference === undefined) return '';
    const key = keyOf(kind, reference);
    const known = this.#known.get(key) ?? (await this.#find(kind, reference));
    if (known === undefined) throw new SeedFault(`no record of the kind ${kind} is called ${reference}`);
    this.#known.set(key, known);
    return known;
  }

  /** Throws `SeedFault` for an unknown field or a value that does not fit it. */
  async customValues(use: Use, given: readonly SeedCustomField[] | undefined): Promise<CustomValues> {
    if (!given) return {};
    const values: Record<string, string> = {};
    for (const { name, value } of given) {
      const definition = (await this.definitions()).find((one) => one.name === name);
      if (!definition?.fields.use.includes(use))
        throw new SeedFault(`the custom field ${name} is not defined for ${use}`);
      const stored = storedValue(definition, String(value));
      if (stored !== '') values[definition.uuid] = stored;
    }
    return values;
  }

  async definitions(): Promise<readonly StoredRecord<'customField'>[]> {
    this.#definitions ??= await this.#records.all('customField');
    return this.#definitions;
  }

  async #find(kind: Kind, reference: SeedReference): Promise<string | undefined> {
    if (typeof reference === 'number') return (await this.#records.byNumber(kind, reference))?.uuid;
    const found =
      (await this.#records.byUuid(kind, reference)) ??
      (await this.#records.byCode(kind, reference)) ??
      (await this.#records.byName(kind, reference));
    return found?.uuid;
  }

  #know(kind: Kind, { number, uuid }: Identity, name: string): void {
    for (const reference of [number, uuid, name]) {
      const key = keyOf(kind, reference);
      if (!this.#known.has(key)) this.#known.set(key, uuid);
    }
  }

  /** The same seed gives the same UUIDs. */
  #uuid(kind: Kind, number: number): string {
    const hash = createHash('sha256').update(`${this.#records.organisationId}\n${kind}\n${number}`).digest();
    hash.writeUInt8((hash.readUInt8(6) & 0x0f) | 0x40, 6);
    hash.writeUInt8((hash.readUInt8(8) & 0x3f) | 0x80, 8);
    const digits = hash.toString('hex');
    return [
      digits.slice(0, 8),
      digits.slice(8, 12),
      digits.slice(12, 16),
      digits.slice(16, 20),
      digits.slice(20, 32),
    ].join('-');
  }
}

/** The store's error if a unique index already holds the value. */
const isTaken = (error: unknown): boolean =>
  error instanceof Error && 'kind' in error && error.kind === 'unique';

const keyOf = (kind: Kind, reference: SeedReference): string =>
  typeof reference === 'number' ? `${kind}#${reference}` : `${kind}:${folded(reference)}`;

function storedValue(definition: StoredRecord<'customField'>, value: string): string {
  // A record keeps a choice that was taken out of the list after it was made.
  if (definition.fields.type === 'Dropdown List') return value;
  try {
    return readCustomValue(definition, value);
  } catch (error) {
    if (error instanceof Refusal) throw new SeedFault(error.message, { cause: error });
    throw error;
  }
}
