import { describe, expect, it } from '@jest/globals';
import { Secret } from '../../src/lib/secret/secret.ts';
import { askRedis } from '../../src/upstream/limiter/redis/ask-redis.ts';
import { hasRedis, RunningRedis } from '../support/redis.ts';

const suite = hasRedis ? describe : describe.skip;

suite('the check of Redis', () => {
  it('passes, and leaves nothing behind', async () => {
    const redis = await RunningRedis.start('right-password');
    try {
      expect(await askRedis(new Secret(redis.url), 10_000)).toContain('answers');
      expect(await redis.ask((client) => client.dbsize())).toBe(0);
    } finally {
      await redis.stop();
    }
  });

  it.each([
    [
      'a wrong password',
      (url: string): string => url.replace('right-password', 'wrong-canary'),
      /refuses user or password/,
    ],
    [
      'no password',
      (url: string): string => url.replace(':right-password@', ''),
      /NOAUTH|refuses user or password/,
    ],
  ])('reports %s, without the password', async (_what, change, words) => {
    const redis = await RunningRedis.start('right-password');
    try {
      const told = await askRedis(new Secret(change(redis.url)), 3_000).catch((error: unknown) =>
        String(error),
      );
      expect(told).toMatch(words);
      expect(told).not.toContain('canary');
    } finally {
      await redis.stop();
    }
  });

  it('reports a server that is down', async () => {
    const absent = await RunningRedis.absent();
    try {
      await expect(askRedis(new Secret(absent.url), 1_000)).rejects.toThrow(/ECONNREFUSED/);
    } finally {
      await absent.stop();
    }
  });

  it('reports an eviction policy', async () => {
    const redis = await RunningRedis.start();
    try {
      await redis.ask((client) => client.config('SET', 'maxmemory-policy', 'allkeys-lru'));
      await expect(askRedis(new Secret(redis.url), 10_000)).rejects.toThrow(/noeviction/);
    } finally {
      await redis.stop();
    }
  });
});
