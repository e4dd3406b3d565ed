import { startOf } from '../../db/place.ts';

/**
 * What this process has itself seen committed in its database. A copy made earlier lacks some of it, and so
 * does a standby that took over before it had everything.
 */
export class Lineage {
  /** The highest epoch seen. */
  epoch = 0;
  /** The highest fence seen of each grant. */
  readonly fences = new Map<string, number>();
  /** Where the database was when it was last certain that it is this deployment's. */
  place: string | undefined;
  /** When the server process there started; undefined for a file. */
  started: string | undefined;
  /** Other instances that were there when the database was last certain. */
  living: readonly string[] = [];
  #compared: string | undefined;
  #acknowledgedAt: number | null = null;
  readonly #left = new Set<string>();

  /** Whether there is nothing to compare the database at this place with, or that has been done. */
  isCompared(place: string): boolean {
    return this.place === undefined || place === this.place || place === this.#compared;
  }

  /** From now on the others rely on this process doing nothing at its former place. */
  compared(place: string): void {
    if (this.place !== undefined && this.place !== place) this.#left.add(this.place);
    this.#compared = place;
  }

  hasLeft(place: string): boolean {
    return this.#left.has(place);
  }

  /** An operator's acknowledgement takes precedence over what was seen. */
  heed(acknowledgedAt: number | null): void {
    if (acknowledgedAt !== this.#acknowledgedAt) this.#left.clear();
    this.#acknowledgedAt = acknowledgedAt;
  }

  /** It is certain that the database there is this deployment's. */
  certain(place: string | undefined, epoch: number): void {
    this.place = place ?? this.place;
    this.started = this.place === undefined ? undefined : startOf(this.place);
    this.epoch = Math.max(this.epoch, epoch);
  }
}
