/**
 * The checks of everything around the bridge: the service, Redis, this machine's clock and disks.
 *
 * The service is asked as in `causeway doctor`, without credentials. The clock is compared with the header `Date` of
 * its answers, because the service decides when a token has ended.
 */
import { redisFacts, type RedisFacts } from '../../upstream/limiter/redis/ask-redis.ts';
import { SECOND } from '../../lib/time/clock.ts';
import {
  diskOf,
  diskTrouble,
  hasOwnDisk,
  isWritable,
  spoolTrouble,
  type DiskTrouble,
} from '../health/disk-check.ts';
import { foldersOf } from '../health/health.ts';
import type { Settings } from '../settings/model.ts';
import { probesOf, upstreamAddresses } from '../tools/doctor.ts';
import { PATIENCE } from '../tools/probe.ts';
import { ask } from './ask.ts';
import { failed, ok, unknown, warning, type Check, type Situation, type Verdict } from './model.ts';

const MB = 1024 * 1024;
/** The oldest version of Redis; docs/deploy/instances.md. */
const OLDEST_REDIS = 5;
/** Tokens are refreshed minutes before their end, and `Date` has whole seconds. */
const OFF = 30 * SECOND;
const NEARLY_OFF = 5 * SECOND;

/** The checks of the service, Redis, clock and disks. */
export const surroundingChecks = (settings: Settings): readonly Check[] => [
  ...probesOf(settings).map(({ what, run }): Check => ({
    what,
    examine: async () => {
      const { good, detail, instead } = await run();
      if (instead !== undefined) return unknown(detail, instead);
      return good ? ok(detail) : failed(detail, `check ${what.split(',')[0] ?? what} and the network`);
    },
  })),
  ...redisChecks(settings),
  { what: 'clock', examine: clock },
  ...foldersOf(settings).map((folder): Check => ({
    what: `disk of ${folder}`,
    examine: async () => disk(folder, await diskTrouble(folder)),
  })),
  ...ownDiskChecks(settings),
];

/** The folders that the bridge creates itself, with a row if they are on a disk of their own or cannot be used. */
const ownDiskChecks = (settings: Settings): readonly Check[] =>
  [
    { folder: settings.spillFolder, ask: diskTrouble },
    { folder: settings.spool.folder, ask: spoolTrouble },
  ].flatMap(({ folder, ask: look }) =>
    folder === undefined
      ? []
      : [
          {
            what: `disk of ${folder}`,
            examine: async () => {
              if (!(await isWritable(folder)))
                return failed('it cannot be written to or created', 'create it, writable by the bridge');
              return (await hasOwnDisk(folder, foldersOf(settings))) ? disk(folder, await look(folder)) : [];
            },
          },
        ],
  );

const redisChecks = ({ redis }: Settings): readonly Check[] =>
  redis === undefined
    ? []
    : [{ what: 'Redis', examine: async () => judgeRedis(await redisFacts(redis, PATIENCE)) }];

/** The faults of a Redis server. */
export function judgeRedis({ version, policy, persists }: RedisFacts): readonly Verdict[] {
  const found = [
    version !== undefined && Number.parseInt(version, 10) < OLDEST_REDIS
      ? failed(`version ${version} is too old`, `use ${OLDEST_REDIS} or later`)
      : undefined,
    policy !== undefined && policy !== 'noeviction'
      ? failed(`it discards keys when it is full (${policy})`, 'set maxmemory-policy noeviction')
      : undefined,
    policy === undefined
      ? unknown('it does not show its settings', 'make sure that maxmemory-policy is noeviction')
      : undefined,
  ].filter((verdict) => verdict !== undefined);
  const disk =
    persists === undefined
      ? ''
      : persists
        ? ', writes to disk, which is not needed'
        : ', in memory only, which is enough';
  return found.length > 0 ? found : [ok(`version ${version ?? 'unknown'}, keeps every key${disk}`)];
}

/** Compares the clock with the `Date` of every answer. */
async function clock({ settings, ca, now }: Situation, signal: AbortSignal): Promise<Verdict> {
  const heard = await Promise.all(
    upstreamAddresses(settings).map((address) => ahead(address, ca, now, signal)),
  );
  const found = heard.filter((one) => one !== undefined).toSorted((a, b) => a - b);
  const median = found[Math.floor(found.length / 2)];
  if (median === undefined)
    return unknown(
      'no answer from the service gives the time',
      'make sure that this machine uses NTP: timedatectl',
    );
  const seconds = Math.round(Math.abs(median) / SECOND);
  const words = `${seconds} s ${median > 0 ? 'ahead of' : 'behind'} the service`;
  if (Math.abs(median) > OFF)
    return failed(words, 'set it with NTP: expired tokens may be taken for valid ones');
  return Math.abs(median) > NEARLY_OFF ? warning(words, 'use NTP') : ok(words);
}

/** Milliseconds by which this machine's clock is ahead. */
async function ahead(
  address: string,
  ca: string | undefined,
  now: () => number,
  signal: AbortSignal,
): Promise<number | undefined> {
  const begun = now();
  try {
    const { headers } = await ask(address, { ca, signal });
    const told = Date.parse(headers.date ?? '');
    return Number.isNaN(told) ? undefined : (begun + now()) / 2 - told - SECOND / 2;
  } catch {
    return undefined; // whether it answers is checked in another row
  }
}

async function disk(folder: string, trouble: DiskTrouble | undefined): Promise<Verdict> {
  const remedy = 'free space on that disk, or give it more';
  if (trouble !== undefined)
    return trouble.code === 'disk-low' ? warning(trouble.words, remedy) : failed(trouble.words, remedy);
  const found = await diskOf(folder);
  return found === undefined
    ? unknown('this machine does not tell how much is free', 'see df on the bridge’s machine')
    : ok(`${Math.round(found.free / MB)} MB are free`);
}
