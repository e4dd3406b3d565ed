/** An event at a moment; events of one moment run in their order. */
export interface Timed {
  readonly at: number;
  readonly order: number;
}

/** A queue of events, the earliest first. */
export class EventHeap<Event extends Timed> {
  readonly #heap: Event[] = [];

  get first(): Event | undefined {
    return this.#heap[0];
  }

  get size(): number {
    return this.#heap.length;
  }

  push(event: Event): void {
    const heap = this.#heap;
    let at = heap.length;
    heap.push(event);
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = heap[above];
      if (parent === undefined || !isBefore(event, parent)) break;
      heap[at] = parent;
      at = above;
    }
    heap[at] = event;
  }

  pop(): Event | undefined {
    const heap = this.#heap;
    const top = heap[0];
    const last = heap.pop();
    if (last === undefined || last === top) return top;
    let at = 0;
    for (;;) {
      const [left, right] = [heap[2 * at + 1], heap[2 * at + 2]];
      if (left === undefined) break;
      const isLeft = right === undefined || isBefore(left, right);
      const child = isLeft ? left : right;
      if (!isBefore(child, last)) break;
      heap[at] = child;
      at = 2 * at + (isLeft ? 1 : 2);
    }
    heap[at] = last;
    return top;
  }
}

const isBefore = (one: Timed, other: Timed): boolean =>
  one.at < other.at || (one.at === other.at && one.order < other.order);
