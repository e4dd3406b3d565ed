/**
 * Recently used pairs of number and UUID, for all accounts of a process, in typed arrays: as objects, a list
 * of 100,000 records would be traversed by the garbage collector again and again.
 *
 * Two hash tables with open addressing share the same slots, one by UUID and one by number. A key is searched
 * for in 64 neighbouring slots only; if all are taken, one is overwritten, so memory is bounded and a lookup
 * has a fixed cost. A missing pair is read from the database, so it is always safe to forget one.
 */
import type { Kind, Pair } from './identifier.ts';

/** Slots at first, and at most: 28 bytes each. Their number doubles when half are in use. */
const FEWEST = 1_024;
const MOST = 524_288;
/** Slots in which a pair may be, after the one its hash points to. */
const WINDOW = 64;
/** Accounts times kinds; above this number everything is forgotten. */
const MOST_SPACES = 50_000;

const UUID_LENGTH = 36;
/** Any odd number with about half of its bits set; see `mixed`. */
const SPREAD = 0x9e37_79b1;
const POSITIVE = 0x7fff_ffff;

/**
 * Recently read pairs of all accounts, as numbers rather than texts: as texts in maps, the 200,000
 * identifiers of 100,000 clients would be forty megabytes of small objects for the collector. A list longer
 * than the available space evicts pairs at random, so that the remaining ones are still useful the next time.
 */
export class RememberedPairs {
  readonly #most: number;
  readonly #spaces = new Map<string, Map<Kind, number>>();
  #spaceCount = 0;
  #size = FEWEST;
  #used = 0;
  /** 0: the slot is free. */
  #space = new Int32Array(FEWEST);
  #uuid = new Int32Array(4 * FEWEST);
  #number = new Int32Array(FEWEST);
  /** The slot of a pair plus one, by space and number; the pair may have been evicted since. */
  #byNumber = new Int32Array(FEWEST);
  /** The UUID being searched for. */
  readonly #wanted = new Int32Array(4);
  #random = 1;

  /** `most`: slots, a power of two. */
  constructor(most = MOST) {
    this.#most = most;
  }

  /** `uuid` in any case. */
  numberOf(accountId: string, kind: Kind, uuid: string): number | undefined {
    const space = this.#spaces.get(accountId)?.get(kind);
    if (space === undefined || !readUuid(uuid, this.#wanted)) return undefined;
    const place = this.#placeOf(space);
    return place < 0 ? undefined : this.#number[place];
  }

  /** In lower case. */
  uuidOf(accountId: string, kind: Kind, number: number): string | undefined {
    const space = this.#spaces.get(accountId)?.get(kind);
    if (space === undefined) return undefined;
    const mask = this.#size - 1;
    const from = mixed(Math.imul(space, SPREAD) ^ number) & POSITIVE;
    for (let step = 0; step < WINDOW; step += 1) {
      const place = (this.#byNumber[(from + step) & mask] ?? 0) - 1;
      if (place >= 0 && this.#space[place] === space && this.#number[place] === number)
        return writtenUuid(this.#uuid.subarray(4 * place, 4 * place + 4));
    }
    return undefined;
  }

  /** An invalid UUID is not cached. */
  remember(accountId: string, { kind, number, uuid }: Pair): void {
    if (!readUuid(uuid, this.#wanted)) return;
    const space = this.#spaceOf(accountId, kind);
    if (this.#placeOf(space) >= 0) return;
    if (2 * this.#used >= this.#size && this.#size < this.#most) {
      this.#grow();
      readUuid(uuid, this.#wanted);
    }
    this.#put(space, number);
  }

  #spaceOf(accountId: string, kind: Kind): number {
    let kinds = this.#spaces.get(accountId);
    const known = kinds?.get(kind);
    if (known !== undefined) return known;
    if (this.#spaceCount >= MOST_SPACES) {
      this.#clear();
      kinds = undefined;
    }
    if (kinds === undefined) this.#spaces.set(accountId, (kinds = new Map<Kind, number>()));
    kinds.set(kind, (this.#spaceCount += 1));
    return this.#spaceCount;
  }

  /** The slot of the wanted UUID; -1 if it is not there. */
  #placeOf(space: number): number {
    const uuid = this.#uuid;
    const wanted = this.#wanted;
    const mask = this.#size - 1;
    const from = hashOf(space, wanted);
    for (let step = 0; step < WINDOW; step += 1) {
      const place = (from + step) & mask;
      const found = this.#space[place];
      if (found === 0) return -1;
      if (found !== space) continue;
      let part = 0;
      while (part < 4 && uuid[4 * place + part] === wanted[part]) part += 1;
      if (part === 4) return place;
    }
    return -1;
  }

  #put(space: number, number: number): void {
    const mask = this.#size - 1;
    const from = hashOf(space, this.#wanted);
    let step = 0;
    while (step < WINDOW && this.#space[(from + step) & mask] !== 0) step += 1;
    if (step < WINDOW) this.#used += 1;
    else step = this.#anyOf(WINDOW);
    const place = (from + step) & mask;
    this.#space[place] = space;
    this.#number[place] = number;
    this.#uuid.set(this.#wanted, 4 * place);
    this.#index(space, number, place);
  }

  #index(space: number, number: number, place: number): void {
    const mask = this.#size - 1;
    const from = mixed(Math.imul(space, SPREAD) ^ number) & POSITIVE;
    let step = 0;
    while (step < WINDOW && this.#byNumber[(from + step) & mask] !== 0) step += 1;
    this.#byNumber[(from + (step < WINDOW ? step : this.#anyOf(WINDOW))) & mask] = place + 1;
  }

  #anyOf(count: number): number {
    this.#random = Math.imul(this.#random, 1_664_525) + 1_013_904_223;
    return (this.#random >>> 16) % count;
  }

  #grow(): void {
    const [spaces, uuids, numbers, size] = [this.#space, this.#uuid, this.#number, this.#size];
    this.#allocate(2 * size);
    for (let place = 0; place < size; place += 1) {
      const space = spaces[place] ?? 0;
      if (space === 0) continue;
      this.#wanted.set(uuids.subarray(4 * place, 4 * place + 4));
      this.#put(space, numbers[place] ?? 0);
    }
  }

  #clear(): void {
    this.#spaces.clear();
    this.#spaceCount = 0;
    this.#allocate(FEWEST);
  }

  #allocate(size: number): void {
    this.#size = size;
    this.#used = 0;
    this.#space = new Int32Array(size);
    this.#uuid = new Int32Array(4 * size);
    this.#number = new Int32Array(size);
    this.#byNumber = new Int32Array(size);
  }
}

/** Reads 32 hexadecimal digits in five groups; false if the text is not a UUID. */
function readUuid(text: string, into: Int32Array): boolean {
  if (text.length !== UUID_LENGTH) return false;
  let value = 0;
  let digits = 0;
  for (let at = 0; at < UUID_LENGTH; at += 1) {
    const code = text.charCodeAt(at);
    if (at === 8 || at === 13 || at === 18 || at === 23) {
      if (code !== 0x2d) return false;
      continue;
    }
    const digit = code <= 0x39 ? code - 0x30 : (code | 0x20) - 0x57;
    if (digit < 0 || digit > 15 || (code > 0x39 && digit < 10)) return false;
    value = (value << 4) | digit;
    digits += 1;
    if ((digits & 7) === 0) into[(digits >> 3) - 1] = value;
  }
  return true;
}

function writtenUuid(parts: Int32Array): string {
  let hex = '';
  for (const part of parts) hex += (part >>> 0).toString(16).padStart(8, '0');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join('-');
}

function hashOf(space: number, uuid: Int32Array): number {
  let hash = Math.imul(space, SPREAD);
  for (let part = 0; part < 4; part += 1) hash = mixed(hash ^ (uuid[part] ?? 0));
  return hash & POSITIVE;
}

/** Each bit of the value changes half of the bits of the result (the finaliser of MurmurHash3). */
function mixed(value: number): number {
  const once = Math.imul(value ^ (value >>> 16), 0x85eb_ca6b);
  return Math.imul(once ^ (once >>> 13), 0xc2b2_ae35) ^ (once >>> 16);
}
