import { Cluster, Redis, type RedisOptions } from 'ioredis';
import type { RedisAddress } from './redis-address.ts';

/** One server, whether named or found by Sentinels, or a cluster. */
export type RedisClient = Redis | Cluster;

/** In milliseconds: a lost connection is re-established automatically, with pauses up to this. */
const LONGEST_PAUSE = 1_000;
/** In milliseconds: how often a cluster is asked which of its servers has which slots. */
const ASKED_FOR_SLOTS = 1_000;

const pause = (times: number): number => Math.min(50 * times, LONGEST_PAUSE);

/** `patience`: how long a command may take, in milliseconds. Nothing is queued, and nothing is sent twice. */
const optionsFor = (patience: number) =>
  ({
    // Older servers do not know the third protocol, and nothing here needs it.
    protocol: 2,
    lazyConnect: true,
    connectionName: 'causeway',
    commandTimeout: patience,
    connectTimeout: patience,
    enableOfflineQueue: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    retryStrategy: pause,
    // A replica that has replaced a master is found over a new connection.
    reconnectOnError: (error) => error.message.startsWith('READONLY'),
  }) satisfies RedisOptions;

/** Opens no connection yet. `url`: of one server, with whatever else ioredis reads from it. */
export function openRedis(address: RedisAddress | undefined, url: string, patience: number): RedisClient {
  switch (address?.form) {
    case undefined:
    case 'server':
      return new Redis(url, optionsFor(patience));
    case 'sentinel':
      return behindSentinels(address, patience);
    case 'cluster':
      return clusterOf(address, patience);
  }
}

/** The Sentinels are asked at each connection, and tell when another server takes over. */
const behindSentinels = (
  {
    hosts,
    service,
    database,
    username,
    password,
    sentinel,
    secure,
  }: Extract<RedisAddress, { form: 'sentinel' }>,
  patience: number,
): Redis =>
  new Redis({
    ...optionsFor(patience),
    sentinels: [...hosts],
    name: service,
    db: database,
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(sentinel.username !== undefined && { sentinelUsername: sentinel.username }),
    ...(sentinel.password !== undefined && { sentinelPassword: sentinel.password }),
    ...(secure && { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true }),
    sentinelRetryStrategy: pause,
    sentinelCommandTimeout: patience,
    failoverDetector: true,
  });

/** All keys of a deployment are in one slot. A command that may have arrived is not sent again. */
function clusterOf(
  { hosts, username, password, secure }: Extract<RedisAddress, { form: 'cluster' }>,
  patience: number,
): Cluster {
  const { protocol, connectionName, commandTimeout, connectTimeout } = optionsFor(patience);
  return new Cluster([...hosts], {
    lazyConnect: true,
    enableOfflineQueue: false,
    clusterRetryStrategy: pause,
    retryDelayOnFailover: 0,
    retryDelayOnClusterDown: 0,
    slotsRefreshInterval: ASKED_FOR_SLOTS,
    slotsRefreshTimeout: patience,
    // A certificate names a host, not its address.
    ...(secure && {
      dnsLookup: (name, done): void => {
        done(null, name);
      },
    }),
    redisOptions: {
      ...{ protocol, connectionName, commandTimeout, connectTimeout, maxRetriesPerRequest: 0 },
      ...(username !== undefined && { username }),
      ...(password !== undefined && { password }),
      ...(secure && { tls: {} }),
    },
  });
}
