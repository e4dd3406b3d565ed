import { Readable } from 'node:stream';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { PostVerdict } from '../outbox.ts';
import { connect } from './connect.ts';
import { usualPatience, type MailServer, type Patience } from './mail-server.ts';
import { responseOf, verdictOf } from './verdict.ts';

const STOPPING = 'the bridge is being stopped';

/** A message ready to send. The addresses are plain, without names. */
export interface Parcel {
  readonly from: string;
  readonly to: string;
  readonly content: Buffer;
}

interface Attempt {
  readonly verdict: PostVerdict;
  /** The connection was already dead: nothing was attempted. */
  readonly stale: boolean;
}

/**
 * The connection to a mail server: kept for a while for the next message, one message at a time. Unlike
 * nodemailer's own pool, it never sends anything twice when a connection ends at the wrong moment.
 */
export class SmtpLine {
  readonly #server: MailServer;
  readonly #patience: Patience;
  #last: Promise<unknown> = Promise.resolve();
  #kept: { readonly connection: SMTPConnection; readonly timer: NodeJS.Timeout } | undefined;
  #closed = false;
  /** Ends the attempt in progress, unless its content has begun to leave. */
  readonly #stop = new AbortController();

  constructor(server: MailServer, patience: Patience = usualPatience) {
    this.#server = server;
    this.#patience = patience;
  }

  /** Never rejects. */
  send(parcel: Parcel): Promise<PostVerdict> {
    const sent = this.#last.then(() => this.#deliver(parcel));
    this.#last = sent;
    return sent;
  }

  /**
   * Waits for the message in progress and closes the connection; later messages are postponed. So is one that a slow
   * server has not asked for yet: a process that was ended while it waits could not tell that nothing has left.
   */
  async close(): Promise<void> {
    this.#closed = true;
    const impatient = setTimeout(() => {
      this.#stop.abort(new Error(STOPPING));
    }, this.#patience.closing);
    await this.#last;
    clearTimeout(impatient);
    this.#take()?.quit();
  }

  async #deliver(parcel: Parcel): Promise<PostVerdict> {
    if (this.#closed) return { verdict: 'postponed', reason: STOPPING };
    const kept = this.#take();
    const first = kept && (await this.#attempt(kept, parcel));
    if (first !== undefined && !first.stale) return first.verdict;
    try {
      const connection = await connect(this.#server, this.#patience, this.#stop.signal);
      return (await this.#attempt(connection, parcel)).verdict;
    } catch (error) {
      return verdictOf(error, false);
    }
  }

  async #attempt(connection: SMTPConnection, parcel: Parcel): Promise<Attempt> {
    const content = Readable.from([parcel.content], { objectMode: false });
    try {
      const response = await handedOver(connection, parcel, content, {
        patience: this.#patience.whole,
        signal: this.#stop.signal,
      });
      this.#keep(connection);
      return { verdict: { verdict: 'sent', response: responseOf(response) }, stale: false };
    } catch (error) {
      // nodemailer reads the content only when the server has asked for it.
      const contentLeft = content.readableDidRead;
      connection.close();
      return { verdict: verdictOf(error, contentLeft), stale: !contentLeft && isGoodbye(error) };
    }
  }

  #keep(connection: SMTPConnection): void {
    if (connection.destroyed) return;
    const timer = setTimeout(() => {
      this.#take()?.quit();
    }, this.#patience.idle);
    timer.unref();
    this.#kept = { connection, timer };
  }

  #take(): SMTPConnection | undefined {
    const kept = this.#kept;
    this.#kept = undefined;
    clearTimeout(kept?.timer);
    return kept?.connection.destroyed === true ? undefined : kept?.connection;
  }
}

/** No reply to the message: the connection had ended, or ends now (421). */
const isGoodbye = (error: unknown): boolean =>
  !(error instanceof Error && 'responseCode' in error) || error.responseCode === 421;

/** Resolves with the server's answer to the content. The signal ends it only before the content is read. */
function handedOver(
  connection: SMTPConnection,
  { from, to, content: { length } }: Parcel,
  content: Readable,
  { patience, signal }: { readonly patience: number; readonly signal: AbortSignal },
): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const end = setTimeout(() => {
    reject(new Error(`not finished within ${patience / 1_000} s`));
  }, patience);
  const leave = (): void => {
    if (!content.readableDidRead) reject(signal.reason);
  };
  signal.addEventListener('abort', leave);
  connection.send({ from, to, size: length }, content, (error, outcome) => {
    if (error) reject(error);
    else resolve(outcome.response);
  });
  return promise.finally(() => {
    clearTimeout(end);
    signal.removeEventListener('abort', leave);
  });
}
