import { describe, expect, it } from '@jest/globals';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret } from '../../src/lib/secret/secret.ts';
import { askRedis, redisFacts } from '../../src/upstream/limiter/redis/ask-redis.ts';
import { RedisLine } from '../../src/upstream/limiter/redis/redis-connection.ts';
import { readRedisAddress } from '../../src/upstream/limiter/redis/redis-address.ts';
import { Authority } from '../app/doctor/https-server.ts';
import { freePort } from '../support/bridge.ts';
import { eventually } from '../support/clock.ts';
import { hasRedis } from '../support/redis.ts';
import { clusterGroup, RedisGroup, sentinelGroup } from '../support/redis-group.ts';
import { SharedSetting } from './shared-setting.ts';

const suite = hasRedis ? describe : describe.skip;

describe('an address of Redis', () => {
  it.each([
    ['redis://cache', { form: 'server', secure: false, hosts: [{ host: 'cache', port: 6379 }] }],
    ['rediss://u:p%40ss@cache:7000/2', { form: 'server', secure: true, username: 'u', password: 'p@ss' }],
    ['redis://[::1]:7000', { hosts: [{ host: '::1', port: 7000 }] }],
    [
      'redis+sentinel://:p@a,b:5000/limit/3?sentinel-password=s%2Fs',
      {
        ...{ form: 'sentinel', password: 'p', service: 'limit', database: 3 },
        hosts: [
          { host: 'a', port: 26379 },
          { host: 'b', port: 5000 },
        ],
        sentinel: { username: undefined, password: 's/s' },
      },
    ],
    ['rediss+cluster://a,b', { form: 'cluster', secure: true, hosts: [{ host: 'a' }, { host: 'b' }] }],
  ])('is parsed: %s', (text, address) => {
    expect(readRedisAddress(text)).toMatchObject(address);
  });

  it.each([
    'http://cache',
    'redis://',
    'redis://a,b',
    'redis+sentinel://a,b',
    'redis+sentinel://a/',
    'redis+cluster://a/1',
    'redis+cluster://a,,b',
    'redis+cluster://a:0',
    'redis+cluster://a:70000',
    'redis+other://a',
    'redis://:%zz@a',
    'redis://a b',
  ])('is invalid: %s', (text) => {
    expect(readRedisAddress(text)).toBeUndefined();
  });
});

suite('Redis with TLS', () => {
  it('is used if its certificate is trusted, and only then', async () => {
    using authority = new Authority();
    const folder = mkdtempSync(join(tmpdir(), 'causeway-redis-tls-'));
    const group = new RedisGroup();
    const usual = getCACertificates('default');
    try {
      const { key, cert } = authority.issue('localhost', 30);
      const paths = { key, cert, ca: authority.certificate };
      for (const [name, text] of Object.entries(paths)) writeFileSync(join(folder, name), text);
      const tlsPort = await freePort();
      const plain = await group.server([
        ...[`tls-port ${tlsPort}`, `tls-cert-file ${join(folder, 'cert')}`],
        ...[`tls-key-file ${join(folder, 'key')}`, `tls-ca-cert-file ${join(folder, 'ca')}`],
        ...['tls-auth-clients no', 'requirepass topsecret'],
      ]);
      await eventually('it answers', async () => {
        const told = await askRedis(new Secret(`redis://:topsecret@127.0.0.1:${plain}`), 5_000).catch(
          () => '',
        );
        return told === '' ? undefined : true;
      });
      const url = new Secret(`rediss://:topsecret@localhost:${tlsPort}`);
      await expect(askRedis(url, 5_000)).rejects.toThrow(/certificate/);
      setDefaultCACertificates([...usual, authority.certificate]);
      // A handshake on a busy machine takes long, and one that is broken off begins anew.
      expect(await askRedis(url, 60_000)).toContain('answers');
      const elsewhere = new Secret(`rediss://:topsecret@127.0.0.1:${tlsPort}`);
      await expect(askRedis(elsewhere, 5_000)).rejects.toThrow(/altnames|certificate/i);
    } finally {
      setDefaultCACertificates(usual);
      await group.stop();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

suite('the rate limit, shared through Redis servers that fail over,', () => {
  /** Sends what can be sent by anybody at this moment. */
  async function drain(setting: SharedSetting): Promise<number> {
    let sent = 0;
    for (let n = 0; n < 2 * setting.perMinute; n += 1) if (await setting.sends(n)) sent += 1;
    return sent;
  }

  /** Before and after: no rolling minute sees more than the limit, and the limit is shared again. */
  async function holdsOver(url: string, failover: (setting: SharedSetting) => Promise<void>): Promise<void> {
    const setting = await SharedSetting.start({ redis: { url }, instances: 2, perMinute: 6 });
    try {
      await setting.together();
      expect(await drain(setting)).toBe(6);
      await failover(setting);
      await setting.together();
      expect(await drain(setting)).toBe(0);
      await setting.timers.advance(61_000);
      expect(await drain(setting)).toBe(6);
      expect(setting.most).toBe(6);
    } finally {
      await setting.stop();
    }
  }

  it('continues after a Sentinel has promoted the replica', async () => {
    const { group, url, master, replica } = await sentinelGroup();
    // Some of several meet the promotion while they connect anew.
    const lines = Array.from({ length: 8 }, () => new RedisLine(new Secret(url), 2_000));
    try {
      for (const line of lines) line.connect();
      await Promise.all(lines.map((line) => line.ready(60_000)));
      expect(await askRedis(new Secret(url), 10_000)).toContain('answers');
      await holdsOver(url, async (setting) => {
        await group.kill(master);
        await eventually('all have noticed', () => (setting.all('shared') ? undefined : true));
        await group.says(replica, 'replication', /role:master/, 'topsecret');
        await Promise.all(lines.map((line) => line.ready(60_000)));
      });
    } finally {
      for (const line of lines) line.close();
      await group.stop();
    }
  });

  it('reports a Sentinel that does not know the name, without the password', async () => {
    const { group, url } = await sentinelGroup();
    try {
      const told = await askRedis(new Secret(url.replace('/limit', '/other')), 3_000).catch(String);
      expect(told).toMatch(/RedisFault: .*[Ss]entinel/);
      expect(told).not.toContain('topsecret');
    } finally {
      await group.stop();
    }
  });

  it('continues after a cluster has promoted the replica of the master that had it', async () => {
    const { group, url, ports } = await clusterGroup();
    try {
      expect(await askRedis(new Secret(url), 10_000)).toContain('answers');
      expect(await redisFacts(new Secret(url), 10_000)).toEqual({
        ...{ version: expect.stringMatching(/^\d+\./), policy: 'noeviction', persists: false },
      });
      await holdsOver(url, async (setting) => {
        const slots = (await group.ask(ports[0] ?? 0, (client) => client.cluster('SLOTS'))) as unknown as [
          number,
          number,
          [string, number],
        ][];
        const slot = await group.ask(ports[0] ?? 0, (client) =>
          client.cluster('KEYSLOT', `{${setting.prefix}}`),
        );
        const owner = slots.find(([first, last]) => first <= slot && slot <= last)?.[2][1];
        await group.kill(owner ?? 0);
        await eventually('all have noticed', () => (setting.all('shared') ? undefined : true));
      });
    } finally {
      await group.stop();
    }
  });
});
