import { withoutBrackets } from '../../lib/net/network.ts';
import { decoded } from '../../lib/text/address-text.ts';

/** The server that pg connects to, and whether the connection can be read on its way. */
export interface PostgresPeer {
  /** A path is a socket on this machine. */
  readonly host: string;
  readonly encrypted: boolean;
}

/** pg's `prefer` encrypts or fails; it has no `allow`. */
const ENCRYPTED = /^(prefer|require|verify-ca|verify-full|no-verify)$/;
const TLS_FILES = ['sslcert', 'sslkey', 'sslrootcert'] as const;

const LONE_PERCENT = / |%[^a-f0-9]|%[a-f0-9][^a-f0-9]/i;

type Options = Readonly<Record<string, string | undefined>>;

/**
 * Reads an address like pg and pg-connection-string: the last of a repeated option counts, an empty host counts as
 * none, and missing parts come from `PGHOST` and `PGSSLMODE`. Returns undefined if pg cannot read it either.
 */
export function postgresPeer(address: string, env: NodeJS.ProcessEnv): PostgresPeer | undefined {
  // Only pg accepts `postgres://user@/name` as an address.
  const url = URL.parse(address) ?? URL.parse(address.replace('@/', '@localhost/'));
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol)) return undefined;
  const options: Options = Object.fromEntries(url.searchParams);
  if (!isDecodable(address, options)) return undefined;
  const host = withoutBrackets(url.hostname);
  const named = URL.canParse(address) ? (decoded(host) ?? host) : '';
  const hosts = [options.host, named, env.PGHOST];
  return { host: hosts.find(isGiven) ?? 'localhost', encrypted: isEncrypted(options, env) };
}

/** Whether every part that pg decodes is valid UTF-8: not `%E4`, the `ä` of Latin-1. */
function isDecodable(address: string, options: Options): boolean {
  // pg escapes a lone percent sign first.
  const spelled = LONE_PERCENT.test(address) ? encodeURI(address).replace(/%25(\d\d)/g, '%$1') : address;
  const url = URL.parse(spelled) ?? URL.parse(spelled.replace('@/', '@localhost/'));
  if (url === null) return false;
  const parts = { user: url.username, password: url.password, host: url.hostname };
  return (
    decoded(url.pathname) !== undefined &&
    Object.entries(parts).every(([name, part]) => isGiven(options[name]) || decoded(part) !== undefined)
  );
}

function isEncrypted(options: Options, env: NodeJS.ProcessEnv): boolean {
  const { ssl, sslmode, sslnegotiation } = options;
  if (isGiven(sslmode)) return ENCRYPTED.test(sslmode);
  if (TLS_FILES.some((name) => isGiven(options[name]))) return true;
  if (ssl !== undefined) return /^(true|1|no-verify)$/.test(ssl);
  return sslnegotiation === 'direct' || ENCRYPTED.test(env.PGSSLMODE ?? '');
}

const isGiven = (text: string | undefined): text is string => text !== undefined && text !== '';
