import { parseArgs } from 'node:util';
import { setTimeout as delay } from 'node:timers/promises';
import { needs, provide } from '../testing/needs.ts';
import { startPostgres } from '../testing/private-postgres.ts';
import { FrontProxy, type ProxyName } from './front-proxy.ts';
import type { Counted } from './steady-callers.ts';

/**
 * Instances started anew one after the other under a steady load, behind the configurations that docs/deployment.md shows,
 * which are read from there. Judged by the callers (each call is `OK`) and by the service (no record made twice).
 *
 * node scripts/chaos/rolling-restart.ts [--proxy haproxy|nginx] [--instances 4] [--rounds 1] [--rate 20] [--lame-duck 5] [--json]
 */
const { values } = parseArgs({
  options: {
    proxy: { type: 'string', multiple: true, default: ['haproxy', 'nginx'] },
    instances: { type: 'string', default: '4' },
    runs: { type: 'string', default: '1' },
    'lame-duck': { type: 'string', default: '5' },
    rate: { type: 'string', default: '20' },
    json: { type: 'boolean', default: false },
  },
});

interface Outcome extends Counted {
  readonly proxy: string;
  readonly restarts: number;
  readonly doubled: number;
  readonly absent: number;
}

const [postgres, redis] = [provide(needs.postgres), provide(needs.redis)];
if (postgres === undefined || redis === undefined) throw new Error('PostgreSQL and Redis are needed');
const own = process.env.CAUSEWAY_TEST_POSTGRES_URL === undefined ? await startPostgres(postgres) : undefined;
// Read when the harness is loaded.
process.env.CAUSEWAY_TEST_POSTGRES_URL ??= own?.url ?? '';
process.env.CAUSEWAY_TEST_REDIS ??= redis;
try {
  for (const proxy of values.proxy as readonly ProxyName[]) tell(await measured(proxy));
} finally {
  await own?.stop();
}

function tell(outcome: Outcome): void {
  if (values.json) {
    console.log(JSON.stringify(outcome));
    return;
  }
  const { proxy, restarts, calls, writes, failed, doubled, absent } = outcome;
  const kinds = new Map<string, number>();
  for (const { verb, status } of failed)
    kinds.set(`${verb} ${status}`, (kinds.get(`${verb} ${status}`) ?? 0) + 1);
  const which =
    failed.length === 0 ? '' : ` (${[...kinds].map(([kind, count]) => `${count} × ${kind}`).join(', ')})`;
  console.log(
    `${proxy}: ${restarts} restarts, ${calls} calls, ${writes} of them writes: ${failed.length} failed${which}, ${doubled} records twice, ${absent} answered and not there`,
  );
  if (failed.length > 0)
    console.log(
      failed
        .slice(0, 5)
        .map(({ words }) => `  ${words}`)
        .join('\n'),
    );
}

async function measured(proxy: ProxyName): Promise<Outcome> {
  const program = provide(needs[proxy]);
  if (program === undefined) throw new Error(`${proxy} is needed`);
  const { RunningRedis } = await import('../../test/support/redis.ts');
  const { Rolling } = await import('./rolling.ts');
  const cache = await RunningRedis.start();
  try {
    const rolling = await Rolling.start(Number(values.instances), cache, values['lame-duck']);
    try {
      const front = FrontProxy.start(proxy, program, await rolling.freePort(), rolling.ports);
      try {
        const callers = await rolling.callers(front.url, Number(values.rate));
        callers.start();
        await delay(3_000);
        for (let run = 0; run < Number(values.runs); run += 1) await rolling.restartAll();
        await delay(3_000);
        const counted = await callers.end();
        const restarts = Number(values.instances) * Number(values.runs);
        return { ...counted, proxy, restarts, ...(await rolling.judged(counted)) };
      } finally {
        await front.stop();
      }
    } finally {
      await rolling.end();
    }
  } finally {
    await cache.stop();
  }
}
