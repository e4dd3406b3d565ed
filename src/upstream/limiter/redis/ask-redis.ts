import type { Secret } from '../../../lib/secret/secret.ts';
import { RedisFault, RedisLine } from './redis-connection.ts';
import { greet } from './redis-scripts.ts';

/** Prefix of the keys of the check, which no deployment uses. */
const NOBODY = 'causeway:doctor';

/**
 * Signs in and runs a script that leaves nothing behind. Resolves with a text for the operator. Throws
 * `RedisFault`.
 */
export async function askRedis(url: Secret, millis: number): Promise<string> {
  const line = new RedisLine(url, millis);
  try {
    line.connect();
    await line.ready(millis);
    const keys = ['epoch', 'instances', 'heard'].map((name) => `{${NOBODY}}:${name}`);
    await line.run(greet, keys, ['nobody', '', 0, 'none', 'nobody', 0, 0]);
    await line.forget(`{${NOBODY}}:epoch`);
    const policy = await line.config('maxmemory-policy');
    if (policy !== undefined && policy !== 'noeviction')
      throw new RedisFault(
        `answers, but makes room by throwing keys away: set maxmemory-policy noeviction, not ${policy}`,
      );
    return 'answers, and runs the script that shares the limit';
  } finally {
    line.close();
  }
}

/** What a Redis server says about itself; undefined: it hides that. */
export interface RedisFacts {
  /** `7.2.4`; the oldest of several. */
  readonly version: string | undefined;
  readonly policy: string | undefined;
  /** Whether anything is written to disk. */
  readonly persists: boolean | undefined;
}

const compareVersions = (one = '', other = ''): number =>
  Number.parseInt(one, 10) - Number.parseInt(other, 10);

/** Throws `RedisFault`. */
export async function redisFacts(url: Secret, millis: number): Promise<RedisFacts> {
  const line = new RedisLine(url, millis);
  try {
    line.connect();
    await line.ready(millis);
    const versions = (await line.info('server')).map((text) => /^redis_version:(\S+)/m.exec(text)?.[1]);
    const version = versions.includes(undefined) ? undefined : versions.toSorted(compareVersions)[0];
    const [policy, appends, saves] = [
      await line.config('maxmemory-policy'),
      await line.config('appendonly'),
      await line.config('save'),
    ];
    const persists =
      appends === undefined || saves === undefined ? undefined : appends === 'yes' || saves !== '';
    return { version, policy, persists };
  } finally {
    line.close();
  }
}
