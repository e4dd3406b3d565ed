import { withoutBrackets } from '../../lib/net/network.ts';
import type { Secret } from '../../lib/secret/secret.ts';
import { readRedisAddress } from '../../upstream/limiter/redis/redis-address.ts';
import { postgresPeer } from './postgres-peer.ts';
import { upstreamRoots, type Name, type Values } from './table.ts';
import { isLoopback } from './types.ts';

/** A connection that could be read on its way, and how to encrypt it. */
interface Plain {
  readonly name: Name;
  readonly host: string;
  readonly remedy: string;
}

/**
 * Connections that would leave this machine unencrypted without being allowed by name, as texts for the operator: keys,
 * tokens and customers' names travel over all of these. `env`: what pg reads besides the address.
 */
export function plainFaults(values: Values, env: NodeJS.ProcessEnv): readonly string[] {
  // A setting that could not be read is undefined here, whatever the type of `Values` says.
  const allowed = new Set(plainHostsOf(values));
  return [...rootsOf(values), ...databasesOf(values, env), ...redisOf(values), mailOf(values)]
    .filter((one) => one !== undefined)
    .filter(({ host }) => host !== '' && !isLoopback(host) && !allowed.has(bare(host)))
    .map(
      ({ name, host, remedy }) =>
        `${name}: ${bare(host)} would be spoken to without encryption; ${remedy}, or name it in CAUSEWAY_PLAIN_HOSTS`,
    );
}

/** The hosts that may be spoken to without encryption. */
export const plainHostsOf = (values: Values): readonly string[] => values.CAUSEWAY_PLAIN_HOSTS ?? [];

function rootsOf(values: Values): readonly Plain[] {
  return [...upstreamRoots, 'CAUSEWAY_OTLP_URL' as const].flatMap((name) => {
    const url = URL.parse(values[name] ?? '');
    return url?.protocol === 'http:' ? [{ name, host: url.hostname, remedy: 'begin with https://' }] : [];
  });
}

const databases = ['CAUSEWAY_DATABASE_URL', 'CAUSEWAY_DATABASE_DIRECT_URL'] as const;

function databasesOf(values: Values, env: NodeJS.ProcessEnv): readonly Plain[] {
  return databases.flatMap((name) => {
    const peer = postgresPeer(textOf(values[name]), env);
    if (peer === undefined || peer.encrypted || peer.host.startsWith('/')) return [];
    return [{ name, host: peer.host, remedy: 'add ?sslmode=verify-full' }];
  });
}

function redisOf(values: Values): readonly Plain[] {
  const address = readRedisAddress(textOf(values.CAUSEWAY_REDIS_URL));
  if (address === undefined || address.secure) return [];
  const remedy = `begin with rediss${address.form === 'server' ? '' : `+${address.form}`}://`;
  return address.hosts.map(({ host }) => ({ name: 'CAUSEWAY_REDIS_URL', host, remedy }));
}

function mailOf(values: Values): Plain | undefined {
  const server = values.CAUSEWAY_SMTP_URL;
  return server?.tls === 'offered'
    ? {
        name: 'CAUSEWAY_SMTP_URL',
        host: server.host,
        remedy: 'begin with smtps://, give a user and a password (then STARTTLS is required)',
      }
    : undefined;
}

const textOf = (address: unknown): string => (address as Secret | undefined)?.reveal() ?? '';

const bare = (host: string): string => withoutBrackets(host.toLowerCase());
