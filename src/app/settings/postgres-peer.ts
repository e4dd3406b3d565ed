/** Whom pg speaks to, and whether anybody on the way can read it. */
export interface PostgresPeer {
  /** A path is a socket of this machine. */
  readonly host: string;
  readonly encrypted: boolean;
}

/** What pg calls `prefer` encrypts or fails; it has no `allow`. */
const ENCRYPTED = /^(prefer|require|verify-ca|verify-full|no-verify)$/;
const TLS_FILES = ['sslcert', 'sslkey', 'sslrootcert'] as const;

type Options = Readonly<Record<string, string | undefined>>;

/**
 * As pg and pg-connection-string read an address: of an option given twice the last counts, an empty host is none, and
 * what the address leaves out comes from `PGHOST` and `PGSSLMODE`. Undefined for what pg cannot read either.
 */
export function postgresPeer(address: string, env: NodeJS.ProcessEnv): PostgresPeer | undefined {
  // `postgres://user@/name` is an address to pg alone.
  const url = URL.parse(address) ?? URL.parse(address.replace('@/', '@localhost/'));
  if (url === null || !/^postgres(ql)?:$/.test(url.protocol)) return undefined;
  const options: Options = Object.fromEntries(url.searchParams);
  const named = URL.canParse(address) ? decoded(url.hostname.replace(/^\[(.+)\]$/, '$1')) : '';
  const hosts = [options.host, named, env.PGHOST];
  return { host: hosts.find(isGiven) ?? 'localhost', encrypted: isEncrypted(options, env) };
}

function isEncrypted(options: Options, env: NodeJS.ProcessEnv): boolean {
  const { ssl, sslmode, sslnegotiation } = options;
  if (isGiven(sslmode)) return ENCRYPTED.test(sslmode);
  if (TLS_FILES.some((name) => isGiven(options[name]))) return true;
  if (ssl !== undefined) return /^(true|1|no-verify)$/.test(ssl);
  return sslnegotiation === 'direct' || ENCRYPTED.test(env.PGSSLMODE ?? '');
}

const isGiven = (text: string | undefined): text is string => text !== undefined && text !== '';

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
