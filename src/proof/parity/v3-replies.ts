import type { Destination, Upstream, UpstreamAnswer, UpstreamRequest } from '../../upstream/model.ts';
import type { ReadyUpstream } from '../../upstream/ready-read.ts';

/** In bytes, for one reply: the second reader does not read longer ones. */
const MOST = 16 * 1_024 * 1_024;

/**
 * Between the routes and V3 during a comparison: keeps the bytes of each reply, because what the bridge writes for the
 * program is always well-formed and no longer shows how V3's own reply was understood. One read at a time of an account.
 */
export class V3Replies implements Upstream, ReadyUpstream {
  readonly #upstream: Upstream;
  readonly #kept = new Map<string, Buffer[][]>();

  constructor(upstream: Upstream) {
    this.#upstream = upstream;
  }

  /** The replies to the account since the last call: a list may have several pages. */
  take(accountId: string): readonly string[] {
    const replies = this.#kept.get(accountId) ?? [];
    this.#kept.delete(accountId);
    return replies.map((pieces) => Buffer.concat(pieces).toString('utf8'));
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

  #keeper(accountId: string): (piece: Buffer) => void {
    const replies = this.#kept.get(accountId) ?? [];
    const pieces: Buffer[] = [];
    replies.push(pieces);
    this.#kept.set(accountId, replies);
    let bytes = 0;
    return (piece) => {
      if (bytes <= MOST) pieces.push(Buffer.from(piece));
      bytes += piece.length;
    };
  }
}

async function* passedOn(body: AsyncIterable<Buffer>, keep: (piece: Buffer) => void): AsyncGenerator<Buffer> {
  for await (const piece of body) {
    keep(piece);
    yield piece;
  }
}
