import type * as imapflow from 'imapflow';
import { SECOND } from '../../../../lib/time/clock.ts';
import type { Mailbox, MailboxAddress, OpenFolder } from './mailbox.ts';
import { optionalPackage } from './packages.ts';

/** In milliseconds: to connect with TLS, and for each answer. */
const CONNECT = 15 * SECOND;
const ANSWER = 30 * SECOND;
/** The most bytes of one line or literal from the server: more than `MOST_BYTES` of a message, but not much more. */
const LONGEST_LITERAL = 1024 * 1024;

/** A mailbox read by IMAP; each use opens a connection of its own. */
export class ImapMailbox implements Mailbox {
  readonly #address: MailboxAddress;
  readonly #folder: string;

  constructor(address: MailboxAddress, folder: string) {
    this.#address = address;
    this.#folder = folder;
  }

  get name(): string {
    const { user, host, port } = this.#address;
    return `${user} at ${host}:${port}, ${this.#folder}`;
  }

  /** Rejects with `PackageMissing`, or with an error that `mailboxWords` describes. */
  async use<T>(signal: AbortSignal, work: (folder: OpenFolder) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const library = optionalPackage('imapflow') as typeof imapflow;
    const client = new library.ImapFlow(optionsOf(this.#address));
    // A connection that breaks between two commands reports it only here; the next command rejects.
    client.on('error', () => undefined);
    const end = (): void => {
      client.close();
    };
    signal.addEventListener('abort', end, { once: true });
    try {
      await client.connect();
      const opened = await client.mailboxOpen(this.#folder);
      const done = await work(folderOf(client, String(opened.uidValidity)));
      await client.logout();
      return done;
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    } finally {
      signal.removeEventListener('abort', end);
      client.close();
    }
  }
}

const optionsOf = ({ host, port, tls, user, password }: MailboxAddress): imapflow.ImapFlowOptions => ({
  host,
  port,
  secure: tls === 'always',
  ...(tls !== 'always' && { doSTARTTLS: tls === 'needed' }),
  auth: { user, pass: password.reveal() },
  logger: false,
  disableAutoIdle: true,
  disableCompression: true,
  connectionTimeout: CONNECT,
  greetingTimeout: CONNECT,
  socketTimeout: ANSWER,
  maxLineLength: LONGEST_LITERAL,
  maxLiteralSize: LONGEST_LITERAL,
  maxResponseSize: 2 * LONGEST_LITERAL,
});

const folderOf = (client: imapflow.ImapFlow, validity: string): OpenFolder => ({
  validity,
  async above(after, since) {
    const found = await client.search({ uid: `${after + 1}:*`, since: new Date(since) }, { uid: true });
    if (!Array.isArray(found)) throw new Error('the mail server cannot search the folder');
    // `7:*` also includes the last message if that is the sixth (RFC 9051, section 9).
    return found.filter((uid) => uid > after).toSorted((a, b) => a - b);
  },
  async read(uid, most) {
    const found = await client.fetchOne(
      String(uid),
      { source: { start: 0, maxLength: most } },
      { uid: true },
    );
    return found === false ? undefined : found.source;
  },
  async settle(uid, afterwards) {
    const done =
      afterwards.deed === 'seen'
        ? await client.messageFlagsAdd(String(uid), ['\\Seen'], { uid: true })
        : await client.messageMove(String(uid), afterwards.folder, { uid: true });
    if (done === false)
      throw new Error(
        afterwards.deed === 'seen'
          ? 'the mail server does not allow messages to be marked as seen'
          : `a message cannot be moved to ${afterwards.folder}: is there such a folder?`,
      );
  },
});
