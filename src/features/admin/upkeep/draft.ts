import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { MINUTE, type Clock } from '../../../lib/time/clock.ts';
import { nextTurn } from '../../../lib/time/turn.ts';
import { Secret } from '../../../lib/secret/secret.ts';
import { SealBroken, type Seal } from '../../../lib/secret/seal.ts';
import { AdminRefusal } from '../refusal.ts';

// In a thread: compressing eight megabytes would block all other calls.
const [pack, unpack] = [promisify(deflateRaw), promisify(inflateRaw)] as const;

/** How long a preview stays valid, in milliseconds. */
const PATIENCE = 30 * MINUTE;

/** The parts that seal drafts. */
export interface DraftParts {
  readonly seal: Pick<Seal, 'seal' | 'open'>;
  readonly clock: Clock;
}

/**
 * A file between its preview and its import: sealed, so that it can travel through a page to any process. It contains
 * keys or tokens, so it is not shown again, and only stored with the page of its preview, for one or two hours.
 */
export class SealedDraft {
  readonly #parts: DraftParts;
  readonly #column: string;

  /** `column`: the kind of draft; one of another kind cannot be opened. */
  constructor(parts: DraftParts, column: string) {
    this.#parts = parts;
    this.#column = column;
  }

  /** Only this operator can open it. */
  async seal(text: string, who: string): Promise<string> {
    const { seal, clock } = this.#parts;
    const packed = (await pack(Buffer.from(text, 'utf8'))).toString('base64');
    await nextTurn();
    const draft = seal.seal(new Secret(`${clock.now()} ${packed}`), who, this.#column);
    await nextTurn();
    return draft;
  }

  /** Throws `AdminRefusal` unusable if it is another operator's or too old. */
  async open(draft: string, who: string): Promise<string> {
    const { seal, clock } = this.#parts;
    try {
      const [at, packed = ''] = seal.open(draft, who, this.#column).reveal().split(' ');
      if (Math.abs(clock.now() - Number(at)) <= PATIENCE)
        return (await unpack(Buffer.from(packed, 'base64'))).toString('utf8');
    } catch (error) {
      if (!(error instanceof SealBroken)) throw error;
    }
    throw new AdminRefusal('unusable', 'the preview is too old, or somebody else’s: choose the file again');
  }
}
