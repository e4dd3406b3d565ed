import type { Pace } from '../waiting/pace.ts';
import type { Ticking } from '../waiting/ticking.ts';

/** Dependencies of the heartbeats. */
export interface HeartbeatsParts {
  readonly pace: Pace;
  readonly ticking: Ticking;
  /** Never rejects. */
  readonly beat: () => Promise<void>;
  /** Nothing is about to change. */
  readonly isSettled: () => boolean;
}

/** When an instance's heartbeats come: one at a time, sooner while something is about to change. */
export class Heartbeats {
  readonly #parts: HeartbeatsParts;
  #cancel: (() => void) | undefined;
  #beating: Promise<void> | undefined;
  #again = false;
  #isStopped = false;

  constructor(parts: HeartbeatsParts) {
    this.#parts = parts;
  }

  get isStopped(): boolean {
    return this.#isStopped;
  }

  /** Resolves after a heartbeat: the one in progress, if there is one. */
  once(): Promise<void> {
    this.#beating ??= this.#parts.beat().finally(() => {
      this.#beating = undefined;
    });
    return this.#beating;
  }

  /** Beats at once, with short pauses: until `isDone`, but no more than `most` times. */
  async first(most: number, isDone: () => boolean): Promise<void> {
    for (let beats = 0; beats < most; beats += 1) {
      await this.once();
      if (isDone() || this.#isStopped) return;
      await new Promise<void>((resolve) => {
        this.#parts.ticking.timer(this.#parts.pace.hurry, resolve);
      });
    }
  }

  /** From now on they come regularly. */
  plan(): void {
    this.#cancel?.();
    this.#cancel = undefined;
    if (this.#isStopped) return;
    const { pace, ticking, isSettled } = this.#parts;
    const pause = this.#again || !isSettled() ? pace.hurry : pace.beat;
    this.#again = false;
    this.#cancel = ticking.timer(pause, () => {
      void this.once().then(() => {
        this.plan();
      });
    });
  }

  /** The next one comes soon. */
  hurry(): void {
    this.#again = true;
    if (this.#beating === undefined && this.#cancel !== undefined) this.plan();
  }

  /** No further one begins. Resolves when none is in progress. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancel?.();
    await this.#beating;
  }
}
