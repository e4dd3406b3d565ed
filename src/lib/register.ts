/** Something that is in at most one register at a time. */
export interface Enrolled {
  /** Used by the register: the position in it; -1: not in one. */
  place: number;
}

/**
 * The objects in progress at the moment, in no order, for thousands that come and go in a second.
 *
 * A `Set` costs more than it seems. Its table is rebuilt after a number of changes, and the old one points to the new
 * one. As soon as one table is in V8's old generation, dead or not, every later table survives the collections of the
 * young generation, with the objects in it and everything these refer to: a quarter of all calls were copied twice and
 * left for a full collection (docs/operate/performance.md).
 */
export class Register<Member extends Enrolled> implements Iterable<Member> {
  readonly #members: Member[] = [];

  get size(): number {
    return this.#members.length;
  }

  /** Yields the present members, even if they leave during the iteration. */
  [Symbol.iterator](): IterableIterator<Member> {
    return this.#members.slice().values();
  }

  add(member: Member): void {
    member.place = this.#members.push(member) - 1;
  }

  has(member: Member): boolean {
    return this.#members[member.place] === member;
  }

  /** Returns false if the member was not in it. */
  delete(member: Member): boolean {
    const { place } = member;
    if (this.#members[place] !== member) return false;
    const last = this.#members.pop();
    if (last !== undefined && last !== member) {
      this.#members[place] = last;
      last.place = place;
    }
    member.place = -1;
    return true;
  }
}
