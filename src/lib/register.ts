/** Something that is in at most one register at a time. */
export interface Enrolled {
  /** For the register: where it is; -1: not in one. */
  place: number;
}

/**
 * What is in progress at the moment, for objects of which thousands come and go in a second; in no order.
 *
 * A `Set` would cost more than it looks. Its table is made anew after so many changes, and the old one points to the new
 * one. As soon as one table is in V8's old generation, dead or not, every later table survives the collections of the
 * young generation, with the objects in it and everything these refer to: a quarter of all calls were copied twice and
 * left for a full collection (docs/operate/performance.md).
 */
export class Register<Member extends Enrolled> implements Iterable<Member> {
  readonly #members: Member[] = [];

  get size(): number {
    return this.#members.length;
  }

  /** Those that are in it now, even if they leave meanwhile. */
  [Symbol.iterator](): IterableIterator<Member> {
    return this.#members.slice().values();
  }

  add(member: Member): void {
    member.place = this.#members.push(member) - 1;
  }

  has(member: Member): boolean {
    return this.#members[member.place] === member;
  }

  /** False: it was not in it. */
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
