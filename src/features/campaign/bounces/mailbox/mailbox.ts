import { withoutBrackets } from '../../../../lib/net/network.ts';
import { Secret } from '../../../../lib/secret/secret.ts';
import { decoded } from '../../../../lib/text/address-text.ts';

/** A mailbox, and our credentials for it. */
export interface MailboxAddress {
  readonly host: string;
  readonly port: number;
  /** `always`: TLS from the first byte. `needed`: STARTTLS or nothing. `never`: on this machine. */
  readonly tls: 'always' | 'needed' | 'never';
  readonly user: string;
  readonly password: Secret;
}

/** What happens to a bounce that was understood. All other messages stay as they are. */
export type Afterwards =
  { readonly deed: 'seen' } | { readonly deed: 'leave' } | { readonly deed: 'move'; readonly folder: string };

/** One folder while it is open. All methods reject once the connection is lost. */
export interface OpenFolder {
  /** Changes when the server has renumbered its messages. */
  readonly validity: string;
  /** Numbers of messages above `after`, ascending, that arrived at `since` or later (milliseconds since the epoch). */
  above(after: number, since: number): Promise<readonly number[]>;
  /** The first bytes of a message, at most `most`; undefined: it is gone. */
  read(uid: number, most: number): Promise<Uint8Array | undefined>;
  settle(uid: number, afterwards: Exclude<Afterwards, { readonly deed: 'leave' }>): Promise<void>;
}

/** Opens the folder for the duration of one call. */
export interface Mailbox {
  /** For people: user, host and folder; no secret. */
  readonly name: string;
  use<T>(signal: AbortSignal, work: (folder: OpenFolder) => Promise<T>): Promise<T>;
}

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/;

/**
 * Reads `imaps://user:password@host` or `imap://…`, optionally with a port (default 993 and 143). Undefined if the text
 * is not such an address.
 */
export function parseMailbox(text: string): MailboxAddress | undefined {
  const url = URL.parse(text);
  if (url === null || !isServer(url)) return undefined;
  const [user, password] = [decoded(url.username), decoded(url.password)];
  if (!isWord(user) || !isWord(password)) return undefined;
  const secure = url.protocol === 'imaps:';
  return {
    host: withoutBrackets(url.hostname),
    port: url.port === '' ? (secure ? 993 : 143) : Number(url.port),
    tls: secure ? 'always' : loopback.test(url.hostname) ? 'never' : 'needed',
    user,
    password: new Secret(password),
  };
}

/** A host without path, query or fragment. */
const isServer = ({ protocol, hostname, pathname, search, hash }: URL): boolean =>
  ['imap:', 'imaps:'].includes(protocol) && hostname !== '' && `${pathname}${search}${hash}`.length <= 1;

const isWord = (text: string | undefined): text is string =>
  text !== undefined && text !== '' && !/\p{Cc}/u.test(text);

/** Reads `seen`, `leave` or `move:FOLDER`; undefined if the text is none of these. */
export function parseAfterwards(text: string): Afterwards | undefined {
  if (text === 'seen' || text === 'leave') return { deed: text };
  const folder = /^move:(.{1,200})$/.exec(text)?.[1]?.trim();
  return folder === undefined || folder === '' || /\p{Cc}/u.test(folder)
    ? undefined
    : { deed: 'move', folder };
}
