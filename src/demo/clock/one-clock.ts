/**
 * Moves sandbox, mailbox and bridge of a demo to the same later time.
 *
 * The sandbox keeps its offset in its own database, so that a restarted demo (`--keep`) continues where it
 * was. The clock moves in steps of some hours; in each the service moves first, then the bridge does
 * everything that is due before the next step. When V1's end passes, V1 closes for every organisation, as it
 * will at the service.
 */
import type { Channel } from '../../lib/channel.ts';
import type { SandboxControl } from '../control.ts';
import { moves, stepsOf, type Move } from './moves.ts';

/** The processes whose clocks move together, and V1's end. */
export interface OneClockParts {
  readonly control: SandboxControl;
  readonly mailbox: Channel;
  readonly bridge: Channel;
  /** The day on which V1 ends, `2026-12-31`. */
  readonly v1End: string | undefined;
}

/** The common clock of a demo. */
export class OneClock {
  readonly #parts: OneClockParts;
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: OneClockParts) {
    this.#parts = parts;
  }

  /** Runs one move after the other, also for concurrent callers. Throws `SandboxRefused`. */
  move(move: Move): Promise<void> {
    const moved = this.#last.then(() => this.#advance(moves[move].millis));
    this.#last = moved.catch(() => undefined);
    return moved;
  }

  /** Moves step by step, the service first, so that the bridge's jobs find it at the same time. */
  async #advance(millis: number): Promise<void> {
    const { control, mailbox, bridge } = this.#parts;
    for (const step of stepsOf(millis)) {
      const { now } = await control.advance(step);
      await this.#endV1(now);
      await mailbox.ask('advance', step);
      await bridge.ask('advance', step);
    }
  }

  /** Closes every organisation's V1 once the day has come. */
  async #endV1(now: number): Promise<void> {
    const { control, v1End } = this.#parts;
    if (v1End === undefined || now < Date.parse(`${v1End}T00:00:00Z`)) return;
    for (const { id, switches } of await control.organisations())
      if (switches.v1 === 'open') await control.change(id, { v1: 'closed' });
  }
}
