import type { Destination, Upstream, UpstreamAnswer, UpstreamRequest } from '../../upstream/model.ts';
import type { ReadyUpstream } from '../../upstream/ready-read.ts';

/** In bytes, for all replies to one read: about twice as much as the program's reply may have to be compared. */
const MOST = 32 * 1_024 * 1_024;

/** The replies to one read; `too-long`: none was kept. */
export type Received = readonly Buffer[] | 'too-long';

interface Kept {
  readonly replies: Buffer[][];
  bytes: number;
}

/**
 * Between the routes and V3 during a comparison: keeps the bytes of each reply, because what the bridge writes for the
 * program is always well-formed and no longer shows how V3's own reply was understood. One read at a time of an account.
 */
export class V3Replies implements Upstream, ReadyUpstream {
  readonly #upstream: Upstream;
  readonly #most: number;
  readonly #kept = new Map<string, Kept>();

  constructor(upstream: Upstream, most = MOST) {
    this.#upstream = upstream;
    this.#most = most;
  }

  /** The replies to the account since the last call: a list may have several pages. */
  take(accountId: string): Received {
    const { replies, bytes } = this.#kept.get(accountId) ?? { replies: [], bytes: 0 };
    this.#kept.delete(accountId);
    return bytes > this.#most ? 'too-long' : replies.map((pieces) => Buffer.concat(pieces));
  }

  async send(
    to: Destination,
    request: UpstreamRequest,
    patience?: Parameters<Upstream['send']>[2],
  ): Promise<UpstreamAnswer> {
    const answer = await this.#upstream.send(to, request, patience);
    if (answer.status !== 200) return answer;
    const keep = this.#keeper(to.accountId);
    if (answer.whole !== undefined) keep(answer.whole);
    return answer.whole === undefined ? { ...answer, body: passedOn(answer.body, keep) } : answer;
  }

  fetch(...asked: Parameters<Upstream['fetch']>): Promise<UpstreamAnswer> {
    return this.#upstream.fetch(...asked);
  }

  /** Reads for a comparison may wait. */
  ready(): undefined {
    return undefined;
  }

  /** A part of the replies would show as a difference, so beyond the limit nothing is kept. */
  #keeper(accountId: string): (piece: Buffer) => void {
    const kept = this.#kept.get(accountId) ?? { replies: [], bytes: 0 };
    this.#kept.set(accountId, kept);
    const pieces: Buffer[] = [];
    kept.replies.push(pieces);
    return (piece) => {
      kept.bytes += piece.length;
      if (kept.bytes <= this.#most) pieces.push(Buffer.from(piece));
      else for (const reply of kept.replies) reply.length = 0;
    };
  }
}

async function* passedOn(body: AsyncIterable<Buffer>, keep: (piece: Buffer) => void): AsyncGenerator<Buffer> {
  for await (const piece of body) {
    keep(piece);
    yield piece;
  }
}
