import { withoutBrackets } from '../../../lib/net/network.ts';
import { SECOND } from '../../../lib/time/clock.ts';
import { Secret } from '../../../lib/secret/secret.ts';
import { decoded } from '../../../lib/text/address-text.ts';

/** A mail server, and our credentials for it. */
export interface MailServer {
  readonly host: string;
  readonly port: number;
  /**
   * `always`: TLS from the first byte. `needed`: STARTTLS or nothing. `offered`: STARTTLS if the server
   * offers it.
   */
  readonly tls: 'always' | 'needed' | 'offered';
  readonly login: { readonly user: string; readonly password: Secret } | undefined;
}

/** Time limits, in milliseconds. */
export interface Patience {
  /** For the connection, with TLS. */
  readonly connect: number;
  /** For each answer. */
  readonly answer: number;
  /** For one whole message, including the connection. */
  readonly whole: number;
  /** How long a connection is kept for the next message. */
  readonly idle: number;
  /** How long a line that is being closed continues with a message whose content has not left. */
  readonly closing: number;
}

export const usualPatience: Patience = {
  connect: 10 * SECOND,
  answer: 30 * SECOND,
  whole: 60 * SECOND,
  idle: 15 * SECOND,
  closing: 2 * SECOND,
};

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/;

/**
 * Reads `smtp://` or `smtps://`, optionally with `user:password@` and a port (default 587 and 465). A
 * password is only sent over TLS. Undefined if the text is not such an address.
 */
export function parseMailServer(text: string): MailServer | undefined {
  const url = URL.parse(text);
  if (url === null || !isServer(url)) return undefined;
  const user = decoded(url.username);
  const password = decoded(url.password);
  if (user === undefined || password === undefined || (user === '') !== (password === '')) return undefined;
  const login = user === '' ? undefined : { user, password: new Secret(password) };
  const secure = url.protocol === 'smtps:';
  const inside = login === undefined || loopback.test(url.hostname);
  return {
    host: withoutBrackets(url.hostname),
    port: url.port === '' ? (secure ? 465 : 587) : Number(url.port),
    tls: secure ? 'always' : inside ? 'offered' : 'needed',
    login,
  };
}

/** A host without path, query or fragment. */
const isServer = ({ protocol, hostname, pathname, search, hash }: URL): boolean =>
  ['smtp:', 'smtps:'].includes(protocol) &&
  hostname !== '' &&
  ['', '/'].includes(pathname) &&
  search === '' &&
  hash === '';
